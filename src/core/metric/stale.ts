/** Samples are late after so many periods, and never before so long: a busy machine is no fault. */
const latePeriods = 3;
const leastLateMs = 10_000;
/** Late for so many times as long is more than a hiccup. */
const longTimes = 3;

/** How a series is measured: its period, and its usual delay. */
export interface Pace {
  periodMs: number;
  lagMs: number;
}

/** Age from which the newest sample of a live series is stale. */
export const staleAfterMs = ({ periodMs, lagMs }: Pace): number =>
  Math.max(latePeriods * periodMs, leastLateMs) + lagMs;

/** Stale for so long that it is told as a fault, not only in grey. */
export const isLongStale = (ageMs: number, pace: Pace): boolean =>
  ageMs > longTimes * staleAfterMs(pace);
