import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { ClusterInfo } from '../../../../src/core/testbed/inventory.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import { defineCheck } from './types.ts';
import { vcenterName } from './vcenterChecks.ts';

/** Who asks for DRS in this plan; null = nobody does. */
export function drsWanted({
  plan,
  profile,
}: Pick<LaunchInputs, 'plan' | 'profile'>): { severity: 'block' | 'warn'; why: string } | null {
  if (plan.startPlacement !== undefined && plan.startPlacement !== 'planned')
    return {
      severity: 'block',
      why: 'the plan starts with all VMs on one host and leaves it to DRS to spread them',
    };
  const rule = profile.rules?.find(
    (one) => one.kind === 'statement' && /\bDRS\b.*\bon\b/.test(one.text),
  );
  return rule
    ? { severity: 'warn', why: `${profile.name} says: ${rule.text} (${rule.source})` }
    : null;
}

function drsFinding(cluster: ClusterInfo, inputs: LaunchInputs, source: string): CheckFinding {
  const { plan } = inputs;
  const wanted = drsWanted(inputs);
  const about = { title: `DRS of cluster ${cluster.name}`, subject: cluster.name, source };
  const wish = plan.drs?.clusterRef === cluster.ref ? plan.drs : null;
  if (wish) {
    const off = wish.behavior === 'off' || wish.behavior === 'manual';
    if (off && wanted)
      return {
        ...about,
        id: 'cluster.drs',
        severity: wanted.severity,
        evidence: `the plan sets it to ${wish.behavior}, but ${wanted.why}`,
        fix: 'Let the plan set DRS to fully automated, or change the start placement.',
      };
    return {
      ...about,
      id: 'cluster.drsSet',
      severity: 'info',
      evidence:
        `the run sets it to ${wish.behavior} and puts it back to ` +
        (cluster.drsEnabled ? (cluster.drsBehavior ?? 'on') : 'off'),
    };
  }
  if (cluster.drsEnabled === null)
    return {
      ...about,
      id: 'cluster.drsUnknown',
      severity: 'info',
      evidence: 'vCenter does not tell whether it is on',
    };
  const moving = cluster.drsEnabled && cluster.drsBehavior === 'fullyAutomated';
  const now = cluster.drsEnabled
    ? `on, ${cluster.drsBehavior ?? 'automation not told'}, threshold ` +
      `${cluster.drsVmotionRate ?? '?'} (1 most aggressive, 5 most conservative)`
    : 'off';
  if (wanted && !moving)
    return {
      ...about,
      id: 'cluster.drs',
      severity: wanted.severity,
      evidence: `${now}; ${wanted.why}`,
      fix: 'Turn DRS on, fully automated, or let the plan set it for the run.',
      command: `govc cluster.change -drs-enabled -drs-mode fullyAutomated '${cluster.name}'`,
    };
  if (moving && plan.startPlacement === 'planned')
    return {
      ...about,
      id: 'cluster.drsMoves',
      severity: 'warn',
      evidence: `${now}: it may move VMs away from where the layout has them`,
      fix: 'Set DRS to manual for the run (the plan can do it), or leave the placement to DRS.',
    };
  return { ...about, id: 'cluster.drs', severity: wanted ? 'ok' : 'info', evidence: now };
}

export const clustersReady = defineCheck({
  id: 'cluster.drs',
  title: 'DRS and HA of the clusters',
  needs: 'vcenter',
  async run(context) {
    const inventory = await context.world.inventory();
    const { hostRefs } = await context.world.underTest();
    const source = vcenterName(context);
    return inventory.clusters
      .filter((cluster) => cluster.hostRefs.some((ref) => hostRefs.has(ref)))
      .flatMap((cluster): CheckFinding[] => [
        drsFinding(cluster, context.inputs, source),
        {
          id: 'cluster.ha',
          severity: 'info',
          title: `HA of cluster ${cluster.name}`,
          subject: cluster.name,
          source,
          evidence:
            cluster.haEnabled === null
              ? 'not told'
              : cluster.haEnabled
                ? 'on: it holds back capacity, and restarts VMs of a failed host during the run'
                : 'off',
        },
      ]);
  },
});
