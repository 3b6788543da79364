import { studentT95 } from '../stats/summary.ts';
import type { KneeResult } from '../study/study.ts';
import { cleanCurve, type Curve, f95of2, lineSse, profileInterval } from './kneeCurve.ts';

const method = 'two-segment regression';
const gridSteps = 400;
const none = (note: string): KneeResult => ({
  method,
  low: null,
  high: null,
  estimate: null,
  note,
});

/**
 * The bend of two straight lines that meet: y = a + b·x + c·max(0, x − τ), least squares over τ, 95
 * % interval by profile likelihood. Source: Hudson, Fitting Segmented Curves Whose Join Points Have
 * to Be Estimated, JASA 61 (1966); Muggeo, Statistics in Medicine 22 (2003). Needs six values of x.
 * null where one line fits as well (F test, 5 %), where the bend is not of the wanted kind
 * (`concave`: flattens; `convex`: steepens), or where it lies at the edge of what was measured.
 */
export function segmentKnee(curve: Curve, shape: 'concave' | 'convex'): KneeResult {
  const { x, y } = cleanCurve(curve);
  const levels = [...new Set(x)];
  if (levels.length < 6) return none(`needs 6 values, has ${levels.length}`);
  const df = x.length - 4;
  const low = levels[1]!,
    high = levels.at(-2)!;
  const taus = [
    ...new Set([
      ...levels.slice(1, -1),
      ...Array.from({ length: gridSteps + 1 }, (_, i) => low + ((high - low) * i) / gridSteps),
    ]),
  ].sort((a, b) => a - b);
  const fits = taus.map((tau) => ({ at: tau, ...hinge(x, y, tau) }));
  const one = lineSse(x, y);
  const best = fits.reduce((a, b) => (b.sse < a.sse ? b : a));
  // Rounding of the data is no evidence of a bend.
  const floor = 1e-18 * y.reduce((sum, v) => sum + v * v, 0);
  if (
    one - best.sse <= floor ||
    (one - best.sse) / 2 < (Math.max(best.sse, floor) / df) * f95of2(df)
  )
    return none('one straight line fits as well');
  if (shape === 'concave' ? best.bend >= 0 : best.bend <= 0)
    return none(
      shape === 'concave'
        ? 'the curve steepens; it does not flatten'
        : 'the curve flattens; it does not steepen',
    );
  if (best.at === low || best.at === high)
    return none('the bend lies at the edge of the measured values; measure further out');
  const interval = profileInterval(fits, df, studentT95(df) ** 2);
  const open = [
    ...(interval.low === low ? ['below'] : []),
    ...(interval.high === high ? ['above'] : []),
  ];
  return {
    method,
    estimate: interval.at,
    low: interval.low,
    high: interval.high,
    note:
      '95 % profile-likelihood ' +
      `interval${open.length > 0 ? `, cut off ${open.join(' and ')} by the measured range` : ''}`,
  };
}

/** Least squares of a + b·x + c·max(0, x − τ): its residual sum and c. */
function hinge(
  x: readonly number[],
  y: readonly number[],
  tau: number,
): { sse: number; bend: number } {
  // The hinge and y after a straight line was taken out of both (Frisch–Waugh): one slope is left.
  const h = x.map((value) => Math.max(0, value - tau));
  const rh = withoutLine(x, h),
    ry = withoutLine(x, y);
  let hh = 0,
    hy = 0,
    yy = 0;
  for (let i = 0; i < x.length; i += 1) {
    hh += rh[i]! ** 2;
    hy += rh[i]! * ry[i]!;
    yy += ry[i]! ** 2;
  }
  return hh === 0 ? { sse: yy, bend: 0 } : { sse: Math.max(0, yy - hy ** 2 / hh), bend: hy / hh };
}

function withoutLine(x: readonly number[], y: readonly number[]): number[] {
  const n = x.length;
  const mx = x.reduce((a, b) => a + b, 0) / n,
    my = y.reduce((a, b) => a + b, 0) / n;
  let sxx = 0,
    sxy = 0;
  for (let i = 0; i < n; i += 1) {
    sxx += (x[i]! - mx) ** 2;
    sxy += (x[i]! - mx) * (y[i]! - my);
  }
  const slope = sxx === 0 ? 0 : sxy / sxx;
  return y.map((value, i) => value - my - slope * (x[i]! - mx));
}
