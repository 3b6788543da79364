/** How long the past is kept, ms. */
export const historyMs = 3_600_000;

interface Segment<T> {
  fromMs: number;
  value: T;
}
/** A piecewise-constant past. */
export interface History<T> {
  /** From `tMs` on it is `value`; times must not go back. */
  set(tMs: number, value: T): void;
  last(): T | null;
  /**
   * Calls `visit` with each value and its milliseconds inside (fromMs, toMs]. false: older than
   * what is kept.
   */
  over(fromMs: number, toMs: number, visit: (value: T, ms: number) => void): boolean;
  size(): number;
}

/** An empty past. Segments that ended more than `historyMs` before the newest begin are dropped. */
export function createHistory<T>(): History<T> {
  let segments: Segment<T>[] = [];
  let oldestMs = Number.POSITIVE_INFINITY;
  // Readers ask for the newest; the place of the last answer is nearly always the place of the
  // next.
  let hint = 0;
  const find = (tMs: number): number => {
    if (hint >= segments.length) hint = segments.length - 1;
    while (hint > 0 && segments[hint]!.fromMs > tMs) hint--;
    while (hint + 1 < segments.length && segments[hint + 1]!.fromMs <= tMs) hint++;
    return hint;
  };
  return {
    set(tMs, value) {
      const newest = segments.at(-1);
      if (newest?.value === value) return;
      if (newest?.fromMs === tMs) newest.value = value;
      else segments.push({ fromMs: tMs, value });
      oldestMs = Math.min(oldestMs, tMs);
      const keep = tMs - historyMs;
      let drop = 0;
      while (drop + 1 < segments.length && segments[drop + 1]!.fromMs <= keep) drop++;
      // In lumps: dropping one at a time would copy the list at each change.
      if (drop > 256 || (drop > 0 && segments.length > 4096)) {
        segments = segments.slice(drop);
        hint = 0;
        oldestMs = segments[0]!.fromMs;
      }
    },
    last: () => segments.at(-1)?.value ?? null,
    over(fromMs, toMs, visit) {
      if (segments.length === 0 || fromMs < oldestMs) return false;
      for (let i = find(fromMs); i < segments.length && segments[i]!.fromMs < toMs; i++) {
        const start = Math.max(fromMs, segments[i]!.fromMs),
          end = Math.min(toMs, segments[i + 1]?.fromMs ?? toMs);
        if (end > start) visit(segments[i]!.value, end - start);
      }
      return true;
    },
    size: () => segments.length,
  };
}
