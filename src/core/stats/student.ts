import { incompleteBeta, logGamma } from './beta.ts';

// Looked up once: in a sandbox each look-up of a global costs more than the arithmetic.
const { abs, exp, log1p, PI, sqrt } = Math;

/**
 * P(T ≤ t) of Student's t with `df` > 0 degrees of freedom, fractions allowed: 1 − ½
 * I_{df/(df+t²)}(df/2, ½) for t ≥ 0 (Abramowitz and Stegun 26.5.27 with 26.7.1). NaN for df ≤ 0.
 */
export function studentCdf(t: number, df: number): number {
  if (!(df > 0) || Number.isNaN(t)) return NaN;
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0;
  const tail = 0.5 * tailShare(t, df);
  return t >= 0 ? 1 - tail : tail;
}

/** P(|T| ≥ |t|): the two-sided p of a t statistic, exact also where it is tiny. */
export function studentTwoSided(t: number, df: number): number {
  if (!(df > 0) || Number.isNaN(t)) return NaN;
  return Number.isFinite(t) ? tailShare(t, df) : 0;
}

// I_{df/(df+t²)}(df/2, ½), by its complement where t is small: there df/(df+t²) is nearly 1 and
// would lose digits.
function tailShare(t: number, df: number): number {
  const square = t * t;
  return square < 1
    ? 1 - incompleteBeta(square / (df + square), 0.5, df / 2)
    : incompleteBeta(df / (df + square), df / 2, 0.5);
}

/**
 * t with P(T ≤ t) = p for `df` > 0: the root of `studentCdf`, bracketed by doubling, then by
 * Newton's method kept inside the bracket until the next step cannot move it. NaN outside 0 < p <
 * 1.
 */
export function studentQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1 && df > 0)) return NaN;
  if (p === 0.5) return 0;
  if (p < 0.5) return -upperQuantile(p, df);
  return upperQuantile(1 - p, df);
}

/** t > 0 with P(T ≥ t) = tail < ½. */
function upperQuantile(tail: number, df: number): number {
  let low = 0,
    high = 1;
  while (0.5 * tailShare(high, df) > tail) {
    low = high;
    high *= 2;
    if (high > 1e150) return Infinity;
  }
  // The density is scale · (1 + t²/df)^(−(df+1)/2).
  const scale = exp(logGamma((df + 1) / 2) - logGamma(df / 2)) / sqrt(df * PI);
  let t = (low + high) / 2;
  for (let i = 0; i < 200; i += 1) {
    const excess = 0.5 * tailShare(t, df) - tail;
    if (excess > 0) low = t;
    else high = t;
    const step = excess / (scale * exp(-0.5 * (df + 1) * log1p((t * t) / df)));
    const next = t + step;
    // The next step would be the square of this one.
    if (abs(step) <= 1e-9 * t) return next;
    // A step that leaves the bracket, or none at all where the density is 0, is a half of the
    // bracket instead.
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return t;
    t = next > low && next < high ? next : middle;
  }
  return t;
}
