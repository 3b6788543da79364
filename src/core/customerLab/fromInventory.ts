import type { Inventory } from '../testbed/inventory.ts';
import type { InventoryRows } from './rows.ts';

const gb = 1_024 ** 3;
const over = (figure: number | null | undefined, by: number): number | null =>
  figure == null || figure <= 0 ? null : figure / by;

/** What a vCenter told of its hosts, datastores and VMs, as the same rows that a file gives. */
export function rowsOfInventory(inventory: Inventory): InventoryRows {
  const cluster = new Map(inventory.clusters.map(({ ref, name }) => [ref, name]));
  const host = new Map(inventory.hosts.map((one) => [one.ref, one]));
  const clusterOf = (hostRef: string | null): string | null => {
    const ref = hostRef === null ? null : (host.get(hostRef)?.clusterRef ?? null);
    return ref === null ? null : (cluster.get(ref) ?? null);
  };
  return {
    hosts: inventory.hosts.map((one) => {
      const links = one.nics.flatMap(({ speedMbps }) =>
        speedMbps === null || speedMbps <= 0 ? [] : [speedMbps / 1_000],
      );
      return {
        name: one.name,
        cluster: clusterOf(one.ref),
        vendor: one.vendor,
        model: one.model,
        cpuModel: one.cpuModel,
        ghz: over(one.mhz, 1_000),
        sockets: one.sockets,
        coresPerSocket:
          one.cores === null || one.sockets === null || one.cores % one.sockets !== 0
            ? null
            : one.cores / one.sockets,
        memoryGb: over(one.memoryBytes, gb),
        hyperThreads: one.threads === null || one.cores === null ? null : one.threads > one.cores,
        uplinks: links.length === 0 ? null : links.length,
        uplinkGbps: links.length === 0 ? null : Math.min(...links),
        hbas: one.hbas.length === 0 ? null : one.hbas.length,
        version: one.version,
        maintenance: one.maintenance,
      };
    }),
    datastores: inventory.datastores.map((one) => ({
      name: one.name,
      capacityGb: over(one.capacityBytes, gb),
      type: one.type,
      hosts: one.hostRefs.length,
      hostNames: one.hostRefs.flatMap((ref) => host.get(ref)?.name ?? []),
    })),
    vms: inventory.vms.map((vm) => ({
      name: vm.name,
      poweredOn: /on$/i.test(vm.powerState),
      template: vm.template,
      vcpus: vm.vcpus,
      memoryGb: over(vm.memoryMb, 1_024),
      host: vm.hostRef === null ? null : (host.get(vm.hostRef)?.name ?? null),
      cluster: clusterOf(vm.hostRef),
    })),
  };
}
