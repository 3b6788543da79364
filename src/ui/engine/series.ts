import { lowerBound } from '../../core/base/decimate.ts';
import { gapLimitMs } from '../../core/metric/gap.ts';

/** A stretch of samples in arrays that belong to the source: read, never keep, never write. */
export interface WindowPart {
  t: Float64Array;
  v: Float64Array;
  start: number;
  end: number;
  /** A longer step than this is a gap. */ gapMs: number;
}
/** Filled by `read`; `count` parts are valid, in time order. */
export interface SeriesWindow {
  count: number;
  parts: [WindowPart, WindowPart];
}

/**
 * Where a chart reads one series from: a live ring or stored arrays. Times are epoch milliseconds.
 */
export interface SeriesSource {
  /** Samples within [fromMs, toMs] and one neighbour on either side. Allocates nothing. */
  read(fromMs: number, toMs: number, into: SeriesWindow): void;
  /** NaN while empty. */
  firstMs(): number;
  lastMs(): number;
  lastValue(): number;
  /** Changes whenever samples changed in another way than by appending. */
  revision(): number;
}

/** One line of a chart. */
export interface ChartSeries {
  /** Unique in its chart. */
  key: string;
  label: string;
  unit: string;
  color: string;
  dash: readonly number[];
  source: SeriesSource;
  /** Epoch that counts as 0:00 of this series; runs laid over each other have each their own. */
  originMs: number;
  periodMs: number;
  lagMs: number;
  decimals: number;
  /** Series with the same key are highlighted together on all charts of a group. Default: `key`. */
  highlightKey?: string;
  /** Who measured, for table and copy. */
  measuredBy?: string;
}

const emptyTimes = new Float64Array(0);
const emptyPart = (): WindowPart => ({ t: emptyTimes, v: emptyTimes, start: 0, end: 0, gapMs: 0 });
export const createSeriesWindow = (): SeriesWindow => ({
  count: 0,
  parts: [emptyPart(), emptyPart()],
});

/** Puts [from, to] of ascending arrays, with one neighbour either side, into `part`. */
export function cutPart(
  part: WindowPart,
  t: Float64Array,
  v: Float64Array,
  start: number,
  end: number,
  fromMs: number,
  toMs: number,
  gapMs: number,
): void {
  part.t = t;
  part.v = v;
  part.start = Math.max(start, lowerBound(t, start, end, fromMs) - 1);
  part.end = Math.min(end, lowerBound(t, part.start, end, toMs) + 1);
  part.gapMs = gapMs;
}

/**
 * Distance between samples as stored: the period, or what nine of ten steps stay within where the
 * engine sent first, minimum, maximum and last a bucket. Not their median: a smooth line has two
 * points a bucket, half of its steps are one period.
 */
export function storedStepMs(t: Float64Array, periodMs: number): number {
  if (t.length < 8) return periodMs;
  // Most series come as measured: counting is all they need, sorting 100,000 steps would be half of
  // a first draw.
  const place = Math.floor((t.length - 2) * 0.9);
  let within = 0;
  for (let i = 1; i < t.length; i++) if (t[i]! - t[i - 1]! <= periodMs * 1.2) within++;
  if (within > place) return periodMs;
  const steps = new Float64Array(t.length - 1);
  for (let i = 1; i < t.length; i++) steps[i - 1] = t[i]! - t[i - 1]!;
  steps.sort();
  return Math.max(periodMs, steps[place]!);
}

/** A source over arrays from `run.samples`. */
export function storedSource(
  data: { tMs: Float64Array; value: Float64Array },
  periodMs: number,
): SeriesSource {
  const { tMs, value } = data;
  const gapMs = gapLimitMs(storedStepMs(tMs, periodMs));
  const at = (index: number, list: Float64Array): number =>
    index >= 0 && index < list.length ? list[index]! : NaN;
  return {
    read: (fromMs, toMs, into) => {
      into.count = tMs.length === 0 ? 0 : 1;
      if (into.count > 0) cutPart(into.parts[0], tMs, value, 0, tMs.length, fromMs, toMs, gapMs);
    },
    firstMs: () => at(0, tMs),
    lastMs: () => at(tMs.length - 1, tMs),
    lastValue: () => at(value.length - 1, value),
    revision: () => 0,
  };
}

const probe = createSeriesWindow();

/**
 * Index of the sample nearest to `atMs`, or null where none lies within the gap limit: a gap has no
 * value. The returned part belongs to the source and is valid until the next call.
 */
export function nearest(source: SeriesSource, atMs: number): { tMs: number; value: number } | null {
  source.read(atMs, atMs, probe);
  let best: { tMs: number; value: number } | null = null;
  for (let p = 0; p < probe.count; p++) {
    const part = probe.parts[p]!;
    for (let i = part.start; i < part.end; i++) {
      const distance = Math.abs(part.t[i]! - atMs);
      if (distance <= part.gapMs / 2 && (best === null || distance < Math.abs(best.tMs - atMs)))
        best = { tMs: part.t[i]!, value: part.v[i]! };
    }
  }
  return best;
}
