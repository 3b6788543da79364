import type { Act } from '../../../../src/core/acts/act.ts';
import { actAtText, actKinds, inTime } from '../../../../src/core/acts/kinds.ts';
import { actProblems } from '../../../../src/core/acts/problems.ts';
import type { CheckFinding, Plan } from '../../../../src/core/plan/plan.ts';
import type { ClusterInfo, HostInfo, Inventory } from '../../../../src/core/testbed/inventory.ts';
import { defineCheck } from './types.ts';

const gib = 2 ** 30;
type Told = Pick<CheckFinding, 'severity' | 'evidence' | 'fix'> & { id: string };

/** The host that an act is about; of an adapter the host that has it. */
const hostOf = (act: Act, inventory: Inventory): HostInfo | undefined => {
  const ref = act.target?.ref ?? '';
  const host = actKinds[act.kind].target === 'host' ? ref : ref.split('/')[0];
  return inventory.hosts.find((one) => one.ref === host);
};

/** Whether VMs of a cluster move by themselves in this plan. */
const movesItself = (cluster: ClusterInfo, plan: Plan): boolean => {
  const wish = plan.drs?.clusterRef === cluster.ref ? plan.drs : null;
  return wish
    ? wish.behavior === 'fullyAutomated'
    : cluster.drsEnabled === true && cluster.drsBehavior === 'fullyAutomated';
};

/** Memory of the running VMs of a cluster against what its other hosts have, in GiB. */
function memoryWithout(
  inventory: Inventory,
  cluster: ClusterInfo,
  without: string,
): { neededGb: number; leftGb: number } | null {
  const hosts = inventory.hosts.filter(
    (host) =>
      cluster.hostRefs.includes(host.ref) &&
      host.ref !== without &&
      !host.maintenance &&
      host.connectionState === 'connected',
  );
  if (hosts.some((host) => host.memoryBytes === null)) return null;
  const vms = inventory.vms.filter(
    (vm) =>
      vm.powerState === 'poweredOn' && vm.hostRef !== null && cluster.hostRefs.includes(vm.hostRef),
  );
  return {
    neededGb: vms.reduce((sum, vm) => sum + (vm.memoryMb ?? 0), 0) / 1_024,
    leftGb: hosts.reduce((sum, host) => sum + (host.memoryBytes ?? 0), 0) / gib,
  };
}

/** What the inventory says against one act. */
export function actAgainst(act: Act, plan: Plan, inventory: Inventory): Told[] {
  const kind = actKinds[act.kind];
  if (kind.target === null) return [];
  const host = hostOf(act, inventory);
  if (!host)
    return [
      {
        id: 'target',
        severity: 'block',
        evidence: `${act.target?.name ?? 'its host'} is not in vCenter`,
        fix: 'Choose a host that is there.',
      },
    ];
  const cluster = inventory.clusters.find((one) => one.hostRefs.includes(host.ref));
  const told: Told[] = [];
  const outside = cluster === undefined || host.connectionState === 'disconnected';
  if (act.kind !== 'hostJoins' && (host.connectionState !== 'connected' || host.maintenance))
    told.push({
      id: 'state',
      severity: 'block',
      evidence: `${host.name} is ${host.maintenance ? 'in maintenance mode' : host.connectionState}`,
      fix: 'Bring it in, or choose another host.',
    });
  if (act.by === 'console' && kind.cluster.drs && cluster && !movesItself(cluster, plan))
    told.push({
      id: 'drs',
      severity: 'block',
      evidence: `DRS of ${cluster.name} is not fully automated: nothing moves the VMs of ${host.name}`,
      fix: 'Let the plan set DRS to fully automated.',
    });
  if (kind.cluster.ha && cluster && cluster.haEnabled !== true)
    told.push({
      id: 'ha',
      severity: 'warn',
      evidence:
        `HA of ${cluster.name} is ${cluster.haEnabled === null ? 'not told' : 'off'}: VMs of ` +
        `${host.name} stay down until it is back`,
      fix: 'Turn HA on, or keep it so if that is what you measure.',
    });
  const device = act.target?.ref.split('/')[1];
  if (kind.target === 'storage adapter' && !host.hbas.some((one) => one.device === device))
    told.push({
      id: 'target',
      severity: 'block',
      evidence: `${host.name} has no storage adapter ${device ?? '?'}`,
      fix: 'Choose an adapter that is there.',
    });
  else if (kind.target === 'storage adapter' && host.hbas.length < 2)
    told.push({
      id: 'paths',
      severity: 'block',
      evidence: `${device ?? '?'} is the only storage adapter of ${host.name}: nothing would carry its LUNs`,
      fix: 'Choose a host with a second adapter.',
    });
  const memory =
    kind.takesHost && cluster && !outside ? memoryWithout(inventory, cluster, host.ref) : null;
  if (memory !== null && memory.neededGb > memory.leftGb)
    told.push({
      id: 'capacity',
      severity: 'warn',
      evidence:
        `without ${host.name} the cluster has ${memory.leftGb.toFixed(0)} GiB for running VMs of ` +
        `${memory.neededGb.toFixed(0)} GiB: they are overcommitted`,
      fix: 'Run fewer tiles, if that is not what you measure.',
    });
  return told;
}

/** Whether the acts of the plan can happen here, and what they do. */
export const actsPossible = defineCheck({
  id: 'plan.acts',
  title: 'Acts',
  async run({ inputs: { plan, testbed }, deps, world }) {
    const acts = inTime(plan.acts ?? []);
    if (acts.length === 0) return [];
    const about = (act: Act) => ({
      title: actAtText(act),
      subject: act.id,
      source: 'plan and vCenter',
    });
    const problems = actProblems(acts, plan.phases.steadyS, deps.lab !== null);
    const inventory = testbed.vcenterId === null ? null : await world.inventory();
    return acts.flatMap((act): CheckFinding[] => {
      const kind = actKinds[act.kind];
      const own = problems.filter((one) => one.actId === act.id);
      if (own.length > 0)
        return own.map((one) => ({
          ...about(act),
          id: `plan.acts.${one.field}`,
          severity: 'block',
          waivable: false,
          evidence: one.text,
          fix: one.fix,
        }));
      if (inventory === null && kind.target !== null)
        return [
          {
            ...about(act),
            id: 'plan.acts.target',
            severity: 'block',
            waivable: false,
            evidence: 'the testbed has no vCenter, so nothing can be done to a host',
            fix: 'Choose a vCenter in the testbed, or remove the act.',
          },
        ];
      const found = inventory === null ? [] : actAgainst(act, plan, inventory);
      return [
        ...found.map((one) => ({ ...about(act), ...one, id: `plan.acts.${one.id}` })),
        ...(found.some((one) => one.severity === 'block')
          ? []
          : [
              {
                ...about(act),
                id: 'plan.acts',
                severity: 'info' as const,
                evidence:
                  `${act.by === 'hand' ? 'by hand: ' : ''}${kind.what} ` +
                  (act.by === 'hand' ? 'You put it back.' : kind.undo),
              },
            ]),
      ];
    });
  },
});
