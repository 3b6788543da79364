import { studentT95 } from '../stats/summary.ts';
import type { KneeResult } from '../study/study.ts';
import { cleanCurve, type Curve, profileInterval } from './kneeCurve.ts';

/** X(N) = λ·N / (1 + σ·(N − 1) + κ·N·(N − 1)); `peak` = √((1 − σ)/κ), null for κ = 0. */
export interface UslFit {
  lambda: number;
  sigma: number;
  kappa: number;
  peak: number | null;
  sse: number;
}

export const uslAt = (
  { lambda, sigma, kappa }: Pick<UslFit, 'lambda' | 'sigma' | 'kappa'>,
  n: number,
): number => (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));

const method = 'universal scalability law';
const none = (note: string): KneeResult => ({
  method,
  low: null,
  high: null,
  estimate: null,
  note,
});
const minimumLevels = 6;

/**
 * Least-squares fit of the universal scalability law with 0 ≤ σ < 1, κ ≥ 0; null below six values
 * of N ≥ 1. λ is linear and solved for; for a given peak N*, κ = (1 − σ)/N*², so the fit is a
 * search over σ within one over N*. Source: N. Gunther, Guerrilla Capacity Planning, Springer 2007,
 * chapters 4 to 6.
 */
export function uslFit(curve: Curve): UslFit | null {
  const profile = uslProfile(curve);
  return profile === null ? null : profile.fits.reduce((a, b) => (b.sse < a.sse ? b : a));
}

/**
 * The load of highest throughput by the universal scalability law, with a 95 % profile-likelihood
 * interval. null where the fitted peak lies outside of what was measured: nothing is extrapolated.
 */
export function uslKnee(curve: Curve): KneeResult {
  const profile = uslProfile(curve);
  if (profile === null) return none(`needs ${minimumLevels} values of 1 or more with throughput`);
  const { fits, low, high, count } = profile;
  const best = fits.reduce((a, b) => (b.sse < a.sse ? b : a));
  const words = `σ ${best.sigma.toFixed(3)}, κ ${best.kappa.toExponential(1)}`;
  if (best.peak === null || best.peak > high)
    return none(`${words}: the peak lies beyond the measured values`);
  if (best.peak < low) return none(`${words}: the peak lies below the measured values`);
  const df = count - 3;
  const interval = profileInterval(
    fits.map((fit) => ({ at: fit.peak ?? Infinity, sse: fit.sse })),
    df,
    studentT95(df) ** 2,
  );
  const cutAbove = interval.high > high,
    cutBelow = interval.low < low;
  return {
    method,
    estimate: best.peak,
    low: Math.max(low, interval.low),
    high: Math.min(high, interval.high),
    note:
      `${words}; 95 % profile-likelihood interval of the ` +
      `peak${cutAbove || cutBelow ? ', cut off by the measured range' : ''}`,
  };
}

/**
 * The best fit for each of many peaks, inside the measured range densely, beyond it coarsely and at
 * infinity (κ = 0).
 */
function uslProfile(
  curve: Curve,
): { fits: UslFit[]; low: number; high: number; count: number } | null {
  const { x, y } = cleanCurve(curve);
  if (new Set(x).size < minimumLevels || x[0]! < 1 || y.every((v) => v <= 0)) return null;
  const low = x[0]!,
    high = x.at(-1)!;
  const peaks = [
    ...Array.from({ length: 401 }, (_, i) => low + ((high - low) * i) / 400),
    ...Array.from({ length: 60 }, (_, i) => high * 1.15 ** (i + 1)),
    ...(low > 1 ? Array.from({ length: 20 }, (_, i) => 1 + ((low - 1) * i) / 20) : []),
  ];
  const inverses = [...peaks.map((peak) => 1 / peak ** 2), 0];
  const fits = inverses.map((inverse): UslFit => {
    const at = (sigma: number): UslFit => solved(x, y, sigma, (1 - sigma) * inverse);
    let best = Array.from({ length: 20 }, (_, i) => at(i / 20)).reduce((a, b) =>
      b.sse < a.sse ? b : a,
    );
    for (let step = 1 / 40; step > 1e-7; step /= 2) {
      for (const sigma of [best.sigma - step, best.sigma + step]) {
        if (sigma < 0 || sigma >= 1) continue;
        const other = at(sigma);
        if (other.sse < best.sse) best = other;
      }
    }
    return best;
  });
  return { fits, low, high, count: x.length };
}

function solved(x: readonly number[], y: readonly number[], sigma: number, kappa: number): UslFit {
  let bb = 0,
    by = 0,
    yy = 0;
  for (let i = 0; i < x.length; i += 1) {
    const b = uslAt({ lambda: 1, sigma, kappa }, x[i]!);
    bb += b * b;
    by += b * y[i]!;
    yy += y[i]! ** 2;
  }
  return {
    lambda: by / bb,
    sigma,
    kappa,
    peak: kappa > 0 ? Math.sqrt((1 - sigma) / kappa) : null,
    sse: Math.max(0, yy - by ** 2 / bb),
  };
}
