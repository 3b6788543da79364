/**
 * Which readings of a counter or a meter are new. A source that is asked again may give what it
 * gave before: with the same time, with a time that differs by the error of a clock's offset, or
 * with no time of its own.
 */
export interface FreshReadings {
  /** Whether a reading of this series is new; a new one is remembered. */
  take(series: number | string, tMs: number): boolean;
}

/**
 * For sources that give each sample its time, on a grid of `periodMs`: one that lies less than half
 * a period after the last of its series is that one again. `lastOf` tells of series that were read
 * before this was made; -Infinity = none.
 */
export function createFreshReadings(
  periodMs: number,
  lastOf: (series: number | string) => number = () => -Infinity,
): FreshReadings {
  const last = new Map<number | string, number>();
  return {
    take(series, tMs) {
      if (tMs < (last.get(series) ?? lastOf(series)) + periodMs / 2) return false;
      last.set(series, tMs);
      return true;
    },
  };
}

/**
 * For sources that give no time: the same value once more is a new reading only when the device has
 * measured again since, which it does every `updateMs`. Another value is a new one whenever it
 * comes.
 */
export function createValueGate(): (value: number, nowMs: number, updateMs: number) => boolean {
  let last: { value: number; tMs: number } | null = null;
  return (value, nowMs, updateMs) => {
    if (last !== null && value === last.value && nowMs - last.tMs < updateMs) return false;
    last = { value, tMs: nowMs };
    return true;
  };
}
