import { counted } from '../base/counted.ts';
import { formatElapsed } from '../base/format.ts';
import { mean } from '../stats/summary.ts';
import { align, type Case, coverage, evidence } from './diagnosisEvidence.ts';
import type { FailingWorkload } from './diagnosisFailing.ts';
import { type ActFeature, type ActOnWorkload, type RunFeatures } from './diagnosisFeatures.ts';
import { type Candidate, explains, type Rule } from './diagnosisRule.ts';
import { level, thresholds } from './diagnosisThresholds.ts';

/** What is known of a failing workload at an act, 0 to 1: how much of its shortfall is the act's. */
interface Blame {
  failing: FailingWorkload;
  /** Limit used up while the act lasted over before it; null = one of the two was not measured. */
  ratio: number | null;
  strength: number;
}

/** As sure as an act is of a workload that it disturbed while its limit could not be read. */
const disturbedStrength = 0.8;
/** A failing workload that an act explains less than this does not count as hit by it. */
const leastBlame = 0.2;
/** The same act in the first run too tells the two runs apart less. */
const asBefore = 0.65;

const isDisturbed = ({ outcome }: ActOnWorkload): boolean =>
  outcome === 'recovered' || outcome === 'lost';

/** Until when an act is in the way of one workload: its recovery, or the end of what is looked at. */
const hitUntilMs = (act: ActFeature, on: ActOnWorkload): number =>
  on.outcome === 'recovered' && on.recoveryS !== null
    ? Math.min(act.untilMs, act.fromMs + on.recoveryS * 1_000)
    : act.untilMs;

/**
 * Until when an act is under way for all: until the last workload it disturbed is back, and until
 * it is put back where that was at a time of its own.
 */
export function actUnderWayUntilMs(act: ActFeature): number {
  const disturbed = act.workloads.filter(isDisturbed).map((one) => hitUntilMs(act, one));
  const putBack = act.endedMs !== null && act.endedMs < act.untilMs ? act.endedMs : null;
  return Math.max(act.fromMs, putBack ?? act.doneMs ?? act.fromMs, ...disturbed);
}

/** Steps of a trace that begin in a time. */
const stepsIn = (
  buckets: readonly (number | null)[],
  run: RunFeatures,
  fromMs: number,
  toMs: number,
): number[] =>
  buckets.flatMap((value, i) => {
    const atMs = run.startMs + i * run.bucketMs;
    return value === null || atMs < fromMs || atMs >= toMs ? [] : [value];
  });
const excess = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + Math.max(0, one - 1), 0);

function blameOf({ after }: Case, act: ActFeature, failing: FailingWorkload): Blame {
  const hit = act.workloads.find((one) => one.entityId === failing.entityId);
  // Steps that the act or its end cuts through belong to both: one step of tolerance.
  const untilMs = (hit ? hitUntilMs(act, hit) : actUnderWayUntilMs(act)) + after.bucketMs;
  const steps = (fromMs: number, toMs: number): number[] =>
    stepsIn(failing.overLimit, after, fromMs, toMs);
  const earlier = steps(act.beforeMs, act.fromMs);
  const during = steps(act.fromMs, untilMs);
  const ratio =
    earlier.length === 0 || during.length === 0 || mean(earlier) <= 0
      ? null
      : mean(during) / mean(earlier);
  const all = excess(steps(after.steady.fromMs, after.steady.toMs));
  // What it broke at other times is not of this act.
  const share = all <= 0 ? 1 : excess(during) / all;
  const seen = level(ratio, thresholds.acts);
  const known = hit !== undefined && isDisturbed(hit) ? disturbedStrength : 0;
  return {
    failing,
    ratio,
    strength: Math.max(seen, known) * (known > 0 ? 0.5 + share / 2 : share),
  };
}

function findActs(of: Case): Candidate[] {
  return of.after.acts.flatMap((act): Candidate[] => {
    const blames = of.failing.map((failing) => blameOf(of, act, failing));
    const hit = blames.filter((one) => one.strength >= leastBlame);
    const worst = [...hit].sort((a, b) => b.failing.severity - a.failing.severity)[0];
    if (worst === undefined) return [];
    const on = coverage(of, (failing) => hit.some((one) => one.failing === failing));
    const alignment = align(of, underWay(of.after, act), worst.failing);
    const isSame = of.before?.acts.some((one) => one.kind === act.kind) === true;
    return [
      {
        cause: 'acts',
        subjects: [act.label],
        refs: act.hostRef === null ? [] : [act.hostRef],
        alignment,
        on,
        score: explains(mean(hit.map((one) => one.strength)), on, isSame ? asBefore : 1, alignment),
        evidence: evidenceOf(of, act, worst),
        explanation: actWords(act),
        remedy:
          'It was asked for by the plan: what it cost is the result. Run the plan without it to ' +
          'see what is left.',
      },
    ];
  });
}

/** 2 = twice its threshold, while the act is under way; 0 otherwise. */
function underWay(run: RunFeatures, act: ActFeature): number[] {
  const untilMs = actUnderWayUntilMs(act);
  const count = Math.max(0, Math.ceil((run.steady.toMs - run.startMs) / run.bucketMs));
  return Array.from({ length: count }, (_, i) => {
    const fromMs = run.startMs + i * run.bucketMs;
    return fromMs + run.bucketMs > act.fromMs && fromMs < untilMs ? 2 : 0;
  });
}

function evidenceOf(of: Case, act: ActFeature, { failing, ratio }: Blame): Candidate['evidence'] {
  const window = { fromMs: act.beforeMs, toMs: actUnderWayUntilMs(act) };
  const { throughput } = failing.workload;
  const meanIn = (fromMs: number, toMs: number): number | null => {
    const values = throughput === null ? [] : stepsIn(throughput.buckets, of.after, fromMs, toMs);
    return values.length === 0 ? null : mean(values);
  };
  const on = act.workloads.find((one) => one.entityId === failing.entityId);
  const about = { id: failing.entityId, name: failing.name };
  return [
    evidence(of, {
      ...about,
      metric: null,
      label: 'Limit used up while the act lasted, over before it',
      unit: '×',
      before: null,
      after: ratio,
      threshold: thresholds.acts,
    }),
    evidence(of, {
      ...about,
      metric: 'throughput',
      label: 'Throughput before the act, and while it lasted',
      unit: '',
      before: meanIn(act.beforeMs, act.fromMs),
      after: meanIn(act.fromMs, window.toMs),
      seriesIds: throughput?.seriesIds,
    }),
    evidence(of, {
      ...about,
      metric: null,
      label: 'Time to recovery',
      unit: 's',
      before: null,
      after: on?.recoveryS,
    }),
    evidence(of, {
      ...about,
      metric: null,
      label: 'Time without any work done',
      unit: 's',
      before: null,
      after: on?.downS,
    }),
  ].map((row) => ({ ...row, window }));
}

const most = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((one) => one !== null);
  return known.length === 0 ? null : Math.max(...known);
};
const seconds = (s: number): string => (s < 120 ? `${Math.round(s)} s` : formatElapsed(s * 1_000));

/** What an act did, in a sentence of figures: `Host esx3 fails at 30:00: …`. */
export function actWords(act: ActFeature): string {
  const { workloads } = act;
  const down = workloads.filter((one) => one.isOnTarget && (one.downS ?? 0) > 0);
  const disturbed = workloads.filter(isDisturbed);
  const lost = disturbed.filter((one) => one.outcome === 'lost');
  const slowestS = most(disturbed.map((one) => one.recoveryS));
  const violatedS = most(workloads.map((one) => one.violatedS));
  const uneven = workloads.filter((one) => one.outcome === 'uneven').length;
  const unknown = workloads.filter((one) => one.outcome === 'unknown').length;
  const said = [
    ...(down.length === 0
      ? []
      : [
          `${counted(down.length, 'workload')} on it did nothing for ` +
            seconds(most(down.map((one) => one.downS)) ?? 0),
        ]),
    disturbed.length === 0
      ? 'it disturbed no workload that could be judged'
      : `${disturbed.length} of ${workloads.length} workloads were disturbed`,
    ...(slowestS === null ? [] : [`the slowest was back after ${seconds(slowestS)}`]),
    ...(lost.length === 0 ? [] : [`${lost.length} did not come back`]),
    ...(violatedS === null || violatedS === 0
      ? []
      : [`quality limits were broken for up to ${seconds(violatedS)}`]),
    ...(uneven === 0 ? [] : [`${uneven} too uneven to tell`]),
    ...(unknown === 0 ? [] : [`${unknown} not measured`]),
  ];
  return workloads.length === 0
    ? `${act.label}: what it did is told when the run has ended.`
    : `${act.label}: ${said.join('; ')}.`;
}

export const acts: Rule = {
  find: findActs,
  needs: [],
  concerns: (run) => run.acts.length > 0,
  cleared: (run) => run.acts.slice(0, 3).map(actWords).join(' '),
};
