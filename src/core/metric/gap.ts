/** In steps: a missing sample or two is jitter, more is a gap. */
const gapSteps = 2.5;

/**
 * A longer distance than this between two samples is a gap, in milliseconds: no line is drawn over
 * it, and a run tells of it. `stepMs`: the usual distance, a period or a bucket.
 */
export const gapLimitMs = (stepMs: number): number => stepMs * gapSteps;
