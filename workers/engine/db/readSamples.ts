import { createPointBuffer, decimate } from '../../../src/core/base/decimate.ts';
import type { SeriesData } from '../../../src/core/metric/metric.ts';
import { decodeChunk, decodeChunkInto } from './codec.ts';
import type { RunBuffer } from './runBuffer.ts';
import { readerOf, type SampleTables } from './sampleTables.ts';
import type { SampleStore } from './types.ts';

/** Points of a rollup: 500 buckets of minimum and maximum. */
export const rollupPoints = 1_000;

/** Series of a run within a window, thinned to `maxPoints`; from its rollups where they suffice. */
export function readSamples(
  tables: SampleTables,
  runId: string,
  seriesIds: readonly number[],
  { fromMs = -Infinity, toMs = Infinity, maxPoints = 0 }: Parameters<SampleStore['read']>[2],
): SeriesData[] {
  const { sql } = tables;
  const buffer = readerOf(tables, runId);
  const whole = fromMs === -Infinity && toMs === Infinity;
  return seriesIds.map((seriesId) => {
    if (whole && maxPoints > 0 && maxPoints <= rollupPoints && buffer.key !== null) {
      const rollup = sql.rollup.get(buffer.key, seriesId);
      if (rollup) return thin({ seriesId, ...decodeChunk(rollup.data) }, maxPoints);
    }
    return thin(collect(tables, buffer, seriesId, fromMs, toMs), maxPoints);
  });
}

/** Exact mean, count, minimum and maximum of a series over [fromMs, toMs). */
export function aggregateSamples(
  tables: SampleTables,
  runId: string,
  seriesId: number,
  fromMs: number,
  toMs: number,
): ReturnType<SampleStore['aggregate']> {
  const { tMs, value } = collect(tables, readerOf(tables, runId), seriesId, fromMs, toMs);
  let count = 0,
    sum = 0,
    min = Infinity,
    max = -Infinity;
  for (let i = 0; i < tMs.length; i += 1) {
    if (tMs[i]! >= toMs) continue;
    const one = value[i]!;
    count += 1;
    sum += one;
    if (one < min) min = one;
    if (one > max) max = one;
  }
  return count === 0
    ? { count, mean: NaN, min: NaN, max: NaN }
    : { count, mean: sum / count, min, max };
}

/**
 * All samples of one series within [fromMs, toMs], chunks first, then what is still in the tail.
 */
export function collect(
  { sql }: SampleTables,
  buffer: Pick<RunBuffer, 'key' | 'pending'>,
  seriesId: number,
  fromMs: number,
  toMs: number,
): SeriesData {
  const rows = buffer.key === null ? [] : sql.chunks.all(buffer.key, seriesId, toMs, fromMs);
  const pending = buffer.pending(seriesId);
  const length = rows.reduce((sum, { count }) => sum + count, pending?.tMs.length ?? 0);
  const tMs = new Float64Array(length),
    value = new Float64Array(length);
  let at = 0;
  for (const { count, data } of rows) {
    decodeChunkInto(data, tMs.subarray(at, at + count), value.subarray(at, at + count));
    at += count;
  }
  if (pending) {
    tMs.set(pending.tMs, at);
    value.set(pending.value, at);
  }
  return { seriesId, ...cut({ tMs, value }, fromMs, toMs) };
}

/**
 * The part of ascending samples within [fromMs, toMs]: the same arrays where that is all of them,
 * else copies.
 */
function cut(
  { tMs, value }: { tMs: Float64Array; value: Float64Array },
  fromMs: number,
  toMs: number,
): { tMs: Float64Array; value: Float64Array } {
  const start = lowerBound(tMs, fromMs);
  let end = lowerBound(tMs, toMs);
  while (end < tMs.length && tMs[end]! <= toMs) end += 1;
  if (start === 0 && end === tMs.length) return { tMs, value };
  return { tMs: tMs.slice(start, end), value: value.slice(start, end) };
}

function lowerBound(ascending: Float64Array, wanted: number): number {
  let low = 0,
    high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** At most `maxPoints` points, first, minimum, maximum and last kept a bucket; 0 = all. */
export function thin(series: SeriesData, maxPoints: number): SeriesData {
  const { tMs, value, seriesId } = series;
  if (maxPoints <= 0 || tMs.length <= maxPoints) return series;
  const buckets = Math.max(1, Math.floor(maxPoints / 4) - 1);
  const out = createPointBuffer(maxPoints);
  decimate(
    tMs,
    value,
    0,
    tMs.length,
    Math.max(1, Math.ceil((tMs.at(-1)! - tMs[0]!) / buckets)),
    out,
  );
  return { seriesId, tMs: out.t.slice(0, out.length), value: out.v.slice(0, out.length) };
}
