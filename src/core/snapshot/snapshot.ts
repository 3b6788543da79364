import * as z from 'zod';

import { field } from '../base/field.ts';
import { sha256 } from '../base/sha256.ts';
import type { ClientRecord, RunRecord } from '../run/run.ts';
import type { Inventory, Testbed } from '../testbed/testbed.ts';
import {
  type Field,
  type FieldMeaning,
  meaningOf,
  type PartKind,
  partKinds,
  readers,
  type ThingKind,
  thingKinds,
  toolsOf,
  type Values,
} from './snapshotFields.ts';

const value = z.union([field.word(), field.figure(), z.boolean(), field.list(field.word())]);
const values = field.record(field.word(), value);
const thingSchema = z.object({
  kind: z.enum(thingKinds),
  /**
   * Identity that outlives names and references (hardware UUID, instance UUID, NAA, machine id),
   * else `ref:` and the reference.
   */
  id: field.id('entity'),
  ref: field.id('ref'),
  name: field.name('thing'),
  /** What was told of it. A figure that was not told is absent. */
  values,
  /**
   * Parts by kind and local name. A kind that was not read is absent; one that is empty was read
   * and has none.
   */
  parts: field.partialRecord(z.enum(partKinds), field.record(field.name('thing'), values)),
});
/**
 * A testbed as it stood, restricted to what a run depends on, in one form whatever order it was
 * read in.
 */
export const snapshotSchema = z.object({
  tilebenchSnapshot: z.literal(1),
  takenAtMs: field.timeMs(),
  /** What was read; what was not has no things, and nothing can be said of them. */
  read: z.object({ inventory: z.boolean(), clients: z.boolean() }),
  things: field.list(thingSchema),
  /** Names of things that are referred to and are not part of it, by id. */
  names: field.record(field.id('entity'), field.name('thing')),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
export type Thing = z.infer<typeof thingSchema>;

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
  kind: 'setting' | 'drsOption' | 'tool',
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
 * takes all hosts. Pure; order of the input does not matter.
 */
export function takeSnapshot(
  inventory: Inventory | null,
  clients: readonly ClientRecord[] | null,
  scope: SnapshotScope = everything,
): Snapshot {
  const names: Record<string, string> = {};
  const things: Thing[] = [
    ...(inventory ? inventoryThings(inventory, scope, names) : []),
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

function inventoryThings(
  inventory: Inventory,
  scope: SnapshotScope,
  names: Record<string, string>,
): Thing[] {
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
  const clusters = inventory.clusters.filter((c) => hosts.some((h) => h.clusterRef === c.ref));
  const stores = inventory.datastores.filter(
    (d) =>
      wanted === null ||
      scope.datastores.has(d.ref) ||
      vms.some((vm) => vm.datastoreRefs.includes(d.ref)),
  );
  const luns = [
    ...new Map(
      stores.flatMap((d) => d.luns).map((l) => [l.canonicalName, { ...l, ref: l.canonicalName }]),
    ).values(),
  ];
  const networkRefs = new Set(
    vms.flatMap((vm) => (vm.nics ?? []).flatMap((n) => n.networkRef ?? [])),
  );
  const networks = inventory.networks.filter((n) => wanted === null || networkRefs.has(n.ref));

  const ids = {
    cluster: identities(inventory.clusters, 'cluster', () => null),
    host: identities(inventory.hosts, 'host', (h) => h.uuid),
    datastore: identities(inventory.datastores, 'datastore', (d) => d.instanceUuid),
    lun: identities(luns, 'lun', (l) => l.canonicalName),
    network: identities(inventory.networks, 'network', () => null),
    vm: identities(inventory.vms, 'vm', (v) => v.instanceUuid),
  };
  const known: Readonly<Record<keyof typeof ids, ReadonlyMap<string, string>>> = {
    cluster: nameTable(inventory.clusters),
    host: nameTable(inventory.hosts),
    datastore: nameTable(inventory.datastores),
    lun: new Map(),
    network: nameTable(inventory.networks),
    vm: new Map(),
  };
  const refer = (kind: keyof typeof ids, ref: string | null): string[] => {
    if (ref === null) return [];
    const id = ids[kind].get(ref) ?? `ref:${kind}:${ref}`;
    names[id] = known[kind].get(ref) ?? ref;
    return [id];
  };
  const poolNames = new Map((inventory.resourcePools ?? []).map((pool) => [pool.ref, pool.path]));
  const make = <T extends { ref: string; name: string }>(
    kind: keyof typeof ids,
    one: T,
    values: Values,
    parts: Thing['parts'] = {},
  ): Thing => ({ kind, id: ids[kind].get(one.ref)!, ref: one.ref, name: one.name, values, parts });
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
      make(
        'cluster',
        c,
        read(readers.cluster, c),
        entryParts(c.drsOptions, 'drsOption', readers.drsOption),
      ),
    ),
    ...hosts.map((h) =>
      make(
        'host',
        h,
        { ...read(readers.host, h), ...place('cluster', refer('cluster', h.clusterRef)) },
        {
          ...partsOf(h.nics, 'nic', readers.nic, (n) => n.device),
          ...partsOf(h.hbas, 'hba', readers.hba, (a) => a.device),
          ...partsOf(h.switches, 'switch', readers.switch, (s) => s.name),
          ...entryParts(h.settings, 'setting', readers.setting),
        },
      ),
    ),
    ...stores.map((d) =>
      make('datastore', d, {
        ...read(readers.datastore, d),
        ...place(
          'luns',
          d.luns.flatMap((l) => refer('lun', l.canonicalName)),
        ),
      }),
    ),
    ...luns.map((l) => make('lun', { ...l, name: l.canonicalName }, read(readers.lun, l))),
    ...networks.map((n) => make('network', n, read(readers.network, n))),
    ...vms.map((v) =>
      make(
        'vm',
        v,
        {
          ...read(readers.vm, v),
          ...place('host', refer('host', v.hostRef)),
          ...place(
            'datastores',
            v.datastoreRefs.flatMap((d) => refer('datastore', d)),
          ),
          ...(v.resourcePoolRef
            ? place('resourcePool', [poolNames.get(v.resourcePoolRef) ?? v.resourcePoolRef])
            : {}),
        },
        {
          ...partsOf(
            v.disks,
            'disk',
            readers.disk,
            (d) => d.label,
            (d) => place('datastore', refer('datastore', d.datastoreRef)),
          ),
          ...partsOf(
            v.nics,
            'vnic',
            readers.vnic,
            (n) => n.label,
            (n) => place('network', refer('network', n.networkRef)),
          ),
        },
      ),
    ),
  ];
}
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
  return takeSnapshot(inventory, clients, scopeOf(record.testbed, record.plan.tiles));
}

/** JSON with sorted keys: equal meaning, equal text. */
export function canonicalText(given: unknown): string {
  return JSON.stringify(given, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

const steady = (kind: ThingKind | PartKind, all: Values): Values => {
  const meaning = new Map<string, FieldMeaning>(meaningOf(kind).map((f) => [f.key, f]));
  return Object.fromEntries(
    Object.entries(all).filter(([key]) => meaning.get(key)?.same === undefined),
  );
};

/**
 * SHA-256 of what a snapshot means: names, the time it was taken and volatile figures (free space,
 * clock offsets) are left out.
 */
export function snapshotHash(snapshot: Snapshot): string {
  return sha256(
    canonicalText(
      snapshot.things.map(({ kind, id, values: own, parts }) => ({
        kind,
        id,
        values: steady(kind, own),
        parts: Object.fromEntries(
          partKinds.flatMap((part) =>
            parts[part]
              ? [
                  [
                    part,
                    Object.fromEntries(
                      Object.entries(parts[part]).map(([name, of]) => [name, steady(part, of)]),
                    ),
                  ],
                ]
              : [],
          ),
        ),
      })),
    ),
  );
}
