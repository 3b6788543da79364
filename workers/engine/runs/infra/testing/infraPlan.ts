import type { PlanFile } from '../../../../../src/core/plan/plan.ts';
import type { Profile } from '../../../../../src/core/profile/profile.ts';
import type { InfrastructureTargets } from '../../../../../src/core/testbed/infrastructure.ts';
import { testPlanFile } from '../../../testing/engineHarness.ts';

const infraTargets: InfrastructureTargets = {
  vmotionVmRefs: ['vm-0', 'vm-1'],
  storageVmotion: { vmRefs: ['vm-1', 'vm-2'], datastoreRef: 'datastore-2' },
  xvmotion: null,
  deploy: { templateRef: 'vm-7', datastoreRef: 'datastore-2' },
  snapshotVmRefs: [],
  pauseS: 0,
};

/**
 * The test plan, its first tile, with infrastructure operations through a steady state of
 * `steadyS`.
 */
export function infraPlan(
  change: {
    operations?: readonly string[];
    targets?: Partial<InfrastructureTargets>;
    steadyS?: number;
  } = {},
): PlanFile {
  const file = testPlanFile();
  const profile: Profile = {
    ...file.profile!,
    scoring: {
      ...file.profile!.scoring,
      infrastructure: {
        combine: 'geometricMean',
        hostsPerLoop: 2,
        hostsPerLoopSource: 'test',
        source: 'test',
        operations: (change.operations ?? ['vmotion', 'storageVmotion', 'deploy']).map((id) => ({
          id,
          name: id,
          reference: 60,
          referenceSource: 'test',
        })),
      },
      overall: { application: 0.8, infrastructure: 0.2, source: 'test' },
    },
  };
  return {
    ...file,
    profile,
    testbed: { ...file.testbed, infrastructure: { ...infraTargets, ...change.targets } },
    plan: {
      ...file.plan,
      tiles: 1,
      phases: {
        ...file.plan.phases,
        rampUpS: 10,
        staggerS: 0,
        steadyS: change.steadyS ?? 240,
        periods: 2,
        rampDownS: 30,
      },
    },
  };
}
