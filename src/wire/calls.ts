import { AppError, fail, readErrorShape, toAppError } from '../core/base/errors.ts';
import type { Client, Input, MethodName, Output } from './contract.ts';
import type { Reply, Request } from './messages.ts';

const closed = (): AppError =>
  fail(
    'unreachable',
    'The engine is not connected.',
    'It is started again by itself; if it stays away, see the log in the data folder.',
  );

interface Pending {
  resolve(output: unknown): void;
  reject(error: AppError): void;
  forget(): void;
}
/** The calls of one client that have no answer yet. */
export interface Calls {
  call: Client['call'];
  /** Ends the call that an answer belongs to; an answer to none is ignored. */
  settle(answer: Extract<Reply, { k: 'done' | 'failed' }>): void;
  /** The port is closed: rejects all that is open with `unreachable`. */
  rejectAll(): void;
}

export function createCalls(post: (message: Request) => void, isOpen: () => boolean): Calls {
  const pending = new Map<number, Pending>();
  let nextId = 1;
  return {
    call<M extends MethodName>(
      method: M,
      input: Input<M>,
      signal?: AbortSignal,
    ): Promise<Output<M>> {
      return new Promise<Output<M>>((resolve, reject) => {
        if (!isOpen()) {
          reject(closed());
          return;
        }
        if (signal?.aborted) {
          reject(toAppError(aborted()));
          return;
        }
        const id = nextId++;
        const onAbort = (): void => {
          post({ k: 'cancel', id });
          pending.get(id)?.forget();
          reject(toAppError(aborted()));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        pending.set(id, {
          resolve: (output) => resolve(output as Output<M>),
          reject,
          forget() {
            pending.delete(id);
            signal?.removeEventListener('abort', onAbort);
          },
        });
        try {
          post({ k: 'call', id, method, input });
        } catch (thrown) {
          pending.get(id)?.forget();
          reject(toAppError(thrown));
        }
      });
    },
    settle(answer) {
      const call = answer.id === null ? undefined : pending.get(answer.id);
      if (call === undefined) return;
      call.forget();
      if (answer.k === 'done') call.resolve(answer.output);
      else call.reject(errorOf(answer.error));
    },
    rejectAll() {
      for (const call of [...pending.values()]) {
        call.forget();
        call.reject(closed());
      }
    },
  };
}

function aborted(): AppError {
  return fail('aborted', 'The operation was cancelled.');
}

/** The other end is another process: its error is data until it was checked. */
function errorOf(shape: unknown): AppError {
  const read = readErrorShape(shape);
  return read !== null
    ? new AppError(read)
    : fail('internal', 'The engine failed with an error that cannot be read.');
}
