import type { Clock } from '../deps.ts';

/**
 * Runs `work` with a signal that fires after `ms` of the engine's clock, and takes the timer away
 * with it.
 */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = new AbortController();
  const waiting = clock.sleep(ms, timer.signal).then(
    () => {
      deadline.abort();
    },
    () => undefined,
  );
  try {
    return await work(deadline.signal);
  } finally {
    timer.abort();
    await waiting;
  }
}

/** Resolves when the signal fires. */
export function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
