/** Arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, v) => sum + v, 0) / values.length;
}

/** Median: the middle value, or the mean of the two middle ones. NaN for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Geometric mean of positive values, by logarithms; 0 when any value is 0, NaN when empty or any is negative. */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0 || values.some((v) => !(v >= 0))) return NaN;
  if (values.includes(0)) return 0;
  return Math.exp(mean(values.map(Math.log)));
}

/** Sample standard deviation (n − 1); NaN below two values. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return NaN;
  const m = mean(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - m) ** 2, 0) / (values.length - 1));
}
