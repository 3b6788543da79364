import { counted } from '../base/counted.ts';
import { threeFigures } from '../base/format.ts';
import { type Profile, weightOf } from '../profile/profile.ts';
import {
  infraKey,
  type InfrastructureScore,
  type OperationScore,
  type PeriodScore,
  type TileScore,
  type WorkloadScore,
} from '../run/scoreTypes.ts';
import { applicationOf } from './score.ts';
import type { ScoreStep } from './scoreStep.ts';

/** A figure with six decimals, as the exact line of a step says it. */
export const exactly = (value: number | null): string =>
  value === null ? 'missing' : value.toFixed(6);
/** A figure with three figures, as the calculation of a step says it. */
export const short = (value: number | null): string =>
  value === null ? 'missing' : threeFigures(value);
/**
 * A ratio or a sum of ratios: three figures, and never fewer than the two decimals that the field
 * prints.
 */
export const ratio = (value: number | null): string =>
  value !== null && Math.abs(value) >= 10 ? value.toFixed(2) : short(value);
/** Where not one has a value that is said once, instead of a row of gaps. */
export const listed = (
  values: readonly (number | null)[],
  join: (values: readonly (number | null)[]) => string,
): string =>
  values.length > 0 && values.every((value) => value === null) ? 'none has a value' : join(values);
/** `× reference`: what every ratio and every sum of ratios is. */
export const ratioUnit = '× reference';

/** What words need beside the figures: the profile's sources, and where the references are from. */
export interface StepContext {
  profile: Profile | undefined;
  label: string;
}

/** The application part of a period, down to the means of its samples. `prefix` begins its keys. */
export function applicationPeriod(
  period: PeriodScore,
  chosen: boolean,
  prefix: string,
  context: StepContext,
): ScoreStep {
  const { profile } = context;
  const parts = period.tiles.map((t) => t.score);
  const value = applicationOf(period);
  const key = `${prefix}${period.index}`;
  return {
    key,
    label: `Period ${period.index + 1}`,
    calculation:
      `sum over ${counted(parts.length, 'tile')}: ` +
      listed(parts, (values) => values.map(ratio).join(' + ')),
    exact: `${parts.map(exactly).join(' + ')} = ${exactly(value)}`,
    value,
    unit: ratioUnit,
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
  context: StepContext,
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
    exact: `${product(ratios, weights, exactly)} = ${exactly(score)}`,
    value: score,
    unit: ratioUnit,
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
  { profile, label }: StepContext,
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
      exact: `${exactly(w.throughput)} ${w.unit}`,
      value: null,
      unit: w.unit,
      source: '',
    };
  const source = referenceSource(own, label);
  const weight = weightOf(w) === 1 ? '' : `, weight ${weightOf(w)}`;
  return {
    ...base,
    calculation: `${measured} ÷ ${short(w.reference)} ${w.unit}${weight}`,
    exact: `${exactly(w.throughput)} ${w.unit} ÷ ${exactly(w.reference)} ${w.unit} = ${exactly(w.ratio)}`,
    value: w.ratio,
    unit: ratioUnit,
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

/** The infrastructure part of a period, an operation a line. */
export function infrastructurePeriod(
  periodIndex: number,
  { score, operations }: InfrastructureScore,
  chosen: boolean,
  context: StepContext,
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
      product(ratios, weights, short),
    exact: `${product(ratios, weights, exactly)} = ${exactly(score)}`,
    value: score,
    unit: ratioUnit,
    source: profile?.scoring.infrastructure?.source ?? '',
    chosen,
    children: operations.map((o) => operationStep(periodIndex, o, context)),
  };
}

function operationStep(
  periodIndex: number,
  o: OperationScore,
  { profile, label }: StepContext,
): ScoreStep {
  return {
    key: `i${periodIndex}.${o.operationId}`,
    label: o.name,
    calculation:
      `${short(o.perHour)} operations/h ÷ ${short(o.reference)} ` +
      `operations/h${weightOf(o) === 1 ? '' : `, weight ${weightOf(o)}`}`,
    exact: `${exactly(o.perHour)} ÷ ${exactly(o.reference)} = ${exactly(o.ratio)}`,
    value: o.ratio,
    unit: ratioUnit,
    chosen: false,
    children: [],
    source: referenceSource(
      profile?.scoring.infrastructure?.operations.find((one) => one.id === o.operationId),
      label,
    ),
    samples: { entityId: infraKey(o.operationId), metric: 'throughput', periodIndex },
  };
}
