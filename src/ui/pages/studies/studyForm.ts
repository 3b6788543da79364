import { toAppError } from '../../../core/base/errors.ts';
import type { AxisValue, StudyAxis, StudySpec, SweepParameter } from '../../../core/study/study.ts';
import { checkSpec, sweepPoints } from '../../../core/study/sweep.ts';

/** An axis as it is typed: everything kept, whatever kind is chosen now. */
export interface AxisDraft {
  kind: SweepParameter['kind'];
  label: string;
  unit: string;
  workloadId: string;
  param: string;
  path: string;
  instruction: string;
  mode: 'list' | 'range';
  list: string;
  from: number | '';
  to: number | '';
  step: number | '';
  /** Testbeds or profiles, in their order. */
  ids: string[];
  /** Values that are words although they read as numbers: a version 3.5. */
  words: string[];
}
export interface StudyDraft {
  id: string;
  version: number;
  name: string;
  planId: string;
  axes: AxisDraft[];
  order: StudySpec['order'];
  repeats: number | '';
  pauseS: number | '';
  stopRule: StudySpec['stopRule'];
  find: {
    from: number | '';
    to: number | '';
    coarseStep: number | '';
    resolution: number | '';
    confirmations: number | '';
  } | null;
  notes: string;
  /** What the form does not show and keeps. */
  kept: Pick<StudySpec, 'charts' | 'galleryId'> & {
    reference?: StudySpec['reference'];
    axes: Pick<StudyAxis, 'name' | 'valueLabels'>[];
  };
}
export type FieldErrors = Readonly<Record<string, string>>;

export const emptyAxis = (kind: SweepParameter['kind'] = 'tiles'): AxisDraft => ({
  kind,
  label: kind === 'tiles' ? 'Tiles' : '',
  unit: '',
  workloadId: '',
  param: '',
  path: 'drs.stars',
  instruction: '',
  mode: kind === 'tiles' ? 'range' : 'list',
  list: '',
  from: 1,
  to: 8,
  step: 1,
  ids: [],
  words: [],
});
export const emptyStudy = (id: string, planId: string): StudyDraft => ({
  id,
  version: 0,
  name: '',
  planId,
  axes: [emptyAxis()],
  order: 'asGiven',
  repeats: 1,
  pauseS: 0,
  stopRule: 'firstFailedRun',
  find: null,
  notes: '',
  kept: { charts: [], galleryId: null, axes: [] },
});

/** A stored study as the form shows it. */
export function draftOf(spec: StudySpec): StudyDraft {
  return {
    id: spec.id,
    version: spec.version,
    name: spec.name,
    planId: spec.planId,
    order: spec.order,
    repeats: spec.repeats,
    pauseS: spec.pauseS,
    stopRule: spec.stopRule,
    find: spec.findLimit ?? null,
    notes: spec.notes,
    axes: spec.axes.map((axis) => {
      const p = axis.parameter;
      const byId = p.kind === 'testbed' || p.kind === 'profile';
      return {
        ...emptyAxis(p.kind),
        label: axis.label,
        unit: axis.unit,
        mode: 'list',
        list: byId ? '' : axis.values.join(', '),
        ids: byId ? axis.values.map(String) : [],
        words: axis.values.filter((value) => typeof value === 'string'),
        ...(p.kind === 'option'
          ? { workloadId: p.workloadId, param: p.param }
          : p.kind === 'lab'
            ? { path: p.path }
            : p.kind === 'manual'
              ? { instruction: p.instruction }
              : {}),
      };
    }),
    kept: {
      charts: spec.charts,
      galleryId: spec.galleryId,
      axes: spec.axes.map(({ name, valueLabels }) => ({ name, valueLabels })),
      ...(spec.reference === undefined ? {} : { reference: spec.reference }),
    },
  };
}

/**
 * `1, 2 4;8`: numbers where all are numbers, else words as typed, separated by commas or semicolons. What `isWord` says stays as it is typed.
 */
export function parseList(
  text: string,
  isWord: (part: string) => boolean = () => false,
): AxisValue[] {
  const isNumber = (part: string): boolean => Number.isFinite(Number(part)) && !isWord(part);
  const numbers = text.split(/[\s,;]+/).filter((part) => part !== '');
  if (numbers.every(isNumber)) return numbers.map(Number);
  return text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (isNumber(part) ? Number(part) : part));
}

/**
 * Variants of a lab have names, whatever they look like; so have values that were stored as words.
 */
const isWordOf =
  (axis: AxisDraft) =>
  (part: string): boolean =>
    (axis.kind === 'lab' && axis.path.trim() === 'variant') || axis.words.includes(part);

/** `from`, `from + step`, … up to `to`, without the rounding errors of repeated addition. */
export function rangeValues(from: number, to: number, step: number): number[] {
  if (!(step > 0) || to < from) return [];
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  return count > 200
    ? []
    : Array.from({ length: count }, (_, i) => Number((from + i * step).toPrecision(12)));
}

const isNumeric = (kind: AxisDraft['kind']): boolean => kind !== 'testbed' && kind !== 'profile';
export function axisValues(axis: AxisDraft): AxisValue[] {
  if (!isNumeric(axis.kind)) return axis.ids;
  if (axis.mode === 'list') return parseList(axis.list, isWordOf(axis));
  return axis.from === '' || axis.to === '' || axis.step === ''
    ? []
    : rangeValues(axis.from, axis.to, axis.step);
}

/** Key of an axis from its label: `Outstanding I/Os` becomes `outstandingIos`. */
export function axisName(label: string, index: number): string {
  const words = label
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .replace(/^[^A-Za-z]+/, '')
    .trim()
    .split(' ')
    .filter((w) => w !== '');
  const name = words
    .map((w, i) =>
      i === 0 ? w.toLowerCase() : `${w[0]!.toUpperCase()}${w.slice(1).toLowerCase()}`,
    )
    .join('');
  return name === '' ? (index === 0 ? 'x' : 'y') : name;
}

function parameterOf(axis: AxisDraft): SweepParameter {
  switch (axis.kind) {
    case 'option':
      return { kind: 'option', workloadId: axis.workloadId, param: axis.param };
    case 'lab':
      return { kind: 'lab', path: axis.path.trim() };
    case 'manual':
      return { kind: 'manual', instruction: axis.instruction.trim() };
    case 'tiles':
    case 'testbed':
    case 'profile':
      return { kind: axis.kind };
  }
}

/**
 * The study as it would be saved, and what is wrong, by field: `name`, `axes.0.list`, `find.to`.
 * Nothing is saved while a field is wrong.
 */
export function specOf(
  draft: StudyDraft,
  names: {
    testbed: (id: string) => string | undefined;
    profile: (id: string) => string | undefined;
  },
): { spec: StudySpec | null; errors: FieldErrors; points: number } {
  const errors: Record<string, string> = {};
  if (draft.name.trim() === '') errors['name'] = 'Give the study a name.';
  else if (draft.name.length > 120) errors['name'] = 'At most 120 characters.';
  if (draft.planId === '') errors['planId'] = 'Choose the plan that is run at every value.';
  const axes = draft.axes.map((axis, i): StudyAxis => {
    const at = `axes.${i}`;
    const values = axisValues(axis);
    if (axis.label.trim() === '') errors[`${at}.label`] = 'Name the axis.';
    if (axis.kind === 'option' && axis.workloadId === '')
      errors[`${at}.workloadId`] = 'Choose a workload.';
    if (axis.kind === 'option' && axis.param === '') errors[`${at}.param`] = 'Choose a parameter.';
    if (axis.kind === 'lab' && axis.path.trim() === '')
      errors[`${at}.path`] = 'Name the property, for example drs.stars.';
    if (axis.kind === 'manual' && axis.instruction.trim() === '')
      errors[`${at}.instruction`] = 'Say what the person does before each value.';
    const where = !isNumeric(axis.kind) ? 'ids' : axis.mode === 'list' ? 'list' : 'to';
    if (values.length === 0)
      errors[`${at}.${where}`] = !isNumeric(axis.kind)
        ? 'Choose at least one.'
        : axis.mode === 'list'
          ? 'Give at least one value.'
          : axis.from !== '' && axis.to !== '' && axis.to < axis.from
            ? 'Ends below its start.'
            : 'Gives no value, or more than 200.';
    else if (values.length > 200)
      errors[`${at}.${where}`] = `At most 200 values; these are ${values.length}.`;
    else if (new Set(values.map(String)).size < values.length)
      errors[`${at}.${where}`] = 'A value stands twice. Use repeats to run a value more than once.';
    else if (
      axis.kind === 'tiles' &&
      values.some((v) => !Number.isInteger(v) || Number(v) < 1 || Number(v) > 400)
    )
      errors[`${at}.${where}`] = 'Tiles are whole numbers from 1 to 400.';
    const labelled =
      axis.kind === 'testbed' || axis.kind === 'profile'
        ? Object.fromEntries(
            values.map((v) => [
              String(v),
              names[axis.kind as 'testbed' | 'profile'](String(v)) ?? String(v),
            ]),
          )
        : {};
    return {
      name: draft.kept.axes[i]?.name ?? axisName(axis.label, i),
      label: axis.label.trim(),
      unit: axis.unit.trim(),
      parameter: parameterOf(axis),
      values,
      valueLabels: { ...labelled, ...draft.kept.axes[i]?.valueLabels },
    };
  });
  if (axes.length === 2 && axes[0]!.name === axes[1]!.name)
    axes[1] = { ...axes[1]!, name: `${axes[1]!.name}2` };
  const whole = (field: string, value: number | '', low: number, high: number): number => {
    if (value === '' || !Number.isInteger(value) || value < low || value > high)
      errors[field] = `A whole number from ${low} to ${high}.`;
    return value === '' ? low : value;
  };
  const repeats = whole('repeats', draft.repeats, 1, 20);
  const pauseS = whole('pauseS', draft.pauseS, 0, 86_400);
  const find = draft.find;
  if (find !== null) {
    for (const field of ['from', 'to', 'coarseStep', 'resolution'] as const)
      if (find[field] === '') errors[`find.${field}`] = 'Fill in this field.';
    if (find.from !== '' && find.to !== '' && find.to <= find.from)
      errors['find.to'] = 'Must lie above the start.';
    for (const field of ['coarseStep', 'resolution'] as const)
      if (find[field] !== '' && !(find[field] > 0)) errors[`find.${field}`] = 'Must be above 0.';
    whole('find.confirmations', find.confirmations, 1, 10);
    if (draft.axes.length > 1)
      errors['find'] = 'The limit is searched along one axis. Remove the second.';
    else if (!['tiles', 'option', 'lab'].includes(draft.axes[0]?.kind ?? ''))
      errors['find'] = 'A limit needs numbers; this axis takes names.';
  }
  // A reference that is no longer among the values is the first value again.
  const reference =
    draft.kept.reference !== undefined &&
    Object.entries(draft.kept.reference).every(([name, v]) =>
      axes.some((a) => a.name === name && a.values.includes(v)),
    )
      ? draft.kept.reference
      : undefined;
  const spec: StudySpec = {
    schemaVersion: 1,
    id: draft.id,
    name: draft.name.trim(),
    version: draft.version,
    planId: draft.planId,
    axes,
    order: draft.order,
    repeats,
    pauseS,
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
  if (Object.keys(errors).length === 0) {
    try {
      checkSpec(spec);
    } catch (thrown) {
      const refused = toAppError(thrown);
      errors['form'] = `${refused.message}${refused.hint === undefined ? '' : ` ${refused.hint}`}`;
    }
  }
  const valid = Object.keys(errors).length === 0;
  return {
    spec: valid ? spec : null,
    errors,
    points:
      axes.every((a) => a.values.length > 0) && axes.length > 0 ? sweepPoints(spec).length : 0,
  };
}
