import { withUnit } from '../base/counted.ts';
import { tickText } from '../chart/xyModel.ts';
import type { AxisValue, StudyAxis, StudyOverview } from './study.ts';
import type { StudySpec, SweepParameter } from './study.ts';
import { curveOf } from './sweep.ts';

export const parameterWords: Readonly<Record<SweepParameter['kind'], string>> = {
  tiles: 'Tiles of the plan',
  option: 'A driver parameter of a workload',
  testbed: 'Testbed',
  profile: 'Benchmark profile',
  run: 'Runs that are run again',
  lab: 'A property of the simulated lab',
  manual: 'Something a person changes',
  whatIf: 'The simulated lab, with changes and without',
};
export const orderWords: Readonly<Record<StudySpec['order'], string>> = {
  asGiven: 'As given',
  ascending: 'Ascending',
  descending: 'Descending',
  shuffled: 'Shuffled, the same each time',
  inTurns: 'In turns: every value once, then again',
};
export const stopWords: Readonly<Record<StudySpec['stopRule'], string>> = {
  never: 'Never, run every point',
  firstQosFailure: 'At the first QoS failure',
  firstFailedRun: 'At the first failed run',
};

export const valueText = (axis: StudyAxis, value: AxisValue | undefined): string =>
  value === undefined
    ? ''
    : (axis.valueLabels[String(value)] ?? (typeof value === 'number' ? tickText(value) : value));
/** `16 tiles`, `Users 300`, `CX3`: a number with its unit or its axis, a name as it is. */
export const namedValue = (axis: StudyAxis, value: AxisValue | undefined): string =>
  typeof value !== 'number' || axis.valueLabels[String(value)] !== undefined
    ? valueText(axis, value)
    : axis.unit === ''
      ? `${axis.label} ${tickText(value)}`
      : withUnit(value, axis.unit, tickText(value));
export function curveLabel({ spec }: StudyOverview, curve: string): string {
  const second = spec.axes[1];
  if (second === undefined) return '';
  const value = second.values.find((v) => curveOf(spec, { [second.name]: v }) === curve);
  return value === undefined ? curve : namedValue(second, value);
}
