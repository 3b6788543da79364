/** Arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, v) => sum + v, 0) / values.length;
}

/**
 * Σ w·v / Σ w. What puts means of parts together to the mean of the whole: each part by what it is
 * the mean of (samples, operations, time). NaN for no values, a negative weight, or weights that
 * sum to 0.
 */
export function weightedMean(values: readonly number[], weights: readonly number[]): number {
  const all = weights.reduce((sum, w) => sum + w, 0);
  if (values.length !== weights.length || !(all > 0) || weights.some((w) => !(w >= 0))) return NaN;
  // What nothing stands behind says nothing, not even that it is unknown.
  return values.reduce((sum, v, i) => (weights[i] === 0 ? sum : sum + v * weights[i]!), 0) / all;
}

/** Median: the middle value, or the mean of the two middle ones. NaN for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Geometric mean of positive values, by logarithms; 0 when any value is 0, NaN when empty or any is
 * negative.
 */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0 || values.some((v) => !(v >= 0))) return NaN;
  if (values.includes(0)) return 0;
  return Math.exp(mean(values.map(Math.log)));
}

/**
 * Weighted geometric mean, exp(Σ w ln v / Σ w); 0 when any value is 0, NaN for a negative value or
 * weight, or weights that sum to 0. Equal weights give the plain one.
 */
export function weightedGeometricMean(
  values: readonly number[],
  weights: readonly number[],
): number {
  if (weights.every((w) => w === weights[0]) && weights[0]! > 0) return geometricMean(values);
  const sum = weights.reduce((total, w) => total + w, 0);
  if (
    values.length === 0 ||
    !(sum > 0) ||
    weights.some((w) => !(w >= 0)) ||
    values.some((v) => !(v >= 0))
  )
    return NaN;
  if (values.some((v, i) => v === 0 && weights[i]! > 0)) return 0;
  return Math.exp(
    values.reduce((total, v, i) => total + (weights[i] === 0 ? 0 : weights[i]! * Math.log(v)), 0) /
      sum,
  );
}

/** Sample standard deviation (n − 1); NaN below two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return NaN;
  const m = mean(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - m) ** 2, 0) / (values.length - 1));
}

/**
 * Two-sided 95 % quantile of Student's t (0.975 point) for `df` degrees of freedom, df ≥ 1,
 * fractions allowed. Below 5 the tabled values, interpolated in 1/df; from 5 on the expansion of
 * Abramowitz and Stegun 26.7.5.
 */
export function studentT95(df: number): number {
  if (!(df >= 1)) return NaN;
  const exact = [12.706_204_7, 4.302_652_7, 3.182_446_3, 2.776_445_1, 2.570_581_8] as const;
  if (df < 5) {
    const low = Math.floor(df);
    const share = (1 / low - 1 / df) / (1 / low - 1 / (low + 1));
    return exact[low - 1]! + share * (exact[low]! - exact[low - 1]!);
  }
  const z = 1.959_963_984_540_054;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160;
  return z + g1 / df + g2 / df ** 2 + g3 / df ** 3 + g4 / df ** 4;
}
