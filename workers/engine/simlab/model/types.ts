import type { LabFault, LabSpec, WorkloadDemand } from '../../../../src/core/lab/lab.ts';
import type { PacketLoad } from './networkTypes.ts';

/**
 * The model behind the simulated edges. Discrete time: state holds between steps; every step solves
 * the closed network of all running loads over hosts' CPUs, LUNs and uplinks, then adds seeded
 * noise when it is read. Pure of the engine: no clock, no I/O, no randomness but the seed.
 */

/** One load as a simulated program asked for it. */
export interface LoadSpec {
  id: string;
  /** VM that is loaded, and the client that drives it; null = the driver runs inside the VM. */
  vmId: string;
  clientId: string | null;
  demand: WorkloadDemand;
}

/** Means over a span of time. Latencies in ms of one operation as the driver would see them. */
export interface LoadReport {
  throughput: number;
  opsPerS: number;
  latencyMeanMs: number;
  latencyP95Ms: number;
  latencyP99Ms: number;
  latencyMaxMs: number;
  errorsPerS: number;
  /** Share of operations inside the demand's timeout. */ goodShare: number;
  readIops: number;
  writeIops: number;
  ioLatencyMs: number;
}
export interface HostReport {
  cpuPct: number;
  memoryPct: number;
  netKbps: number;
  powerW: number;
  /** Of nominal capacity: falls with the clock where cpuPct, which counts busy cores, does not. */ usedPct: number;
  /** Sum over the vCPUs under load, in percent of one. */ readyPct: number;
  swapMb: number;
  balloonMb: number;
  swapInKBps: number;
  /** null = no limit is set. */ powerCapW: number | null;
  up: boolean;
}
export interface DatastoreReport {
  readIops: number;
  writeIops: number;
  deviceLatencyMs: number;
  kernelLatencyMs: number;
  outstanding: number;
  readKBps: number;
  writeKBps: number;
}
/** What the model knows of one VM; its memory it does not tell apart. */
export interface VmReport extends PacketLoad {
  /** Of all its vCPUs, in percent. */ cpuPct: number;
  /** Summed over its vCPUs, in percent of one. */ readyPct: number;
  diskKBps: number;
  netKbps: number;
}
export interface UplinkReport extends PacketLoad {
  hostId: string;
  uplinkId: string;
  kbps: number;
  utilisation: number;
}
export interface LabEvent {
  /** From 1, in order. */ key: number;
  tMs: number;
  vmId: string | null;
  /** Where a VM runs from then on. */ hostId?: string;
  byDrs?: boolean;
  type:
    | 'power'
    | 'haRestart'
    | 'drsMove'
    | 'vmotion'
    | 'svmotion'
    | 'uplinkMove'
    | 'fault'
    | 'recovered';
  text: string;
}

/** `entering`: its VMs are to leave; `out`: disconnected from vCenter. */
export type LabHostState = 'in' | 'entering' | 'maintenance' | 'out';

export interface LabDrs {
  enabled: boolean;
  behavior: string;
  stars: number;
}
export interface LabModel {
  readonly spec: LabSpec;
  /** Virtual epoch ms up to which the model has been advanced. */
  nowMs(): number;
  /** Steps up to `toMs`; cheap while nothing changes. */
  advance(toMs: number): void;
  startLoad(load: LoadSpec): void;
  stopLoad(id: string): void;
  /**
   * Means over (fromMs, toMs], noise included; null where the load did not run or history is older
   * than an hour.
   */
  load(id: string, fromMs: number, toMs: number): LoadReport | null;
  host(hostId: string, fromMs: number, toMs: number): HostReport | null;
  vm(vmId: string, fromMs: number, toMs: number): VmReport | null;
  datastore(datastoreId: string, fromMs: number, toMs: number): DatastoreReport | null;
  uplinks(hostId: string, fromMs: number, toMs: number): UplinkReport[];
  /** The uplink that carries each adapter of each VM now; the first adapter is 0. */
  ports(): { vmId: string; adapter: number; hostId: string; uplinkId: string }[];
  /** Busy share of a client machine's processors in percent; null where it is unknown. */
  client(clientId: string, fromMs: number, toMs: number): number | null;
  events(sinceMs: number): LabEvent[];
  /** Where each VM is now. */
  placement(): ReadonlyMap<string, { hostId: string; datastoreId: string; poweredOn: boolean }>;
  /**
   * Seconds a vMotion or Storage vMotion takes under the present load. The move happens when the
   * time has passed.
   */
  relocate(vmId: string, target: { hostId?: string; datastoreId?: string }): { seconds: number };
  /**
   * Seconds a clone of a VM's disks to a datastore takes under the present load; the copy loads the
   * storage meanwhile. Add the VM afterwards.
   */
  clone(vmId: string, target: { hostId?: string; datastoreId: string }): { seconds: number };
  addVm(vm: LabSpec['vms'][number]): void;
  removeVm(vmId: string): void;
  setPower(vmId: string, on: boolean): void;
  drs(): LabDrs;
  hostState(hostId: string): LabHostState;
  /** From now on; throws notFound. */
  setHostState(hostId: string, state: LabHostState): void;
  /**
   * Begins moves of running VMs off a host: seconds until the next has ended, null = none is left.
   * Throws conflict where one cannot go.
   */
  evacuate(hostId: string): number | null;
  /** The VM runs on so many snapshots from now on. */
  setSnapshots(vmId: string, count: number): void;
  /** From now on; DRS that is not fully automated only recommends, and nobody follows. */
  setDrs(change: Partial<LabDrs>): void;
  addFault(fault: LabFault): void;
  removeFault(id: string): void;
  activeFaults(tMs: number): readonly LabFault[];
}

/** Makes the model of a lab that starts at an epoch ms. */
export type CreateModel = (spec: LabSpec, startMs: number) => LabModel;
