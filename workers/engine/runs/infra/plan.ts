import type { InfraOperation, Profile } from '../../../../src/core/profile/profile.ts';
import type { InfrastructureTargets } from '../../../../src/core/testbed/infrastructure.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';

const operationKinds = ['vmotion', 'storageVmotion', 'xvmotion', 'deploy', 'snapshot'] as const;
export type OperationKind = (typeof operationKinds)[number];
const isKind = (id: string): id is OperationKind =>
  (operationKinds as readonly string[]).includes(id);

export interface OperationPlan {
  operation: InfraOperation;
  kind: OperationKind;
  /** Loops side by side. */ loops: number;
  targets: InfrastructureTargets;
  hostRefs: readonly string[];
}
export interface InfraPlan {
  operations: OperationPlan[];
  /** Why an operation of the profile will not be counted. */ missing: string[];
  /** How many loops, and why so many, in words. */ growth: string | null;
}

/**
 * The operations a run drives: loops of each = hosts / the profile's hosts a loop, rounded down, at
 * least one. Source of the growth with hosts: VMware VROOM 2011-01 and 2011-07; the rounding is
 * ours.
 */
export function planInfrastructure(
  profile: Profile,
  testbed: Testbed,
  inventory: Inventory | null,
): InfraPlan {
  const rule = profile.scoring.infrastructure;
  if (!rule) return { operations: [], missing: [], growth: null };
  const { infrastructure: targets } = testbed;
  if (!targets || !inventory)
    return {
      operations: [],
      missing: rule.operations.map(
        ({ name }) =>
          `${name}: ${targets ? 'the inventory of vCenter is not known' : 'the testbed names nothing it works on'}`,
      ),
      growth: null,
    };
  const hosts = hostsOf(testbed, inventory);
  const loops = Math.max(
    1,
    Math.floor(hosts.length / (rule.hostsPerLoop ?? Math.max(1, hosts.length))),
  );
  const missing: string[] = [];
  const operations = rule.operations.flatMap((operation): OperationPlan[] => {
    const problem = problemOf(operation.id, targets, hosts.length);
    if (problem !== null) {
      missing.push(`${operation.name}: ${problem}`);
      return [];
    }
    return [
      {
        operation,
        kind: operation.id as OperationKind,
        loops: targets.pace?.[operation.id]?.loops ?? loops,
        targets,
        hostRefs: hosts,
      },
    ];
  });
  return {
    operations,
    missing,
    growth:
      operations.length === 0
        ? null
        : growthWords(operations, rule.hostsPerLoop, hosts.length, loops, targets),
  };
}

function growthWords(
  operations: readonly OperationPlan[],
  hostsPerLoop: number | null,
  hosts: number,
  loops: number,
  targets: InfrastructureTargets,
): string {
  const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const why =
    hostsPerLoop === null
      ? 'the profile sets no growth with hosts'
      : `${many(hosts, 'host')}, one loop for ${many(hostsPerLoop, 'host')}, rounded down, at least one`;
  const own = operations
    .filter((one) => one.loops !== loops)
    .map((one) => `${one.operation.name} ${one.loops} by the testbed`);
  const deploy = operations.some((one) => one.kind === 'deploy')
    ? targets.deploy?.customization === undefined
      ? ' A deploy clones, powers on, checks, powers off and destroys; the testbed names no ' +
        'customisation specification, so that nothing is customised.'
      : ` A deploy clones, customises by ${targets.deploy.customization}, powers on, waits for ` +
        'an address, powers off and destroys.'
    : '';
  return (
    `${many(loops, 'loop')} of each infrastructure operation: ` +
    `${why}${own.length > 0 ? `; ${own.join(', ')}` : ''}.${deploy}`
  );
}

/** Hosts of the clusters in which the testbed's VMs live, that can take a VM. */
function hostsOf(testbed: Testbed, inventory: Inventory): string[] {
  const refs = new Set(
    testbed.tiles.flatMap((tile) => tile.workloads.flatMap((w) => (w.vm ? [w.vm.ref] : []))),
  );
  const used = new Set(
    inventory.vms.flatMap((vm) => (refs.has(vm.ref) && vm.hostRef !== null ? [vm.hostRef] : [])),
  );
  const cluster = new Set(
    inventory.clusters
      .filter((c) => c.hostRefs.some((ref) => used.has(ref)))
      .flatMap((c) => c.hostRefs),
  );
  return inventory.hosts
    .filter(
      (host) =>
        (cluster.has(host.ref) || used.has(host.ref)) &&
        !host.maintenance &&
        host.connectionState === 'connected',
    )
    .map((host) => host.ref);
}

function problemOf(id: string, targets: InfrastructureTargets, hosts: number): string | null {
  if (!isKind(id)) return `operations are ${operationKinds.join(', ')}; ${id} is none of them`;
  switch (id) {
    case 'vmotion':
      return targets.vmotionVmRefs.length === 0
        ? 'the testbed names no VM to move'
        : hosts < 2
          ? 'it needs two hosts'
          : null;
    case 'storageVmotion':
      return targets.storageVmotion === null ? 'the testbed names no maintenance datastore' : null;
    case 'xvmotion':
      return targets.xvmotion === null
        ? 'the testbed names no VM and datastore for it'
        : hosts < 2
          ? 'it needs two hosts'
          : null;
    case 'deploy':
      return targets.deploy === null ? 'the testbed names no template' : null;
    case 'snapshot':
      return targets.snapshotVmRefs.length === 0 ? 'the testbed names no VM to snapshot' : null;
  }
}
