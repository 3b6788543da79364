import type { KneeResult } from '../study/study.ts';
import { kneedle } from './knee.ts';
import { type Curve, levelsOf } from './kneeCurve.ts';
import { segmentKnee } from './kneeSegments.ts';

/** A response-time curve cut up; loads as measured. null = not found inside the measured values. */
export interface ResponseRegions {
  /** Loads at which the response time is what it is without queues. */
  plateau: { from: number; to: number } | null;
  /** From the end of the plateau to the knee: the response time grows and is still acceptable. */
  stressed: { from: number; to: number } | null;
  knee: KneeResult;
  /** Mean response time of the plateau. */
  baseline: number | null;
}

/** The plateau ends where this part of the rise from the baseline to the knee is reached. */
const plateauShare = 0.05;
/** Without a knee: where the mean is this much above the baseline. */
const plateauRise = 0.25;

/**
 * Plateau, stressed region and knee of response time against load. The baseline is the mean of the
 * lowest loads (a quarter, two at least); the knee is the highest load that keeps `limit`, where
 * one is given, placed between the two measured values by a straight line; without one it is the
 * bend of a two-segment regression, or Kneedle's. The plateau reaches to the last load whose mean
 * has made less than a twentieth of the way from the baseline to the knee: against a long constant
 * part (a wide network, think time inside) a share of the baseline itself would hide the rise.
 * Needs five loads. Terms: the response-time curve of R. Jain, The Art of Computer Systems
 * Performance Analysis, Wiley 1991, 3.3 (knee, usable capacity).
 */
export function responseRegions(curve: Curve, limit?: number): ResponseRegions {
  const levels = levelsOf(curve);
  const nothing = (note: string): ResponseRegions => ({
    plateau: null,
    stressed: null,
    baseline: null,
    knee: { method: 'response-time curve', low: null, high: null, estimate: null, note },
  });
  if (levels.length < 5) return nothing(`needs 5 loads, has ${levels.length}`);
  const lowest = levels.slice(0, Math.max(2, Math.floor(levels.length / 4)));
  const baseline = lowest.reduce((sum, l) => sum + l.mean, 0) / lowest.length;
  if (!(baseline > 0)) return nothing('no response times above zero');
  const knee = limit === undefined ? bend(curve) : crossing(levels, limit);
  const atKnee = knee.estimate === null ? null : between(levels, knee.estimate);
  const threshold =
    atKnee === null ? baseline * (1 + plateauRise) : baseline + plateauShare * (atKnee - baseline);
  const below = levels.filter((l) => l.x <= (knee.estimate ?? Infinity));
  const plateauEnd = below.findLast((l) => l.mean <= threshold);
  const plateau = plateauEnd === undefined ? null : { from: levels[0]!.x, to: plateauEnd.x };
  const stressed =
    plateau !== null && knee.estimate !== null && knee.estimate > plateau.to
      ? { from: plateau.to, to: knee.estimate }
      : null;
  return { plateau, stressed, knee, baseline };
}

/** The curve at `x`, inside the measured loads, by straight lines. */
function between(levels: readonly { x: number; mean: number }[], x: number): number {
  const index = levels.findIndex((l) => l.x >= x);
  const above = levels[index]!,
    below = levels[Math.max(0, index - 1)]!;
  return above.x === below.x
    ? above.mean
    : below.mean + ((above.mean - below.mean) * (x - below.x)) / (above.x - below.x);
}

function bend(curve: Curve): KneeResult {
  const segments = segmentKnee(curve, 'convex');
  return segments.estimate === null ? kneedle(curve, 'convex') : segments;
}

function crossing(levels: readonly { x: number; mean: number }[], limit: number): KneeResult {
  const method = `highest load within ${limit}`;
  const index = levels.findIndex((l) => l.mean > limit);
  if (index < 0)
    return {
      method,
      low: null,
      high: null,
      estimate: null,
      note: 'the limit was kept at every measured load',
    };
  if (index === 0)
    return {
      method,
      low: null,
      high: null,
      estimate: null,
      note: 'the limit was missed at the lowest load',
    };
  const below = levels[index - 1]!,
    above = levels[index]!;
  return {
    method,
    low: below.x,
    high: above.x,
    estimate: below.x + ((above.x - below.x) * (limit - below.mean)) / (above.mean - below.mean),
    note: 'between the last load that kept the limit and the first that missed it',
  };
}
