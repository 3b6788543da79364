import { useCallback } from 'react';

import { AppError, type AppErrorShape, fail } from '../../core/base/errors.ts';
import type { CommandName, Input, Output } from '../../wire/contract.ts';
import { api } from './api.ts';
import { useAppDispatch } from './store.ts';

/**
 * Sends a command from where no mutation hook can stand: in a sequence, with a signal, or by a
 * name. It goes the way of all mutations. Rejects with an AppError, `aborted` where the signal
 * fired. A refusal is shown as a notice too, unless its sender says that it shows it `here`.
 */
export type SendCommand = <M extends CommandName>(
  method: M,
  input: Input<M>,
  options?: { signal?: AbortSignal; refusal?: 'notice' | 'here' },
) => Promise<Output<M>>;

export function useSendCommand(): SendCommand {
  const dispatch = useAppDispatch();
  return useCallback(
    async <M extends CommandName>(
      method: M,
      input: Input<M>,
      { signal, refusal = 'notice' }: NonNullable<Parameters<SendCommand>[2]> = {},
    ) => {
      const sent = dispatch(
        api.endpoints.command.initiate({ method, input, refusal }, { track: false }),
      );
      const stop = (): void => {
        sent.abort();
      };
      signal?.addEventListener('abort', stop, { once: true });
      if (signal?.aborted) stop();
      try {
        return (await sent.unwrap()) as Output<M>;
      } catch (thrown) {
        if (signal?.aborted) throw fail('aborted', 'The operation was cancelled.');
        throw new AppError(thrown as AppErrorShape);
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    [dispatch],
  );
}
