import { severities, type CheckFinding, type CheckReport } from '../../../../src/shared/plan.ts';
import { toAppError } from '../../../../src/shared/errors.ts';
import { launchHash, type LaunchInputs } from '../../plans/hash.ts';
import { workloadUnits, type WorkloadUnit } from '../../runs/series.ts';
import { clientClock, clientDrivers, clientLeftovers, clientReachable } from './clientChecks.ts';
import { diskSpace, infrastructureTargets, planSound, powerAnswers } from './planChecks.ts';
import { scoringPossible } from './scoringChecks.ts';
import type { Check, CheckContext } from './types.ts';
import { hostsReady, storageReady, telemetryAnswers, vcenterAnswers, vmsReady } from './vcenterChecks.ts';

const checks: readonly Check[] = [
  planSound, scoringPossible, infrastructureTargets, diskSpace, clientReachable, clientClock, clientDrivers, clientLeftovers,
  vcenterAnswers, vmsReady, hostsReady, storageReady, telemetryAnswers, powerAnswers,
];
const checkLimitMs = 30_000;

/** Runs every check side by side, each with its own time limit. Never throws: what cannot be checked is a blocking finding. */
export async function checkPlan(base: Omit<CheckContext, 'units' | 'nameOf'>, inputs: LaunchInputs, signal: AbortSignal): Promise<CheckReport> {
  const report = (findings: CheckFinding[]): CheckReport => ({
    planId: inputs.plan.id, hash: launchHash(inputs), atMs: base.deps.clock.now(),
    ready: !findings.some((f) => f.severity === 'block'),
    findings: findings.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
  });
  let units: WorkloadUnit[];
  try {
    units = workloadUnits(inputs.profile, inputs.testbed, inputs.plan);
  } catch (error) {
    const { message, hint } = toAppError(error);
    return report([{ id: 'plan.testbed', severity: 'block', title: 'Testbed', evidence: message, ...(hint ? { fix: hint } : {}) }]);
  }
  const context: CheckContext = { ...base, units, nameOf: (id) => base.find(id)?.name ?? id };
  const results = await Promise.all(checks.map((check) => runCheck(check, context, signal)));
  return report(results.flat());
}

async function runCheck(check: Check, context: CheckContext, signal: AbortSignal): Promise<CheckFinding[]> {
  const limit = AbortSignal.timeout(checkLimitMs);
  try {
    return await check.run(context, AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    const { message, hint } = toAppError(error);
    const evidence = limit.aborted ? `no answer within ${checkLimitMs / 1_000} s` : message;
    return [{ id: check.id, severity: 'block', title: check.title, evidence, ...(hint ? { fix: hint } : {}) }];
  }
}
