import type { Window } from '../run/windows.ts';
import type { Limit } from './types.ts';

/** Samples of one series, ascending. */
export interface Samples {
  tMs: ArrayLike<number>;
  value: ArrayLike<number>;
}
/** What the mean of a window will be if its trend goes on. */
export interface Projection {
  meanSoFar: number;
  projected: number;
  /** Units a minute; 0 = no trend that stands out of the scatter. */ slopePerMin: number;
  elapsedShare: number;
}

/** Below these nothing is projected: too little to tell a trend from a start. */
const leastShare = 0.15;
const leastBins = 6;
const bins = 12;

/**
 * The window's mean as it is and as it will be: the line of least squares through the means of
 * twelve equal slices of it so far goes on to its end. Slices, because neighbouring samples are
 * alike and would make chance look like a trend; a slope within two of its standard errors counts
 * as none. null = too early, or too few samples.
 */
export function projectMean(samples: Samples, window: Window, nowMs: number): Projection | null {
  const endMs = Math.min(nowMs, window.endMs);
  const elapsedMs = endMs - window.startMs;
  const elapsedShare = elapsedMs / (window.endMs - window.startMs);
  if (!(elapsedShare >= leastShare)) return null;
  const sums = new Float64Array(bins);
  const times = new Float64Array(bins);
  const counts = new Uint32Array(bins);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < samples.tMs.length; i += 1) {
    const t = samples.tMs[i]!;
    const v = samples.value[i]!;
    if (t < window.startMs || t >= endMs || !Number.isFinite(v)) continue;
    const bin = Math.min(bins - 1, Math.floor(((t - window.startMs) / elapsedMs) * bins));
    sums[bin] = sums[bin]! + v;
    times[bin] = times[bin]! + t - window.startMs;
    counts[bin] = counts[bin]! + 1;
    sum += v;
    count += 1;
  }
  const points = Array.from({ length: bins }, (_, i) => i).flatMap((i) =>
    counts[i]! > 0 ? [{ x: times[i]! / counts[i]!, y: sums[i]! / counts[i]! }] : [],
  );
  if (points.length < leastBins) return null;
  const meanSoFar = sum / count;
  const { slope, at } = line(points);
  const restMs = window.endMs - endMs;
  // The mean of a straight line over what is left is its value in the middle; no rate or time is
  // negative.
  const rest = slope === 0 ? meanSoFar : Math.max(0, at(elapsedMs + restMs / 2));
  const projected = meanSoFar * elapsedShare + rest * (1 - elapsedShare);
  return { meanSoFar, projected, slopePerMin: slope * 60_000, elapsedShare };
}

/** Least squares through the points; a slope within two standard errors is 0. */
function line(points: readonly { x: number; y: number }[]): {
  slope: number;
  at: (x: number) => number;
} {
  const n = points.length;
  const mx = points.reduce((s, p) => s + p.x, 0) / n;
  const my = points.reduce((s, p) => s + p.y, 0) / n;
  const sxx = points.reduce((s, p) => s + (p.x - mx) ** 2, 0);
  const slope = points.reduce((s, p) => s + (p.x - mx) * (p.y - my), 0) / sxx;
  const residual = points.reduce((s, p) => s + (p.y - my - slope * (p.x - mx)) ** 2, 0);
  const error = Math.sqrt(residual / (n - 2) / sxx);
  // A flat line fits exactly: neither slope nor scatter is left but rounding.
  const scale = (Math.abs(my) * 1e-9) / Math.max(1, points.at(-1)!.x);
  const stands = Math.abs(slope) > Math.max(2 * error, scale);
  return stands ? { slope, at: (x) => my + slope * (x - mx) } : { slope: 0, at: () => my };
}

/**
 * How a limit fares in the window: `lost` = no value from now on can keep it, `willMiss` = it is
 * missed at the present trend,
 * `holds` otherwise. Values are rates and times, never negative: what was summed up so far is the
 * least the window can come to.
 */
export function outlook(
  { kind, limit }: Pick<Limit, 'kind' | 'limit'>,
  { meanSoFar, projected, elapsedShare }: Projection,
): 'lost' | 'willMiss' | 'holds' {
  const lost =
    kind === 'max' ? meanSoFar * elapsedShare > limit : elapsedShare >= 1 && meanSoFar < limit;
  if (lost) return 'lost';
  return (kind === 'max' ? projected > limit : projected < limit) ? 'willMiss' : 'holds';
}
