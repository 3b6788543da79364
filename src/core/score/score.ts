import { counted } from '../base/counted.ts';
import {
  judgeAll,
  limitsOfWorkload,
  limitWords,
  measurement,
  measurementOf,
  overSteady,
} from '../limits/index.ts';
import { type Profile, type Scoring, weightOf } from '../profile/profile.ts';
import {
  infraKey,
  type InfrastructureScore,
  type PeriodMeasurement,
  type PeriodScore,
  type References,
  type Score,
  type TileScore,
  type WorkloadScore,
} from '../run/scoreTypes.ts';
import { mean, weightedGeometricMean } from '../stats/summary.ts';

/** What scoring needs beside the measurements, and where it says what is missing or odd. */
interface Scope {
  profile: Profile;
  tiles: number;
  measured: readonly PeriodMeasurement[];
  references: References;
  missing: Set<string>;
  notes: Set<string>;
}

/**
 * The score of a run, with each step kept. ratio = mean throughput of the period / reference; tile
 * = geometric mean of its scored ratios, each with its weight; application = sum over tiles;
 * infrastructure = geometric mean of operations an hour / reference, without a sum; period = weight
 * × application + weight × infrastructure; run = median (mean, worst) of the periods, as the
 * profile says. Sources of the rules: AnandTech 2743 and VMware TR-2006-002 (VMmark 1.x); Dell
 * Technologies, "World record VMmark 3" (R7515, PowerMax 8000), workload performance results
 * (VMmark 3.x). A missing measurement makes the tile, the period and the total null, never a
 * partial sum; weights or a period rule that are not set make the total null, and the parts stay.
 */
export function scoreRun(
  profile: Profile,
  tiles: number,
  measured: readonly PeriodMeasurement[],
  references: References,
  referenceLabel: string,
): Score {
  const scope: Scope = {
    profile,
    tiles,
    measured,
    references,
    missing: new Set(),
    notes: new Set(),
  };
  if (measured.length === 0) scope.missing.add('no measurement period was reached');
  for (const w of profile.workloads)
    for (const limit of w.qos)
      if (limitsOfWorkload({ ...w, qos: [limit] }, 0).length === 0)
        scope.notes.add(
          `${w.name}: the limit on ${limitWords(limit)} is not set, so it is not judged`,
        );
  const { scoring } = profile;
  const weights = weightsOf(scoring);
  const periods = measured.map((period) => scorePeriod(scope, period, weights));
  if (scoring.infrastructure && weights === null)
    scope.missing.add(
      'no total: the weights of application and infrastructure are not set in the profile; the parts are shown apart',
    );
  const applications = periods.map(applicationOf);
  const ranked = weights === null ? applications : periods.map((p) => p.total);
  const speaking = speakingPeriods(scoring.periods, ranked);
  if (speaking === 'notSet')
    scope.missing.add(
      `no total: the profile does not say which of the ${periods.length} periods speaks for the run`,
    );
  const speaks = speaking === 'notSet' ? [] : speaking;
  const over = (values: readonly (number | null)[]): number | null =>
    speaks.length === 0 || speaks.some((i) => values[i] === null)
      ? null
      : mean(speaks.map((i) => values[i]!));
  return {
    resultName: profile.resultName,
    total: weights === null ? null : over(ranked),
    tiles,
    periodRule: scoring.periods ?? 'notSet',
    chosenPeriod:
      speaks.length === 1 && scoring.periods !== 'mean' ? periods[speaks[0]!]!.index : null,
    periods,
    referenceLabel,
    qosPassed: periods.length > 0 && periods.every((p) => p.qosPassed),
    missing: [...scope.missing],
    ...(scoring.infrastructure
      ? {
          application: over(applications),
          infrastructure: over(periods.map((p) => p.infrastructure?.score ?? null)),
          weights,
        }
      : {}),
    speaking: speaks.map((i) => periods[i]!.index),
    ...(scope.notes.size > 0 ? { notes: [...scope.notes] } : {}),
  };
}

/** What a run is scored against. */
export interface ScoringReference {
  references: References;
  label: string;
  kind: 'profile' | 'run' | 'itself' | 'none';
}

/**
 * The score against a reference; without one the measurements with what they miss, and never a
 * total.
 */
export function scoreAgainst(
  profile: Profile,
  tiles: number,
  measured: readonly PeriodMeasurement[],
  { references, label, kind }: ScoringReference,
): Score {
  const score = scoreRun(profile, tiles, measured, references, label);
  if (kind === 'itself') return { ...score, reference: kind };
  if (kind !== 'none') return score;
  return {
    ...score,
    reference: kind,
    missing: [
      noReference,
      ...score.missing.filter((text) => !text.includes(': no reference value;')),
    ],
  };
}

/** The first of what is missing in a run without a reference. */
export const noReference = 'no reference: nothing says what scores 1.0';

/** Nothing is missing but what scores 1.0: the run may still have kept every rule. */
export const onlyUnreferenced = (score: Score): boolean =>
  score.reference === 'none' && score.missing.every((text) => text === noReference);

/** All was measured that a score is made of. */
export const isComplete = (score: Score): boolean =>
  score.total !== null || onlyUnreferenced(score);

/**
 * The application part of a period: its own figure beside an infrastructure part, the period's
 * total otherwise.
 */
export const applicationOf = (period: PeriodScore): number | null =>
  period.application === undefined ? period.total : period.application;

/**
 * Weights of the two parts; the application alone where there is no infrastructure part; null = not
 * set.
 */
function weightsOf({
  infrastructure,
  overall,
}: Scoring): { application: number; infrastructure: number } | null {
  if (!infrastructure) return { application: 1, infrastructure: 0 };
  if (!overall || overall.application === null || overall.infrastructure === null) return null;
  return { application: overall.application, infrastructure: overall.infrastructure };
}

/**
 * Places of the periods whose mean is the result: one for worst and an odd median, two for an even
 * one, all for mean; none where a period has no value. One period needs no rule.
 */
function speakingPeriods(
  rule: Scoring['periods'],
  values: readonly (number | null)[],
): number[] | 'notSet' {
  if (values.length === 0 || values.some((v) => v === null))
    return rule === null && values.length > 1 ? 'notSet' : [];
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
  const middle = values.length >> 1;
  switch (rule) {
    case 'mean':
      return values.map((_, i) => i);
    case 'worst':
      return [order[0]!];
    case 'median':
      return values.length % 2 === 1 ? [order[middle]!] : [order[middle - 1]!, order[middle]!];
    case null:
      return values.length === 1 ? [0] : 'notSet';
  }
}

function scorePeriod(
  scope: Scope,
  period: PeriodMeasurement,
  weights: { application: number; infrastructure: number } | null,
): PeriodScore {
  const tiles = Array.from({ length: scope.tiles }, (_, tile) => scoreTile(scope, tile, period));
  const parts = tiles.map((t) => t.score);
  const application = parts.every((p): p is number => p !== null)
    ? parts.reduce((sum, p) => sum + p, 0)
    : null;
  const qosPassed = tiles.every((t) =>
    t.workloads.every((w) => w.qos.every((q) => q.passed === true)),
  );
  const infrastructure = scoreInfrastructure(scope, period);
  if (infrastructure === undefined)
    return { index: period.index, total: application, qosPassed, tiles };
  const total =
    weights === null || application === null || infrastructure.score === null
      ? null
      : weights.application * application + weights.infrastructure * infrastructure.score;
  return { index: period.index, total, qosPassed, tiles, application, infrastructure };
}

function scoreTile(scope: Scope, tile: number, period: PeriodMeasurement): TileScore {
  const { profile, measured, references, missing, notes } = scope;
  const workloads = profile.workloads.map((workload): WorkloadScore => {
    const found = measurementOf(period.workloads, tile, workload.id);
    const throughput = measurement(found?.values.throughput);
    const reference = workload.reference ?? positive(references[workload.id]);
    const label = `tile ${tile + 1} ${workload.name}`;
    const errorsPerS = measurement(found?.values.errorRate);
    const saturatedPct = measurement(found?.values.clientSaturatedPct);
    const counts = workload.scored && weightOf(workload) > 0;
    if (workload.scored && throughput === null)
      missing.add(`${label}: no throughput sample in period ${period.index + 1}`);
    if (counts && reference === null)
      missing.add(`${workload.name}: no reference value; choose a reference run`);
    if (counts && throughput === 0)
      notes.add(
        `${label}: throughput is 0 in period ${period.index + 1}, so its ratio and its tile score 0`,
      );
    const qos = judgeAll(limitsOfWorkload(workload, tile), (over) =>
      over === 'steady' ? overSteady(measured, tile, workload.id) : found,
    );
    for (const q of qos)
      if (q.measured === null)
        missing.add(
          `${label}: no ${limitWords(q)} sample ` +
            (q.over === 'steady'
              ? 'in some period of the steady state'
              : `in period ${period.index + 1}`),
        );
    return {
      workloadId: workload.id,
      name: workload.name,
      unit: workload.unit,
      scored: workload.scored,
      throughput,
      samples: found?.samples ?? 0,
      reference,
      ratio:
        workload.scored && throughput !== null && reference !== null
          ? throughput / reference
          : null,
      qos,
      ...(workload.weight === undefined ? {} : { weight: workload.weight }),
      ...(errorsPerS === null ? {} : { errorsPerS }),
      ...(saturatedPct === null ? {} : { saturatedPct }),
    };
  });
  return { tile, score: combine(workloads.filter((w) => w.scored)), workloads };
}

function scoreInfrastructure(
  { profile, references, missing, notes }: Scope,
  period: PeriodMeasurement,
): InfrastructureScore | undefined {
  const rule = profile.scoring.infrastructure;
  if (!rule) return undefined;
  const operations = rule.operations.map((operation) => {
    const perHour = measurement(period.infrastructure?.[operation.id]);
    const reference = operation.reference ?? positive(references[infraKey(operation.id)]);
    const counts = weightOf(operation) > 0;
    if (counts && perHour === null)
      missing.add(`${operation.name}: no operations counted in period ${period.index + 1}`);
    if (counts && reference === null)
      missing.add(`${operation.name}: no reference value; choose a reference run`);
    if (counts && perHour === 0)
      notes.add(
        `${operation.name}: no operation ended in period ${period.index + 1}, so the infrastructure scores 0`,
      );
    return {
      operationId: operation.id,
      name: operation.name,
      perHour,
      reference,
      ratio: perHour !== null && reference !== null ? perHour / reference : null,
      ...(operation.weight === undefined ? {} : { weight: operation.weight }),
    };
  });
  return { score: combine(operations), operations };
}

/** Weighted geometric mean of ratios; null where one that counts is missing, or none counts. */
function combine(
  parts: readonly { ratio: number | null; weight?: number | undefined }[],
): number | null {
  const scored = parts.filter((p) => weightOf(p) > 0);
  if (scored.length === 0 || scored.some((p) => p.ratio === null)) return null;
  return weightedGeometricMean(
    scored.map((p) => p.ratio!),
    scored.map(weightOf),
  );
}

/** A reference run that did nothing in a workload gives no reference. */
function positive(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : null;
}

/**
 * A result as the field prints it: `9.16 @ 8 tiles`; `no total @ …` where there is none. What a run
 * is against itself is no result: it is called what it is.
 */
export function formatResult(
  score: Pick<Score, 'total' | 'tiles' | 'reference'>,
  scoring?: Scoring,
): string {
  const tiles = counted(score.tiles, 'tile');
  if (score.reference === 'itself') return `reference of its study, ${tiles}`;
  const figure =
    score.total === null ? 'no total' : score.total.toFixed(scoring?.number?.decimals ?? 2);
  return `${figure} @ ${tiles}`;
}
