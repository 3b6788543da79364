import type { ClientRecord, RunRecord } from '../run/run.ts';
import type { ArrayFacts } from '../testbed/arrayFacts.ts';
import type { DatastoreInfo, HostInfo, Inventory, VmInfo } from '../testbed/inventory.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { type Snapshot, type Thing } from './snapshot.ts';
import {
  type EntryKind,
  type Field,
  type PartKind,
  readers,
  type ThingKind,
  thingKinds,
  toolsOf,
  type Values,
} from './snapshotFields.ts';

/** References of what a run depends on. null = everything. */
export interface SnapshotScope {
  vms: ReadonlySet<string> | null;
  hosts: ReadonlySet<string>;
  datastores: ReadonlySet<string>;
  clients: ReadonlySet<string> | null;
}

/**
 * VMs, hosts, datastores and clients of the first `tiles` tiles, of the infrastructure operations
 * and of the layout.
 */
export function scopeOf(testbed: Testbed, tiles: number): SnapshotScope {
  const used = testbed.tiles.slice(0, tiles).flatMap((tile) => tile.workloads);
  const infra = testbed.infrastructure;
  const planned = used.flatMap((w) => (w.planned ? [w.planned] : []));
  return {
    vms: new Set([
      ...used.flatMap((w) => w.vm?.ref ?? []),
      ...(infra?.vmotionVmRefs ?? []),
      ...(infra?.storageVmotion?.vmRefs ?? []),
      ...(infra?.xvmotion?.vmRefs ?? []),
      ...(infra?.snapshotVmRefs ?? []),
      ...(infra?.deploy ? [infra.deploy.templateRef] : []),
    ]),
    hosts: new Set([
      ...(testbed.layout?.hosts ?? []).map((h) => h.ref),
      ...planned.flatMap((p) => p.host?.ref ?? []),
    ]),
    datastores: new Set([
      ...(testbed.layout?.datastores ?? []).map((d) => d.ref),
      ...planned.flatMap((p) => p.datastore?.ref ?? []),
      ...(testbed.layout?.maintenanceDatastore ? [testbed.layout.maintenanceDatastore.ref] : []),
      ...[infra?.storageVmotion, infra?.xvmotion, infra?.deploy].flatMap(
        (part) => part?.datastoreRef ?? [],
      ),
    ]),
    clients: new Set(used.map((w) => w.clientId)),
  };
}

export const everything: SnapshotScope = {
  vms: null,
  hosts: new Set(),
  datastores: new Set(),
  clients: null,
};

/**
 * An identity that two things share tells nothing apart: cloned machines keep their machine id.
 * Those fall back to their reference.
 */
function identities<T extends { ref: string }>(
  all: readonly T[],
  kind: ThingKind,
  strong: (of: T) => string | null | undefined,
): Map<string, string> {
  const count = new Map<string, number>();
  const keys = all.map((one) => strong(one)?.trim().toLowerCase() || null);
  for (const key of keys) if (key !== null) count.set(key, (count.get(key) ?? 0) + 1);
  return new Map(
    all.map((one, i) => [
      one.ref,
      keys[i] != null && count.get(keys[i]) === 1 ? `${kind}:${keys[i]}` : `ref:${kind}:${one.ref}`,
    ]),
  );
}

const read = <T>(fields: readonly Field<T>[], of: T): Values =>
  Object.fromEntries(
    fields.flatMap((f) => {
      const got = f.read(of);
      return got === null || got === undefined ? [] : [[f.key, got]];
    }),
  );
const partsOf = <T>(
  list: readonly T[] | null | undefined,
  kind: PartKind,
  fields: readonly Field<T>[],
  name: (of: T) => string,
  more: (of: T) => Values = () => ({}),
): Thing['parts'] =>
  list
    ? {
        [kind]: Object.fromEntries(
          list.map((one) => [name(one), { ...read(fields, one), ...more(one) }]),
        ),
      }
    : {};
const entryParts = (
  entries: Record<string, string> | null | undefined,
  kind: EntryKind,
  fields: readonly Field<string>[],
): Thing['parts'] =>
  entries
    ? {
        [kind]: Object.fromEntries(
          Object.entries(entries).map(([name, text]) => [name, read(fields, text)]),
        ),
      }
    : {};
const place = (key: string, ids: readonly string[]): Values =>
  ids.length > 0 ? { [key]: [...new Set(ids)].sort() } : {};

/**
 * The canonical snapshot of an inventory and client machines. `scope` says what matters: VMs by
 * reference with their hosts, those hosts' clusters and all hosts of them, datastores with their
 * LUNs, networks of the VMs' adapters, clients. A scope without any VM that the inventory knows
 * takes all hosts. `recorded`: disk arrays that people recorded of it. Pure; order of the input does not matter.
 */
export function takeSnapshot(
  inventory: Inventory | null,
  clients: readonly ClientRecord[] | null,
  scope: SnapshotScope = everything,
  recorded: readonly ArrayFacts[] = [],
): Snapshot {
  const names: Record<string, string> = {};
  const things: Thing[] = [
    ...(inventory ? inventoryThings(inventory, scope, names, recorded) : []),
    ...clientThings(clients ?? [], scope),
  ];
  things.sort(
    (a, b) =>
      thingKinds.indexOf(a.kind) - thingKinds.indexOf(b.kind) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  return {
    tilebenchSnapshot: 1,
    takenAtMs: inventory?.takenAtMs ?? 0,
    read: { inventory: inventory !== null, clients: clients !== null },
    things,
    names,
  };
}

type InventoryKind = 'cluster' | 'host' | 'datastore' | 'lun' | 'network' | 'vm';
type Lun = Inventory['datastores'][number]['luns'][number] & { ref: string };
/** What of an inventory a run depends on. */
interface Chosen extends Pick<Inventory, 'clusters' | 'hosts' | 'datastores' | 'networks' | 'vms'> {
  luns: Lun[];
}

function choose(inventory: Inventory, scope: SnapshotScope): Chosen {
  const { vms: wanted } = scope;
  const vms = wanted === null ? inventory.vms : inventory.vms.filter((vm) => wanted.has(vm.ref));
  const direct = new Set([...vms.flatMap((vm) => vm.hostRef ?? []), ...scope.hosts]);
  const clusterRefs = new Set(
    inventory.hosts.flatMap((h) => (direct.has(h.ref) ? (h.clusterRef ?? []) : [])),
  );
  const allHosts = wanted === null || !inventory.hosts.some((h) => direct.has(h.ref));
  const hosts = inventory.hosts.filter(
    (h) =>
      allHosts || direct.has(h.ref) || (h.clusterRef !== null && clusterRefs.has(h.clusterRef)),
  );
  const datastores = inventory.datastores.filter(
    (d) =>
      wanted === null ||
      scope.datastores.has(d.ref) ||
      vms.some((vm) => vm.datastoreRefs.includes(d.ref)),
  );
  const luns = datastores
    .flatMap((d) => d.luns)
    .map((l) => [l.canonicalName, { ...l, ref: l.canonicalName }] as const);
  const networkRefs = new Set(
    vms.flatMap((vm) => (vm.nics ?? []).flatMap((n) => n.networkRef ?? [])),
  );
  return {
    vms,
    hosts,
    clusters: inventory.clusters.filter((c) => hosts.some((h) => h.clusterRef === c.ref)),
    datastores,
    luns: [...new Map(luns).values()],
    networks: inventory.networks.filter((n) => wanted === null || networkRefs.has(n.ref)),
  };
}

/** Identities of a whole inventory, and the names of what its things refer to. */
interface Directory {
  ids: Readonly<Record<InventoryKind, ReadonlyMap<string, string>>>;
  known: Readonly<Partial<Record<InventoryKind, ReadonlyMap<string, string>>>>;
  /** Filled as things are referred to. */
  names: Record<string, string>;
}
const directoryOf = (
  inventory: Inventory,
  luns: readonly Lun[],
  names: Record<string, string>,
): Directory => ({
  ids: {
    cluster: identities(inventory.clusters, 'cluster', () => null),
    host: identities(inventory.hosts, 'host', (h) => h.uuid),
    datastore: identities(inventory.datastores, 'datastore', (d) => d.instanceUuid),
    lun: identities(luns, 'lun', (l) => l.canonicalName),
    network: identities(inventory.networks, 'network', () => null),
    vm: identities(inventory.vms, 'vm', (v) => v.instanceUuid),
  },
  known: {
    cluster: nameTable(inventory.clusters),
    host: nameTable(inventory.hosts),
    datastore: nameTable(inventory.datastores),
    network: nameTable(inventory.networks),
  },
  names,
});

/** The identity behind a reference, as a list of one or none; its name is noted. */
function refer(
  { ids, known, names }: Directory,
  kind: InventoryKind,
  ref: string | null,
): string[] {
  if (ref === null) return [];
  const id = ids[kind].get(ref) ?? `ref:${kind}:${ref}`;
  names[id] = known[kind]?.get(ref) ?? ref;
  return [id];
}
const thingOf = (
  { ids }: Directory,
  kind: InventoryKind,
  { ref, name }: { ref: string; name: string },
  values: Values,
  parts: Thing['parts'] = {},
): Thing => ({ kind, id: ids[kind].get(ref)!, ref, name, values, parts });

function inventoryThings(
  inventory: Inventory,
  scope: SnapshotScope,
  names: Record<string, string>,
  recorded: readonly ArrayFacts[],
): Thing[] {
  const { clusters, hosts, datastores, luns, networks, vms } = choose(inventory, scope);
  const directory = directoryOf(inventory, luns, names);
  const poolPaths = new Map((inventory.resourcePools ?? []).map((pool) => [pool.ref, pool.path]));
  return [
    {
      kind: 'vcenter',
      id: `vcenter:${inventory.instanceUuid.toLowerCase()}`,
      ref: inventory.vcenterId,
      name: inventory.product,
      values: read(readers.vcenter, inventory),
      parts: {},
    },
    ...clusters.map((c) =>
      thingOf(
        directory,
        'cluster',
        c,
        read(readers.cluster, c),
        entryParts(c.drsOptions, 'drsOption', readers.drsOption),
      ),
    ),
    ...hosts.map((h) => hostThing(directory, h)),
    ...datastores.map((d) =>
      thingOf(directory, 'datastore', d, {
        ...read(readers.datastore, d),
        ...place(
          'luns',
          d.luns.flatMap((l) => refer(directory, 'lun', l.canonicalName)),
        ),
      }),
    ),
    ...luns.map((l) =>
      thingOf(directory, 'lun', { ref: l.ref, name: l.canonicalName }, read(readers.lun, l)),
    ),
    ...arrayThings(directory, inventory.arrays ?? [], recorded, datastores),
    ...networks.map((n) => thingOf(directory, 'network', n, read(readers.network, n))),
    ...vms.map((v) => vmThing(directory, v, poolPaths)),
  ];
}

/** Arrays, told or recorded, on which a datastore lies or nobody said what lies. */
function arrayThings(
  directory: Directory,
  told: readonly ArrayFacts[],
  recorded: readonly ArrayFacts[],
  datastores: readonly DatastoreInfo[],
): Thing[] {
  const beside = recorded.filter(({ name }) => !told.some((one) => one.name === name));
  return [...told, ...beside].flatMap((array): Thing[] => {
    const own = datastores.filter(({ ref, name }) =>
      array.datastores.some((one) => one.ref === ref || one.ref === name),
    );
    if (own.length === 0 && array.datastores.length > 0) return [];
    const on = own.flatMap(({ ref }) => refer(directory, 'datastore', ref));
    return [
      {
        kind: 'array',
        id: `array:${array.name.toLowerCase()}`,
        ref: array.name,
        name: array.name,
        values: { ...read(readers.array, array), ...place('datastores', on) },
        parts: {},
      },
    ];
  });
}

const hostThing = (directory: Directory, host: HostInfo): Thing =>
  thingOf(
    directory,
    'host',
    host,
    {
      ...read(readers.host, host),
      ...place('cluster', refer(directory, 'cluster', host.clusterRef)),
    },
    {
      ...partsOf(host.nics, 'nic', readers.nic, (n) => n.device),
      ...partsOf(host.hbas, 'hba', readers.hba, (a) => a.device),
      ...partsOf(host.switches, 'switch', readers.switch, (s) => s.name),
      ...entryParts(host.settings, 'setting', readers.setting),
      ...entryParts(host.software?.settings, 'changedSetting', readers.changedSetting),
      ...entryParts(host.software?.packages, 'package', readers.package),
    },
  );

const vmThing = (directory: Directory, vm: VmInfo, poolPaths: ReadonlyMap<string, string>): Thing =>
  thingOf(
    directory,
    'vm',
    vm,
    {
      ...read(readers.vm, vm),
      ...place('host', refer(directory, 'host', vm.hostRef)),
      ...place(
        'datastores',
        vm.datastoreRefs.flatMap((d) => refer(directory, 'datastore', d)),
      ),
      ...(vm.resourcePoolRef
        ? place('resourcePool', [poolPaths.get(vm.resourcePoolRef) ?? vm.resourcePoolRef])
        : {}),
    },
    {
      ...partsOf(
        vm.disks,
        'disk',
        readers.disk,
        (d) => d.label,
        (d) => place('datastore', refer(directory, 'datastore', d.datastoreRef)),
      ),
      ...partsOf(
        vm.nics,
        'vnic',
        readers.vnic,
        (n) => n.label,
        (n) => place('network', refer(directory, 'network', n.networkRef)),
      ),
    },
  );
const nameTable = (list: readonly { ref: string; name: string }[]): Map<string, string> =>
  new Map(list.map((one) => [one.ref, one.name]));

function clientThings(
  clients: readonly ClientRecord[],
  { clients: wanted }: SnapshotScope,
): Thing[] {
  const used = clients
    .filter((c) => wanted === null || wanted.has(c.id))
    .map((c) => ({ ...c, ref: c.id }));
  const ids = identities(used, 'client', (c) => c.machineId);
  return used.map((c) => ({
    kind: 'client',
    id: ids.get(c.ref)!,
    ref: c.ref,
    name: c.name,
    values: read(readers.client, c),
    parts: entryParts(Object.fromEntries(toolsOf(c)), 'tool', readers.tool),
  }));
}

/**
 * The snapshot of a run before or after it; null where neither inventory nor clients were read
 * then.
 */
export function snapshotOfRun(record: RunRecord, when: 'before' | 'after'): Snapshot | null {
  const inventory = when === 'before' ? record.inventoryBefore : record.inventoryAfter;
  const clients = when === 'before' ? record.clients : (record.clientsAfter ?? null);
  if (inventory === null && (clients === null || clients.length === 0)) return null;
  const { testbed, plan } = record;
  return takeSnapshot(inventory, clients, scopeOf(testbed, plan.tiles), testbed.arrays);
}
