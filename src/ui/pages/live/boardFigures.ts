import { formatQuantity, noValue } from '../../../core/base/format.ts';
import type { QosHeadroom } from '../../../core/limits/index.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import type { SeriesSource } from '../../engine/series.ts';
import { meanBetween, worstHeadroom } from './headroom.ts';

/** A number that is read from afar, with what it is of. */
export interface BoardFigure {
  text: string;
  unit: string;
  of: string;
  bad: boolean;
}

type SourceOf = (seriesId: number) => SeriesSource;
type Mean = (def: SeriesDef, fromMs: number, toMs: number) => number;
type Series = Pick<RunOverview, 'series' | 'workloads' | 'score'>;

const missing = (of: string): BoardFigure => ({ text: noValue, unit: '', of, bad: false });

export const headroomFigure = (
  list: readonly QosHeadroom[],
  isUnlimited: boolean,
): BoardFigure => ({ unit: '', ...worstHeadroom(list, isUnlimited) });

/** Mean of a series between two moments; NaN where nothing was measured. */
export const meanReader =
  (sourceOf: SourceOf): Mean =>
  (def, fromMs, toMs) =>
    meanBetween(sourceOf(def.id), fromMs, toMs);

/** Throughput series with workload and, where there is one, the reference that scores 1. */
export interface ThroughputSeries {
  def: SeriesDef;
  workloadId: string;
  tile: number;
  reference: number | null;
}

/** Throughput of all tiles and workloads; the reference is the profile's, or that of the score. */
export function throughputSeries(run: Series, profile: Profile | null): ThroughputSeries[] {
  const workloadOf = new Map(run.workloads.map((w) => [w.entityId, w]));
  const references = new Map<string, number>();
  if (run.score?.reference === undefined)
    for (const period of run.score?.periods ?? [])
      for (const { workloads } of period.tiles)
        for (const { workloadId, reference } of workloads)
          if (reference !== null) references.set(workloadId, reference);
  for (const { id, reference } of profile?.workloads ?? [])
    if (reference !== null) references.set(id, reference);
  return run.series.flatMap((def) => {
    const workload = def.metric === 'throughput' ? workloadOf.get(def.entity.id) : undefined;
    return workload === undefined
      ? []
      : [
          {
            def,
            workloadId: workload.workloadId,
            tile: workload.tile,
            reference: references.get(workload.workloadId) ?? null,
          },
        ];
  });
}

/**
 * Work done: mean ratio to the references over all tiles, 1 = as the reference; NaN where there is
 * none.
 */
export function throughputRatio(
  list: readonly ThroughputSeries[],
  mean: Mean,
  fromMs: number,
  toMs: number,
): number {
  const ratios = list.flatMap(({ def, reference }) => {
    const value = reference === null ? NaN : mean(def, fromMs, toMs) / reference;
    return Number.isFinite(value) ? [value] : [];
  });
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

/** Work done of one workload by all tiles, in its unit. */
export function workloadThroughput(
  list: readonly ThroughputSeries[],
  workloadId: string,
  mean: Mean,
  fromMs: number,
  toMs: number,
): number {
  const values = list
    .filter((one) => one.workloadId === workloadId)
    .map(({ def }) => mean(def, fromMs, toMs))
    .filter(Number.isFinite);
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0);
}

/** Watts of all meters together; NaN while none has told any. */
export function wattsBetween(
  meters: readonly SeriesDef[],
  mean: Mean,
  fromMs: number,
  toMs: number,
): number {
  const values = meters.map((def) => mean(def, fromMs, toMs)).filter(Number.isFinite);
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0);
}

/** CPU of the busiest host, and which it is; null while none has told any. */
export function busiestHost(
  hosts: readonly SeriesDef[],
  mean: Mean,
  fromMs: number,
  toMs: number,
): { pct: number; name: string } | null {
  let busiest: { pct: number; name: string } | null = null;
  for (const def of hosts) {
    const pct = mean(def, fromMs, toMs);
    if (pct > (busiest?.pct ?? -Infinity)) busiest = { pct, name: def.entity.name };
  }
  return busiest;
}

/** A value with the unit it reads in, and what it is of. */
export function quantityFigure(value: number, unit: string, of: string, bad = false): BoardFigure {
  if (!Number.isFinite(value)) return missing(of);
  const shown = formatQuantity(value, unit);
  return { text: shown.figure, unit: shown.unit, of, bad };
}

const buckets = 30;
/** Moments that are worked out at once: the past of a big run fills in over some seconds. */
const atOnce = 6;
/** The newest are worked out anew: samples arrive late. */
const unsettled = 2;

/** The last five minutes as points, or under a fast clock all that was; each worked out once. */
export function createSpark(): (
  valueOf: (fromMs: number, toMs: number) => number,
  span: { nowMs: number; sinceMs: number; leastMs: number; isFast: boolean },
) => number[] {
  const held = new Map<number, number>();
  let heldMs = 0;
  return (valueOf, { nowMs, sinceMs, leastMs, isFast }) => {
    let bucketMs = Math.max(10_000, leastMs);
    while (isFast && bucketMs * buckets < nowMs - sinceMs) bucketMs *= 2;
    if (bucketMs !== heldMs) held.clear();
    heldMs = bucketMs;
    const last = Math.floor(nowMs / bucketMs);
    const first = Math.max(Math.floor(sinceMs / bucketMs), last - buckets);
    let room = atOnce;
    for (let at = last - 1; at >= first; at -= 1) {
      if (at < last - unsettled && held.has(at)) continue;
      if (room === 0) break;
      room -= 1;
      held.set(at, valueOf(at * bucketMs, (at + 1) * bucketMs));
    }
    for (const at of held.keys()) if (at < first) held.delete(at);
    return Array.from({ length: Math.max(0, last - first) }, (_, i) => held.get(first + i) ?? NaN);
  };
}
