/**
 * Expected block length of the stationary bootstrap of a mean, from the data: D. N. Politis and H.
 * White, "Automatic block-length selection for the dependent bootstrap", Econometric Reviews 23
 * (2004) 53–70, with the correction of A. Patton, D. N. Politis and H. White, Econometric Reviews
 * 28 (2009) 372–375 (D_SB = 2 ĝ(0)²). Flat-top kernel; bandwidth 2m̂, where m̂ is the lag after
 * which K_N = max(5, ⌈√log₁₀ n⌉) autocorrelations in a row lie within ±2 √(log₁₀ n / n). At least
 * 1, at most ⌈min(3√n, n/3)⌉. Constant or shorter than four values: 1.
 */
export function stationaryBlockLength(values: ArrayLike<number>): number {
  const n = values.length;
  if (n < 4) return 1;
  let mean = 0;
  for (let i = 0; i < n; i += 1) mean += values[i]! / n;
  const centred = new Float64Array(n);
  for (let i = 0; i < n; i += 1) centred[i] = values[i]! - mean;
  const run = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))));
  const most = Math.min(n - 1, Math.ceil(Math.sqrt(n)) + run);
  const gamma = Array.from({ length: most + 1 }, (_, lag) => autocovariance(centred, lag));
  const variance = gamma[0]!;
  // A constant's own rounding is no scatter.
  if (!(variance > (1e-12 * mean) ** 2)) return 1;
  const bound = 2 * Math.sqrt(Math.log10(n) / n);
  const small = (lag: number): boolean => Math.abs(gamma[lag]! / variance) < bound;
  const m = firstLag(small, most, run);
  const bandwidth = Math.min(2 * Math.max(1, m), most);
  let g = 0,
    long = variance;
  for (let lag = 1; lag <= bandwidth; lag += 1) {
    const share = lag / bandwidth;
    const weight = share <= 0.5 ? 1 : 2 * (1 - share);
    g += 2 * weight * lag * gamma[lag]!;
    long += 2 * weight * gamma[lag]!;
  }
  const limit = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  const d = 2 * long * long;
  if (!(d > 0)) return 1;
  return Math.max(1, Math.min(limit, Math.cbrt((2 * g * g * n) / d)));
}

/** Mean product of values `lag` apart, over all n. */
function autocovariance(centred: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < centred.length; i += 1) sum += centred[i]! * centred[i - lag]!;
  return sum / centred.length;
}

/**
 * The smallest lag m after which `run` lags in a row are small; else the last one that is not; 1
 * when all are.
 */
function firstLag(small: (lag: number) => boolean, most: number, run: number): number {
  for (let m = 1; m + run <= most; m += 1) {
    let quiet = 0;
    while (quiet < run && small(m + quiet + 1)) quiet += 1;
    if (quiet === run) return m;
  }
  for (let lag = most; lag > 1; lag -= 1) if (!small(lag)) return lag;
  return 1;
}
