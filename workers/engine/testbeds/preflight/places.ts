import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { PlaceInTestbed } from '../../../../src/core/testbed/testbed.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import type { WorkloadUnit } from '../../runs/series.ts';
import type { CheckContext } from './types.ts';

/**
 * Where a finding is mended in the testbed. Nothing where the plan overrides the parameter: an edit
 * of the testbed would change nothing.
 */
export function atOf(
  { plan }: Pick<LaunchInputs, 'plan'>,
  place: PlaceInTestbed,
): Pick<CheckFinding, 'at'> {
  const { workloadId, parameter } = place;
  const overridden =
    parameter !== null && Object.hasOwn(plan.overrides[workloadId] ?? {}, parameter);
  return overridden ? {} : { at: place };
}

/** The same for a workload of the run; `parameter` null = its VM, undefined = nothing of it. */
export const placeOf = (
  { inputs }: Pick<CheckContext, 'inputs'>,
  { tile, workload }: Pick<WorkloadUnit, 'tile' | 'workload'>,
  parameter: string | null | undefined,
): Pick<CheckFinding, 'at'> =>
  parameter === undefined ? {} : atOf(inputs, { tile, workloadId: workload.id, parameter });
