import type { MetricName } from './metric.ts';
import type { Profile, ProfileWorkload } from './profile.ts';
import { isEnd, type RunOverview } from './run.ts';
import { limitedValue } from './scoreQos.ts';
import type { MetricValues, PeriodScore, QosResult, Score } from './scoreTypes.ts';

/** One quality-of-service limit of one workload of one tile, against what was measured. */
export interface QosHeadroom {
  /** `t0.database` */
  entityId: string;
  tile: number;
  workloadId: string;
  name: string;
  metric: string;
  unit: string;
  kind: 'max' | 'min';
  limit: number;
  source: string;
  /** Named operation, or share of failures, where the limit is on one. */
  operation?: string | undefined;
  measure?: QosResult['measure'];
  value: number | null;
  /** Fraction of the limit that is left: 1 = untouched, 0 = at the limit, negative = broken. null = not measured. */
  headroom: number | null;
}

/** Latest or mean value of a metric of a workload; null or NaN where nothing was measured. */
export type ReadValue = (entityId: string, metric: MetricName) => number | null;

/**
 * What is left of a limit, as a fraction of the limit: (limit − value) / limit for a maximum,
 * (value − limit) / limit for a minimum. A limit of 0 has no fraction: 0 when kept, −1 when broken.
 */
export function limitHeadroom(
  kind: 'max' | 'min',
  limit: number,
  value: number | null,
): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  const left = kind === 'max' ? limit - value : value - limit;
  if (limit === 0) return left >= 0 ? 0 : -1;
  return left / Math.abs(limit);
}

/** Id of a workload's entity in series and statuses. */
export function workloadEntityId(tile: number, workloadId: string): string {
  return `t${tile}.${workloadId}`;
}

/** Every limit of one workload against its values, in the profile's order. */
export function workloadHeadroom(
  workload: ProfileWorkload,
  tile: number,
  read: ReadValue,
): QosHeadroom[] {
  const entityId = workloadEntityId(tile, workload.id);
  return workload.qos.flatMap((limit) =>
    (['max', 'min'] as const).flatMap((kind) => {
      const bound = limit[kind];
      if (bound === undefined) return [];
      // A running average knows no single operations: such a limit is judged at the end of its period.
      const values: MetricValues =
        limit.operation !== undefined
          ? {}
          : readValues(
              read,
              entityId,
              limit.measure === 'failurePct' ? ['errorRate', 'throughput'] : [limit.metric],
            );
      const value = limitedValue({ ...limit, operation: undefined }, workload.unit, { values });
      return [
        {
          entityId,
          tile,
          workloadId: workload.id,
          name: workload.name,
          metric: limit.metric,
          unit: limit.unit,
          kind,
          limit: bound,
          source: limit.source,
          value,
          headroom: limitHeadroom(kind, bound, value),
          ...detail(limit),
        },
      ];
    }),
  );
}

const readValues = (
  read: ReadValue,
  entityId: string,
  metrics: readonly MetricName[],
): MetricValues =>
  Object.fromEntries(
    metrics.flatMap((metric) => {
      const value = read(entityId, metric);
      return value !== null && Number.isFinite(value) ? [[metric, value]] : [];
    }),
  );
const detail = ({
  operation,
  measure,
}: {
  operation?: string | undefined;
  measure?: QosResult['measure'];
}): Pick<QosHeadroom, 'operation' | 'measure'> => ({
  ...(operation === undefined ? {} : { operation }),
  ...(measure === undefined ? {} : { measure }),
});

/** Least headroom first; what was not measured comes last. Does not change its argument. */
export function worstFirst<T extends { headroom: number | null }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => {
    if (a.headroom === null) return b.headroom === null ? 0 : 1;
    return b.headroom === null ? -1 : a.headroom - b.headroom;
  });
}

/** Every limit of every tile of a run, worst first. */
export function runHeadroom(profile: Profile, tiles: number, read: ReadValue): QosHeadroom[] {
  return worstFirst(
    Array.from({ length: tiles }, (_, tile) =>
      profile.workloads.flatMap((w) => workloadHeadroom(w, tile, read)),
    ).flat(),
  );
}

/** Every limit as a measurement period was scored, worst first. */
export function periodHeadroom(period: PeriodScore): QosHeadroom[] {
  return worstFirst(
    period.tiles.flatMap(({ tile, workloads }) =>
      workloads.flatMap((w) =>
        w.qos.map((q) => ({
          entityId: workloadEntityId(tile, w.workloadId),
          tile,
          workloadId: w.workloadId,
          name: w.name,
          metric: q.metric,
          unit: q.unit,
          kind: q.kind,
          limit: q.limit,
          source: q.source,
          value: q.measured,
          headroom: limitHeadroom(q.kind, q.limit, q.measured),
          ...detail(q),
        })),
      ),
    ),
  );
}

/** The worst period of each limit of a finished run, worst first. A limit missing in any period is not measured. */
export function scoreHeadroom(score: Score): (QosHeadroom & { period: number })[] {
  const worst = new Map<string, QosHeadroom & { period: number }>();
  for (const period of score.periods) {
    for (const entry of periodHeadroom(period)) {
      const key = `${entry.entityId}/${entry.metric}/${entry.kind}/${entry.operation ?? ''}/${entry.measure ?? ''}`;
      const seen = worst.get(key);
      const replaces =
        seen === undefined ||
        (seen.headroom !== null && (entry.headroom === null || entry.headroom < seen.headroom));
      if (replaces) worst.set(key, { ...entry, period: period.index });
    }
  }
  return worstFirst([...worst.values()]);
}

/** Outside the measurement periods headroom is taken over this long. */
const recentMs = 60_000;
/** A sample may be a little ahead of the clock it is looked at by. */
const aheadMs = 5_000;

/**
 * Headroom of every limit of a run as of now, worst first. A limit holds for the mean of a measurement period: while a period lasts its mean so far counts,
 * before and after it the last minute. A finished run shows its worst period as scored; without the profile the last scored period is what is known.
 * `meanOf` gives the mean of a series over a window, NaN or null for none.
 */
export function overviewHeadroom(
  overview: RunOverview,
  profile: Profile | null,
  meanOf: (seriesId: number, fromMs: number, toMs: number) => number | null,
  nowMs: number,
): QosHeadroom[] {
  const { score } = overview;
  if (isEnd(overview.state) && score !== null) return scoreHeadroom(score);
  if (profile === null)
    return score !== null && score.periods.length > 0 ? periodHeadroom(score.periods.at(-1)!) : [];
  const period = runningPeriod(overview, nowMs);
  const fromMs =
    period === undefined ? nowMs - recentMs : Math.min(period.startMs, nowMs - aheadMs);
  const ids = new Map(overview.series.map((s) => [`${s.entity.id}/${s.metric}`, s.id]));
  return runHeadroom(profile, tilesOf(overview), (entityId, metric) => {
    const id = ids.get(`${entityId}/${metric}`);
    return id === undefined ? null : meanOf(id, fromMs, nowMs + aheadMs);
  });
}

/** The measurement period that lasts at `nowMs`. */
export const runningPeriod = (
  overview: Pick<RunOverview, 'periods'>,
  nowMs: number,
): RunOverview['periods'][number] | undefined =>
  overview.periods.find((p) => nowMs >= p.startMs && nowMs < p.endMs);

/** Tiles of a run, from its workloads. */
export const tilesOf = (overview: Pick<RunOverview, 'workloads'>): number =>
  overview.workloads.reduce((most, w) => Math.max(most, w.tile + 1), 0);
