import { fail } from '../base/errors.ts';
import { maximumTiles } from '../profile/profile.ts';
import type { AxisValue, StudySpec } from './study.ts';

/** One planned run of a sweep. */
export interface SweepPoint {
  key: string;
  values: Record<string, AxisValue>;
  repeat: number;
}
type Axes = Pick<StudySpec, 'axes'>;

/**
 * Stable name of a point: axes in the order of the spec, then the repeat from 1:
 * `tiles=16;array=cx3;repeat=1`.
 */
export function pointKey(
  { axes }: Axes,
  values: Readonly<Record<string, AxisValue>>,
  repeat: number,
): string {
  return [
    ...axes.map((axis) => `${axis.name}=${values[axis.name] ?? ''}`),
    `repeat=${repeat}`,
  ].join(';');
}

/** The curve a point belongs to: its values on every axis but the first; empty for one axis. */
export function curveOf({ axes }: Axes, values: Readonly<Record<string, AxisValue>>): string {
  return axes
    .slice(1)
    .map((axis) => `${axis.name}=${values[axis.name] ?? ''}`)
    .join(';');
}
/** Curves in the order of the second axis; one without a name where there is none. */
export function curveOrder({ axes }: Axes): string[] {
  const second = axes[1];
  return second === undefined
    ? ['']
    : second.values.map((value) => curveOf({ axes }, { [second.name]: value }));
}

/**
 * Throws invalidInput where axes share a name, a value stands twice, a lab's variant is no text, or
 * the limit search has nothing to search.
 */
export function checkSpec({
  axes,
  findLimit,
  reference,
}: Pick<StudySpec, 'axes' | 'findLimit' | 'reference'>): void {
  if (new Set(axes.map((axis) => axis.name)).size < axes.length)
    throw fail(
      'invalidInput',
      `Both axes are called ${axes[0]!.name}.`,
      'Give each axis a name of its own.',
    );
  for (const axis of axes) {
    const twice = axis.values.find((value, i) =>
      axis.values.some((other, j) => j < i && String(other) === String(value)),
    );
    if (twice !== undefined)
      throw fail(
        'invalidInput',
        `${axis.label} has the value ${twice} twice.`,
        'Use repeats to run a value more than once.',
      );
    if (
      axis.parameter.kind === 'tiles' &&
      axis.values.some((v) => !Number.isInteger(v) || Number(v) < 1 || Number(v) > maximumTiles)
    )
      throw fail(
        'invalidInput',
        `${axis.label}: tiles are whole numbers from 1 to ${maximumTiles}.`,
      );
    if (
      axis.parameter.kind === 'lab' &&
      axis.parameter.path === 'variant' &&
      axis.values.some((v) => typeof v !== 'string')
    )
      throw fail(
        'invalidInput',
        `${axis.label}: a variant of a lab is named by a text, and ` +
          `${axis.values.find((v) => typeof v !== 'string')} is a number.`,
        'Edit the study and save it again.',
      );
  }
  if (axes.filter((axis) => axis.parameter.kind === 'whatIf').length > 1)
    throw fail('invalidInput', 'Both axes change the lab.', 'Remove one of them.');
  for (const [name, value] of Object.entries(reference ?? {})) {
    const axis = axes.find((one) => one.name === name);
    if (!axis)
      throw fail(
        'invalidInput',
        `The reference names ${name}, which is no axis.`,
        `Axes are ${axes.map((one) => one.name).join(', ')}.`,
      );
    if (!axis.values.includes(value))
      throw fail(
        'invalidInput',
        `The reference ${name}=${value} is not among the values.`,
        'Choose one of the values that are run.',
      );
  }
  if (!findLimit) return;
  if (axes.length > 1)
    throw fail(
      'invalidInput',
      'The limit is searched along one axis.',
      'Remove the second axis, or sweep its values one study each.',
    );
  if (
    axes[0]!.parameter.kind !== 'tiles' &&
    axes[0]!.parameter.kind !== 'option' &&
    axes[0]!.parameter.kind !== 'lab'
  )
    throw fail(
      'invalidInput',
      `A limit needs numbers; ${axes[0]!.label} takes names.`,
      'Sweep the values instead.',
    );
  if (!(findLimit.to > findLimit.from))
    throw fail(
      'invalidInput',
      `The limit is searched from ${findLimit.from} to ${findLimit.to}: nothing lies between.`,
      'Give a higher end.',
    );
  if (
    axes[0]!.parameter.kind === 'tiles' &&
    [findLimit.from, findLimit.coarseStep, findLimit.resolution].some((v) => !Number.isInteger(v))
  )
    throw fail(
      'invalidInput',
      'Tiles are whole: start, step and resolution must be whole numbers.',
    );
}

/**
 * Every run of a sweep, in order. The last axis turns slowest, so that a curve over the first axis
 * is run in one go; repeats follow each other. `ascending` and `descending` sort numbers of the
 * first axis; names keep their order.
 * `inTurns` runs all values once before any is repeated: A B A B.
 * `shuffled` is a Fisher–Yates shuffle seeded by the study's id: the same study has the same order
 * on every machine.
 */
export function sweepPoints(
  spec: Pick<StudySpec, 'id' | 'axes' | 'order' | 'repeats'>,
): SweepPoint[] {
  const [first, second] = spec.axes;
  const sorted = (values: readonly AxisValue[]): AxisValue[] => {
    if (spec.order !== 'ascending' && spec.order !== 'descending') return [...values];
    if (!values.every((value) => typeof value === 'number')) return [...values];
    const up = [...values].sort((a, b) => a - b);
    return spec.order === 'ascending' ? up : up.reverse();
  };
  const xs = sorted(first!.values);
  const points = (second ? second.values : [null]).flatMap((slow) =>
    xs.flatMap((x) =>
      Array.from({ length: spec.repeats }, (_, i): SweepPoint => {
        const values = {
          [first!.name]: x,
          ...(second && slow !== null ? { [second.name]: slow } : {}),
        };
        return { key: pointKey(spec, values, i + 1), values, repeat: i + 1 };
      }),
    ),
  );
  if (spec.order === 'inTurns') return [...points].sort((a, b) => a.repeat - b.repeat);
  return spec.order === 'shuffled' ? shuffle(points, randomFrom(spec.id)) : points;
}

/** The values that are 1.0: those of the spec, else the first of each axis. */
export function referenceValues(
  spec: Pick<StudySpec, 'axes' | 'reference'>,
): Record<string, AxisValue> {
  return Object.fromEntries(
    spec.axes.map((axis) => [axis.name, spec.reference?.[axis.name] ?? axis.values[0]!]),
  );
}

/**
 * Uniform numbers in [0, 1), the same for the same text. FNV-1a gives the seed; the generator is
 * mulberry32 (T. Ettinger, 2017, public domain).
 */
export function randomFrom(text: string): () => number {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1)
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}
