import { threeFigures } from './compareVerdict.ts';
import type { MetricName } from './metric.ts';
import { metricWord } from './metricWords.ts';
import type { Profile } from './profile.ts';
import { workloadEntityId } from './qos.ts';

/** Samples of one series, ascending. */
export interface Samples {
  tMs: ArrayLike<number>;
  value: ArrayLike<number>;
}
export interface PeriodSpan {
  index: number;
  startMs: number;
  endMs: number;
}
/** What the mean of a measurement period will be if its trend goes on. */
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
 * The period's mean as it is and as it will be: the line of least squares through the means of twelve equal slices of the period so far goes on to its end.
 * Slices, because neighbouring samples are alike and would make chance look like a trend; a slope within two of its standard errors counts as none.
 * null = too early, or too few samples.
 */
export function projectMean(
  samples: Samples,
  period: PeriodSpan,
  nowMs: number,
): Projection | null {
  const endMs = Math.min(nowMs, period.endMs);
  const elapsedMs = endMs - period.startMs;
  const elapsedShare = elapsedMs / (period.endMs - period.startMs);
  if (!(elapsedShare >= leastShare)) return null;
  const sums = new Float64Array(bins);
  const times = new Float64Array(bins);
  const counts = new Uint32Array(bins);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < samples.tMs.length; i += 1) {
    const t = samples.tMs[i]!;
    const v = samples.value[i]!;
    if (t < period.startMs || t >= endMs || !Number.isFinite(v)) continue;
    const bin = Math.min(bins - 1, Math.floor(((t - period.startMs) / elapsedMs) * bins));
    sums[bin] = sums[bin]! + v;
    times[bin] = times[bin]! + t - period.startMs;
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
  const restMs = period.endMs - endMs;
  // The mean of a straight line over what is left is its value in the middle; no rate or time is negative.
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

/** `lost`: no value from now on can keep the limit in this period. `willMiss`: it will be missed at the present trend. */
export interface EarlyWarning extends Projection {
  state: 'lost' | 'willMiss';
  tile: number;
  workloadId: string;
  name: string;
  metric: MetricName;
  unit: string;
  kind: 'max' | 'min';
  limit: number;
  periodIndex: number;
}

/** Limits that will not hold in the running period, the worst first. Limits on named operations, on shares of failures and on the whole steady state are not projected. */
export function earlyWarnings(
  profile: Profile,
  tiles: number,
  period: PeriodSpan,
  read: (entityId: string, metric: MetricName) => Samples | null,
  nowMs: number,
): EarlyWarning[] {
  const found: EarlyWarning[] = [];
  for (let tile = 0; tile < tiles; tile += 1) {
    for (const w of profile.workloads) {
      for (const limit of w.qos) {
        if (
          limit.operation !== undefined ||
          limit.measure === 'failurePct' ||
          limit.over === 'steady'
        )
          continue;
        const samples = read(workloadEntityId(tile, w.id), limit.metric);
        const projection = samples && projectMean(samples, period, nowMs);
        if (!projection) continue;
        for (const kind of ['max', 'min'] as const) {
          const bound = limit[kind];
          if (
            bound === undefined ||
            (kind === 'max' ? projection.projected <= bound : projection.projected >= bound)
          )
            continue;
          const lost = kind === 'max' && projection.meanSoFar * projection.elapsedShare > bound;
          found.push({
            ...projection,
            state: lost ? 'lost' : 'willMiss',
            tile,
            workloadId: w.id,
            name: w.name,
            metric: limit.metric,
            unit: limit.unit,
            kind,
            limit: bound,
            periodIndex: period.index,
          });
        }
      }
    }
  }
  const beyond = (w: EarlyWarning): number =>
    Math.abs(w.projected - w.limit) / Math.max(Math.abs(w.limit), Number.MIN_VALUE);
  return found.sort((a, b) =>
    a.state === b.state ? beyond(b) - beyond(a) : a.state === 'lost' ? -1 : 1,
  );
}

/** `Tile 2 Database, 95th percentile latency, limit ≤ 200 ms: will be missed in this period at the present trend; mean 180 ms so far, 214 ms at the end.` */
export function warningText(w: EarlyWarning): string {
  const figure = (value: number): string => `${threeFigures(value)} ${w.unit}`;
  const what = `Tile ${w.tile + 1} ${w.name}, ${metricWord(w.metric)}, limit ${w.kind === 'max' ? '≤' : '≥'} ${figure(w.limit)}`;
  const means = `mean ${figure(w.meanSoFar)} so far, ${figure(w.projected)} at the end`;
  return w.state === 'lost'
    ? `${what}: missed in period ${w.periodIndex + 1}, no value from now on can keep it; ${means}.`
    : `${what}: will be missed in this period at the present trend; ${means}.`;
}
