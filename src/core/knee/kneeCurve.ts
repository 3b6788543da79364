import { mean } from '../stats/summary.ts';

/** A measured curve; repeats of an x are points of their own. */
export interface Curve {
  x: readonly number[];
  y: readonly number[];
}
/** `mean` of the repeats at each distinct x, ascending. */
export interface Level {
  x: number;
  mean: number;
}

/** Finite points only, in the order of x. */
export function cleanCurve({ x, y }: Curve): { x: number[]; y: number[] } {
  const points = x
    .map((value, i) => [value, y[i] ?? NaN] as const)
    .filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b))
    .sort(([a], [b]) => a - b);
  return { x: points.map(([a]) => a), y: points.map(([, b]) => b) };
}

export function levelsOf(curve: Curve): Level[] {
  const { x, y } = cleanCurve(curve);
  const byX = new Map<number, number[]>();
  x.forEach((value, i) => byX.set(value, [...(byX.get(value) ?? []), y[i]!]));
  return [...byX].map(([value, all]) => ({ x: value, mean: mean(all) }));
}

/**
 * The 95 % profile-likelihood interval of one parameter of a least-squares fit: all candidates
 * whose residual sum is below best · (1 + F₁,df / df). Source: Bates and Watts, Nonlinear
 * Regression Analysis and Its Applications, 1988, 6.1.
 * `f95` = 0.95 quantile of F with 1 and df degrees of freedom (the square of Student's t).
 */
export function profileInterval(
  candidates: readonly { at: number; sse: number }[],
  df: number,
  f95: number,
): { at: number; low: number; high: number } {
  const best = candidates.reduce((a, b) => (b.sse < a.sse ? b : a));
  const limit = best.sse * (1 + f95 / df);
  const inside = candidates.filter((c) => c.sse <= limit).map((c) => c.at);
  return { at: best.at, low: Math.min(...inside), high: Math.max(...inside) };
}

/**
 * 0.95 quantile of F with 2 and df degrees of freedom; closed form, since that F's distribution is
 * 1 − (1 + 2x/df)^(−df/2).
 */
export const f95of2 = (df: number): number => (df / 2) * (0.05 ** (-2 / df) - 1);

/** Residual sum of squares of a least-squares straight line. */
export function lineSse(x: readonly number[], y: readonly number[]): number {
  const mx = mean(x),
    my = mean(y);
  let sxx = 0,
    sxy = 0,
    syy = 0;
  for (let i = 0; i < x.length; i += 1) {
    sxx += (x[i]! - mx) ** 2;
    sxy += (x[i]! - mx) * (y[i]! - my);
    syy += (y[i]! - my) ** 2;
  }
  return sxx === 0 ? syy : Math.max(0, syy - sxy ** 2 / sxx);
}
