/** One finished operation, engine's clock. Only those that succeeded are counted. */
interface DoneOperation {
  startMs: number;
  endMs: number;
}

/**
 * Operations an hour over equal buckets of time. An operation counts in each bucket with the share
 * of its time that lies inside, so that the sum over buckets is the number of operations and a
 * bucket shorter than an operation is not a row of zeros and ones.
 */
export interface RateMeter {
  start(atMs: number): number;
  /** Ends a begun operation; `counted` false = it failed. */
  end(token: number, atMs: number, counted: boolean): void;
  /** Buckets that can no longer change, oldest first, each once: `tMs` is the bucket's end. */
  take(nowMs: number): { tMs: number; perHour: number }[];
}

/** Buckets of `bucketMs` from `fromMs` to `toMs`; the last one may be shorter. */
export function createRateMeter(fromMs: number, toMs: number, bucketMs: number): RateMeter {
  const running = new Map<number, number>();
  let done: DoneOperation[] = [];
  let next = fromMs;
  let tokens = 0;
  return {
    start(atMs) {
      running.set((tokens += 1), atMs);
      return tokens;
    },
    end(token, atMs, counted) {
      const startMs = running.get(token);
      running.delete(token);
      if (counted && startMs !== undefined)
        done.push({ startMs, endMs: Math.max(atMs, startMs + 1) });
    },
    take(nowMs) {
      const settled = Math.min(nowMs, toMs, ...running.values());
      const buckets: { tMs: number; perHour: number }[] = [];
      while (next < toMs && Math.min(next + bucketMs, toMs) <= settled) {
        const end = Math.min(next + bucketMs, toMs);
        const count = done.reduce(
          (sum, op) =>
            sum +
            Math.max(0, Math.min(op.endMs, end) - Math.max(op.startMs, next)) /
              (op.endMs - op.startMs),
          0,
        );
        buckets.push({ tMs: end, perHour: (count * 3_600_000) / (end - next) });
        next = end;
      }
      done = done.filter((op) => op.endMs > next);
      return buckets;
    },
  };
}
