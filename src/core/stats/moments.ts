/** Count, mean and sum of squared deviations of a sample, as Welford's recurrence keeps them. */
export interface Moments {
  count: number;
  mean: number;
  /** Σ (x − mean)² */ m2: number;
  min: number;
  max: number;
}

/**
 * Moments in one pass without cancellation: B. P. Welford, "Note on a method for calculating
 * corrected sums of squares and products", Technometrics 4 (1962) 419–420. No values give count 0
 * and a mean of NaN.
 */
export function moments(values: ArrayLike<number>): Moments {
  let mean = 0,
    m2 = 0,
    min = Infinity,
    max = -Infinity;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    const delta = value - mean;
    mean += delta / (i + 1);
    m2 += delta * (value - mean);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { count: values.length, mean: values.length === 0 ? NaN : mean, m2, min, max };
}

/**
 * Moments of two samples taken together: T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for
 * computing the sample variance", The American Statistician 37 (1983) 242–247.
 */
export function mergeMoments(a: Moments, b: Moments): Moments {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const count = a.count + b.count;
  const delta = b.mean - a.mean;
  return {
    count,
    mean: a.mean + (delta * b.count) / count,
    m2: a.m2 + b.m2 + (delta * delta * a.count * b.count) / count,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
}

/** Unbiased variance, Σ (x − mean)² / (n − 1); NaN below two values. */
export const varianceOf = ({ count, m2 }: Moments): number => (count < 2 ? NaN : m2 / (count - 1));
