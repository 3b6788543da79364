import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';

export type Cell = string | number | null;
export interface TableColumn {
  name: string;
  align?: 'right';
  width: number;
}
export interface InventoryTable {
  name: string;
  columns: readonly TableColumn[];
  rows: readonly (readonly Cell[])[];
}

const gib = (bytes: number | null): number | null =>
  bytes === null ? null : Math.round(bytes / 2 ** 30);

const nameByRef = (named: readonly NamedRef[]): ReadonlyMap<string, string> =>
  new Map(named.map((one) => [one.ref, one.name]));
const yesNo = (value: boolean | null): Cell => (value === null ? null : value ? 'on' : 'off');

const clusterTable = ({ clusters }: Inventory): InventoryTable => ({
  name: 'Clusters',
  columns: [
    { name: 'Cluster', width: 220 },
    { name: 'Hosts', align: 'right', width: 80 },
    { name: 'DRS', width: 80 },
    { name: 'DRS behaviour', width: 160 },
    { name: 'DRS threshold', align: 'right', width: 120 },
    { name: 'HA', width: 80 },
  ],
  rows: clusters.map((c) => [
    c.name,
    c.hostRefs.length,
    yesNo(c.drsEnabled),
    c.drsBehavior,
    c.drsVmotionRate,
    yesNo(c.haEnabled),
  ]),
});

function hostTable({ hosts, clusters }: Inventory): InventoryTable {
  const clusterNames = nameByRef(clusters);
  return {
    name: 'Hosts',
    columns: [
      { name: 'Host', width: 220 },
      { name: 'Cluster', width: 160 },
      { name: 'Model', width: 180 },
      { name: 'CPU', width: 240 },
      { name: 'Sockets', align: 'right', width: 80 },
      { name: 'Cores', align: 'right', width: 70 },
      { name: 'Memory (GiB)', align: 'right', width: 110 },
      { name: 'Build', width: 110 },
      { name: 'Power policy', width: 130 },
      { name: 'State', width: 120 },
    ],
    rows: hosts.map((h) => [
      h.name,
      h.clusterRef ? (clusterNames.get(h.clusterRef) ?? null) : null,
      h.model,
      h.cpuModel,
      h.sockets,
      h.cores,
      gib(h.memoryBytes),
      h.build,
      h.powerPolicy,
      h.maintenance ? 'maintenance' : h.connectionState,
    ]),
  };
}

const datastoreTable = ({ datastores }: Inventory): InventoryTable => ({
  name: 'Datastores',
  columns: [
    { name: 'Datastore', width: 220 },
    { name: 'Type', width: 90 },
    { name: 'Capacity (GiB)', align: 'right', width: 120 },
    { name: 'Free (GiB)', align: 'right', width: 110 },
    { name: 'Hosts', align: 'right', width: 80 },
    { name: 'LUNs', width: 320 },
    { name: 'Queue depth', align: 'right', width: 110 },
    { name: 'Paths', align: 'right', width: 80 },
    { name: 'Accessible', width: 100 },
  ],
  rows: datastores.map((d) => [
    d.name,
    d.type,
    gib(d.capacityBytes),
    gib(d.freeBytes),
    d.hostRefs.length,
    d.luns.map((l) => l.canonicalName).join(', ') || null,
    d.luns[0]?.queueDepth ?? null,
    d.luns[0]?.paths ?? null,
    d.accessible ? 'yes' : 'no',
  ]),
});

const networkTable = ({ networks }: Inventory): InventoryTable => ({
  name: 'Networks',
  columns: [
    { name: 'Network', width: 320 },
    { name: 'Type', width: 240 },
  ],
  rows: networks.map((n) => [n.name, n.type]),
});

function vmTable({ vms, hosts, datastores }: Inventory): InventoryTable {
  const hostNames = nameByRef(hosts);
  const storeNames = nameByRef(datastores);
  return {
    name: 'VMs',
    columns: [
      { name: 'VM', width: 220 },
      { name: 'Host', width: 200 },
      { name: 'Datastore', width: 180 },
      { name: 'Power', width: 110 },
      { name: 'vCPUs', align: 'right', width: 70 },
      { name: 'Memory (MiB)', align: 'right', width: 110 },
      { name: 'Guest', width: 200 },
      { name: 'Tools', width: 140 },
      { name: 'Snapshots', align: 'right', width: 90 },
    ],
    rows: vms.map((v) => [
      v.name,
      v.hostRef ? (hostNames.get(v.hostRef) ?? null) : null,
      v.datastoreRefs.map((ref) => storeNames.get(ref) ?? ref).join(', ') || null,
      v.powerState,
      v.vcpus,
      v.memoryMb,
      v.guest,
      v.toolsStatus,
      v.snapshotCount,
    ]),
  };
}

/**
 * The inventory as tables of plain cells; what vCenter did not give stays null and shows as a dash.
 */
export const inventoryTables = (inventory: Inventory): InventoryTable[] => [
  clusterTable(inventory),
  hostTable(inventory),
  datastoreTable(inventory),
  networkTable(inventory),
  vmTable(inventory),
];
