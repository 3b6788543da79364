import { groupBy } from '../base/groupBy.ts';
import { outstandingOf } from '../profile/driverKinds.ts';
import { workloadLetters } from '../profile/letters.ts';
import type { Profile, ProfileWorkload } from '../profile/profile.ts';
import type { DatastoreInfo, HostInfo, Inventory, VmInfo } from './inventory.ts';
import { indexInventory, type InventoryIndex } from './layoutIndex.ts';
import {
  type ClientFacts,
  type LayoutClient,
  type LayoutDatastore,
  type LayoutHost,
  type LayoutTile,
  type LayoutView,
  type LayoutVm,
  type LayoutWorkload,
  slotKey,
} from './layoutModel.ts';
import type { Assignment, Layout, NamedRef, Testbed, Tile } from './testbed.ts';

/**
 * What the board shows: every slot with its planned or actual place, and the same slots by host,
 * datastore and client. Sizes in MiB and bytes. With `previous`, tiles and columns that did not
 * change keep their identity, so that an edit costs what it touches.
 */
export function layoutView(
  testbed: Testbed,
  inventory: Inventory | null,
  profile: Profile,
  clients: readonly ClientFacts[],
  previous?: LayoutView,
): LayoutView {
  const index = indexInventory(inventory);
  const same =
    previous !== undefined &&
    previous.inventory === inventory &&
    previous.profile === profile &&
    previous.testbed.layout?.templates === testbed.layout?.templates;
  const workloads = same ? previous.workloads : workloadsOf(profile);
  const context: Context = {
    index,
    workloads: new Map(workloads.map((w) => [w.id, w])),
    profile: new Map(profile.workloads.map((w) => [w.id, w])),
    templates: testbed.layout?.templates ?? {},
  };
  const tiles = testbed.tiles.map((tile, i) =>
    same && previous.testbed.tiles[i] === tile ? previous.tiles[i]! : tileView(tile, i, context),
  );
  const all = tiles.flatMap((tile) => tile.vms);
  const byHost = groupBy(
      all.filter((vm) => vm.host !== null),
      (vm) => vm.host!.ref,
    ),
    byDatastore = groupBy(
      all.filter((vm) => vm.datastore !== null),
      (vm) => vm.datastore!.ref,
    ),
    byClient = groupBy(all, (vm) => vm.clientId);
  const layout = testbed.layout;
  const hosts = reuse(hostsOf(index, all, byHost, layout), previous?.hosts, (h) => h.ref);
  const datastores = reuse(
    datastoresOf(index, all, byDatastore, layout),
    previous?.datastores,
    (d) => d.ref,
  );
  const knownClients = new Set(clients.map(({ id }) => id));
  const strangers = [...byClient.keys()].filter((id) => id !== '' && !knownClients.has(id));
  const clientRows = [...clients, ...strangers.map((id): ClientFacts => ({ id, name: id }))].map(
    ({ id, name, cpus, memoryMb }): LayoutClient => ({
      id,
      name,
      cpus: cpus ?? null,
      memoryMb: memoryMb ?? null,
      known: knownClients.has(id),
      vms: byClient.get(id) ?? none,
    }),
  );
  return {
    testbed,
    inventory,
    profile,
    workloads,
    tiles,
    hosts,
    datastores,
    clients: reuse(clientRows, previous?.clients, (c) => c.id),
    unplaced: {
      host: all.filter((vm) => vm.host === null),
      datastore: all.filter((vm) => vm.datastore === null),
      client: byClient.get('') ?? none,
    },
    byKey: new Map(all.map((vm) => [vm.key, vm])),
    hostByRef: new Map(hosts.map((one) => [one.ref, one])),
    datastoreByRef: new Map(datastores.map((one) => [one.ref, one])),
  };
}

interface Context {
  index: InventoryIndex;
  workloads: ReadonlyMap<string, LayoutWorkload>;
  profile: ReadonlyMap<string, ProfileWorkload>;
  templates: Layout['templates'];
}
const none: readonly LayoutVm[] = [];

function tileView(tile: Tile, position: number, context: Context): LayoutTile {
  const vms = tile.workloads.map((assignment) => vmView(assignment, position, context));
  const refs = (pick: (vm: LayoutVm) => NamedRef | null): string[] => [
    ...new Set(vms.flatMap((vm) => pick(vm)?.ref ?? [])),
  ];
  return {
    tile: position,
    vms,
    hostRefs: refs((vm) => vm.host),
    datastoreRefs: refs((vm) => vm.datastore),
    missing: vms.filter((vm) => vm.missing).length,
  };
}

function vmView(
  assignment: Assignment,
  tile: number,
  { index, workloads, profile, templates }: Context,
): LayoutVm {
  const { workloadId, vm, planned, clientId } = assignment;
  const found = vm === null ? undefined : index.vm.get(vm.ref);
  const workload = profile.get(workloadId);
  const actualHost = found?.hostRef == null ? null : index.hostName(found.hostRef);
  const actualDatastores = (found ? largestFirst(found) : []).map((ref) =>
    index.datastoreName(ref),
  );
  const host = planned?.host ?? actualHost,
    datastore = planned?.datastore ?? actualDatastores[0] ?? null;
  const size = sizeOf(found, index.vm.get(templates[workloadId]?.ref ?? ''), workload);
  const missingWhy = vm === null ? 'unassigned' : index.known && !found ? 'notDiscovered' : null;
  const params = { ...workload?.params, ...assignment.params };
  return {
    key: slotKey(tile, workloadId),
    tile,
    workload: workloads.get(workloadId) ?? {
      id: workloadId,
      name: workloadId,
      role: '',
      driver: '',
      ordinal: workloads.size,
      letter: '?',
      known: false,
    },
    vm,
    missing: missingWhy !== null,
    missingWhy,
    host,
    hostFrom: planned?.host ? 'planned' : actualHost ? 'actual' : null,
    actualHost,
    datastore,
    datastoreFrom: planned?.datastore ? 'planned' : datastore ? 'actual' : null,
    actualDatastores,
    moves:
      found !== undefined &&
      ((planned?.host != null && planned.host.ref !== found.hostRef) ||
        (planned?.datastore != null && !found.datastoreRefs.includes(planned.datastore.ref))),
    ...size,
    powerState: found?.powerState ?? null,
    snapshotCount: found?.snapshotCount ?? null,
    clientId,
    params,
    outstanding: workload ? outstandingOf(workload.driver, params) : null,
  };
}

function sizeOf(
  found: VmInfo | undefined,
  template: VmInfo | undefined,
  workload: ProfileWorkload | undefined,
): Pick<LayoutVm, 'vcpus' | 'memoryMb' | 'diskBytes' | 'reservedMb' | 'sizeFrom'> {
  const like = found ?? template;
  if (like)
    return {
      vcpus: like.vcpus,
      memoryMb: like.memoryMb,
      diskBytes: diskBytesOf(like),
      reservedMb: like.memory?.reservation ?? null,
      sizeFrom: found ? 'vm' : 'template',
    };
  // A workload served by VMs of several kinds does not say which of them is meant.
  const vcpus = workload?.vms?.length === 1 ? workload.vms[0]!.vcpus : null;
  return {
    vcpus,
    memoryMb: null,
    diskBytes: null,
    reservedMb: null,
    sizeFrom: vcpus === null ? null : 'profile',
  };
}

/**
 * Datastores of a VM, that with most of its disk space first: there it counts. In vCenter's order
 * where sizes are not known.
 */
function largestFirst({ datastoreRefs, disks }: VmInfo): readonly string[] {
  if (datastoreRefs.length < 2 || !disks) return datastoreRefs;
  const bytes = (ref: string): number =>
    disks.reduce((sum, disk) => sum + (disk.datastoreRef === ref ? (disk.sizeBytes ?? 0) : 0), 0);
  return [...datastoreRefs].sort((a, b) => bytes(b) - bytes(a));
}

/**
 * Bytes of a VM's disks at their full size: thin disks grow. null where discovery did not read
 * them.
 */
function diskBytesOf(vm: VmInfo): number | null {
  const sizes = vm.disks?.map((disk) => disk.sizeBytes);
  if (sizes && sizes.length > 0 && sizes.every((size) => size !== null))
    return sizes.reduce((sum, size) => sum + size, 0);
  return vm.committedBytes == null ? null : vm.committedBytes + (vm.uncommittedBytes ?? 0);
}

function hostsOf(
  index: InventoryIndex,
  all: readonly LayoutVm[],
  byHost: ReadonlyMap<string, LayoutVm[]>,
  layout: Layout | undefined,
): LayoutHost[] {
  const chosen = new Set(layout?.hosts.map(({ ref }) => ref));
  const row = (ref: string, name: string, info: HostInfo | null): LayoutHost => ({
    ref,
    name,
    info,
    clusterRef: info?.clusterRef ?? null,
    clusterName: info?.clusterRef ? index.clusterName(info.clusterRef) : null,
    cores: info?.cores ?? null,
    threads: info?.threads ?? null,
    memoryMb: info?.memoryBytes == null ? null : info.memoryBytes / 1_048_576,
    maintenance: info?.maintenance ?? false,
    connected: info === null ? null : info.connectionState === 'connected',
    underTest: chosen.size > 0 ? chosen.has(ref) : byHost.has(ref),
    vms: byHost.get(ref) ?? none,
  });
  const strangers = unknown(
    [...(layout?.hosts ?? []), ...all.flatMap((vm) => vm.host ?? [])],
    index.host,
  );
  return [
    ...index.hosts.map((info) => row(info.ref, info.name, info)),
    ...strangers.map(({ ref, name }) => row(ref, name, null)),
  ];
}

function datastoresOf(
  index: InventoryIndex,
  all: readonly LayoutVm[],
  byDatastore: ReadonlyMap<string, LayoutVm[]>,
  layout: Layout | undefined,
): LayoutDatastore[] {
  const chosen = new Set(layout?.datastores.map(({ ref }) => ref));
  const row = (ref: string, name: string, info: DatastoreInfo | null): LayoutDatastore => {
    const depths = info?.luns.flatMap((lun) => lun.queueDepth ?? []) ?? [];
    return {
      ref,
      name,
      info,
      capacityBytes: info?.capacityBytes ?? null,
      freeBytes: info?.freeBytes ?? null,
      queueDepth: depths.length > 0 ? Math.min(...depths) : null,
      lunCount: info?.luns.length ?? null,
      accessible: info?.accessible ?? null,
      hostRefs: info?.hostRefs ?? [],
      maintenance: layout?.maintenanceDatastore?.ref === ref,
      underTest: chosen.size > 0 ? chosen.has(ref) : byDatastore.has(ref),
      vms: byDatastore.get(ref) ?? none,
    };
  };
  const strangers = unknown(
    [
      ...(layout?.datastores ?? []),
      ...(layout?.maintenanceDatastore ? [layout.maintenanceDatastore] : []),
      ...all.flatMap((vm) => vm.datastore ?? []),
    ],
    index.datastore,
  );
  return [
    ...index.datastores.map((info) => row(info.ref, info.name, info)),
    ...strangers.map(({ ref, name }) => row(ref, name, null)),
  ];
}

/** Places that the layout names and discovery did not find, once each. */
function unknown(named: readonly NamedRef[], known: ReadonlyMap<string, unknown>): NamedRef[] {
  return [
    ...new Map(named.filter(({ ref }) => !known.has(ref)).map((one) => [one.ref, one])).values(),
  ];
}

/** Rows equal to the previous ones, member by member, keep their identity. */
function reuse<T extends { vms: readonly LayoutVm[] }>(
  rows: readonly T[],
  previous: readonly T[] | undefined,
  keyOf: (row: T) => string,
): readonly T[] {
  if (!previous) return rows;
  const before = new Map(previous.map((row) => [keyOf(row), row]));
  return rows.map((row) => {
    const was = before.get(keyOf(row));
    return was && equal(was, row) ? was : row;
  });
}
function equal<T extends { vms: readonly LayoutVm[] }>(a: T, b: T): boolean {
  if (a.vms.length !== b.vms.length || a.vms.some((vm, i) => vm !== b.vms[i])) return false;
  return (Object.keys(b) as (keyof T)[]).every((key) => key === 'vms' || a[key] === b[key]);
}

/** Workloads with a letter each. */
function workloadsOf(profile: Profile): LayoutWorkload[] {
  const letters = workloadLetters(profile.workloads.map(({ id }) => id));
  return profile.workloads.map(({ id, name, role, driver }, ordinal) => ({
    id,
    name,
    role,
    driver,
    ordinal,
    letter: letters[ordinal]!,
    known: true,
  }));
}
