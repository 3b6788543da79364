import type { Plan } from '../../../../src/core/plan/plan.ts';

/** Long enough for three samples of vCenter's counters, short enough to wait for. */
const phases = { rampUpS: 15, staggerS: 0, steadyS: 60, periods: 1, rampDownS: 5 };

/** Id under which the smoke run of a plan is checked and launched. */
export const smokeId = (planId: string): string => `smoke:${planId}`;

/** The plan's first tile for a minute and a half, with nothing moved and no cluster changed. */
export function smokePlan({
  drs: _drs,
  startPlacement: _startPlacement,
  earlyAbort: _earlyAbort,
  acts: _acts,
  ...plan
}: Plan): Plan {
  return {
    ...plan,
    tiles: 1,
    phases,
    study: null,
    smoke: { planId: plan.id },
    referenceRunId: null,
  };
}
