import { counted } from '../base/counted.ts';
import type { LayoutVm, SlotKey } from '../testbed/layoutModel.ts';
import type { NamedRef } from '../testbed/testbed.ts';

/** Host of each slot. */
export type Placement = Map<SlotKey, NamedRef>;
/** A host as placement sees it; null = not read. */
export interface HostRoom extends NamedRef {
  cores: number | null;
  memoryMb: number | null;
}
/** Refs of the hosts that mount the datastores of a unit's VMs; null = all, as far as is known. */
export type AbleHosts = (unit: Unit) => ReadonlySet<string> | null;
/** What is placed as one: the VMs of a tile, or one VM. */
export type Unit = readonly LayoutVm[];

/** Places the i-th unit where `hostOf` says. */
export function placeTiles(units: readonly Unit[], hostOf: (i: number) => NamedRef): Placement {
  return new Map(
    units.flatMap((unit, i) => {
      const { ref, name } = hostOf(i);
      return unit.map((vm) => [vm.key, { ref, name }] as const);
    }),
  );
}

/**
 * A size that nobody knows counts as one vCPU, so that such VMs are dealt out evenly, and as no
 * memory.
 */
const vcpusOf = (unit: Unit): number => unit.reduce((sum, vm) => sum + (vm.vcpus ?? 1), 0);
const memoryOf = (unit: Unit): number => unit.reduce((sum, vm) => sum + (vm.memoryMb ?? 0), 0);

interface Size {
  vcpus: number;
  memoryMb: number;
}
interface Load {
  host: HostRoom;
  vcpus: number;
  memoryMb: number;
}
const cores = (host: HostRoom): number => host.cores ?? 1;

/** Load of a host after it takes a unit of this size: the fuller of CPU and memory. */
function share({ host, vcpus, memoryMb }: Load, size: Size): number {
  const cpu = (vcpus + size.vcpus) / cores(host);
  const memory = host.memoryMb ? (memoryMb + size.memoryMb) / host.memoryMb : 0;
  return Math.max(cpu, memory);
}

const largestFirst = (units: readonly Unit[]): Unit[] =>
  units
    .map((unit, i) => ({ unit, i, size: vcpusOf(unit), memory: memoryOf(unit) }))
    .sort((a, b) => b.size - a.size || b.memory - a.memory || a.i - b.i)
    .map(({ unit }) => unit);

/** Hosts that can run a unit; all of them where none can, for a rule tells that. */
function ableTo(unit: Unit, loads: readonly Load[], ableHosts: AbleHosts): readonly Load[] {
  const refs = ableHosts(unit);
  const able = refs === null ? loads : loads.filter(({ host }) => refs.has(host.ref));
  return able.length > 0 ? able : loads;
}

function leastLoaded(loads: readonly Load[], unit: Unit): Load {
  const size = { vcpus: vcpusOf(unit), memoryMb: memoryOf(unit) };
  let best = loads[0]!,
    least = share(best, size);
  for (const one of loads) {
    const after = share(one, size);
    if (after < least) {
      best = one;
      least = after;
    }
  }
  return best;
}

/** The hosts in turn; one that cannot run a unit is passed over. */
export function dealHosts(
  units: readonly Unit[],
  hosts: readonly NamedRef[],
  ableHosts: AbleHosts,
): Placement {
  return placeTiles(units, (i) => {
    const turn = hosts.map((_, n) => hosts[(i + n) % hosts.length]!);
    const refs = ableHosts(units[i]!);
    return turn.find(({ ref }) => refs === null || refs.has(ref)) ?? turn[0]!;
  });
}

/** Each unit, the largest first, onto the host that is least loaded with it. */
export function spreadHosts(
  units: readonly Unit[],
  hosts: readonly HostRoom[],
  ableHosts: AbleHosts,
): Placement {
  const loads = hosts.map((host): Load => ({ host, vcpus: 0, memoryMb: 0 }));
  return place(largestFirst(units), (unit) => leastLoaded(ableTo(unit, loads, ableHosts), unit));
}

/**
 * Fills host after host up to the limits: first-fit decreasing. What fits nowhere goes to the host
 * it overfills least, and a note says so. First-fit can miss a tight packing; where it does and
 * spreading holds the limits, the spread placement is taken.
 */
export function packHosts(
  units: readonly Unit[],
  hosts: readonly HostRoom[],
  ableHosts: AbleHosts,
  { vcpusPerCore, memoryShare }: { vcpusPerCore: number; memoryShare: number },
  notes: string[],
): Placement {
  const loads = hosts.map((host): Load => ({ host, vcpus: 0, memoryMb: 0 }));
  const fits = (load: Load, unit: Unit): boolean =>
    (load.host.cores === null ||
      load.vcpus + vcpusOf(unit) <= load.host.cores * vcpusPerCore + 1e-9) &&
    (load.host.memoryMb === null ||
      load.memoryMb + memoryOf(unit) <= load.host.memoryMb * memoryShare + 1e-9);
  const over: Unit[] = [];
  const packed = place(largestFirst(units), (unit) => {
    const able = ableTo(unit, loads, ableHosts);
    const room = able.find((load) => fits(load, unit));
    if (room) return room;
    over.push(unit);
    return leastLoaded(able, unit);
  });
  const unread = hosts.filter((host) => host.cores === null || host.memoryMb === null);
  if (unread.length > 0)
    notes.push(
      `${unread.map(({ name }) => name).join(', ')}: cores or memory are not read, so packing does not bound them.`,
    );
  const unsized = units.flat().filter((vm) => vm.vcpus === null || vm.memoryMb === null).length;
  if (unsized > 0)
    notes.push(
      `${counted(unsized, 'VM')} without a known size: each counts as one vCPU and no memory ` +
        'where its figure is missing.',
    );
  if (over.length === 0) return packed;
  const spread = spreadHosts(units, hosts, ableHosts);
  if (holds(units, spread, hosts, fits)) return spread;
  notes.push(
    `${over.length} of ${units.length} ` +
      `${units.every((unit) => unit.length === 1) ? 'VMs' : 'tiles'} fit on no host within ` +
      `${vcpusPerCore} vCPUs a core and ${Math.round(memoryShare * 100)} % of memory; they are ` +
      'on the hosts they overfill least.',
  );
  return packed;
}

/** Puts each unit where `choose` says, and adds it to the load there. */
function place(units: readonly Unit[], choose: (unit: Unit) => Load): Placement {
  const placement: Placement = new Map();
  for (const unit of units) {
    const load = choose(unit);
    load.vcpus += vcpusOf(unit);
    load.memoryMb += memoryOf(unit);
    const { ref, name } = load.host;
    for (const vm of unit) placement.set(vm.key, { ref, name });
  }
  return placement;
}

/** Whether no host is fuller than its limits. */
function holds(
  units: readonly Unit[],
  placement: Placement,
  hosts: readonly HostRoom[],
  fits: (load: Load, unit: Unit) => boolean,
): boolean {
  return hosts.every((host) =>
    fits(
      { host, vcpus: 0, memoryMb: 0 },
      units.flat().filter((vm) => placement.get(vm.key)?.ref === host.ref),
    ),
  );
}
