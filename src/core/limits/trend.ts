import { groupBy } from '../base/groupBy.ts';
import { periodAt, type Window, type Windows } from '../run/windows.ts';
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

/** One series over a window, held against a limit: takes no more memory the more samples come. */
export interface Trend {
  readonly window: Window;
  /** Samples ascend by time; one beyond the window, or without a number, does not count. */
  add(tMs: number, value: number): void;
  /**
   * The window's mean as it is and as it will be; null = too early, or too few samples.
   * `withoutWorst` leaves out the one sample that is the worst for the limit.
   */
  project(nowMs: number, withoutWorst?: boolean): Projection | null;
}

/** Below these nothing is projected: too little to tell a trend from a start. */
const leastShare = 0.15;
const leastBins = 6;
const bins = 12;
/** Equal slices of the window that sums are kept of: a bin is some of them. */
const slices = 120;

/**
 * Mean and trend of a window: the line of least squares through the means of twelve equal bins of
 * it so far goes on to its end. Bins, because neighbouring samples are alike and would make chance
 * look like a trend; a slope within two of its standard errors counts as none. The worst sample is
 * kept beside the sums, never in them: taking it off again would leave its rounding behind.
 */
function createTrend(window: Window, kind: Limit['kind']): Trend {
  const { startMs } = window;
  const lengthMs = window.endMs - startMs;
  const sums = new Float64Array(slices);
  const times = new Float64Array(slices);
  const counts = new Uint32Array(slices);
  let worst: { atMs: number; value: number } | null = null;
  const sum = ({ atMs, value }: { atMs: number; value: number }): void => {
    const i = Math.min(slices - 1, Math.floor((atMs / lengthMs) * slices));
    sums[i] = sums[i]! + value;
    times[i] = times[i]! + atMs;
    counts[i] = counts[i]! + 1;
  };
  return {
    window,
    add(tMs, value) {
      if (tMs < startMs || tMs >= window.endMs || !Number.isFinite(value)) return;
      const sample = { atMs: tMs - startMs, value };
      if (worst === null || (kind === 'max' ? value > worst.value : value < worst.value)) {
        if (worst !== null) sum(worst);
        worst = sample;
      } else sum(sample);
    },
    project(nowMs, withoutWorst = false) {
      const elapsedMs = Math.min(nowMs, window.endMs) - startMs;
      if (!(elapsedMs / lengthMs >= leastShare)) return null;
      const binned = Array.from({ length: bins }, () => ({ t: 0, v: 0, n: 0 }));
      const put = (t: number, v: number, n: number): void => {
        if (n === 0 || t / n >= elapsedMs) return;
        const bin = binned[Math.min(bins - 1, Math.floor((t / n / elapsedMs) * bins))]!;
        bin.t += t;
        bin.v += v;
        bin.n += n;
      };
      for (let i = 0; i < slices; i += 1) put(times[i]!, sums[i]!, counts[i]!);
      if (worst !== null && !withoutWorst) put(worst.atMs, worst.value, 1);
      return projectBins(
        binned.filter(({ n }) => n > 0),
        elapsedMs,
        lengthMs,
      );
    },
  };
}

/** A trend of samples that lie together. */
export function trendOf(samples: Samples, window: Window, kind: Limit['kind']): Trend {
  const trend = createTrend(window, kind);
  for (let i = 0; i < samples.tMs.length; i += 1) trend.add(samples.tMs[i]!, samples.value[i]!);
  return trend;
}

/** `binned`: sums of time, value and count. */
function projectBins(
  binned: readonly { t: number; v: number; n: number }[],
  elapsedMs: number,
  lengthMs: number,
): Projection | null {
  if (binned.length < leastBins) return null;
  const elapsedShare = elapsedMs / lengthMs;
  const meanSoFar = binned.reduce((s, { v }) => s + v, 0) / binned.reduce((s, { n }) => s + n, 0);
  const { slope, at } = line(binned.map(({ t, v, n }) => ({ x: t / n, y: v / n })));
  // The mean of a straight line over what is left is its value in the middle; no rate or time is
  // negative.
  const rest = slope === 0 ? meanSoFar : Math.max(0, at(elapsedMs + (lengthMs - elapsedMs) / 2));
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

/** Trends of limits over the windows of a run, from its samples as they come. */
export interface LimitTrends {
  /** Samples of one series ascend by time, those of several come in any order. */
  add(seriesId: number, tMs: number, value: number): void;
  /** Of the steady state, or of a measurement period that lasts; null where it is neither. */
  of: (limit: Limit, window: Window) => Trend | null;
  /** What `ended` said of a period that is over, by its place; undefined = it is not. */
  past(limit: Limit, periodIndex: number): Projection | null | undefined;
}

/**
 * Keeps one trend a limit: a period is over for it with the first sample after its end, since none
 * comes that is older, and is then what `ended` says of its trend.
 */
export function createLimitTrends(
  limits: readonly Limit[],
  seriesId: (limit: Limit) => number | undefined,
  windows: Windows,
  ended: (limit: Limit, whole: Trend) => Projection | null,
): LimitTrends {
  const { periods, steady } = windows;
  const kept = limits.map((limit) => ({
    limit,
    trend: limit.over === 'steady' && steady ? createTrend(steady, limit.kind) : null,
    past: [] as (Projection | null)[],
  }));
  const byLimit = new Map(kept.map((one) => [one.limit, one]));
  const bySeries = groupBy(kept, ({ limit }) => seriesId(limit));
  return {
    add(id, tMs, value) {
      for (const one of bySeries.get(id) ?? []) {
        if (one.limit.over === 'period' && !(one.trend && tMs < one.trend.window.endMs)) {
          const window = periodAt(periods, tMs);
          const before = one.trend;
          if (before)
            one.past[periods.findIndex((p) => p === before.window)] = ended(one.limit, before);
          one.trend = window ? createTrend(window, one.limit.kind) : null;
        }
        one.trend?.add(tMs, value);
      }
    },
    of(limit, window) {
      const trend = byLimit.get(limit)?.trend;
      return trend?.window === window ? trend : null;
    },
    past: (limit, index) => byLimit.get(limit)?.past[index],
  };
}
