import { incompleteBeta } from './beta.ts';

/**
 * P(T ≤ t) of Student's t with `df` > 0 degrees of freedom, fractions allowed:
 * 1 − ½ I_{df/(df+t²)}(df/2, ½) for t ≥ 0 (Abramowitz and Stegun 26.5.27 with 26.7.1). NaN for df ≤ 0.
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

// I_{df/(df+t²)}(df/2, ½), by its complement where t is small: there df/(df+t²) is nearly 1 and would lose digits.
function tailShare(t: number, df: number): number {
  const square = t * t;
  return square < 1 ? 1 - incompleteBeta(square / (df + square), 0.5, df / 2) : incompleteBeta(df / (df + square), df / 2, 0.5);
}

/**
 * t with P(T ≤ t) = p for `df` > 0: the root of `studentCdf`, bracketed by doubling and halved until both ends meet in
 * floating point. NaN outside 0 < p < 1.
 */
export function studentQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1 && df > 0)) return NaN;
  if (p === 0.5) return 0;
  if (p < 0.5) return -upperQuantile(p, df);
  return upperQuantile(1 - p, df);
}

/** t > 0 with P(T ≥ t) = tail < ½. */
function upperQuantile(tail: number, df: number): number {
  let low = 0, high = 1;
  while (0.5 * tailShare(high, df) > tail) { low = high; high *= 2; if (high > 1e150) return Infinity; }
  for (let i = 0; i < 200; i += 1) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return middle;
    if (0.5 * tailShare(middle, df) > tail) low = middle; else high = middle;
  }
  return (low + high) / 2;
}
