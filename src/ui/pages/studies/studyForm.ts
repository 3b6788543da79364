import type { AxisValue, StudyAxis, StudySpec, SweepParameter } from '../../../core/study/study.ts';

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
  /** Changes of a simulated lab, made on its drawing and kept as they are. */
  whatIf: Pick<Extract<SweepParameter, { kind: 'whatIf' }>, 'held' | 'sets'>;
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
  whatIf: { held: [], sets: {} },
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
              : p.kind === 'whatIf'
                ? { whatIf: { held: p.held, sets: p.sets } }
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
 * `1, 2 4;8`: numbers where all are numbers, else words as typed, separated by commas or
 * semicolons. What `isWord` says stays as it is typed.
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

/** Whether values are typed; testbeds and profiles are chosen. */
export const isNumeric = (kind: AxisDraft['kind']): boolean =>
  kind !== 'testbed' && kind !== 'profile';

/** The values of an axis; none where what is typed gives none. */
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
