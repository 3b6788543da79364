import { valueDomain, withinShare } from '../../core/chart/scale.ts';
import type { ChartSeries } from '../engine/series.ts';
import { widen } from './draw.ts';

/** One value axis for several charts: small multiples are compared by height. */
export interface SharedScale {
  /** Domain that holds every member within [x0, x1] of the run; looked at anew once a second. */
  readonly domain: (
    x: readonly [number, number],
    fromZero: boolean,
    ticks: number,
    wallMs: number,
  ) => readonly [number, number];
}

const everyMs = 1_000;

/** `limits`: QoS limits to keep in sight where they are near the values. */
export function createSharedScale(
  members: readonly ChartSeries[],
  limits: readonly number[] = [],
): SharedScale {
  let held: { x: readonly [number, number]; atMs: number; y: readonly [number, number] } | null =
    null;
  const range = { low: Infinity, high: -Infinity };
  return {
    domain: (x, fromZero, ticks, wallMs) => {
      const same = held !== null && held.x[0] === x[0] && held.x[1] === x[1];
      if (held !== null && same && wallMs - held.atMs < everyMs) return held.y;
      range.low = Infinity;
      range.high = -Infinity;
      for (const series of members) widen(series, x, range);
      // A limit far beyond the data would flatten it: it is named at the edge instead.
      const high = range.high;
      for (const limit of limits)
        if (high !== -Infinity && limit <= high * 4) {
          range.low = Math.min(range.low, limit);
          range.high = Math.max(range.high, limit);
        }
      const y = withinShare(
        valueDomain(range.low, range.high, fromZero, ticks, same ? held!.y : null),
        members[0]?.unit,
        range.high,
      );
      held = { x, atMs: wallMs, y };
      return y;
    },
  };
}
