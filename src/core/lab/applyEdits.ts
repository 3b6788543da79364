import { counted } from '../base/counted.ts';
import { type AppError, fail } from '../base/errors.ts';
import type { LabHost, LabLun, LabSpec, LabVm } from './lab.ts';
import {
  arrayFigures,
  arrayParts,
  type Figure,
  type HostFigure,
  hostFigures,
  type LabEdit,
  maximumHosts,
  type Raid,
} from './labEdit.ts';

/**
 * The lab with these changes, one after the other. Throws invalidInput, in words, for what the lab
 * does not have and for a value it cannot have.
 */
export const applyEdits = (given: LabSpec, edits: readonly LabEdit[]): LabSpec =>
  edits.reduce(applyEdit, given);

function applyEdit(lab: LabSpec, edit: LabEdit): LabSpec {
  switch (edit.kind) {
    case 'removeHost':
      return withoutHost(lab, edit.id);
    case 'addHost':
      return withHost(lab, edit.id, edit.likeId);
    case 'host':
      return withHostFigure(lab, edit);
    case 'array':
      return withArrayFigure(lab, edit);
    case 'raid':
      demandArrays(lab, edit.ids);
      return withLuns(lab, edit.ids, (lun) => ({ ...lun, raid: edit.raid }));
    case 'disk': {
      demandArrays(lab, edit.ids);
      const { rpm, seekMs, diskMbps } = edit;
      return withLuns(lab, edit.ids, (lun) => ({ ...lun, rpm, seekMs, diskMbps }));
    }
    case 'drs':
      return { ...lab, drs: { ...lab.drs, enabled: edit.enabled, stars: edit.stars } };
  }
}

const missing = (lab: LabSpec, what: string, id: string, ids: readonly string[]): AppError =>
  fail(
    'invalidInput',
    `Lab ${lab.name} has no ${what} ${id}.`,
    ids.length === 0 ? undefined : `It has ${ids.slice(0, 12).join(', ')}.`,
  );

function hostOf(lab: LabSpec, id: string): LabHost {
  const host = lab.hosts.find((one) => one.id === id);
  if (!host)
    throw missing(
      lab,
      'host',
      id,
      lab.hosts.map((one) => one.id),
    );
  return host;
}

function demandArrays(lab: LabSpec, ids: readonly string[]): void {
  for (const id of ids)
    if (arrayParts(lab, id) === undefined)
      throw missing(
        lab,
        'array',
        id,
        lab.arrays.map((one) => one.id),
      );
}

/** Its VMs start where most memory is left; faults that would hit it are gone. */
function withoutHost(lab: LabSpec, id: string): LabSpec {
  hostOf(lab, id);
  const hosts = lab.hosts.filter((host) => host.id !== id);
  const homes = hosts.filter((host) => host.virtual);
  const homeless = lab.vms.filter((vm) => vm.hostId === id).length;
  if (hosts.length === 0 || (homeless > 0 && homes.length === 0))
    throw fail(
      'invalidInput',
      `${id} is the last host that can run ${counted(homeless, 'VM')}.`,
      'Keep one host, or add one first.',
    );
  const leftMb = new Map(homes.map((host) => [host.id, host.memoryGb * 1_024]));
  for (const vm of lab.vms) {
    const left = leftMb.get(vm.hostId);
    if (left !== undefined) leftMb.set(vm.hostId, left - vm.memoryMb);
  }
  const takeHome = ({ memoryMb }: LabVm): string => {
    const [home, left] = [...leftMb].reduce((most, one) => (one[1] > most[1] ? one : most));
    leftMb.set(home, left - memoryMb);
    return home;
  };
  return {
    ...lab,
    hosts,
    vms: lab.vms.map((vm) => (vm.hostId === id ? { ...vm, hostId: takeHome(vm) } : vm)),
    faults: lab.faults.filter(({ targetId }) => targetId !== id && !targetId.startsWith(`${id}/`)),
  };
}

/** With DRS off the new host takes its share of the VMs, evenly from all; with DRS it starts empty. */
function withHost(lab: LabSpec, id: string, likeId: string): LabSpec {
  const like = hostOf(lab, likeId);
  if (lab.hosts.some((host) => host.id === id))
    throw fail('invalidInput', `Lab ${lab.name} has a host ${id} already.`, 'Choose another name.');
  if (lab.hosts.length >= maximumHosts)
    throw fail('invalidInput', `A lab has at most ${maximumHosts} hosts.`);
  if (!like.virtual)
    throw fail(
      'invalidInput',
      `${likeId} is a physical machine that runs its one guest.`,
      'Add a host like one that runs a hypervisor.',
    );
  // Of its own: two hosts of one name could not be told apart.
  const { name: _name, ...alike } = like;
  const hosts = [...lab.hosts, { ...alike, id }];
  const share = hosts.filter((host) => host.virtual).length;
  const moving = new Set(
    lab.drs.enabled
      ? []
      : lab.vms
          .filter((vm) => vm.poweredOn && hostOf(lab, vm.hostId).virtual)
          .filter((_, index) => index % share === share - 1)
          .map((vm) => vm.id),
  );
  return {
    ...lab,
    hosts,
    vms: lab.vms.map((vm) => (moving.has(vm.id) ? { ...vm, hostId: id } : vm)),
  };
}

/** Throws invalidInput, in words, for a figure outside its bounds. */
function checkFigure(
  figure: Pick<Figure<never>, 'label' | 'min' | 'max' | 'whole'>,
  value: number,
): void {
  const { label, min, max, whole } = figure;
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return;
  throw fail(
    'invalidInput',
    `${label}: ${value} is ${whole ? 'no whole number' : 'no number'} from ${min} to ${max}.`,
    `Give ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}.`,
  );
}

const setHostFigure: Record<HostFigure, (host: LabHost, value: number) => LabHost> = {
  coresPerSocket: (host, coresPerSocket) => ({ ...host, coresPerSocket }),
  // What a core does holds at the clock it was given with.
  ghz: (host, ghz) => ({ ...host, ghz, ratedGhz: host.ratedGhz ?? host.ghz }),
  memoryGb: (host, memoryGb) => ({ ...host, memoryGb }),
  uplinkGbps: (host, gbps) => ({
    ...host,
    uplinks: host.uplinks.map((uplink) => ({ ...uplink, gbps })),
  }),
  hbaGbps: (host, gbps) => ({ ...host, hba: { ...host.hba, gbps } }),
  hbaQueueDepth: (host, queueDepth) => ({ ...host, hba: { ...host.hba, queueDepth } }),
};

function withHostFigure(lab: LabSpec, edit: LabEdit & { kind: 'host' }): LabSpec {
  checkFigure(hostFigures[edit.property], edit.value);
  for (const id of edit.ids) hostOf(lab, id);
  const set = setHostFigure[edit.property];
  return {
    ...lab,
    hosts: lab.hosts.map((host) => (edit.ids.includes(host.id) ? set(host, edit.value) : host)),
  };
}

function withArrayFigure(lab: LabSpec, edit: LabEdit & { kind: 'array' }): LabSpec {
  const { property, value, ids } = edit;
  checkFigure(arrayFigures[property], value);
  demandArrays(lab, ids);
  switch (property) {
    case 'disks':
      return ids.reduce((now, id) => withDisks(now, id, value), lab);
    case 'luns':
      return ids.reduce((now, id) => withFewerLuns(now, id, value), lab);
    case 'queueDepth':
      return withLuns(lab, ids, (lun) => ({ ...lun, queueDepth: value }));
    case 'portGbps':
      return {
        ...lab,
        arrays: lab.arrays.map((one) => (ids.includes(one.id) ? { ...one, portGbps: value } : one)),
      };
  }
}

/** Changes the LUNs of some arrays; throws where a RAID level cannot have that many disks. */
function withLuns(lab: LabSpec, ids: readonly string[], change: (lun: LabLun) => LabLun): LabSpec {
  const luns = lab.luns.map((lun) => (ids.includes(lun.arrayId) ? change(lun) : lun));
  for (const lun of luns) if (ids.includes(lun.arrayId)) demandRaid(lun);
  return { ...lab, luns };
}

/** Least disks of a RAID level, and whether they come in pairs. */
const raidNeeds: Record<Raid, { least: number; pairs: boolean }> = {
  0: { least: 1, pairs: false },
  1: { least: 2, pairs: true },
  10: { least: 2, pairs: true },
  5: { least: 3, pairs: false },
  6: { least: 4, pairs: false },
};
function demandRaid({ id, raid, disks }: LabLun): void {
  const { least, pairs } = raidNeeds[raid];
  if (disks >= least && (!pairs || disks % 2 === 0)) return;
  throw fail(
    'invalidInput',
    `LUN ${id} has ${counted(disks, 'disk')}; RAID ${raid} needs ` +
      `${pairs ? 'an even number of them' : `at least ${least}`}.`,
    'Change the number of disks or the RAID level.',
  );
}

/** Disks of one array, in the proportion its LUNs have them now. */
function withDisks(lab: LabSpec, id: string, disks: number): LabSpec {
  const luns = lab.luns.filter((lun) => lun.arrayId === id);
  const now = luns.reduce((sum, lun) => sum + lun.disks, 0);
  const scaled = new Map(luns.map((lun) => [lun.id, (lun.disks * disks) / now]));
  if ([...scaled.values()].some((count) => !Number.isInteger(count) || count < 1)) {
    const step = now / luns.map((lun) => lun.disks).reduce(greatestDivisor, 0);
    throw fail(
      'invalidInput',
      `${counted(disks, 'disk')} cannot be spread over ${counted(luns.length, 'LUN')} as they ` +
        'are now.',
      `Give a multiple of ${step}, or change the number of LUNs.`,
    );
  }
  return withLuns(lab, [id], (lun) => ({ ...lun, disks: scaled.get(lun.id)! }));
}
const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/**
 * The same disks in fewer, larger LUNs: neighbours are joined, and what lay on one of them lies on
 * the joint one.
 */
function withFewerLuns(lab: LabSpec, id: string, count: number): LabSpec {
  const luns = lab.luns.filter((lun) => lun.arrayId === id);
  if (count > luns.length)
    throw fail(
      'invalidInput',
      `${id} has ${counted(luns.length, 'LUN')}: more are not modelled.`,
      `Give a whole number from 1 to ${luns.length}.`,
    );
  if (lab.workloads.some((load) => load.io.some((io) => io.luns !== undefined)))
    throw fail(
      'invalidInput',
      'Loads of this lab name LUNs by their place in a datastore: their number stays.',
      'Change the disks of the LUNs.',
    );
  const disks = luns.reduce((sum, lun) => sum + lun.disks, 0);
  if (disks % count !== 0)
    throw fail(
      'invalidInput',
      `${counted(disks, 'disk')} cannot be shared evenly by ${counted(count, 'LUN')}.`,
      'Change the number of disks first.',
    );
  const sizeGb = luns.reduce((sum, lun) => sum + lun.sizeGb, 0) / count;
  const joint = luns.slice(0, count).map((lun) => ({ ...lun, disks: disks / count, sizeGb }));
  const moved = new Map(
    luns.map((lun, place) => [lun.id, joint[Math.floor((place * count) / luns.length)]!.id]),
  );
  joint.forEach(demandRaid);
  return {
    ...lab,
    luns: lab.luns.flatMap((lun) =>
      lun.arrayId === id ? joint.filter((one) => one.id === lun.id) : [lun],
    ),
    datastores: lab.datastores.map((store) => ({
      ...store,
      lunIds: [...new Set(store.lunIds.map((lunId) => moved.get(lunId) ?? lunId))],
    })),
    faults: lab.faults.map((fault) => ({
      ...fault,
      targetId: moved.get(fault.targetId) ?? fault.targetId,
    })),
  };
}
