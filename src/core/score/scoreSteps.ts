import { counted } from '../base/counted.ts';
import { threeFigures } from '../base/format.ts';
import { type Profile, weightOf } from '../profile/profile.ts';
import {
  infraKey,
  type InfrastructureScore,
  type OperationScore,
  type PeriodScore,
  type Score,
  type TileScore,
  type WorkloadScore,
} from '../run/scoreTypes.ts';
import { applicationOf, formatResult } from './score.ts';

/** Where the samples of a step are: a series of an entity over a measurement period. */
export interface SampleLink {
  entityId: string;
  metric: 'throughput';
  periodIndex: number;
}
/** One line of the calculation, in words and with its operands. */
export interface ScoreStep {
  key: string;
  label: string;
  /** What was done, three figures an operand; `exact` is the same with six decimals. */
  calculation: string;
  exact: string;
  value: number | null;
  unit: string;
  /** Where the rule or the figure is from; empty = it says itself. */
  source: string;
  /** The period whose value became the result. */
  chosen: boolean;
  children: ScoreStep[];
  /** The measurements behind a workload's or operation's mean. */
  samples?: SampleLink;
}

const ruleWords: Readonly<Record<string, string>> = {
  median: 'median',
  mean: 'mean',
  worst: 'least',
  notSet: 'no rule set, each',
};
const all = (value: number | null): string => (value === null ? 'missing' : value.toFixed(6));
const short = (value: number | null): string => (value === null ? 'missing' : threeFigures(value));
/**
 * A ratio or a sum of ratios: three figures, and never fewer than the two decimals that the field
 * prints.
 */
const ratio = (value: number | null): string =>
  value !== null && Math.abs(value) >= 10 ? value.toFixed(2) : short(value);
/** Where not one has a value that is said once, instead of a row of gaps. */
const listed = (
  values: readonly (number | null)[],
  join: (values: readonly (number | null)[]) => string,
): string =>
  values.length > 0 && values.every((value) => value === null) ? 'none has a value' : join(values);
/** `× reference`: what every ratio and every sum of ratios is. */
const times = '× reference';

/** What words need beside the figures: the profile's sources, and where the references are from. */
interface Context {
  profile: Profile | undefined;
  label: string;
}

/**
 * The whole calculation from the total down to the means of the samples. With an infrastructure
 * part: total → part → period → tile → workload; without: total → period → tile → workload.
 * Published part scores have no periods.
 */
export function scoreSteps(score: Score, profile?: Profile): ScoreStep {
  const context: Context = { profile, label: score.referenceLabel };
  const parts =
    score.infrastructure === undefined && score.application === undefined
      ? null
      : partSteps(score, context);
  const power = score.power === undefined ? [] : [powerStep(score)];
  if (parts) {
    const weights = score.weights ?? null;
    const words = (text: (value: number | null) => string): string =>
      weights === null
        ? `weights not set: application ${text(score.application ?? null)} and infrastructure ` +
          `${text(score.infrastructure ?? null)} stay apart`
        : `${weights.application} × ${text(score.application ?? null)} + ` +
          `${weights.infrastructure} × ${text(score.infrastructure ?? null)}`;
    return {
      key: 'total',
      label: 'Result',
      calculation: words(ratio),
      exact: `${words(all)} = ${all(score.total)}`,
      value: score.total,
      unit: times,
      source: profile?.scoring.overall?.source ?? '',
      chosen: false,
      children: [...parts, ...power],
    };
  }
  const values = score.periods.map((p) => p.total);
  return {
    key: 'total',
    label: 'Result',
    ...overPeriods(score, values, score.total),
    value: score.total,
    unit: times,
    source: periodSource(profile),
    chosen: false,
    children: [
      ...score.periods.map((p) =>
        applicationPeriod(p, p.index === score.chosenPeriod, 'p', context),
      ),
      ...power,
    ],
  };
}

function partSteps(score: Score, context: Context): ScoreStep[] {
  const { profile } = context;
  const applications = score.periods.map(applicationOf);
  const infrastructures = score.periods.map((p) => p.infrastructure?.score ?? null);
  const part = (
    key: string,
    label: string,
    values: readonly (number | null)[],
    value: number | null,
    children: ScoreStep[],
    published: string,
  ): ScoreStep => ({
    key,
    label,
    ...(values.length === 0
      ? { calculation: published, exact: `${published}: ${all(value)}` }
      : overPeriods(score, values, value)),
    value,
    unit: times,
    source: values.length === 0 ? '' : periodSource(profile),
    chosen: false,
    children,
  });
  return [
    part(
      'application',
      'Application',
      applications,
      score.application ?? null,
      score.periods.map((p) => applicationPeriod(p, p.index === score.chosenPeriod, 'a', context)),
      'as published',
    ),
    part(
      'infrastructure',
      'Infrastructure',
      infrastructures,
      score.infrastructure ?? null,
      score.periods.flatMap((p) =>
        p.infrastructure
          ? [
              infrastructurePeriod(
                p.index,
                p.infrastructure,
                p.index === score.chosenPeriod,
                context,
              ),
            ]
          : [],
      ),
      'as published',
    ),
  ];
}

/** Words for how the periods became one value: the rule over all of them where each has a value. */
function overPeriods(
  score: Score,
  values: readonly (number | null)[],
  value: number | null,
): { calculation: string; exact: string } {
  const rule =
    values.length === 1 && score.periodRule === 'notSet'
      ? 'the only one'
      : (ruleWords[score.periodRule] ?? score.periodRule);
  const chosen =
    values.length > 1 && score.chosenPeriod !== null && score.infrastructure !== undefined
      ? ` (period ${score.chosenPeriod + 1} speaks)`
      : '';
  return {
    calculation:
      `${rule} of ${counted(values.length, 'period')}: ` +
      `${listed(values, (all) => all.map(ratio).join(', '))}${chosen}`,
    exact: `${rule} of ${values.map(all).join(', ')} = ${all(value)}`,
  };
}
const periodSource = (profile: Profile | undefined): string =>
  profile?.scoring.periodsSource ?? profile?.scoring.source ?? '';

function applicationPeriod(
  period: PeriodScore,
  chosen: boolean,
  prefix: string,
  context: Context,
): ScoreStep {
  const { profile } = context;
  const parts = period.tiles.map((t) => t.score);
  const value = applicationOf(period);
  const key = `${prefix}${period.index}`;
  return {
    key,
    label: `Period ${period.index + 1}`,
    calculation: `sum over ${counted(parts.length, 'tile')}: ${listed(parts, (all) => all.map(ratio).join(' + '))}`,
    exact: `${parts.map(all).join(' + ')} = ${all(value)}`,
    value,
    unit: times,
    source: profile?.scoring.source ?? '',
    chosen,
    children: period.tiles.map((t) => tileStep(key, period.index, t, context)),
  };
}

/** `(a × b) ^ (1/2)`, or with weights `(a^2 × b) ^ (1/3)`. */
function product(
  ratios: readonly (number | null)[],
  weights: readonly number[],
  text: (value: number | null) => string,
): string {
  if (ratios.length > 0 && ratios.every((ratio) => ratio === null)) return 'none has a value';
  const factors = ratios.map(
    (ratio, i) => `${text(ratio)}${weights[i] === 1 ? '' : `^${weights[i]}`}`,
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  return `(${factors.join(' × ')})${ratios.length === 1 || sum === 1 ? '' : ` ^ (1/${Number(sum.toFixed(6))})`}`;
}

function tileStep(
  parent: string,
  periodIndex: number,
  { tile, score, workloads }: TileScore,
  context: Context,
): ScoreStep {
  const { profile } = context;
  const scored = workloads.filter((w) => w.scored && weightOf(w) > 0);
  const ratios = scored.map((w) => w.ratio);
  const weights = scored.map(weightOf);
  const kind = weights.every((w) => w === 1) ? 'geometric mean' : 'weighted geometric mean';
  const key = `${parent}.t${tile}`;
  return {
    key,
    label: `Tile ${tile + 1}`,
    calculation: `${kind} of ${counted(ratios.length, 'ratio')}: ${product(ratios, weights, short)}`,
    exact: `${product(ratios, weights, all)} = ${all(score)}`,
    value: score,
    unit: times,
    source: profile?.scoring.source ?? '',
    chosen: false,
    children: workloads.map((w) => workloadStep(key, periodIndex, tile, w, context)),
  };
}

function workloadStep(
  parent: string,
  periodIndex: number,
  tile: number,
  w: WorkloadScore,
  { profile, label }: Context,
): ScoreStep {
  const key = `${parent}.${w.workloadId}`;
  const own = profile?.workloads.find((one) => one.id === w.workloadId);
  const measured =
    `${short(w.throughput)} ` +
    `${w.unit}${w.samples > 0 ? ` (mean of ${counted(w.samples, 'sample')})` : ''}`;
  const base = {
    key,
    label: w.name,
    chosen: false,
    children: [],
    samples: { entityId: `t${tile}.${w.workloadId}`, metric: 'throughput' as const, periodIndex },
  };
  if (!w.scored)
    return {
      ...base,
      calculation: `${measured}; not scored, must stay alive`,
      exact: `${all(w.throughput)} ${w.unit}`,
      value: null,
      unit: w.unit,
      source: '',
    };
  const source = referenceSource(own, label);
  const weight = weightOf(w) === 1 ? '' : `, weight ${weightOf(w)}`;
  return {
    ...base,
    calculation: `${measured} ÷ ${short(w.reference)} ${w.unit}${weight}`,
    exact: `${all(w.throughput)} ${w.unit} ÷ ${all(w.reference)} ${w.unit} = ${all(w.ratio)}`,
    value: w.ratio,
    unit: times,
    source,
  };
}

/** A reference that the profile does not set is from where the score took it. */
function referenceSource(
  part: { reference: number | null; referenceSource: string } | undefined,
  label: string,
): string {
  if (part === undefined) return '';
  return part.reference === null
    ? `${label} (the profile sets no reference)`
    : part.referenceSource;
}

function infrastructurePeriod(
  periodIndex: number,
  { score, operations }: InfrastructureScore,
  chosen: boolean,
  context: Context,
): ScoreStep {
  const { profile } = context;
  const counting = operations.filter((o) => weightOf(o) > 0);
  const ratios = counting.map((o) => o.ratio);
  const weights = counting.map(weightOf);
  return {
    key: `i${periodIndex}`,
    label: `Period ${periodIndex + 1}`,
    calculation:
      `geometric mean of ${counted(ratios.length, 'ratio')}, no sum over tiles: ` +
      `${product(ratios, weights, short)}`,
    exact: `${product(ratios, weights, all)} = ${all(score)}`,
    value: score,
    unit: times,
    source: profile?.scoring.infrastructure?.source ?? '',
    chosen,
    children: operations.map((o) => operationStep(periodIndex, o, context)),
  };
}

function operationStep(
  periodIndex: number,
  o: OperationScore,
  { profile, label }: Context,
): ScoreStep {
  return {
    key: `i${periodIndex}.${o.operationId}`,
    label: o.name,
    calculation:
      `${short(o.perHour)} operations/h ÷ ${short(o.reference)} ` +
      `operations/h${weightOf(o) === 1 ? '' : `, weight ${weightOf(o)}`}`,
    exact: `${all(o.perHour)} ÷ ${all(o.reference)} = ${all(o.ratio)}`,
    value: o.ratio,
    unit: times,
    chosen: false,
    children: [],
    source: referenceSource(
      profile?.scoring.infrastructure?.operations.find((one) => one.id === o.operationId),
      label,
    ),
    samples: { entityId: infraKey(o.operationId), metric: 'throughput', periodIndex },
  };
}

const powerKinds = {
  server: 'server power',
  serverAndStorage: 'server and storage power',
  asMeasured: 'power as measured',
} as const;
function powerStep({ total, power }: Score): ScoreStep {
  const { kind, meanW, value, refused, measuredBy, source } = power!;
  const kw = meanW === null ? null : meanW / 1_000;
  return {
    key: 'power',
    label: 'Performance a kilowatt',
    calculation:
      refused === null
        ? `${ratio(total)} ÷ ${short(kw)} kW, ${powerKinds[kind]} by ${measuredBy}, over the same periods`
        : `No figure: ${refused}`,
    exact: `${all(total)} ÷ ${all(kw)} kW = ${all(value)}`,
    value,
    unit: '1/kW',
    source,
    chosen: false,
    children: [],
  };
}

/**
 * The steps as indented lines for a terminal: `Result 9.16 @ 11 tiles = 0.8 × 11.18 + 0.2 × 1.07`.
 */
export function stepLines(score: Score, profile?: Profile): string[] {
  const lines: string[] = [
    `${formatResult(score, profile?.scoring)} (${score.resultName})`,
    `References: ${score.referenceLabel}`,
  ];
  const walk = (step: ScoreStep, depth: number): void => {
    const value = step.value === null ? '–' : `${ratio(step.value)} ${step.unit}`;
    lines.push(
      `${'  '.repeat(depth)}${step.label}: ${value} = ${step.calculation}${step.chosen ? ' [speaks for the run]' : ''}`,
    );
    for (const child of step.children) walk(child, depth + 1);
  };
  walk(scoreSteps(score, profile), 0);
  for (const text of score.missing) lines.push(`Missing: ${text}`);
  for (const text of score.notes ?? []) lines.push(`Note: ${text}`);
  return lines;
}
