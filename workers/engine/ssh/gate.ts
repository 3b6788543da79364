import { abortedError } from './deadline.ts';

/** Lets at most `limit` pieces of work run at once, first come first served. */
export interface Gate {
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createGate(limit: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = (signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.reject(abortedError('Connecting'));
    if (running < limit) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(abortedError('Connecting'));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(go);
    });
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
