import { toAppError } from '../../../core/base/errors.ts';
import type { AxisValue, StudyAxis, StudySpec, SweepParameter } from '../../../core/study/study.ts';
import { checkSpec, sweepPoints } from '../../../core/study/sweep.ts';
import { type AxisDraft, axisName, axisValues, isNumeric, type StudyDraft } from './studyForm.ts';

/** What is wrong, by field: `name`, `axes.0.list`, `find.to`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Names of what an axis can have as its values, by id. */
interface Names {
  testbed: (id: string) => string | undefined;
  profile: (id: string) => string | undefined;
}

/**
 * The study as it would be saved, and what is wrong, by field. Nothing is saved while a field is
 * wrong.
 */
export function specOf(
  draft: StudyDraft,
  names: Names,
): { spec: StudySpec | null; errors: FieldErrors; points: number } {
  const axes = axesOf(draft, names);
  const spec = draftSpec(draft, axes);
  const fields: FieldErrors = {
    ...headErrors(draft),
    ...Object.fromEntries(draft.axes.flatMap((axis, i) => Object.entries(axisErrors(axis, i)))),
    ...wrong({
      repeats: wholeError(draft.repeats, 1, 20),
      pauseS: wholeError(draft.pauseS, 0, 86_400),
    }),
    ...findErrors(draft),
  };
  const errors = Object.keys(fields).length === 0 ? specErrors(spec) : fields;
  return {
    spec: Object.keys(errors).length === 0 ? spec : null,
    errors,
    points:
      axes.every((a) => a.values.length > 0) && axes.length > 0 ? sweepPoints(spec).length : 0,
  };
}

/** The fields that have an error. */
const wrong = (fields: Readonly<Record<string, string | false | undefined>>): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])),
  );

const headErrors = ({ name, planId }: StudyDraft): FieldErrors =>
  wrong({
    name:
      name.trim() === ''
        ? 'Give the study a name.'
        : name.length > 120 && 'At most 120 characters.',
    planId: planId === '' && 'Choose the plan that is run at every value.',
  });

function axisErrors(axis: AxisDraft, index: number): FieldErrors {
  const at = `axes.${index}`;
  const where = !isNumeric(axis.kind) ? 'ids' : axis.mode === 'list' ? 'list' : 'to';
  return wrong({
    [`${at}.label`]: axis.label.trim() === '' && 'Name the axis.',
    [`${at}.workloadId`]: axis.kind === 'option' && axis.workloadId === '' && 'Choose a workload.',
    [`${at}.param`]: axis.kind === 'option' && axis.param === '' && 'Choose a parameter.',
    [`${at}.path`]:
      axis.kind === 'lab' && axis.path.trim() === '' && 'Name the property, for example drs.stars.',
    [`${at}.instruction`]:
      axis.kind === 'manual' &&
      axis.instruction.trim() === '' &&
      'Say what the person does before each value.',
    [`${at}.${where}`]: valuesError(axis, axisValues(axis)),
  });
}

function valuesError(axis: AxisDraft, values: readonly AxisValue[]): string | undefined {
  if (values.length === 0)
    return !isNumeric(axis.kind)
      ? 'Choose at least one.'
      : axis.mode === 'list'
        ? 'Give at least one value.'
        : axis.from !== '' && axis.to !== '' && axis.to < axis.from
          ? 'Ends below its start.'
          : 'Gives no value, or more than 200.';
  if (values.length > 200) return `At most 200 values; these are ${values.length}.`;
  if (new Set(values.map(String)).size < values.length)
    return 'A value stands twice. Use repeats to run a value more than once.';
  if (
    axis.kind === 'tiles' &&
    values.some((v) => !Number.isInteger(v) || Number(v) < 1 || Number(v) > 400)
  )
    return 'Tiles are whole numbers from 1 to 400.';
  return undefined;
}

const wholeError = (value: number | '', low: number, high: number): string | false =>
  (value === '' || !Number.isInteger(value) || value < low || value > high) &&
  `A whole number from ${low} to ${high}.`;

function findErrors({ find, axes }: StudyDraft): FieldErrors {
  if (find === null) return {};
  const missing = (value: number | ''): string | false => value === '' && 'Fill in this field.';
  const aboveZero = (value: number | ''): string | false =>
    missing(value) || (!(Number(value) > 0) && 'Must be above 0.');
  return wrong({
    'find.from': missing(find.from),
    'find.to':
      missing(find.to) ||
      (find.from !== '' && Number(find.to) <= find.from && 'Must lie above the start.'),
    'find.coarseStep': aboveZero(find.coarseStep),
    'find.resolution': aboveZero(find.resolution),
    'find.confirmations': wholeError(find.confirmations, 1, 10),
    find:
      axes.length > 1
        ? 'The limit is searched along one axis. Remove the second.'
        : !['tiles', 'option', 'lab'].includes(axes[0]?.kind ?? '') &&
          'A limit needs numbers; this axis takes names.',
  });
}

/** What the engine's own check has against a study whose fields are right. */
function specErrors(spec: StudySpec): FieldErrors {
  try {
    checkSpec(spec);
    return {};
  } catch (thrown) {
    const refused = toAppError(thrown);
    return {
      form: `${refused.message}${refused.hint === undefined ? '' : ` ${refused.hint}`}`,
    };
  }
}

function axesOf(draft: StudyDraft, names: Names): StudyAxis[] {
  const axes = draft.axes.map((axis, i): StudyAxis => {
    const values = axisValues(axis);
    return {
      name: draft.kept.axes[i]?.name ?? axisName(axis.label, i),
      label: axis.label.trim(),
      unit: axis.unit.trim(),
      parameter: parameterOf(axis),
      values,
      valueLabels: { ...idLabels(axis.kind, values, names), ...draft.kept.axes[i]?.valueLabels },
    };
  });
  if (axes.length === 2 && axes[0]!.name === axes[1]!.name)
    axes[1] = { ...axes[1]!, name: `${axes[1]!.name}2` };
  return axes;
}

/** Names of testbeds or profiles, where these are the values. */
const idLabels = (
  kind: AxisDraft['kind'],
  values: readonly AxisValue[],
  names: Names,
): Record<string, string> =>
  kind === 'testbed' || kind === 'profile'
    ? Object.fromEntries(values.map((v) => [String(v), names[kind](String(v)) ?? String(v)]))
    : {};

function parameterOf(axis: AxisDraft): SweepParameter {
  switch (axis.kind) {
    case 'option':
      return { kind: 'option', workloadId: axis.workloadId, param: axis.param };
    case 'lab':
      return { kind: 'lab', path: axis.path.trim() };
    case 'manual':
      return { kind: 'manual', instruction: axis.instruction.trim() };
    case 'whatIf':
      return { kind: 'whatIf', ...axis.whatIf };
    case 'tiles':
    case 'testbed':
    case 'profile':
    case 'run':
      return { kind: axis.kind };
  }
}

/** The draft as a study; an empty number is the least it can be. */
function draftSpec(draft: StudyDraft, axes: StudyAxis[]): StudySpec {
  const { find } = draft;
  const reference = keptReference(draft, axes);
  return {
    schemaVersion: 1,
    id: draft.id,
    name: draft.name.trim(),
    version: draft.version,
    planId: draft.planId,
    axes,
    order: draft.order,
    repeats: draft.repeats === '' ? 1 : draft.repeats,
    pauseS: draft.pauseS === '' ? 0 : draft.pauseS,
    stopRule: draft.stopRule,
    charts: draft.kept.charts,
    galleryId: draft.kept.galleryId,
    notes: draft.notes,
    ...(find === null
      ? {}
      : {
          findLimit: {
            from: Number(find.from),
            to: Number(find.to),
            coarseStep: Number(find.coarseStep),
            resolution: Number(find.resolution),
            confirmations: Number(find.confirmations),
          },
        }),
    ...(reference === undefined ? {} : { reference }),
  };
}

/** A reference that is no longer among the values is the first value again. */
function keptReference(
  { kept: { reference } }: StudyDraft,
  axes: readonly StudyAxis[],
): StudySpec['reference'] {
  return reference !== undefined &&
    Object.entries(reference).every(([name, v]) =>
      axes.some((a) => a.name === name && a.values.includes(v)),
    )
    ? reference
    : undefined;
}
