import type { KneeResult } from '../study/study.ts';
import { type Curve, levelsOf } from './kneeCurve.ts';
import { segmentKnee } from './kneeSegments.ts';
import { uslKnee } from './usl.ts';

/** A rise smaller than this, of the highest mean, is no growth. */
const saturationTolerance = 0.02;

/**
 * The first measured value from which no later one is more than `tolerance` of the maximum better;
 * the interval reaches back to the value before it. null where the curve still grows at its last
 * value, or has fewer than three.
 */
export function saturationPoint(curve: Curve, tolerance = saturationTolerance): KneeResult {
  const method = `saturation: within ${(tolerance * 100).toFixed(0)} % of the highest`;
  const none = (note: string): KneeResult => ({
    method,
    low: null,
    high: null,
    estimate: null,
    note,
  });
  const levels = levelsOf(curve);
  if (levels.length < 3) return none(`needs 3 values, has ${levels.length}`);
  const top = Math.max(...levels.map((l) => l.mean));
  const index = levels.findIndex((l) => l.mean >= top * (1 - tolerance));
  if (index < 0) return none('no positive values');
  if (index === levels.length - 1) return none('still growing at the last measured value');
  if (index === 0) return none('flat from the first measured value on');
  return {
    method,
    estimate: levels[index]!.x,
    low: levels[index - 1]!.x,
    high: levels[index]!.x,
    note: 'between the two measured values',
  };
}

/**
 * Kneedle: the point farthest from the chord between first and last value, both axes scaled to 1.
 * Source: Satopää, Albrecht, Irwin and Raghavan, Finding a "Kneedle" in a Haystack, ICDCS Workshops
 * 2011. The interval is that of its measured neighbours: the method has none of its own. Needs five
 * values.
 */
export function kneedle(curve: Curve, shape: 'concave' | 'convex'): KneeResult {
  const method = 'Kneedle';
  const none = (note: string): KneeResult => ({
    method,
    low: null,
    high: null,
    estimate: null,
    note,
  });
  const levels = levelsOf(curve);
  if (levels.length < 5) return none(`needs 5 values, has ${levels.length}`);
  const first = levels[0]!,
    last = levels.at(-1)!;
  const bottom = Math.min(...levels.map((l) => l.mean)),
    top = Math.max(...levels.map((l) => l.mean));
  if (top === bottom) return none('the curve is flat');
  if (last.mean <= first.mean) return none('the curve does not rise');
  const heights = levels.map((l) => {
    const chord = first.mean + ((last.mean - first.mean) * (l.x - first.x)) / (last.x - first.x);
    return ((shape === 'concave' ? 1 : -1) * (l.mean - chord)) / (top - bottom);
  });
  const index = heights.indexOf(Math.max(...heights));
  // Under a tenth of the chord the curve is a straight line with noise.
  if (heights[index]! < 0.1 || index === 0 || index === levels.length - 1)
    return none('no bend stands out of the straight line');
  return {
    method,
    estimate: levels[index]!.x,
    low: levels[index - 1]!.x,
    high: levels[index + 1]!.x,
    note: 'interval: the measured neighbours',
  };
}

/**
 * Everything the methods say of one curve. `concave`: throughput or score against load; `convex`:
 * latency.
 */
export function kneesOf(curve: Curve, shape: 'concave' | 'convex'): KneeResult[] {
  const common = [segmentKnee(curve, shape), kneedle(curve, shape)];
  return shape === 'concave' ? [saturationPoint(curve), ...common, uslKnee(curve)] : common;
}
