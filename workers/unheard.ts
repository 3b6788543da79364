/** The part of a process that tells of rejected promises. */
export interface RejectionSource {
  on(
    event: 'unhandledRejection',
    listener: (reason: unknown, promise: Promise<unknown>) => void,
  ): unknown;
  on(event: 'rejectionHandled', listener: (promise: Promise<unknown>) => void): unknown;
}

/**
 * Tells of promises that failed and that nobody listens to, instead of ending the process. In
 * Electron's utility process a promise counts as unheard before the microtasks of its turn have
 * run: a handler that refuses at once, and whose answer is awaited a microtask later, ended the
 * engine. So a promise gets until the next turn.
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
