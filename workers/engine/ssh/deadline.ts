import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type { Clock } from '../deps.ts';

export const abortedError = (what: string): AppError => fail('aborted', `${what} was cancelled.`);

/**
 * Runs `work` for at most `ms`. Rejects with `late()` at the deadline and `aborted` when the signal
 * fires; in both cases, and after an end, the signal given to `work` has fired, so it must drop its
 * listeners once it is done.
 */
export function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  what: string,
  late: () => AppError,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) return Promise.reject(abortedError(what));
  return new Promise<T>((resolve, reject) => {
    const ends = new AbortController();
    const settle = (act: () => void): void => {
      signal?.removeEventListener('abort', onAbort);
      act();
      ends.abort();
    };
    const onAbort = (): void => settle(() => reject(abortedError(what)));
    signal?.addEventListener('abort', onAbort, { once: true });
    // The sleep rejects only because this call has settled; nothing is left to tell.
    clock.sleep(ms, ends.signal).then(
      () => settle(() => reject(late())),
      () => undefined,
    );
    work(ends.signal).then(
      (value) => settle(() => resolve(value)),
      (thrown: unknown) =>
        settle(() => reject(thrown instanceof Error ? thrown : new Error(String(thrown)))),
    );
  });
}

/** Rejects `aborted` as soon as the signal fires; the work itself goes on. */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  what: string,
): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortedError(what));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
