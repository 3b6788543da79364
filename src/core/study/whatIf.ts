import { formatExact } from '../base/format.ts';
import { tickText } from '../chart/xyModel.ts';
import { editsName, editWords } from '../lab/editWords.ts';
import type { LabSpec } from '../lab/lab.ts';
import type { LabEdit } from '../lab/labEdit.ts';
import { measureWords } from '../metric/measureWords.ts';
import type {
  AxisValue,
  StudyAxis,
  StudyOverview,
  StudyPoint,
  StudySpec,
  SweepParameter,
} from './study.ts';
import { namedValue } from './studyWords.ts';
import { curveOf, pointKey, referenceValues } from './sweep.ts';

/** Studies of a simulated lab with changes: the lab as given beside the lab with them. */

type WhatIf = Extract<SweepParameter, { kind: 'whatIf' }>;
type Held = WhatIf['held'];
export type WhatIfStudy = { axis: StudyAxis; parameter: WhatIf };

/** The value of the changed lab on its axis. */
const changed = 'whatIf';

/** The axis of a study that changes the lab; null = none does. */
export function whatIfOf({ axes }: Pick<StudySpec, 'axes'>): WhatIfStudy | null {
  for (const axis of axes)
    if (axis.parameter.kind === 'whatIf') return { axis, parameter: axis.parameter };
  return null;
}

/**
 * What the changes of a what-if can stand beside: the values of the second axis, the reference
 * first; null alone where there is no second axis.
 */
export function whatIfBases({ axes, reference }: StudySpec): { value: AxisValue; label: string }[] {
  const second = axes[1];
  if (second === undefined) return [];
  const first = reference?.[second.name];
  const known = second.parameter.kind === 'whatIf' ? second.parameter.sets : {};
  return second.values
    .filter((value) => !Object.hasOwn(known, String(value)))
    .sort((a, b) => Number(b === first) - Number(a === first))
    .map((value) => ({ value, label: namedValue(second, value) }));
}

/** What is held while the second axis stands at `base`. */
export function heldAt({ axes }: StudySpec, base: AxisValue | null): Held {
  const second = axes[1];
  if (second === undefined || base === null) return [];
  const { parameter } = second;
  return parameter.kind === 'whatIf' ? parameter.held : [{ parameter, value: base }];
}

/**
 * The study with two curves along its first axis: the lab as it stands at `base`, and that lab with
 * changes. Axis and base keep their names, so that what was published stands beside the first.
 * Throws invalidInput where the lab cannot have the changes.
 */
export function whatIfStudy(
  study: StudySpec,
  given: LabSpec,
  choice: { id: string; base: AxisValue | null; values: readonly AxisValue[]; edits: LabEdit[] },
): StudySpec {
  const [first, second] = study.axes;
  const { base, edits } = choice;
  const value = base ?? 'given';
  const name = editsName(given, edits);
  const { findLimit: _, ...rest } = study;
  const label = base === null || second === undefined ? 'As given' : namedValue(second, base);
  const axis: StudyAxis = {
    name: second?.name ?? 'lab',
    label: second?.label ?? 'Lab',
    unit: '',
    parameter: {
      kind: 'whatIf',
      held: heldAt(study, base),
      sets: { [changed]: { edits, words: editWords(given, edits) } },
    },
    values: [value, changed],
    valueLabels: { [String(value)]: label, [changed]: name },
  };
  return {
    ...rest,
    id: choice.id,
    version: 0,
    name: `${study.name.replace(/: what if .*$/, '')}: what if ${name}`.slice(0, 120),
    axes: [{ ...first!, values: [...choice.values] }, axis],
    reference: {
      [first!.name]: referenceFirst(study, choice.values),
      [axis.name]: value,
    },
    notes: '',
  };
}

/** The reference's place on the first axis, as long as it is run. */
function referenceFirst({ axes, reference }: StudySpec, values: readonly AxisValue[]): AxisValue {
  const asked = reference?.[axes[0]!.name];
  return asked !== undefined && values.includes(asked) ? asked : values[0]!;
}

/**
 * Measured points of the study that are points of its what-if too: the lab without the changes was
 * run. None where scores of the two are held against different points.
 */
export function knownPoints(
  study: StudySpec,
  points: readonly StudyPoint[],
  made: StudySpec,
): StudyPoint[] {
  const [first, second] = study.axes;
  const axis = made.axes[1]!;
  const base = axis.values[0]!;
  const before = referenceValues(study);
  const now = referenceValues(made);
  if (
    before[first!.name] !== now[first!.name] ||
    (second !== undefined && before[second.name] !== base)
  )
    return [];
  return points
    .filter(
      ({ state, values }) =>
        (state === 'passed' || state === 'qosFailed') &&
        (second === undefined || values[second.name] === base),
    )
    .map((point) => {
      const values = { [first!.name]: point.values[first!.name]!, [axis.name]: base };
      return { ...point, values, key: pointKey(made, values, point.repeat), earlierRunIds: [] };
    });
}

/** What a study of a changed lab is not: wherever its curves are shown. */
export const notCalibrated =
  'Not calibrated: the model was held against the lab as it was given, not against one with these ' +
  'changes.';

/** The changes of the lab in words; empty = the study changes none. */
export const whatIfWords = (spec: Pick<StudySpec, 'axes'>): string[] =>
  Object.values(whatIfOf(spec)?.parameter.sets ?? {}).flatMap(({ words }) => words);

/** What the two curves say, once both are measured; null = not yet, or nothing to say. */
export function whatIfSentence(overview: StudyOverview): string | null {
  const found = whatIfOf(overview.spec);
  if (found === null) return null;
  const { axis, parameter } = found;
  const what = axis.values.find((value) => Object.hasOwn(parameter.sets, String(value)));
  const base = axis.values.find((value) => !Object.hasOwn(parameter.sets, String(value)));
  const measure = overview.spec.charts[0]?.measure;
  if (what === undefined || base === undefined || measure === undefined) return null;
  if (overview.points.some((p) => p.state === 'pending' || p.state === 'running')) return null;
  const [was, now] = [base, what].map((value) => curveSays(overview, axis, value, measure));
  if (was == null || now == null) return null;
  return [saturationText(overview, was, now), highestText(measure, was, now)]
    .filter((text) => text !== '')
    .join(' ');
}

interface CurveSays {
  /**
   * The first value from which it grows no more and the one measured before it; null = it grows to
   * the last value; undefined = nobody looked.
   */
  saturation: { before: number; at: number } | null | undefined;
  last: number;
  highest: number;
}

function curveSays(
  { spec, points, knees }: StudyOverview,
  axis: StudyAxis,
  value: AxisValue,
  measure: string,
): CurveSays | null {
  const series = curveOf(spec, { [axis.name]: value });
  const mine = points.filter(
    (p) => p.values[axis.name] === value && typeof p.measures[measure] === 'number',
  );
  if (mine.length === 0) return null;
  const first = spec.axes[0]!.name;
  const xs = mine.map((p) => Number(p.values[first]));
  const result = knees
    .find((knee) => knee.measure === measure && knee.series === series)
    ?.results.find((one) => one.method.startsWith('saturation'));
  const looked = result !== undefined && !result.note.startsWith('needs');
  const flat = result?.note.startsWith('flat') === true;
  const at = result?.estimate ?? (flat ? Math.min(...xs) : null);
  return {
    saturation: !looked ? undefined : at === null ? null : { before: result.low ?? at, at },
    last: Math.max(...xs),
    highest: Math.max(...mine.map((p) => p.measures[measure]!)),
  };
}

function saturationText({ spec }: StudyOverview, was: CurveSays, now: CurveSays): string {
  if (was.saturation === undefined || now.saturation === undefined) return '';
  const axis = spec.axes[0]!;
  const named = (value: number): string => namedValue(axis, value);
  // Whole numbers that follow each other leave nothing between them.
  const close = axis.parameter.kind === 'tiles' ? 1 : 0;
  const place = ({ before, at }: { before: number; at: number }, name = tickText): string =>
    at - before <= close ? `at ${name(at)}` : `between ${tickText(before)} and ${name(at)}`;
  if (was.saturation !== null && now.saturation !== null) {
    if (was.saturation.at === now.saturation.at)
      return `Saturates ${place(now.saturation, named)}, with the changes and without them.`;
    const [before, after] = [place(was.saturation), place(now.saturation)];
    return before.startsWith('at') && after.startsWith('at')
      ? `Saturates ${after} instead of ${named(was.saturation.at)}.`
      : `Saturates ${place(now.saturation, named)} instead of ${before}.`;
  }
  if (was.saturation !== null)
    return `Still grows at ${named(now.last)}; without the changes it saturates ${place(was.saturation, named)}.`;
  if (now.saturation !== null)
    return `Saturates ${place(now.saturation, named)}; without the changes it still grows at ${named(was.last)}.`;
  return `Neither curve saturates up to ${named(Math.max(was.last, now.last))}.`;
}

/** By how much the highest values differ. */
function highestText(measure: string, was: CurveSays, now: CurveSays): string {
  if (!(was.highest > 0)) return '';
  const percent = 100 * (now.highest / was.highest - 1);
  const { label } = measureWords(measure);
  return Math.abs(percent) < 0.5
    ? `Highest ${label.toLowerCase()}: the same within half a percent.`
    : `Highest ${label.toLowerCase()}: ` +
        `${formatExact(Math.abs(percent), Math.abs(percent) < 10 ? 1 : 0)} % ` +
        `${percent < 0 ? 'less' : 'more'}.`;
}
