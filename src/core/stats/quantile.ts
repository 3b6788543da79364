/** A copy in ascending order; values that are not finite are left out. */
export function sorted(values: ArrayLike<number>): Float64Array {
  const copy = Float64Array.from(values);
  return (copy.every(Number.isFinite) ? copy : copy.filter(Number.isFinite)).sort();
}

/**
 * Quantile of ascending values, linear between order statistics: definition 7 of R. J. Hyndman and
 * Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996) 361–365;
 * the default of R and NumPy. NaN for no values.
 */
export function quantileSorted(ascending: ArrayLike<number>, p: number): number {
  if (ascending.length === 0 || !(p >= 0 && p <= 1)) return NaN;
  const at = (ascending.length - 1) * p;
  const low = Math.floor(at);
  const a = ascending[low]!;
  const share = at - low;
  // On a value it is that value, with its sign where it is zero.
  return share === 0 ? a : a + share * (ascending[low + 1]! - a);
}

/** Quantile of values in any order (Hyndman and Fan, definition 7). */
export const quantile = (values: ArrayLike<number>, p: number): number =>
  quantileSorted(sorted(values), p);

/**
 * Tukey's box: quartiles, whiskers to the furthest value within 1.5 interquartile ranges of the
 * box, and how many lie beyond.
 */
export interface Box {
  count: number;
  min: number;
  whiskerLow: number;
  q1: number;
  median: number;
  q3: number;
  whiskerHigh: number;
  max: number;
  mean: number;
  outliers: number;
}

/**
 * Box of ascending values: J. W. Tukey, Exploratory Data Analysis (1977), with quartiles by
 * definition 7. null for no values.
 */
export function boxOf(ascending: ArrayLike<number>): Box | null {
  const count = ascending.length;
  if (count === 0) return null;
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((p) => quantileSorted(ascending, p)) as [
    number,
    number,
    number,
  ];
  const reach = 1.5 * (q3 - q1);
  let sum = 0,
    low = count,
    high = -1;
  for (let i = 0; i < count; i += 1) {
    const value = ascending[i]!;
    sum += value;
    if (value >= q1 - reach && i < low) low = i;
    if (value <= q3 + reach) high = i;
  }
  return {
    count,
    min: ascending[0]!,
    whiskerLow: ascending[low]!,
    q1,
    median,
    q3,
    whiskerHigh: ascending[high]!,
    max: ascending[count - 1]!,
    mean: sum / count,
    outliers: low + (count - 1 - high),
  };
}

/**
 * Empirical distribution of ascending values at up to `points` places: p = share of values ≤ x.
 * First and last value are among them.
 */
export function ecdf(
  ascending: ArrayLike<number>,
  points: number = 200,
): { x: number[]; p: number[] } {
  const count = ascending.length;
  const x: number[] = [],
    p: number[] = [];
  const steps = Math.min(points, count);
  for (let k = 0; k < steps; k += 1) {
    let i = steps === 1 ? count - 1 : Math.round((k * (count - 1)) / (steps - 1));
    // Of equal values the last: all of them are ≤ it.
    while (i + 1 < count && ascending[i + 1] === ascending[i]) i += 1;
    if (x.at(-1) === ascending[i]) continue;
    x.push(ascending[i]!);
    p.push((i + 1) / count);
  }
  return { x, p };
}
