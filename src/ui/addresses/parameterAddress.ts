import type { PlaceInTestbed } from '../../core/testbed/testbed.ts';

/** Parameters of one workload that are open on a testbed's page. */
export interface OpenParameters extends PlaceInTestbed {
  /** The plan whose check asked for the correction; null = opened by hand. */
  planId: string | null;
}

/**
 * The search of a testbed's page with the parameters of a workload open, tiles counted from 1; with
 * a parameter its field has the focus.
 */
export function parameterSearch({ tile, workloadId, parameter, planId }: OpenParameters): string {
  return new URLSearchParams({
    tile: String(tile + 1),
    workload: workloadId,
    ...(parameter === null ? {} : { parameter }),
    ...(planId === null ? {} : { plan: planId }),
  }).toString();
}

/** The whole address of the same. */
export const parameterAddress = (testbedId: string, open: OpenParameters): string =>
  `/testbeds/${testbedId}?${parameterSearch(open)}`;

/** What a search asks to be open; null = nothing. */
export function parametersOf(params: URLSearchParams): OpenParameters | null {
  const number = Number(params.get('tile'));
  const workloadId = params.get('workload');
  if (!Number.isInteger(number) || number < 1 || workloadId === null) return null;
  return {
    tile: number - 1,
    workloadId,
    parameter: params.get('parameter'),
    planId: params.get('plan'),
  };
}

/** The page of a plan that checks itself when it opens. */
export const checkAddress = (planId: string): string => `/plans/${planId}?check=1`;
