import {
  aggregateRun,
  idleOf,
  powerScore,
  powerSources,
  reachMs,
  type SeriesAggregate,
  steadyPower,
} from '../../../src/core/compare/index.ts';
import { gapLimitMs } from '../../../src/core/metric/gap.ts';
import { linuxHostId, type MetricName, type SeriesDef } from '../../../src/core/metric/metric.ts';
import { metricWords } from '../../../src/core/metric/metricWords.ts';
import type { Gap } from '../../../src/core/run/outages.ts';
import { ownReference } from '../../../src/core/run/ownReference.ts';
import type { RunFinding, RunRecord, Verdict } from '../../../src/core/run/run.ts';
import {
  infraKey,
  type PeriodMeasurement,
  type References,
  type Score,
} from '../../../src/core/run/scoreTypes.ts';
import type { SteadyPower } from '../../../src/core/run/steadyPower.ts';
import { steadyPlanned, steadyWindow } from '../../../src/core/run/windows.ts';
import {
  formatResult,
  scoreAgainst,
  type ScoringReference,
} from '../../../src/core/score/score.ts';
import { keptLimitsText, verdictReasons } from '../../../src/core/score/verdictReasons.ts';
import { mean, weightedMean } from '../../../src/core/stats/summary.ts';
import { linuxHostsOf } from '../../../src/core/testbed/usedConnections.ts';
import type { Database } from '../db/types.ts';
import { measurePeriods } from '../metrics/measurePeriods.ts';
import { optionalMetrics } from './optionalMetrics.ts';

/** Means of a run over each measurement period, from the stored samples. */
const measureStored = ({ samples }: Database, { overview }: RunRecord): PeriodMeasurement[] =>
  measurePeriods(overview.series, overview.periods, ({ id }, { startMs, endMs }) =>
    samples.aggregate(overview.id, id, startMs, endMs),
  );

/**
 * Throughput a workload: the mean over the tiles of what each did over all periods, a period by its
 * samples (one that lacks some is not as much of the whole). What scores 1.0 when a run is taken as
 * reference. Periods are equal in length, so operations an hour are not weighed.
 */
export function referencesFrom(periods: readonly PeriodMeasurement[]): References {
  const byWorkload = new Map<string, Map<number, { values: number[]; weights: number[] }>>();
  const add = (id: string, tile: number, value: number | undefined, weight: number): void => {
    if (value === undefined || !(value > 0)) return;
    const tiles = byWorkload.get(id) ?? new Map<number, { values: number[]; weights: number[] }>();
    const known = tiles.get(tile) ?? { values: [], weights: [] };
    tiles.set(tile, {
      values: [...known.values, value],
      weights: [...known.weights, Math.max(1, weight)],
    });
    byWorkload.set(id, tiles);
  };
  for (const { workloads, infrastructure } of periods) {
    for (const { workloadId, tile, values, counts, samples } of workloads)
      add(workloadId, tile, values.throughput, counts?.throughput ?? samples);
    for (const [id, perHour] of Object.entries(infrastructure ?? {}))
      add(infraKey(id), 0, perHour, 1);
  }
  return Object.fromEntries(
    [...byWorkload].map(([id, tiles]) => [
      id,
      mean([...tiles.values()].map(({ values, weights }) => weightedMean(values, weights))),
    ]),
  );
}

/**
 * What a run is scored against: the profile's own figures, else the chosen reference run. Without
 * one there is no score, but for the reference point of a study, which the other points are held
 * against: it is held against itself, and says so.
 */
export function scoringReference(
  db: Database,
  record: RunRecord,
  own: readonly PeriodMeasurement[],
): ScoringReference {
  const label = ownReference(record);
  if (label !== null) return { kind: 'profile', references: {}, label };
  const reference =
    record.plan.referenceRunId === null ? null : db.runs.get(record.plan.referenceRunId);
  if (reference)
    return {
      kind: 'run',
      references: referencesFrom(measureStored(db, reference)),
      label: `run ${reference.overview.name}`,
    };
  return record.plan.study === null
    ? { kind: 'none', references: {}, label: 'none' }
    : {
        kind: 'itself',
        references: referencesFrom(own),
        label: 'this run itself, which the other points of its study are relative to',
      };
}

export function finalScore(db: Database, record: RunRecord): Score {
  const measured = measureStored(db, record);
  const score = scoreAgainst(
    record.profile,
    record.plan.tiles,
    measured,
    scoringReference(db, record, measured),
  );
  const powerOnly = {
    ...record.overview,
    series: record.overview.series.filter((s) => s.metric === 'powerW'),
  };
  const aggregates = aggregateRun(powerOnly, (id, fromMs, toMs) =>
    db.samples.aggregate(record.overview.id, id, fromMs, toMs),
  );
  const power = powerScore(record.profile, score, aggregates, record.overview.periods);
  if (!power) return score;
  const steady = steadyPowerOf(db, record, powerSources(aggregates)[0]?.series ?? []);
  return { ...score, power: steady === null ? power : { ...power, steady } };
}

/** What the speaking power source tells of the steady state; null = it was not reached, or nothing. */
function steadyPowerOf(
  db: Database,
  record: RunRecord,
  speaking: readonly SeriesAggregate[],
): SteadyPower | null {
  const window = steadyWindow(record.overview);
  if (window === null) return null;
  const series = speaking.flatMap(({ def }) => {
    const [data] = db.samples.read(record.overview.id, [def.id], {
      fromMs: window.startMs - reachMs(def),
      toMs: window.endMs + reachMs(def),
      maxPoints: 0,
    });
    return data ? [{ def, data }] : [];
  });
  const { testbed, plan } = record;
  const vms = testbed.tiles
    .filter(({ index }) => index < plan.tiles)
    .flatMap(({ workloads }) => workloads.flatMap(({ vm }) => vm?.ref ?? []));
  return steadyPower(series, window, {
    tiles: plan.tiles,
    vms: new Set(vms).size,
    idle: idleOf(
      record,
      series.map(({ def }) => def.entity.id),
    ),
  });
}

/**
 * What a run that its rule ended was worth until then: the periods that were over, with the limits
 * they missed, and never a total.
 */
export function scoreUntil(db: Database, record: RunRecord): Score {
  const endMs = steadyWindow(record.overview)?.endMs ?? record.overview.nowMs;
  const periods = record.overview.periods.filter((p) => p.endMs <= endMs);
  const score = finalScore(db, { ...record, overview: { ...record.overview, periods } });
  const why =
    record.overview.findings.find((f) => f.id === 'earlyAbort')?.text ??
    'the run was ended early by its rule';
  const { power: _power, ...rest } = score;
  return {
    ...rest,
    total: null,
    chosenPeriod: null,
    speaking: [],
    qosPassed: false,
    missing: [`no total: ${why}`, ...score.missing],
    ...(score.application === undefined ? {} : { application: null }),
    ...(score.infrastructure === undefined ? {} : { infrastructure: null }),
  };
}

/** Connection that a series is read from; null = none, as of an operation. */
function peerOfSeries({ overview, testbed }: RunRecord, { entity }: SeriesDef): string | null {
  switch (entity.kind) {
    case 'workload':
      return overview.workloads.find((w) => w.entityId === entity.id)?.clientId ?? null;
    case 'client':
      return entity.id;
    case 'power':
      return testbed.powerIds.includes(entity.id) ? entity.id : testbed.vcenterId;
    case 'host':
      return linuxHostsOf(testbed).find((id) => linuxHostId(id) === entity.id) ?? testbed.vcenterId;
    case 'uplink':
    case 'datastore':
    case 'vm':
      return testbed.vcenterId;
    case 'operation':
    case 'tile':
      return null;
  }
}

/**
 * Gaps of the steady state, the longest of each series. What a sleep of this
 * computer explains is none: `clock.away` tells of it.
 */
export function gapsOf(db: Database, record: RunRecord): Gap[] {
  const steady = steadyPlanned(record.overview);
  if (!steady) return [];
  const { endMs } = steady;
  const away = record.overview.events.flatMap(({ kind, tMs, untilMs }) =>
    kind === 'clock' && untilMs !== undefined ? [{ fromMs: tMs, toMs: untilMs }] : [],
  );
  const gaps: Gap[] = [];
  for (const def of record.overview.series) {
    // An operation's duration is told when it ends, at no period.
    if (def.entity.kind === 'operation' && def.metric !== 'throughput') continue;
    const [data] = db.samples.read(record.overview.id, [def.id], {
      fromMs: steady.startMs,
      toMs: endMs,
      maxPoints: 0,
    });
    // Of one operation only: an interval may have had none. What the load tells besides has the gap.
    if (ofOneOperation.has(def.metric)) continue;
    // A client too busy to answer in its second is told of by the loads on it.
    if (def.entity.kind === 'client') continue;
    // Not every array tells them apart: a counter that is never there is no gap.
    const isOptional = optionalMetrics.has(def.metric) || def.entity.kind === 'vm';
    if (isOptional && (data?.tMs.length ?? 0) === 0) continue;
    const worst = longestGap(
      withIdle(db, record, def, data?.tMs ?? new Float64Array(), steady),
      steady.startMs,
      endMs - def.lagMs,
      away,
    );
    if (worst.unexplainedMs <= gapLimitMs(def.periodMs) + def.lagMs) continue;
    gaps.push({
      peerId: peerOfSeries(record, def),
      series: `${def.entity.name} ${metricWords[def.metric]}`,
      vital: def.entity.kind !== 'vm',
      fromMs: worst.fromMs,
      toMs: worst.fromMs + worst.ms,
    });
  }
  return gaps;
}

/** Times of one operation among others, as sending mail. */
const ofOneOperation: ReadonlySet<MetricName> = new Set([
  'acceptedMeanMs',
  'acceptedP95Ms',
  'deliveredMeanMs',
  'deliveredP95Ms',
]);
const latencies: ReadonlySet<MetricName> = new Set([
  'latencyMeanMs',
  'latencyP95Ms',
  'latencyP99Ms',
]);

/** Of a workload's latency: an interval in which it did nothing has none, and is no gap. */
function withIdle(
  db: Database,
  { overview }: RunRecord,
  { entity, metric }: SeriesDef,
  times: Float64Array,
  { startMs, endMs }: { startMs: number; endMs: number },
): Float64Array {
  const pace = latencies.has(metric)
    ? overview.series.find((one) => one.entity.id === entity.id && one.metric === 'throughput')
    : undefined;
  if (!pace || entity.kind !== 'workload') return times;
  const [done] = db.samples.read(overview.id, [pace.id], {
    fromMs: startMs,
    toMs: endMs,
    maxPoints: 0,
  });
  const idle = (done?.tMs ?? new Float64Array()).filter((_, i) => done?.value[i] === 0);
  return Float64Array.from([...times, ...idle]).sort((a, b) => a - b);
}

/**
 * What the store left out, told: samples without a finite time or value, and samples not newer than
 * their series' last.
 */
export function droppedFindings(dropped: {
  repeated: number;
  unusable: number;
}): Omit<RunFinding, 'tMs'>[] {
  const count = (n: number): string => `${n} ${n === 1 ? 'sample' : 'samples'}`;
  return [
    ...(dropped.unusable > 0
      ? [
          {
            id: 'dropped.unusable',
            severity: 'warn' as const,
            text:
              `${count(dropped.unusable)} without a finite time or value ` +
              `${dropped.unusable === 1 ? 'was' : 'were'} left out.`,
            fix: 'See the log of the source; its clock or its output is wrong.',
          },
        ]
      : []),
    ...(dropped.repeated > 0
      ? [
          {
            id: 'dropped.repeated',
            severity: 'info' as const,
            text:
              `${count(dropped.repeated)} arrived again or out of order and ` +
              `${dropped.repeated === 1 ? 'was' : 'were'} stored once.`,
          },
        ]
      : []),
  ];
}

interface TimeGap {
  fromMs: number;
  ms: number;
  /** Without the time in which nobody here could read. */
  unexplainedMs: number;
}

/** The gap with the most time that `away` does not explain. */
function longestGap(
  times: Float64Array,
  startMs: number,
  endMs: number,
  away: readonly { fromMs: number; toMs: number }[],
): TimeGap {
  let worst: TimeGap = { fromMs: startMs, ms: 0, unexplainedMs: 0 };
  let before = startMs;
  for (const tMs of [...times, endMs]) {
    const explainedMs = away.reduce(
      (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(tMs, toMs) - Math.max(before, fromMs)),
      0,
    );
    const unexplainedMs = tMs - before - explainedMs;
    if (unexplainedMs > worst.unexplainedMs)
      worst = { fromMs: before, ms: tMs - before, unexplainedMs };
    before = tMs;
  }
  return worst;
}

/** Outcome and compliance, apart: a run can pass and still not follow its profile's rules. */
export function judge(record: RunRecord, score: Score | null): Verdict {
  const { overview, profile } = record;
  if (overview.abortReason === 'user' || overview.abortReason === 'engineLost') {
    return {
      outcome: 'aborted',
      compliant: false,
      sentence:
        overview.abortReason === 'user'
          ? 'Aborted by the user. What was measured is kept; there is no score.'
          : 'The engine was away and the run could not be picked up. What was measured is kept; there is no score.',
    };
  }
  if (overview.abortReason !== null || score === null) {
    const reason =
      (overview.abortReason === 'qos'
        ? overview.findings.find((f) => f.id === 'earlyAbort')?.text
        : undefined) ??
      overview.findings.find((f) => f.severity === 'block')?.text ??
      overview.events.findLast((e) => e.kind === 'abort')?.text ??
      'no score could be made';
    return { outcome: 'failed', compliant: false, sentence: `Failed: ${reason}` };
  }
  const reasons = verdictReasons(record, score);
  const figure =
    score.total !== null
      ? formatResult(score, profile.scoring)
      : score.reference === 'none'
        ? `no score without a reference, ${score.tiles} ${score.tiles === 1 ? 'tile' : 'tiles'}`
        : 'no score';
  const what = `${figure} (${profile.resultName})`;
  return reasons.length === 0
    ? {
        outcome: 'passed',
        compliant: true,
        sentence: `Passed: ${what}, ${keptLimitsText(score)}.`,
      }
    : {
        outcome: 'passed',
        compliant: false,
        sentence: `Finished, not compliant: ${what}; ${reasons.join('; ')}.`,
      };
}
