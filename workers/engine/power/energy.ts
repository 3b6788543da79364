import type { PowerReading } from '../deps/power.ts';

/** Not asked for so many times its usual step: a gap, not a step. */
const longestSteps = 3;
const joulesPerWh = 3_600;

/**
 * Watts from a counter of energy: whenever it moves, the mean since it moved last. The means of a
 * period add up to what the counter says between its edges, so nothing between two questions is
 * lost, as it is with samples of watts. A counter that goes back was reset, by its owner or because
 * its device started anew: nothing is known of that time. The same holds for a silence longer than
 * three of its steps: what was used is known, when is not.
 *
 * @param usualMs How often it moves; null = not known yet: the first steps tell.
 */
export function createEnergyReader(
  usualMs: number | null,
): (wh: number, tMs: number) => PowerReading[] {
  /** `isStep`: it moved then. What it said when it was first asked may have stood for long. */
  let last: { wh: number; tMs: number; isStep: boolean } | null = null;
  let askedAtMs = -Infinity;
  let stepMs = usualMs;
  return (wh, tMs) => {
    const sinceAskedMs = tMs - askedAtMs;
    askedAtMs = tMs;
    if (last === null || wh < last.wh) {
      last = { wh, tMs, isStep: false };
      return [];
    }
    if (wh === last.wh) return [];
    const before = last;
    const spanMs = tMs - before.tMs;
    const isGap = stepMs !== null && sinceAskedMs > longestSteps * stepMs;
    last = { wh, tMs, isStep: !isGap };
    if (!before.isStep || isGap || spanMs <= 0) return [];
    stepMs ??= spanMs;
    return [{ tMs, watts: ((wh - before.wh) * joulesPerWh) / (spanMs / 1_000) }];
  };
}
