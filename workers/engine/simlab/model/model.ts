import { fail } from '../../../../src/core/base/errors.ts';
import type { LabSpec, LabVm } from '../../../../src/core/lab/lab.ts';
import { advance, arrive, settle } from './advance.ts';
import { startCopy } from './copies.ts';
import { evacuate, isAvailable, setHostState } from './hosts.ts';
import {
  createLivingLab,
  faultsAt,
  knownDatastore,
  knownHost,
  type LivingLab,
  note,
  replug,
  specForMoves,
  touch,
  unknownIn,
  vmOf,
} from './livingLab.ts';
import { diskCopySeconds, memoryCopyTime } from './moves.ts';
import { portPlaces } from './networkPorts.ts';
import { createNoise } from './noise.ts';
import {
  createEntities,
  readClient,
  readDatastore,
  readHost,
  type ReadingSource,
  readLoad,
  readVm,
} from './readings.ts';
import { copyMbps } from './solutions.ts';
import type { Solution } from './solverTypes.ts';
import type { LabModel, LoadReport, LoadSpec } from './types.ts';
import { readUplinks } from './uplinkReadings.ts';

/**
 * A lab that lives: between events (loads, schedule steps, bursts, faults, moves, DRS, teaming) its
 * state holds and one solution speaks for it; states seen before are not solved again. The past
 * hour is kept as segments. Same spec and same calls at the same times give the same bytes.
 * `solved`: solutions of models of the same machines, kept by state; see `shareSolutions`. Throws
 * notFound for unknown VMs, hosts or datastores.
 */
export function createLabModel(
  spec: LabSpec,
  startMs: number,
  { solved }: { solved?: Map<string, Solution> } = {},
): LabModel {
  const lab = createLivingLab(spec, startMs, solved);
  const source: ReadingSource = {
    spec,
    history: lab.history,
    noise: createNoise(spec.seed),
    entity: createEntities(),
  };
  return {
    spec,
    nowMs: () => lab.nowMs,
    advance: (toMs) => advance(lab, toMs),
    startLoad: (load) => startLoad(lab, load),
    stopLoad: (id) => stopLoad(lab, id),
    load: (id, fromMs, toMs) => readLoadOf(lab, source, id, fromMs, toMs),
    host: (id, fromMs, toMs) =>
      readHost(source, id, Math.max(fromMs, startMs), Math.min(toMs, lab.nowMs)),
    vm: (id, fromMs, toMs) =>
      readVm(source, id, Math.max(fromMs, startMs), Math.min(toMs, lab.nowMs)),
    datastore: (id, fromMs, toMs) =>
      readDatastore(source, id, Math.max(fromMs, startMs), Math.min(toMs, lab.nowMs)),
    uplinks: (id, fromMs, toMs) =>
      readUplinks(source, id, Math.max(fromMs, startMs), Math.min(toMs, lab.nowMs)),
    ports: () => portPlaces(lab.spec.hosts, lab.network),
    client: (id, fromMs, toMs) =>
      readClient(source, id, Math.max(fromMs, startMs), Math.min(toMs, lab.nowMs)),
    events: (sinceMs) => lab.events.filter((event) => event.tMs > sinceMs),
    placement: () => placementOf(lab),
    relocate: (vmId, target) => relocate(lab, vmId, target),
    clone: (vmId, target) => clone(lab, vmId, target),
    addVm: (vm) => addVm(lab, vm),
    removeVm: (vmId) => removeVm(lab, vmId),
    setPower: (vmId, on) => setPower(lab, vmId, on),
    hostState: (hostId) => lab.hostStates.get(knownHost(lab, hostId)) ?? 'in',
    setHostState(hostId, state) {
      settle(lab);
      setHostState(lab, hostId, state);
    },
    evacuate: (hostId) => evacuate(lab, knownHost(lab, hostId), settle(lab)),
    setSnapshots: (vmId, count) => setSnapshots(lab, vmId, count),
    drs: () => lab.balancer.setting(),
    setDrs(change) {
      settle(lab);
      lab.balancer.set(change);
      lab.nextMs = Math.min(lab.nextMs, lab.balancer.nextMs(lab.nowMs));
    },
    addFault(fault) {
      settle(lab);
      setFaults(lab, [...lab.faults.filter((one) => one.id !== fault.id), fault]);
    },
    removeFault(id) {
      settle(lab);
      setFaults(
        lab,
        lab.faults.filter((one) => one.id !== id),
      );
    },
    activeFaults: (tMs) => faultsAt(lab, tMs),
  };
}

function startLoad(lab: LivingLab, load: LoadSpec): void {
  vmOf(lab, load.vmId);
  if (load.clientId !== null && !lab.spec.clients.some((client) => client.id === load.clientId))
    throw unknownIn(lab, 'client', load.clientId);
  arrive(lab);
  lab.loads.set(load.id, { load, startMs: lab.nowMs, endMs: null });
  touch(lab);
}

function stopLoad(lab: LivingLab, id: string): void {
  const one = lab.loads.get(id);
  if (!one || one.endMs !== null) return;
  arrive(lab);
  one.endMs = lab.nowMs;
  touch(lab);
}

function readLoadOf(
  lab: LivingLab,
  source: ReadingSource,
  id: string,
  fromMs: number,
  toMs: number,
): LoadReport | null {
  const one = lab.loads.get(id);
  if (!one) return null;
  const from = Math.max(fromMs, one.startMs),
    to = Math.min(toMs, one.endMs ?? lab.nowMs, lab.nowMs);
  return to > from ? readLoad(source, id, one.load.demand.unitsPerOp, from, to) : null;
}

const placementOf = (lab: LivingLab): ReturnType<LabModel['placement']> =>
  (lab.placement ??= new Map(
    [...lab.placed].map(([id, { hostId, datastoreId, poweredOn }]) => [
      id,
      { hostId, datastoreId, poweredOn },
    ]),
  ));

/**
 * Moves a VM to another host, another datastore or both, disks first: seconds from now to the end.
 * Throws conflict for a running VM that owns a device of its host.
 */
function relocate(
  lab: LivingLab,
  vmId: string,
  target: { hostId?: string; datastoreId?: string },
): { seconds: number } {
  const vm = vmOf(lab, vmId);
  if (
    target.hostId !== undefined &&
    target.hostId !== vm.hostId &&
    vm.poweredOn &&
    vm.vm.device === 'passthrough'
  )
    throw fail(
      'conflict',
      `${vmId} owns a device of ${vm.hostId}: it cannot move while it runs`,
      'Power it off first, or give it a virtual adapter.',
    );
  const solution = settle(lab);
  if (
    target.hostId !== undefined &&
    knownHost(lab, target.hostId) !== vm.hostId &&
    !isAvailable(lab, target.hostId)
  )
    throw fail(
      'conflict',
      `${target.hostId} takes no VM now: it is down, in maintenance mode or disconnected`,
      'Choose another host.',
    );
  let endMs = lab.nowMs;
  if (
    target.datastoreId !== undefined &&
    knownDatastore(lab, target.datastoreId) !== vm.datastoreId
  ) {
    const mbps = copyMbps(lab, vm.hostId, vm.datastoreId, target.datastoreId);
    endMs = startCopy(lab, {
      kind: 'disk',
      vmId,
      toHostId: vm.hostId,
      toDatastoreId: target.datastoreId,
      byDrs: false,
      seconds: diskCopySeconds(vm, mbps),
      mbps,
    }).endMs;
  }
  if (target.hostId !== undefined && knownHost(lab, target.hostId) !== vm.hostId)
    endMs = startCopy(lab, {
      kind: 'memory',
      vmId,
      toHostId: target.hostId,
      toDatastoreId: target.datastoreId ?? vm.datastoreId,
      byDrs: false,
      ...memoryCopyTime(specForMoves(lab), vm, target.hostId, lab.jobs, solution),
    }).endMs;
  return { seconds: (endMs - lab.nowMs) / 1000 };
}

/** Copies a VM's disks for a clone: seconds from now to the end. */
function clone(
  lab: LivingLab,
  vmId: string,
  target: { hostId?: string; datastoreId: string },
): { seconds: number } {
  const vm = vmOf(lab, vmId);
  settle(lab);
  const toHostId = target.hostId === undefined ? vm.hostId : knownHost(lab, target.hostId);
  const toDatastoreId = knownDatastore(lab, target.datastoreId);
  const mbps = copyMbps(lab, toHostId, vm.datastoreId, toDatastoreId);
  const { endMs } = startCopy(lab, {
    kind: 'clone',
    vmId,
    toHostId,
    toDatastoreId,
    byDrs: false,
    seconds: diskCopySeconds(vm, mbps),
    mbps,
  });
  return { seconds: (endMs - lab.nowMs) / 1000 };
}

function addVm(lab: LivingLab, vm: LabVm): void {
  settle(lab);
  lab.placed.set(vm.id, {
    vm,
    hostId: knownHost(lab, vm.hostId),
    datastoreId: knownDatastore(lab, vm.datastoreId),
    poweredOn: vm.poweredOn && !vm.template,
  });
  replug(lab);
}

function removeVm(lab: LivingLab, vmId: string): void {
  vmOf(lab, vmId);
  settle(lab);
  lab.placed.delete(vmId);
  lab.jobs = lab.jobs.filter((job) => job.vmId !== vmId);
  replug(lab);
}

function setPower(lab: LivingLab, vmId: string, on: boolean): void {
  const vm = vmOf(lab, vmId);
  settle(lab);
  lab.placed.set(vmId, { ...vm, poweredOn: on && !vm.vm.template });
  note(lab, { vmId, hostId: vm.hostId, type: 'power', text: `${vmId} is ${on ? 'on' : 'off'}` });
  replug(lab);
}

function setSnapshots(lab: LivingLab, vmId: string, count: number): void {
  vmOf(lab, vmId);
  arrive(lab);
  if (count > 0) lab.snapshots.add(vmId);
  else lab.snapshots.delete(vmId);
  touch(lab);
}

/** From now on these are the faults; they act at once. */
function setFaults(lab: LivingLab, faults: LivingLab['faults']): void {
  lab.faults = faults;
  lab.nextMs = lab.nowMs;
  touch(lab);
}
