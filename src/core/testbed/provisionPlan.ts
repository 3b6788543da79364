import { AppError } from '../base/errors.ts';
import type { Profile } from '../profile/profile.ts';
import type { DatastoreInfo, HostInfo, Inventory, VmInfo } from './inventory.ts';
import { cloneNames, type NamedSlot, parsePattern } from './naming.ts';
import { layoutOf, type ProvisionPlan, type ProvisionPlanItem } from './provision.ts';
import type { Assignment, Layout, NamedRef, Testbed } from './testbed.ts';

/** What is known of a template beyond the inventory. */
export type TemplateSizes = Readonly<Record<string, number | null>>;
interface PlanInput {
  testbed: Testbed;
  profile: Pick<Profile, 'workloads'> | undefined;
  inventory: Inventory | null;
  sizes?: TemplateSizes;
  powerOn?: boolean;
}

const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
const usable = (host: HostInfo): string | null =>
  host.connectionState !== 'connected'
    ? `it is ${host.connectionState === 'notResponding' ? 'not responding' : host.connectionState}`
    : host.maintenance
      ? 'it is in maintenance mode'
      : null;
const mounts = (store: DatastoreInfo, hostRef: string): boolean =>
  store.hostRefs.length === 0 || store.hostRefs.includes(hostRef);
const named = ({ ref, name }: { ref: string; name: string }): NamedRef => ({ ref, name });

type Problem = ProvisionPlanItem['problem'];
const problem = (text: string, hint: string): Problem => ({ text, hint });

/** A workload of a tile, and what it is called by. */
interface Slot {
  assignment: Assignment;
  slot: NamedSlot;
}
/** The inventory by reference, and what of it the plan has given away so far. */
interface Room {
  layout: Layout;
  vms: ReadonlyMap<string, VmInfo>;
  hosts: ReadonlyMap<string, HostInfo>;
  stores: ReadonlyMap<string, DatastoreInfo>;
  /** VMs of this testbed by host. */
  load: Map<string, number>;
  /** Bytes free by datastore; null = not known. */
  left: Map<string, number | null>;
  used: Map<string, ProvisionPlan['stores'][number]>;
}
/** Where one VM is to be made, from what, and how much space that takes. */
interface Place {
  template: NamedRef | null;
  source: VmInfo | undefined;
  host: HostInfo | undefined;
  store: DatastoreInfo | undefined;
  /** null = not known. */
  needBytes: number | null;
}

/**
 * What provisioning would make: one item for each workload whose VM is not assigned or gone, with
 * its name, template, place and space, and why it cannot be made. Places that are planned are kept;
 * others go to the least used host that mounts the datastore, and to the datastore with most space
 * left. Pure, and linear but for the choice of places.
 */
export function provisionPlan({
  testbed,
  profile,
  inventory,
  sizes = {},
  powerOn = true,
}: PlanInput): ProvisionPlan {
  const all = slotsOf(testbed, profile);
  const room = roomOf(testbed, inventory, all);
  const missing = all.filter(
    ({ assignment }) =>
      assignment.vm === null || (inventory !== null && !room.vms.has(assignment.vm.ref)),
  );
  const names = namesFor(
    room.layout.namePattern,
    missing.map(({ slot }) => slot),
    [...room.vms.values()].map((vm) => vm.name),
  );
  const discovered =
    testbed.vcenterId === null
      ? problem('The testbed has no vCenter', 'Choose the vCenter in the testbed.')
      : inventory === null
        ? problem('The vCenter was not discovered yet', 'Discover the inventory.')
        : null;
  const items = missing.map(({ assignment, slot }, i): ProvisionPlanItem => {
    const wanted = assignment.planned;
    const place = placeFor(room, assignment, sizes, powerOn);
    const why =
      discovered ??
      names[i]!.problem ??
      templateProblem(slot, place) ??
      hostProblem(wanted?.host, place.host) ??
      storeProblem(wanted?.datastore, place, room);
    if (why === null) take(room, place);
    return {
      key: slot.key,
      tileIndex: slot.tile,
      workloadId: slot.workloadId,
      name: names[i]!.name,
      lost: assignment.vm?.name ?? null,
      template: place.template,
      needBytes: place.needBytes,
      problem: why,
      host: place.host ? named(place.host) : (wanted?.host ?? null),
      datastore: place.store ? named(place.store) : (wanted?.datastore ?? null),
      hostPlanned: Boolean(wanted?.host),
      datastorePlanned: Boolean(wanted?.datastore),
    };
  });
  return {
    testbedId: testbed.id,
    items,
    present: all.length - missing.length,
    stores: [...room.used.values()],
  };
}

function slotsOf(testbed: Testbed, profile: PlanInput['profile']): Slot[] {
  const roles = new Map((profile?.workloads ?? []).map((workload) => [workload.id, workload.role]));
  return testbed.tiles.flatMap((tile) =>
    tile.workloads.map((assignment) => ({
      assignment,
      slot: {
        key: `${tile.index}/${assignment.workloadId}`,
        tile: tile.index,
        workloadId: assignment.workloadId,
        role: roles.get(assignment.workloadId) ?? assignment.workloadId,
      } satisfies NamedSlot,
    })),
  );
}

function roomOf(testbed: Testbed, inventory: Inventory | null, all: readonly Slot[]): Room {
  const vms = new Map((inventory?.vms ?? []).map((vm) => [vm.ref, vm]));
  const stores = inventory?.datastores ?? [];
  const load = new Map<string, number>();
  for (const { assignment } of all) {
    const at = vms.get(assignment.vm?.ref ?? '')?.hostRef;
    if (at) load.set(at, (load.get(at) ?? 0) + 1);
  }
  return {
    layout: layoutOf(testbed),
    vms,
    hosts: new Map((inventory?.hosts ?? []).map((host) => [host.ref, host])),
    stores: new Map(stores.map((store) => [store.ref, store])),
    load,
    left: new Map(stores.map((store) => [store.ref, store.freeBytes])),
    used: new Map(),
  };
}

function placeFor(
  room: Room,
  { workloadId, planned: wanted }: Assignment,
  sizes: TemplateSizes,
  powerOn: boolean,
): Place {
  const { layout, vms, hosts, stores } = room;
  const template = layout.templates[workloadId] ?? null;
  const source = template ? vms.get(template.ref) : undefined;
  const memoryMb = source?.memoryMb ?? null;
  const swap = !powerOn ? 0 : memoryMb === null ? null : memoryMb * 2 ** 20;
  const size = template ? (sizes[template.ref] ?? null) : null;
  const store = wanted?.datastore
    ? stores.get(wanted.datastore.ref)
    : chooseStore(room, source?.datastoreRefs ?? []);
  const host = wanted?.host
    ? hosts.get(wanted.host.ref)
    : chooseHost(room, source?.hostRef ?? null, store);
  return {
    template,
    source,
    host,
    store,
    needBytes: size === null || swap === null ? null : size + swap,
  };
}

/** Counts a VM that can be made to its host and its datastore. */
function take({ load, left, used }: Room, { host, store, needBytes }: Place): void {
  if (host === undefined || store === undefined) return;
  const free = left.get(store.ref) ?? null;
  left.set(store.ref, free === null || needBytes === null ? free : free - needBytes);
  load.set(host.ref, (load.get(host.ref) ?? 0) + 1);
  const sum = used.get(store.ref) ?? {
    ...named(store),
    count: 0,
    needBytes: 0,
    freeBytes: store.freeBytes,
  };
  used.set(store.ref, {
    ...sum,
    count: sum.count + 1,
    needBytes: sum.needBytes === null || needBytes === null ? null : sum.needBytes + needBytes,
  });
}

function templateProblem({ workloadId }: NamedSlot, { template, source }: Place): Problem {
  if (!template)
    return problem(
      `No template is chosen for ${workloadId}`,
      'Choose one under Templates in the layout.',
    );
  return source
    ? null
    : problem(
        `Template ${template.name} is not in vCenter`,
        'Choose another template, or discover the inventory again.',
      );
}

function hostProblem(wanted: NamedRef | null | undefined, host: HostInfo | undefined): Problem {
  if (!host)
    return wanted
      ? problem(`Planned host ${wanted.name} is not in vCenter`, 'Plan another host.')
      : problem(
          'No usable host mounts the datastore',
          'Plan a host, or take hosts out of maintenance mode.',
        );
  const why = usable(host);
  return why === null
    ? null
    : problem(`Host ${host.name} cannot be used: ${why}`, 'Plan another host, or bring it back.');
}

function storeProblem(
  wanted: NamedRef | null | undefined,
  { host, store, needBytes }: Place,
  { left }: Room,
): Problem {
  if (!store)
    return wanted
      ? problem(`Planned datastore ${wanted.name} is not in vCenter`, 'Plan another datastore.')
      : problem('No datastore is planned, and none can be chosen', 'Plan a datastore.');
  if (!store.accessible)
    return problem(
      `Datastore ${store.name} is not accessible`,
      'Plan another datastore, or bring it back.',
    );
  if (host && !mounts(store, host.ref))
    return problem(
      `Host ${host.name} does not mount datastore ${store.name}`,
      'Plan a host and a datastore that go together.',
    );
  const free = left.get(store.ref) ?? null;
  return needBytes !== null && free !== null && needBytes > free
    ? problem(
        `Datastore ${store.name} has ${gib(Math.max(0, free))} left for it, ` +
          `${gib(needBytes)} are needed`,
        'Plan another datastore, or make room.',
      )
    : null;
}

function namesFor(
  pattern: string,
  slots: readonly NamedSlot[],
  taken: readonly string[],
): { name: string; problem: Problem }[] {
  try {
    return cloneNames(parsePattern(pattern), slots, taken).map(({ name, problem: why }) => ({
      name,
      problem:
        why === null
          ? null
          : problem(
              `${name}: ${why}`,
              why.includes('exists')
                ? 'Assign that VM by name, or change the name pattern.'
                : 'Change the name pattern.',
            ),
    }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const why = problem(error.message, error.hint ?? 'Change the name pattern.');
    return slots.map((slot) => ({ name: slot.key, problem: why }));
  }
}

/**
 * Of the layout's datastores the one with most space left; where the layout has none, where the
 * template is.
 */
function chooseStore(
  { layout, stores, left }: Room,
  home: readonly string[],
): DatastoreInfo | undefined {
  const listed = layout.datastores
    .filter(({ ref }) => ref !== layout.maintenanceDatastore?.ref)
    .flatMap(({ ref }) => stores.get(ref) ?? [])
    .filter((store) => store.accessible);
  if (listed.length === 0) return home.flatMap((ref) => stores.get(ref) ?? [])[0];
  return listed.reduce((best, store) =>
    (left.get(store.ref) ?? -1) > (left.get(best.ref) ?? -1) ? store : best,
  );
}

/**
 * Of the layout's hosts, or else of the template's cluster, the one with the fewest of this
 * testbed's VMs that mounts the datastore.
 */
function chooseHost(
  { layout, hosts, load }: Room,
  homeRef: string | null,
  store: DatastoreInfo | undefined,
): HostInfo | undefined {
  const home = homeRef === null ? undefined : hosts.get(homeRef);
  const listed =
    layout.hosts.length > 0
      ? layout.hosts.flatMap(({ ref }) => hosts.get(ref) ?? [])
      : home
        ? [...hosts.values()].filter(
            (host) =>
              host === home || (host.clusterRef !== null && host.clusterRef === home.clusterRef),
          )
        : [...hosts.values()];
  const fit = listed.filter((host) => usable(host) === null && (!store || mounts(store, host.ref)));
  return fit.length === 0
    ? undefined
    : fit.reduce((best, host) =>
        (load.get(host.ref) ?? 0) < (load.get(best.ref) ?? 0) ? host : best,
      );
}
