import type { MetricName } from '../metric/metric.ts';
import type { Profile } from '../profile/profile.ts';
import type { RunOverview } from '../run/run.ts';
import type { MetricValues, PeriodScore, QosResult, Score } from '../run/scoreTypes.ts';
import { isEnd } from '../run/states.ts';
import { periodAt, steadyPlanned, type Window } from '../run/windows.ts';
import { headroomOf, judge, metricsOf } from './judge.ts';
import { limitKey, limitsOf, workloadEntityId } from './limitsOf.ts';
import type { Limit } from './types.ts';

/** One quality-of-service limit of one workload of one tile, against what was measured. */
export interface QosHeadroom extends Omit<Limit, 'rateUnit' | 'metric'> {
  metric: string;
  value: number | null;
  /**
   * Fraction of the limit that is left: 1 = untouched, 0 = at the limit, negative = broken. null =
   * not measured.
   */
  headroom: number | null;
  /** Its workload is lost: nothing arrives, so whatever was measured before says nothing of it. */
  lost?: true;
}

/**
 * Mean of a metric of a workload over the window its limit is about; null or NaN where nothing was
 * measured.
 */
export type ReadMean = (entityId: string, metric: MetricName, over: Limit['over']) => number | null;

function headroomNow(limit: Limit, read: ReadMean): QosHeadroom {
  // A running mean knows no single operations: such a limit is judged from the whole period.
  const values: MetricValues = Object.fromEntries(
    metricsOf(limit).flatMap((metric) => {
      const value = read(limit.entityId, metric, limit.over);
      return value !== null && Number.isFinite(value) ? [[metric, value]] : [];
    }),
  );
  const { measured, headroom } = judge(limit, { values });
  const { rateUnit: _rateUnit, ...shown } = limit;
  return { ...shown, value: measured, headroom };
}

/**
 * What is lost first, then the least headroom; what was not measured comes last. Does not change its
 * argument.
 */
export function worstFirst<T extends { headroom: number | null; lost?: true }>(
  list: readonly T[],
): T[] {
  return [...list].sort((a, b) => {
    if (a.lost !== b.lost) return a.lost ? -1 : 1;
    if (a.headroom === null) return b.headroom === null ? 0 : 1;
    return b.headroom === null ? -1 : a.headroom - b.headroom;
  });
}

/** Every limit of every tile of a run, worst first. */
export function runHeadroom(profile: Profile, tiles: number, read: ReadMean): QosHeadroom[] {
  return worstFirst(limitsOf(profile, tiles).map((limit) => headroomNow(limit, read)));
}

const detail = ({
  operation,
  measure,
}: Pick<QosResult, 'operation' | 'measure'>): Pick<QosHeadroom, 'operation' | 'measure'> => ({
  ...(operation === undefined ? {} : { operation }),
  ...(measure === undefined ? {} : { measure }),
});

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
          over: q.over ?? 'period',
          value: q.measured,
          headroom: headroomOf(q.kind, q.limit, q.measured),
          ...detail(q),
        })),
      ),
    ),
  );
}

/**
 * The worst period of each limit of a finished run, worst first. A limit missing in any period is
 * not measured.
 */
export function scoreHeadroom(score: Score): (QosHeadroom & { period: number })[] {
  const worst = new Map<string, QosHeadroom & { period: number }>();
  for (const period of score.periods) {
    for (const entry of periodHeadroom(period)) {
      const key = limitKey(entry);
      const seen = worst.get(key);
      const replaces =
        seen === undefined ||
        (seen.headroom !== null && (entry.headroom === null || entry.headroom < seen.headroom));
      if (replaces) worst.set(key, { ...entry, period: period.index });
    }
  }
  return worstFirst([...worst.values()]);
}

/**
 * What each limit came to where it was worst, by its key; a limit that nothing was measured of is
 * left out.
 */
export function worstMeasured(score: Score | null): Map<string, number> {
  const worst = new Map<string, number>();
  for (const entry of (score?.periods ?? []).flatMap(periodHeadroom)) {
    if (entry.value === null) continue;
    const key = limitKey(entry);
    const seen = worst.get(key);
    if (seen === undefined || (entry.kind === 'max' ? entry.value > seen : entry.value < seen))
      worst.set(key, entry.value);
  }
  return worst;
}

/** Outside the measurement periods headroom is taken over this long. */
const recentMs = 60_000;
/** A sample may be a little ahead of the clock it is looked at by. */
const aheadMs = 5_000;

/**
 * Where the mean of a limit of each kind is taken as of `nowMs`, the samples a little ahead of the
 * clock among it.
 */
function windowsNow(
  overview: Pick<RunOverview, 'periods' | 'phases'>,
  nowMs: number,
): Record<Limit['over'], Window> {
  const recent = { startMs: nowMs - recentMs, endMs: nowMs + aheadMs };
  const period = periodAt(overview.periods, nowMs);
  const steady = steadyPlanned(overview);
  const until = ({ startMs, endMs }: Window): Window =>
    nowMs < endMs
      ? { startMs: Math.min(startMs, nowMs - aheadMs), endMs: nowMs + aheadMs }
      : { startMs, endMs };
  return {
    period: period === undefined ? recent : until(period),
    steady: steady === null ? recent : until(steady),
  };
}

/**
 * Headroom of every limit of a run as of now, worst first. A limit holds for the mean of a
 * measurement period, or of the whole steady state: while that lasts its mean so far counts,
 * outside of a period the last minute, after the steady state the whole of it. A finished run shows
 * its worst period as scored; a workload that is lost is the worst of all, whatever it measured
 * before, and is there without a limit too. Without the profile the last scored period is what is known.
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
  const lost = isEnd(overview.state)
    ? []
    : overview.workloads.filter((w) => w.state === 'lost' || w.state === 'failed');
  if (profile === null)
    return withLost(
      score !== null && score.periods.length > 0 ? periodHeadroom(score.periods.at(-1)!) : [],
      lost,
      profile,
    );
  const windows = windowsNow(overview, nowMs);
  const ids = new Map(overview.series.map((s) => [`${s.entity.id}/${s.metric}`, s.id]));
  const now = runHeadroom(profile, tilesOf(overview), (entityId, metric, over) => {
    const id = ids.get(`${entityId}/${metric}`);
    const { startMs, endMs } = windows[over];
    return id === undefined ? null : meanOf(id, startMs, endMs);
  });
  return withLost(now, lost, profile);
}

/** Limits of lost workloads marked so and first; a lost workload without a limit gets a place too. */
function withLost(
  list: readonly QosHeadroom[],
  lost: RunOverview['workloads'],
  profile: Profile | null,
): QosHeadroom[] {
  if (lost.length === 0) return [...list];
  const ids = new Set(lost.map((w) => w.entityId));
  const limited = new Set(list.map((entry) => entry.entityId));
  return worstFirst([
    ...list.map((entry) =>
      ids.has(entry.entityId)
        ? { ...entry, value: null, headroom: null, lost: true as const }
        : entry,
    ),
    ...lost
      .filter((w) => !limited.has(w.entityId))
      .map(({ entityId, tile, workloadId }) => ({
        entityId,
        tile,
        workloadId,
        name: profile?.workloads.find((w) => w.id === workloadId)?.name ?? workloadId,
        metric: 'throughput',
        unit: '',
        kind: 'min' as const,
        limit: 0,
        source: '',
        over: 'period' as const,
        value: null,
        headroom: null,
        lost: true as const,
      })),
  ]);
}

/** Tiles of a run, from its workloads. */
export const tilesOf = (overview: Pick<RunOverview, 'workloads'>): number =>
  overview.workloads.reduce((most, w) => Math.max(most, w.tile + 1), 0);
