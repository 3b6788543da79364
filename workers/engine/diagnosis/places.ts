import type { RunRecord } from '../../../src/core/run/run.ts';

export interface Places {
  of(vmRef: string | null): { hostRef: string | null; storeRefs: string[] };
  /** vCPUs of the run's VMs on a host. */
  vcpusOn(hostRef: string): number;
}

/**
 * Where the VMs of a run were at a moment: as their moves were watched, else as the inventory after
 * the run has them, else before it.
 */
export function placesIn(record: RunRecord, atMs: number): Places {
  const { overview, inventoryBefore, inventoryAfter, testbed, plan } = record;
  const hosts = new Map<string, string | null>(),
    stores = new Map<string, string[]>(),
    vcpus = new Map<string, number>();
  for (const inventory of [inventoryBefore, inventoryAfter])
    for (const vm of inventory?.vms ?? []) {
      // A VM that was switched off after the run was somewhere while it lasted.
      if (vm.hostRef !== null || !hosts.has(vm.ref)) hosts.set(vm.ref, vm.hostRef);
      if (!stores.has(vm.ref)) stores.set(vm.ref, vm.datastoreRefs);
      vcpus.set(vm.ref, vm.vcpus ?? 0);
    }
  const history = overview.placement;
  for (const move of history?.moves ?? []) {
    const vm = history!.vms[move.vm];
    if (vm !== undefined && move.tMs <= atMs)
      hosts.set(vm.ref, move.host === null ? null : (history!.hosts[move.host]?.ref ?? null));
  }
  const ours = new Set(
    testbed.tiles
      .slice(0, plan.tiles)
      .flatMap((tile) => tile.workloads.flatMap((one) => one.vm?.ref ?? [])),
  );
  return {
    of: (vmRef) =>
      vmRef === null
        ? { hostRef: null, storeRefs: [] }
        : { hostRef: hosts.get(vmRef) ?? null, storeRefs: stores.get(vmRef) ?? [] },
    vcpusOn: (hostRef) =>
      [...ours].reduce(
        (sum, vm) => sum + (hosts.get(vm) === hostRef ? (vcpus.get(vm) ?? 0) : 0),
        0,
      ),
  };
}
