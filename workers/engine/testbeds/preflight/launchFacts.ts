import { createHash } from 'node:crypto';

import { byNaturalOrder } from '../../../../src/core/base/naturalOrder.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import type { WorkloadUnit } from '../../runs/series.ts';
import type { CheckId } from './index.ts';
import { placedUnits } from './vmChecks.ts';
import { underTestOf } from './world.ts';

/**
 * Something of the inventory that the check relied on; `checkId` is the check that looked at it.
 */
export interface LaunchFact {
  key: string;
  what: string;
  value: string;
  checkId: CheckId;
}

/**
 * What must be the same at the launch as it was in the check: power, place and existence of the
 * tiles' VMs, state and build of the hosts, access to the datastores, DRS of the clusters. The host
 * of a VM counts only where nothing is meant to move it.
 */
export function launchFacts(
  inputs: LaunchInputs,
  units: readonly WorkloadUnit[],
  inventory: Inventory,
): LaunchFact[] {
  const { hostRefs, datastoreRefs } = underTestOf(inputs, units, inventory);
  const roaming = new Set(
    inventory.clusters
      .filter((cluster) => cluster.drsEnabled && cluster.drsBehavior === 'fullyAutomated')
      .flatMap((cluster) => cluster.hostRefs),
  );
  const hostName = (ref: string | null): string =>
    inventory.hosts.find((host) => host.ref === ref)?.name ?? ref ?? 'no host';
  const storeName = (ref: string): string =>
    inventory.datastores.find((store) => store.ref === ref)?.name ?? ref;
  const moves = inputs.plan.startPlacement !== undefined;
  const vms = placedUnits(units, inventory).flatMap(({ vm, unit }): LaunchFact[] => {
    const fact = (checkId: CheckId, key: string, what: string, value: string): LaunchFact => ({
      key: `vm ${vm.ref} ${key}`,
      what: `${what} of VM ${vm.name}`,
      value,
      checkId,
    });
    const roams = moves || (roaming.has(vm.hostRef ?? '') && !unit.assignment.planned?.host);
    const stores = [...vm.datastoreRefs].sort(byNaturalOrder).map(storeName).join(', ');
    return [
      fact('vm.present', 'power', 'power state', vm.powerState),
      ...(roams ? [] : [fact('vm.placement', 'host', 'host', hostName(vm.hostRef))]),
      fact('vm.placement', 'datastores', 'datastores', stores),
      fact('vm.snapshots', 'snapshots', 'snapshots', String(vm.snapshotCount)),
    ];
  });
  // A host that a roaming VM happens to be on now is not part of the plan: only its state counts,
  // where it is.
  const hosts = inventory.hosts
    .filter((host) => hostRefs.has(host.ref))
    .flatMap((host): LaunchFact[] => [
      {
        key: `host ${host.ref} state`,
        what: `state of host ${host.name}`,
        value: host.maintenance ? 'in maintenance mode' : host.connectionState,
        checkId: 'host.ready',
      },
      {
        key: `host ${host.ref} build`,
        what: `ESX build of host ${host.name}`,
        value: host.build ?? 'not told',
        checkId: 'host.homogeneous',
      },
    ]);
  const stores = inventory.datastores
    .filter((store) => datastoreRefs.has(store.ref))
    .map((store): LaunchFact => ({
      key: `datastore ${store.ref}`,
      what: `access to datastore ${store.name}`,
      value: store.accessible ? 'accessible' : 'not accessible',
      checkId: 'datastore.ready',
    }));
  // A cluster that the run sets itself may be set as it likes before.
  const clusters = inventory.clusters
    .filter(
      (cluster) =>
        inputs.plan.drs?.clusterRef !== cluster.ref &&
        cluster.hostRefs.some((ref) => hostRefs.has(ref)),
    )
    .map((cluster): LaunchFact => ({
      key: `cluster ${cluster.ref} drs`,
      what: `DRS of cluster ${cluster.name}`,
      checkId: 'cluster.drs',
      value:
        cluster.drsEnabled === null
          ? 'not told'
          : cluster.drsEnabled
            ? `${cluster.drsBehavior ?? 'on'}, threshold ${cluster.drsVmotionRate ?? 'not told'}`
            : 'off',
    }));
  return [
    ...new Map([...vms, ...hosts, ...stores, ...clusters].map((fact) => [fact.key, fact])).values(),
  ];
}

/** SHA-256 over the facts, whatever their order. */
export function factsDigest(facts: readonly LaunchFact[]): string {
  return createHash('sha256')
    .update(
      [...facts]
        .map(({ key, value }) => `${key}=${value}`)
        .sort(byNaturalOrder)
        .join('\n'),
    )
    .digest('hex');
}

/**
 * In words, what is no longer as it was. A host that only came or went with a roaming VM is no
 * change.
 */
export function changedFacts(
  before: readonly LaunchFact[],
  after: readonly LaunchFact[],
): string[] {
  const now = new Map(after.map((fact) => [fact.key, fact]));
  return before.flatMap(({ key, what, value }) => {
    const fact = now.get(key);
    if (!fact)
      return key.startsWith('vm ') && key.endsWith(' power') ? [`${what}: the VM is gone`] : [];
    return fact.value === value ? [] : [`${what}: ${value}, now ${fact.value}`];
  });
}

/** The facts with those that one check looked at taken anew. */
export function replaceFacts(
  before: readonly LaunchFact[],
  after: readonly LaunchFact[],
  checkId: CheckId,
): LaunchFact[] {
  return [
    ...before.filter((fact) => fact.checkId !== checkId),
    ...after.filter((fact) => fact.checkId === checkId),
  ];
}
