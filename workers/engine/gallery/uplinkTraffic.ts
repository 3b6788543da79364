import type { AxisValue } from '../../../src/core/study/study.ts';
import type { StudyView } from './types.ts';

/** KB/s to Gb/s. */
const gbps = (kBps: number): number => (kBps * 8) / 1e6;

/** Gb/s over the first uplink, the second, and both. */
export interface TrafficSample {
  elapsedS: number;
  first: number;
  second: number;
  total: number;
}
/** Traffic of two uplinks over a point of a study, from the load's start to `endS`. */
export function uplinkTraffic(
  view: StudyView,
  at: Readonly<Record<string, AxisValue>>,
  uplinks: readonly [string, string],
  endS: number,
): TrafficSample[] {
  const [a, b] = uplinks.map((id) => view.series(at, 'netKbps', { kind: 'uplink', id }));
  if (!a || !b) return [];
  const other = new Map(
    Array.from(b.elapsedS, (elapsedS, i) => [Math.round(elapsedS / 20), b.value[i]!]),
  );
  return Array.from(a.elapsedS, (elapsedS, i) => ({
    elapsedS,
    first: gbps(a.value[i]!),
    second: gbps(other.get(Math.round(elapsedS / 20)) ?? NaN),
  }))
    .filter(({ elapsedS, second }) => Number.isFinite(second) && elapsedS > 40 && elapsedS <= endS)
    .map(({ elapsedS, first, second }) => ({ elapsedS, first, second, total: first + second }));
}
/**
 * Samples up to the one in which the part on the second uplink passes `share`; null where it never
 * does.
 */
export function before(samples: readonly TrafficSample[], share: number): TrafficSample[] | null {
  const at = samples.findIndex(({ second, total }) => second / total > share);
  return at < 1 ? null : samples.slice(0, at);
}
/** A figure of the last sample; null where there is none. */
export const last = (
  samples: readonly TrafficSample[] | null,
  of: (one: TrafficSample) => number,
): number | null => {
  const one = samples?.at(-1);
  return one ? of(one) : null;
};
/** Highest of a figure; null where there is no sample. */
export const highest = (
  samples: readonly TrafficSample[] | null,
  of: (one: TrafficSample) => number,
): number | null => (samples && samples.length > 0 ? Math.max(...samples.map(of)) : null);
