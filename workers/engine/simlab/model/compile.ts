import { coreSpeedOf, type LabHost } from '../../../../src/core/lab/lab.ts';
import { coldShare } from './demand.ts';
import { hostMemory, type MemoryState, pagingDelayMs } from './memory.ts';
import { uplinkStations } from './network.ts';
import { pinnedMemoryFactor } from './networkDevices.ts';
import type { ActiveLoad, LabState, PlacedVm } from './solverTypes.ts';
import { type StorageTopology, storageTopology } from './storageTopology.ts';

/** CPU a powered-on guest takes for its timers, in reference cores a vCPU. */
const timerWork = 0.002;
/** Client CPU an operation: a fixed part in ms, and a part of what the server spends on it. */
const clientFixedMs = 0.02,
  clientShare = 0.1;

/** One host as a station. */
export interface HostStation {
  host: LabHost;
  up: boolean;
  /** Hardware threads, and work a second of one core. */
  threads: number;
  speed: number;
  /**
   * Work a second with everything busy, before a power cap, and the part the hypervisor takes for
   * moves.
   */
  capacity: number;
  movesWork: number;
  capW: number | undefined;
  vms: VmStation[];
  memory: MemoryState;
  /** Powered-on guests without load. */
  idleWork: number;
  /* Iterated. */
  clock: number;
  pressure: number;
  work: number;
  /** vCPUs that wait for a thread. */ waiting: number;
  /** How many times longer a swap-in takes than alone. */ swapStretch: number;
}
/** One VM under load as a station inside its host. */
export interface VmStation {
  placed: PlacedVm;
  entitlement: number;
  reserved: number;
  loads: LoadStation[];
  /* Iterated: use, and how hard the scheduler's delay hits it. */ usage: number;
  weight: number;
  moving: boolean;
}
/** One closed class. */
export interface LoadStation {
  load: ActiveLoad;
  users: number;
  host: HostStation;
  vm: VmStation;
  /**
   * Work of the guest itself in reference-core ms, and on the hypervisor for packets (iterated).
   */
  cpuMs: number;
  packetMs: number;
  pagingMs: number;
  /** Of it the work of swap disks; the rest is waiting for them. */ swapWorkMs: number;
  /** For what is outside the lab. */ waitMs: number;
  clientWorkMs: number;
  clientIndex: number;
  uplinks: { index: number; demandMs: number }[];
  streams: StreamStation[];
  /* Iterated. */
  cpuResidence: number;
  queued: number;
  ioMs: number;
  netMs: number;
  clientMs: number;
  clientQueueMs: number;
  netQueueMs: number;
  opsPerS: number;
}
/** One I/O stream of a class at a datastore. */
export interface StreamStation {
  ofLoad: LoadStation | null;
  copyId: string | null;
  hostId: string;
  datastoreId: string;
  extents: readonly number[] | undefined;
  perOp: number;
  parallel: number;
  sizeKb: number;
  readShare: number;
  randomShare: number;
  hitShare: number;
  latencyMs: number;
  deviceMs: number;
  kernelMs: number;
  iops: number;
}
export interface ClientStation {
  id: string;
  cores: number;
  speed: number;
  queued: number;
  work: number;
  /** Share of its processors that other work has. */ taken: number;
}
export interface Compiled {
  state: LabState;
  hosts: HostStation[];
  loads: LoadStation[];
  refused: ActiveLoad[];
  streams: StreamStation[];
  clients: ClientStation[];
  uplinkQueues: Float64Array;
  uplinkKeys: string[];
  copyUsers: Map<string, StreamStation[]>;
  storage: StorageTopology;
}

const active = (state: LabState, kind: string, targetId: string): number | undefined =>
  state.faults.find((fault) => fault.kind === kind && fault.targetId === targetId)?.amount;

/** Stations and classes of one state, with first guesses for what is iterated. */
export function compile(state: LabState): Compiled {
  const { spec } = state;
  const stations = new Map<string, HostStation>();
  for (const host of spec.hosts) stations.set(host.id, hostStation(host, state));
  const vmStations = new Map<string, VmStation>();
  const loads: LoadStation[] = [],
    refused: ActiveLoad[] = [],
    streams: StreamStation[] = [];
  const clients = spec.clients.map((client): ClientStation => {
    const taken = active(state, 'clientSaturated', client.id);
    const left = taken === undefined ? 1 : taken < 1 ? 1 - taken : 1 / (1 + taken);
    return {
      id: client.id,
      cores: client.cores,
      speed: client.coreSpeed * left,
      queued: 0,
      work: 0,
      taken: 1 - left,
    };
  });
  const clientIndex = new Map(clients.map((client, index) => [client.id, index]));
  const uplinkIndex = new Map<string, number>();
  for (const load of state.loads) {
    const placed = state.placed.get(load.vmId);
    const host = placed ? stations.get(placed.hostId) : undefined;
    if (!placed || !placed.poweredOn || !host?.up) {
      refused.push(load);
      continue;
    }
    if (load.users <= 0) continue;
    let vm = vmStations.get(load.vmId);
    if (!vm) {
      vm = {
        placed,
        entitlement: 0,
        reserved: (placed.vm.reservationMhz / 1000 / host.host.ghz) * host.speed,
        loads: [],
        usage: 0,
        weight: 1,
        moving: state.memoryCopies.some((copy) => copy.vmId === load.vmId),
      };
      vmStations.set(load.vmId, vm);
      host.vms.push(vm);
    }
    const station = loadStation(state, load, host, vm, clientIndex, uplinkIndex);
    vm.loads.push(station);
    loads.push(station);
    streams.push(...station.streams);
  }
  const copyUsers = new Map<string, StreamStation[]>();
  for (const copy of state.diskCopies) {
    const pair = [
      copyStream(copy.id, copy.hostId, copy.fromDatastoreId, 1),
      copyStream(copy.id, copy.hostId, copy.toDatastoreId, 0),
    ];
    copyUsers.set(copy.id, pair);
    streams.push(...pair);
  }
  for (const station of stations.values()) entitle(station);
  return {
    state,
    hosts: [...stations.values()],
    loads,
    refused,
    streams,
    clients,
    uplinkQueues: new Float64Array(uplinkIndex.size),
    uplinkKeys: [...uplinkIndex.keys()],
    copyUsers,
    storage: storageTopology(spec, { faults: state.faults, metadataPerS: metadataOf(state) }),
  };
}

function hostStation(host: LabHost, state: LabState): HostStation {
  const cores = host.sockets * host.coresPerSocket,
    threads = host.hyperThreadGain > 1 ? 2 * cores : cores;
  const moves =
    state.memoryCopies.filter((copy) => copy.fromHostId === host.id || copy.toHostId === host.id)
      .length + state.diskCopies.filter((copy) => copy.hostId === host.id).length;
  const fault = active(state, 'powerCap', host.id);
  const on = [...state.placed.values()].filter(
    (placed) => placed.hostId === host.id && placed.poweredOn,
  );
  const memory = hostMemory(
    host.memoryGb,
    on.map((placed) => placed.vm.memoryMb),
    host.virtual,
    active(state, 'memoryPressure', host.id) ?? 0,
  );
  const perMove = (state.spec.vmotion.cpuMhz / 1000 / host.ghz) * coreSpeedOf(host);
  const capacity = cores * coreSpeedOf(host) * host.hyperThreadGain;
  return {
    host,
    up: active(state, 'hostDown', host.id) === undefined,
    threads,
    speed: coreSpeedOf(host),
    capacity,
    movesWork: Math.min(capacity * 0.5, moves * perMove),
    capW: fault ?? host.power.capW,
    vms: [],
    memory,
    idleWork: host.virtual ? on.reduce((sum, placed) => sum + placed.vm.vcpus, 0) * timerWork : 0,
    clock: 1,
    pressure: 0,
    work: 0,
    waiting: 0,
    swapStretch: 1,
  };
}

/**
 * Shares become work a second: each VM's part of the host among the VMs that run, and never more
 * than its vCPUs.
 */
function entitle(station: HostStation): void {
  const sharesOf = (placed: PlacedVm): number => placed.vm.shares ?? placed.vm.vcpus * 1000;
  const total = station.vms.reduce((sum, vm) => sum + sharesOf(vm.placed), 0);
  for (const vm of station.vms) {
    vm.entitlement = Math.max(
      1e-6,
      ((station.capacity - station.movesWork) * sharesOf(vm.placed)) / total,
    );
    vm.usage = Math.min(vm.entitlement, vm.placed.vm.vcpus * station.speed) / 2;
  }
}

function loadStation(
  state: LabState,
  load: ActiveLoad,
  host: HostStation,
  vm: VmStation,
  clientIndex: Map<string, number>,
  uplinkIndex: Map<string, number>,
): LoadStation {
  const { demand } = load,
    { overhead } = host.host,
    guest = vm.placed.vm;
  const perOp =
    demand.io.reduce((sum, io) => sum + io.perOp * coldShare(io, load.warmS ?? 0), 0) *
    load.ioFactor;
  const guestMs =
    demand.cpuMsPerOp *
    (guest.bits === 32 ? demand.factor32Bit : 1) *
    pinnedMemoryFactor(host.host, guest);
  const cpuMs = guestMs * (1 + overhead.cpuShare) + (perOp * overhead.usPerIo) / 1000;
  const net = demand.net,
    traffic = net.packetsInPerOp + net.packetsOutPerOp > 0;
  const flow = {
    id: load.id,
    hostId: host.host.id,
    vmId: load.vmId,
    packetsInPerS: net.packetsInPerOp,
    packetsOutPerS: net.packetsOutPerOp,
    bytesInPerS: net.bytesInPerOp,
    bytesOutPerS: net.bytesOutPerOp,
    addressPairs: load.users,
  };
  const uplinks = !traffic
    ? []
    : uplinkStations(state.spec, state.network, flow).map(({ key, demandMs }) => {
        const index = uplinkIndex.get(key) ?? uplinkIndex.size;
        uplinkIndex.set(key, index);
        return { index, demandMs };
      });
  const station: LoadStation = {
    load,
    users: load.users,
    host,
    vm,
    cpuMs,
    packetMs: 0,
    pagingMs: pagingDelayMs(host.memory, guestMs),
    swapWorkMs: pagingDelayMs(host.memory, guestMs),
    waitMs: demand.waitMs ?? 0,
    clientWorkMs: load.clientId === null ? 0 : clientFixedMs + clientShare * demand.cpuMsPerOp,
    clientIndex: load.clientId === null ? -1 : (clientIndex.get(load.clientId) ?? -1),
    uplinks,
    streams: [],
    cpuResidence: cpuMs,
    queued: 0,
    ioMs: perOp * 5,
    netMs: 0,
    clientMs: 0,
    clientQueueMs: 0,
    netQueueMs: 0,
    opsPerS: 0,
  };
  const parallel = Math.max(1, Math.min(demand.outstanding, perOp));
  station.streams = demand.io
    .filter((io) => io.perOp > 0)
    .map((io) => ({
      ofLoad: station,
      copyId: null,
      hostId: host.host.id,
      datastoreId: vm.placed.datastoreId,
      perOp: io.perOp * coldShare(io, load.warmS ?? 0) * load.ioFactor,
      parallel,
      extents: io.luns,
      sizeKb: io.sizeKb,
      readShare: io.readShare,
      randomShare: io.randomShare,
      hitShare: io.hitShare,
      latencyMs: 5,
      deviceMs: 5,
      kernelMs: 0,
      iops: 0,
    }));
  return station;
}

/**
 * Metadata updates a second of a file that grows under a copy. The choice of this model: each new
 * block group is locked and entered.
 */
const updatesOfCopy = 2;
function metadataOf(state: LabState): Map<string, number> {
  const updates = new Map<string, number>();
  for (const { toDatastoreId } of state.diskCopies)
    updates.set(toDatastoreId, (updates.get(toDatastoreId) ?? 0) + updatesOfCopy);
  return updates;
}

/** A copy keeps four requests of 64 KB under way, as the field's data mover did. */
export const copyOutstanding = 4;
const copyStream = (
  copyId: string,
  hostId: string,
  datastoreId: string,
  readShare: number,
): StreamStation => ({
  ofLoad: null,
  copyId,
  hostId,
  datastoreId,
  extents: undefined,
  perOp: 1,
  parallel: 1,
  sizeKb: 64,
  readShare,
  randomShare: 0,
  hitShare: 0,
  latencyMs: 5,
  deviceMs: 5,
  kernelMs: 0,
  iops: 0,
});
