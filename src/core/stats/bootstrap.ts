import { stationaryBlockLength } from './blockLength.ts';
import { quantileSorted } from './quantile.ts';
import { createRandom } from './random.ts';
import type { Estimate } from './welch.ts';

// Looked up once: in a sandbox each look-up of a global costs more than the arithmetic.
const { floor, log, min: least } = Math;

export interface BootstrapMean extends Estimate {
  /** Percentile interval at 95 %. */ low: number;
  high: number;
  blockLength: number;
  replicates: number;
  /** Values it was made from. */ count: number;
}
export interface BootstrapOptions {
  seed: number;
  replicates?: number;
  /** Default: chosen from the data. */ blockLength?: number;
  confidence?: number;
}
/** Below this many values a run says nothing of its own noise. */
export const leastSamples = 20;

/**
 * Longer series are put together to this many means of equal length first: the error of the mean
 * stays, the work does not grow with hours.
 */
export const mostSlots = 720;

/**
 * Means of equal stretches of a series, at most `most` of them; what does not fill a last stretch
 * is left out.
 */
export function batchMeans(values: ArrayLike<number>, most: number = mostSlots): Float64Array {
  const size = Math.ceil(values.length / most);
  const out = new Float64Array(Math.floor(values.length / Math.max(1, size)));
  for (let i = 0; i < out.length; i += 1) {
    let sum = 0;
    for (let k = 0; k < size; k += 1) sum += values[i * size + k]!;
    out[i] = sum / size;
  }
  return out;
}

/**
 * Mean of a stationary series and its standard error by the stationary bootstrap: D. N. Politis and
 * J. P. Romano, "The stationary bootstrap", J. Amer. Statist. Assoc. 89 (1994) 1303–1313. Blocks
 * start anywhere, have geometric lengths of mean `blockLength` and wrap around the end. Block sums
 * come from prefix sums, so a replicate costs a step a block, not a step a value. Degrees of
 * freedom: as many independent pieces as there are blocks, n / blockLength − 1 (this app's choice,
 * at least 1). The same seed gives the same answer. null below 20 values or where one is not
 * finite.
 */
export function bootstrapMean(
  values: ArrayLike<number>,
  { seed, replicates = 499, blockLength: wanted, confidence = 0.95 }: BootstrapOptions,
): BootstrapMean | null {
  const n = values.length;
  if (n < leastSamples) return null;
  let total = 0;
  for (let i = 0; i < n; i += 1) total += values[i]!;
  const mean = total / n;
  if (!Number.isFinite(mean)) return null;
  const blockLength = Math.max(1, wanted ?? stationaryBlockLength(values));
  // Sums of what is above the mean: small numbers keep their digits.
  const prefix = new Float64Array(n + 1);
  for (let i = 0; i < n; i += 1) prefix[i + 1] = prefix[i]! + (values[i]! - mean);
  const random = createRandom(seed);
  const means = new Float64Array(replicates);
  const logStay = blockLength > 1 ? Math.log(1 - 1 / blockLength) : 0;
  let sum = 0,
    squares = 0;
  for (let r = 0; r < replicates; r += 1) {
    const shift = resampled(prefix, random, logStay) / n;
    means[r] = mean + shift;
    sum += shift;
    squares += shift * shift;
  }
  const variance = Math.max(0, (squares - (sum * sum) / replicates) / (replicates - 1));
  means.sort();
  const tail = (1 - confidence) / 2;
  return {
    mean,
    standardError: Math.sqrt(variance),
    df: Math.max(1, n / blockLength - 1),
    low: quantileSorted(means, tail),
    high: quantileSorted(means, 1 - tail),
    blockLength,
    replicates,
    count: n,
  };
}

/**
 * Sum of one series drawn anew in blocks; `prefix` holds the sums of what comes before each value.
 */
function resampled(prefix: Float64Array, random: () => number, logStay: number): number {
  const n = prefix.length - 1;
  let drawn = 0,
    left = n;
  while (left > 0) {
    const start = floor(random() * n);
    // Geometric by inversion: 1 + ⌊ln U / ln(1 − 1/b)⌋.
    const length = least(left, logStay === 0 ? 1 : 1 + floor(log(1 - random()) / logStay));
    const end = start + length;
    drawn += end <= n ? prefix[end]! - prefix[start]! : wrapped(prefix, n, start, end);
    left -= length;
  }
  return drawn;
}

/** Sum over a block that runs past the end, once or more. */
function wrapped(prefix: Float64Array, n: number, start: number, end: number): number {
  const whole = prefix[n]!;
  const turns = Math.floor(end / n);
  return whole - prefix[start]! + (turns - 1) * whole + prefix[end - turns * n]!;
}
