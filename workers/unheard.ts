/** The part of a process that tells of rejected promises. */
export interface RejectionSource {
  on(
    event: 'unhandledRejection',
    listener: (reason: unknown, promise: Promise<unknown>) => void,
  ): unknown;
  on(event: 'rejectionHandled', listener: (promise: Promise<unknown>) => void): unknown;
}

/**
 * Tells of promises that failed and that nobody listens to, instead of ending the process. A promise
 * gets until the next turn: one that refuses at once may be awaited some microtasks later.
 */
export function hearUnheard(source: RejectionSource, onUnheard: (reason: unknown) => void): void {
  const waiting = new Map<Promise<unknown>, NodeJS.Immediate>();
  source.on('unhandledRejection', (reason, promise) => {
    waiting.set(
      promise,
      setImmediate(() => {
        waiting.delete(promise);
        onUnheard(reason);
      }),
    );
  });
  source.on('rejectionHandled', (promise) => {
    clearImmediate(waiting.get(promise));
    waiting.delete(promise);
  });
}
