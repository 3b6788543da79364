import { fail } from '../../../src/core/base/errors.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { ProfileBook } from '../profiles/book.ts';
import type { RunService } from '../runs/service.ts';
import { splitHost } from '../simlab/names.ts';
import type { StudyPeers } from './runner.ts';

/**
 * Plans that are found by id without being in the list of plans: the variant a study is about to
 * launch.
 */
export interface PlanVariants {
  get(id: string): Plan | null;
  put(id: string, plan: Plan): void;
}
export function createPlanVariants(): PlanVariants {
  const plans = new Map<string, Plan>();
  return {
    get: (id) => plans.get(id) ?? null,
    put: (id, plan) => {
      plans.set(id, plan);
    },
  };
}

/** A study launches as a user does: `plan.check`, then `run.start` with the checked hash. */
export function studyPeers(options: {
  deps: Pick<Deps, 'lab'>;
  db: Database;
  profiles: Pick<ProfileBook, 'get'>;
  runs: RunService;
  variants: PlanVariants;
  check: Handlers['plan.check'];
}): StudyPeers {
  const { deps, db, profiles, runs, variants, check } = options;
  const never = new AbortController().signal;
  const put = (plan: Plan): string => {
    const id = `study:${plan.study?.id ?? plan.id}`;
    variants.put(id, plan);
    return id;
  };
  return {
    plan(id) {
      const plan = db.plans.get(id);
      if (!plan)
        throw fail(
          'notFound',
          'The plan of the study does not exist.',
          'Choose another plan in the study.',
        );
      return plan;
    },
    planOfRun(runId) {
      const record = db.runs.get(runId);
      if (record === null)
        throw fail(
          'notFound',
          `The run ${runId}, which is to be run again, was removed.`,
          'Choose another run to repeat.',
        );
      return record.plan;
    },
    profileOf(id) {
      const plan = db.plans.get(id);
      return plan === null ? null : (profiles.get(plan.profileId) ?? null);
    },
    needsReference(plan) {
      const profile = profiles.get(plan.profileId);
      if (plan.referenceRunId !== null || !profile) return false;
      return (
        profile.workloads.some((w) => w.scored && w.reference === null) ||
        (profile.scoring.infrastructure?.operations.some((one) => one.reference === null) ?? false)
      );
    },
    check: (plan, signal) => check({ id: put(plan) }, signal),
    start: async (plan, checkedHash, name) =>
      (await runs.methods['run.start']({ planId: put(plan), checkedHash, name }, never)).runId,
    abort: async (id) => {
      await runs.methods['run.abort']({ id, hard: false }, never);
    },
    ended: (runId) => runs.ended(runId),
    labOf(plan) {
      const labId = labIdOf(plan);
      return deps.lab === null || labId === null ? null : deps.lab.given(labId);
    },
    configure(plan, changes) {
      if (deps.lab === null) {
        if (Object.keys(changes).length > 0)
          throw fail(
            'conflict',
            `${Object.keys(changes).join(', ')} can be changed in the simulated lab only.`,
            'Open the demo lab.',
          );
        return;
      }
      const labId = labIdOf(plan);
      // Every point starts from the lab as it was given: moves and faults of the run before are
      // gone.
      if (labId !== null) deps.lab.configure(labId, changes);
      else if (Object.keys(changes).length > 0)
        throw fail(
          'notFound',
          'The testbed names no simulated lab to change.',
          'Give the testbed the vCenter of a simulated lab.',
        );
    },
  };

  /** The loaded simulated lab whose vCenter the plan's testbed names; null = none. */
  function labIdOf(plan: Plan): string | null {
    const vcenterId = db.testbeds.get(plan.testbedId)?.vcenterId ?? null;
    const vcenter = vcenterId === null ? null : db.connections.get(vcenterId);
    return deps.lab === null || vcenter?.kind !== 'vcenter'
      ? null
      : (splitHost(
          vcenter.host,
          deps.lab.status().labs.map((lab) => lab.id),
        )?.labId ?? null);
  }
}
