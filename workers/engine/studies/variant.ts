import { withUnit } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type { LabEdit } from '../../../src/core/lab/labEdit.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type {
  AxisValue,
  StudyAxis,
  StudyPoint,
  StudySpec,
  SweepParameter,
} from '../../../src/core/study/study.ts';

/** Changes of a simulated lab: values by path, and edits as people say them. */
export type LabChanges = Record<string, AxisValue | readonly LabEdit[]>;

/**
 * The plan that a point is made of: the study's, or that of the run it runs again. Runs that were
 * scored against different runs get none of these: the study gives all one reference.
 */
export function basePlan(
  spec: StudySpec,
  point: Pick<StudyPoint, 'values'>,
  plans: { plan: (id: string) => Plan; planOfRun: (runId: string) => Plan },
): Plan {
  const axis = spec.axes.find(({ parameter }) => parameter.kind === 'run');
  if (axis === undefined) return plans.plan(spec.planId);
  const plan = plans.planOfRun(String(point.values[axis.name]));
  const references = axis.values.map((id) => plans.planOfRun(String(id)).referenceRunId);
  return new Set(references).size > 1 ? { ...plan, referenceRunId: null } : plan;
}

/** Pure: the plan of one point, and what must be set in the simulated lab for it. */
export function variantOf(
  spec: StudySpec,
  base: Plan,
  point: Pick<StudyPoint, 'key' | 'values'>,
): { plan: Plan; labChanges: LabChanges } {
  const labChanges: LabChanges = {};
  let plan: Plan = { ...base, study: { id: spec.id, key: point.key } };
  for (const axis of spec.axes) {
    const value = point.values[axis.name];
    if (value === undefined)
      throw fail('internal', `Point ${point.key} has no value for ${axis.label}.`);
    set(axis.parameter, value, axis.label);
  }
  return { plan, labChanges };

  function set(parameter: SweepParameter, value: AxisValue, label: string): void {
    switch (parameter.kind) {
      case 'tiles':
        plan = { ...plan, tiles: whole(label, value) };
        break;
      case 'option':
        plan = {
          ...plan,
          overrides: {
            ...plan.overrides,
            [parameter.workloadId]: {
              ...plan.overrides[parameter.workloadId],
              [parameter.param]: value,
            },
          },
        };
        break;
      case 'testbed':
        plan = { ...plan, testbedId: String(value) };
        break;
      case 'profile':
        plan = { ...plan, profileId: String(value) };
        break;
      case 'lab':
        labChanges[parameter.path] = value;
        break;
      case 'whatIf': {
        for (const held of parameter.held) set(held.parameter, held.value, label);
        const changes = parameter.sets[String(value)];
        if (changes) labChanges.edits = changes.edits;
        break;
      }
      // The plan of a run is what the variant is made of.
      case 'run':
      case 'manual':
        break;
    }
  }
}

function whole(label: string, value: AxisValue): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw fail(
      'invalidInput',
      `${label}: ${value} is no number of tiles.`,
      'Tiles are whole numbers from 1.',
    );
  return value;
}

/** `16 tiles`, `vSphere 4.1`: one axis value in words. */
export function valueWords(axis: StudyAxis, value: AxisValue): string {
  const label = axis.valueLabels[String(value)];
  return (
    label ??
    (axis.unit === ''
      ? `${axis.label} ${value}`
      : typeof value === 'number'
        ? withUnit(value, axis.unit)
        : `${value} ${axis.unit}`)
  );
}

export function pointWords(
  spec: Pick<StudySpec, 'axes' | 'repeats'>,
  point: Pick<StudyPoint, 'values' | 'repeat'>,
): string {
  const words = spec.axes.map((axis) => valueWords(axis, point.values[axis.name] ?? ''));
  return [...words, ...(spec.repeats > 1 || point.repeat > 1 ? [`run ${point.repeat}`] : [])].join(
    ', ',
  );
}

/**
 * The next value of a manual axis that no person has confirmed yet, with what to do; null = nothing
 * to do by hand.
 */
export function waitsFor(
  spec: StudySpec,
  point: Pick<StudyPoint, 'values'>,
  confirmed: Readonly<Record<string, AxisValue>>,
): { axis: string; value: AxisValue; instruction: string } | null {
  for (const axis of spec.axes) {
    const value = point.values[axis.name];
    if (axis.parameter.kind !== 'manual' || value === undefined || confirmed[axis.name] === value)
      continue;
    return {
      axis: axis.name,
      value,
      instruction: `${axis.parameter.instruction} Next value: ${valueWords(axis, value)}.`,
    };
  }
  return null;
}
