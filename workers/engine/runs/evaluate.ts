import {
  aggregateRun,
  idleOf,
  powerScore,
  powerSources,
  reachMs,
  type SeriesAggregate,
  steadyPower,
} from '../../../src/core/compare/index.ts';
import { ownReference } from '../../../src/core/run/ownReference.ts';
import type { RunFinding, RunRecord, Verdict } from '../../../src/core/run/run.ts';
import {
  infraKey,
  type PeriodMeasurement,
  type References,
  type Score,
} from '../../../src/core/run/scoreTypes.ts';
import type { SteadyPower } from '../../../src/core/run/steadyPower.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';
import {
  formatResult,
  scoreAgainst,
  type ScoringReference,
} from '../../../src/core/score/score.ts';
import { keptLimitsText, verdictReasons } from '../../../src/core/score/verdictReasons.ts';
import { mean, weightedMean } from '../../../src/core/stats/summary.ts';
import type { Database } from '../db/types.ts';
import { measurePeriods } from '../metrics/measurePeriods.ts';

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
