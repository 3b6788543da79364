import type { DatastoreInfo, HostInfo, Inventory, VmInfo } from './inventory.ts';
import type { NamedRef } from './testbed.ts';

/** Lookups of an inventory, made once for each. */
export interface InventoryIndex {
  known: boolean;
  hosts: readonly HostInfo[];
  datastores: readonly DatastoreInfo[];
  host: ReadonlyMap<string, HostInfo>;
  datastore: ReadonlyMap<string, DatastoreInfo>;
  vm: ReadonlyMap<string, VmInfo>;
  hostName: (ref: string) => NamedRef;
  datastoreName: (ref: string) => NamedRef;
  clusterName: (ref: string) => string;
}

const cache = new WeakMap<Inventory, InventoryIndex>();
const empty = make(null);

/** Lookups by ref. Refs without a thing behind them are their own name. */
export function indexInventory(inventory: Inventory | null): InventoryIndex {
  if (inventory === null) return empty;
  const kept = cache.get(inventory);
  if (kept) return kept;
  const made = make(inventory);
  cache.set(inventory, made);
  return made;
}

function make(inventory: Inventory | null): InventoryIndex {
  const { hosts = [], datastores = [], vms = [], clusters = [] } = inventory ?? {};
  const host = new Map(hosts.map((one) => [one.ref, one])),
    datastore = new Map(datastores.map((one) => [one.ref, one]));
  const names = <T extends NamedRef>(of: ReadonlyMap<string, T>): ((ref: string) => NamedRef) => {
    const refs = new Map([...of].map(([ref, { name }]) => [ref, { ref, name }]));
    return (ref) => refs.get(ref) ?? { ref, name: ref };
  };
  const cluster = new Map(clusters.map(({ ref, name }) => [ref, name]));
  return {
    known: inventory !== null,
    hosts,
    datastores,
    host,
    datastore,
    vm: new Map(vms.map((one) => [one.ref, one])),
    hostName: names(host),
    datastoreName: names(datastore),
    clusterName: (ref) => cluster.get(ref) ?? ref,
  };
}
