/** z of the standard normal at 95, 99 %. */
export const z95 = 1.6448536269514722;
export const z99 = 2.3263478740408408;

/**
 * Standard normal quantile. Acklam's rational approximation, relative error below 1.2e-9 (P. J.
 * Acklam, 2003).
 * `p` in (0, 1).
 */
export function normalQuantile(p: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
    2.506628277459239,
  ] as const;
  const b = [
    -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972,
    -13.28068155288572,
  ] as const;
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734,
    4.374664141464968, 2.938163982698783,
  ] as const;
  const d = [
    0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416,
  ] as const;
  if (p < 0.02425 || p > 0.97575) {
    const q = Math.sqrt(-2 * Math.log(p < 0.5 ? p : 1 - p));
    const tail =
      (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
      ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    return p < 0.5 ? tail : -tail;
  }
  const q = p - 0.5,
    r = q * q;
  return (
    ((((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q) /
    (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1)
  );
}

/**
 * Quantile of a gamma distribution by its mean and squared coefficient of variation, at the normal
 * quantile `z`. Wilson and Hilferty, "The distribution of chi-square" (1931): the cube root of a
 * gamma variable is nearly normal.
 */
export function gammaQuantile(mean: number, scv: number, z: number): number {
  const ninth = Math.max(1e-6, scv) / 9;
  return mean * Math.max(0, 1 - ninth + z * Math.sqrt(ninth)) ** 3;
}

/** Share of a gamma distribution at or below `limit`; the same approximation, turned round. */
export function gammaShareBelow(limit: number, mean: number, scv: number): number {
  if (mean <= 0) return 1;
  const ninth = Math.max(1e-6, scv) / 9;
  return normalShare((Math.cbrt(limit / mean) - 1 + ninth) / Math.sqrt(ninth));
}

/** Standard normal distribution function; Abramowitz and Stegun 26.2.17, error below 7.5e-8. */
export function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    0.3989422804014327 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}

export const normalDensity = (x: number): number => 0.3989422804014327 * Math.exp((-x * x) / 2);
