import type { CheckReport } from '../../../../src/core/plan/plan.ts';
import type { LaunchFact } from './launchFacts.ts';

/**
 * A report with what the launch compares; by the id the check was asked for (of a plan, a study's
 * variant, a smoke run).
 */
export interface Checked {
  report: CheckReport;
  /** null = the testbed has no vCenter, or it did not answer. */ facts:
    readonly LaunchFact[] | null;
}
/**
 * The last checks of this engine. They end with it: what was seen before a restart says nothing
 * about now.
 */
export interface CheckBook {
  get(id: string): Checked | null;
  put(id: string, checked: Checked): void;
  smokeRun(planId: string): string | null;
  setSmokeRun(planId: string, runId: string): void;
}

export function createCheckBook(): CheckBook {
  const last = new Map<string, Checked>();
  const smokeRuns = new Map<string, string>();
  return {
    get: (id) => last.get(id) ?? null,
    put: (id, checked) => {
      last.set(id, checked);
    },
    smokeRun: (planId) => smokeRuns.get(planId) ?? null,
    setSmokeRun: (planId, runId) => {
      smokeRuns.set(planId, runId);
    },
  };
}
