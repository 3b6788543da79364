import { formatExact, formatQuantity, noValue, quantityText } from '../base/format.ts';
import { leftOfLimit, scoreHeadroom, shortMetric } from '../limits/index.ts';
import type { RunRecord } from '../run/run.ts';
import type { Score } from '../run/scoreTypes.ts';
import { aboveIdle } from '../run/steadyPower.ts';

/** One of the numbers that are asked for first, as shown wherever a result is told. */
export interface KeyNumber {
  label: string;
  figure: string;
  unit: string;
  /** What the figure is of, or why there is none. */
  note: string;
  tone?: 'bad';
  /** The figure with all its digits. */
  exact?: string;
}

/** The score of an ended run. */
export function scoreNumber({
  overview: { score, state },
  profile,
}: Pick<RunRecord, 'overview' | 'profile'>): KeyNumber {
  const none = { label: 'Score', figure: noValue, unit: '' };
  if (score === null)
    return {
      ...none,
      note: state === 'aborted' ? 'aborted runs get none' : 'no measurement period ended',
    };
  if (score.reference !== undefined)
    return {
      ...none,
      note: score.reference === 'itself' ? 'this run is the reference' : 'no reference',
    };
  if (score.total === null) return { ...none, note: 'a measurement is missing' };
  const decimals = profile.scoring.number?.decimals ?? 2;
  const parts = [
    ['application', score.application],
    ['infrastructure', score.infrastructure],
  ].flatMap(([name, value]) =>
    typeof value === 'number' ? [`${name} ${formatExact(value, decimals)}`] : [],
  );
  return {
    label: 'Score',
    figure: formatExact(score.total, decimals),
    unit: '× reference',
    exact: formatExact(score.total, 6),
    note: parts.length > 0 ? parts.join(', ') : `of ${score.referenceLabel}`,
  };
}

/** What is left of the limit that is nearest to breaking, or how far past it the worst one is. */
export function headroomNumber(score: Score | null): KeyNumber {
  const limits = score === null ? [] : scoreHeadroom(score);
  const worst = limits.find(({ headroom }) => headroom !== null);
  const left = worst === undefined ? null : leftOfLimit(worst);
  if (worst === undefined || left === null)
    return {
      label: 'Headroom',
      figure: noValue,
      unit: '',
      note: score === null || limits.length > 0 ? 'not measured' : 'the profile sets no QoS limit',
    };
  const unmeasured = limits.filter(({ headroom }) => headroom === null).length;
  return {
    label: 'Headroom',
    figure: left.figure,
    unit: left.word,
    ...(worst.headroom !== null && worst.headroom < 0 ? { tone: 'bad' as const } : {}),
    note:
      `${worst.name} ${shortMetric(worst)}, tile ${worst.tile + 1}` +
      (worst.over === 'steady' ? '' : `, period ${worst.period + 1}`) +
      (unmeasured === 0 ? '' : `; ${unmeasured} not measured`),
  };
}

/**
 * Mean power of the steady state in W, null = not measured; `tiles` are what it is shared by, 0 = it
 * is not.
 */
export function powerNumber(score: Score | null, watts: number | null, tiles: number): KeyNumber {
  const power = score?.power;
  if (watts === null)
    return {
      label: 'Power',
      figure: noValue,
      unit: '',
      note:
        power?.refused === undefined || power.refused === null
          ? 'not measured'
          : `No figure: ${power.refused}`,
    };
  const { figure, unit } = formatQuantity(watts, 'W');
  const each = formatQuantity(watts / Math.max(1, tiles), 'W');
  const steady = power?.steady;
  const above = steady === undefined ? null : aboveIdle(steady);
  const perKilowatt =
    score?.reference !== undefined || power === undefined
      ? []
      : power.value !== null
        ? [`score ${formatExact(power.value, 2)} per kW`]
        : power.refused === null
          ? []
          : [`No figure: ${power.refused}`];
  return {
    label: 'Power',
    figure,
    unit,
    exact: `${formatExact(watts, 3)} W`,
    note:
      [
        ...(tiles < 2 ? [] : [`${each.figure} ${each.unit} per tile`]),
        ...(steady === undefined ? [] : [`${quantityText(steady.energyWh, 'Wh')} in all`]),
        ...(above === null ? [] : [`${quantityText(above.watts, 'W')} above idle`]),
        ...perKilowatt,
      ].join(', ') || 'mean of the steady state',
  };
}
