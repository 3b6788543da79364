import {
  type ComparedRun,
  isCompared,
  rowSlots,
  type RunAggregates,
  type SeriesAggregate,
  slotMeans,
  type Slots,
  type WindowStat,
} from '../../../src/core/compare/index.ts';
import type { SeriesData } from '../../../src/core/metric/metric.ts';
import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';
import type { SampleStore } from '../db/types.ts';

/** Index of the first time at or after `wanted`. */
function firstAt(tMs: Float64Array, wanted: number): number {
  let low = 0,
    high = tMs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tMs[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Exact count, mean, least and greatest over [fromMs, toMs) of samples in ascending time; null
 * without any.
 */
export function statOf(
  { tMs, value }: SeriesData,
  fromMs: number,
  toMs: number,
): WindowStat | null {
  let count = 0,
    sum = 0,
    min = Infinity,
    max = -Infinity;
  for (let i = firstAt(tMs, fromMs); i < tMs.length && tMs[i]! < toMs; i += 1) {
    const one = value[i]!;
    count += 1;
    sum += one;
    if (one < min) min = one;
    if (one > max) max = one;
  }
  return count > 0 && Number.isFinite(sum) ? { count, mean: sum / count, min, max } : null;
}

/**
 * What a comparison needs of one stored run, reading each series that has a part in it once. Yields
 * after each series, so that the engine can do other work in between, or stop.
 */
export function* digestRun(
  record: RunRecord,
  summary: RunSummary,
  samples: Pick<SampleStore, 'read'>,
): Generator<void, ComparedRun> {
  const { overview } = record;
  const steady = steadyWindow(overview);
  const fromMs = Math.min(steady?.startMs ?? Infinity, ...overview.periods.map((p) => p.startMs));
  const toMs = Math.max(steady?.endMs ?? -Infinity, ...overview.periods.map((p) => p.endMs));
  const series: SeriesAggregate[] = [];
  const slots = new Map<number, Slots>();
  for (const def of overview.series) {
    if (!isCompared(def)) continue;
    const data: SeriesData =
      toMs > fromMs
        ? samples.read(overview.id, [def.id], { fromMs, toMs, maxPoints: 0 })[0]!
        : { seriesId: def.id, tMs: new Float64Array(), value: new Float64Array() };
    series.push({
      def,
      steady: steady && statOf(data, steady.startMs, steady.endMs),
      periods: overview.periods.map((p) => statOf(data, p.startMs, p.endMs)),
    });
    if (steady) slots.set(def.id, slotMeans(data, steady.startMs, steady.endMs, def.periodMs));
    yield;
  }
  const aggregates: RunAggregates = {
    steadyS: steady && (steady.endMs - steady.startMs) / 1000,
    series,
  };
  const run: ComparedRun = { record, summary, aggregates };
  return { ...run, slots: rowSlots(run, (def) => slots.get(def.id)) };
}
