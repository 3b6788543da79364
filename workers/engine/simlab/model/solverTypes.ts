import type { LabFault, LabSpec, LabVm, WorkloadDemand } from '../../../../src/core/lab/lab.ts';
import type { NetworkState } from './networkPorts.ts';
import type { NetworkSolution } from './networkTypes.ts';

/** A load with what schedule, bursts and faults make of it now. */
export interface ActiveLoad {
  id: string;
  vmId: string;
  clientId: string | null;
  demand: WorkloadDemand;
  /** Users now. */ users: number;
  ioFactor: number;
  /** Seconds its caches have filled. */ warmS?: number;
}
/** Where a VM is now. */
export interface PlacedVm {
  vm: LabVm;
  hostId: string;
  datastoreId: string;
  poweredOn: boolean;
}
/** A disk copy under way: reads here, writes there, so many streams of 64 KB. */
export interface DiskCopy {
  id: string;
  hostId: string;
  fromDatastoreId: string;
  toDatastoreId: string;
}
/** A memory copy under way. */
export interface MemoryCopy {
  id: string;
  vmId: string;
  fromHostId: string;
  toHostId: string;
  mbps: number;
}

/** Everything the state of a lab at one moment depends on. */
export interface LabState {
  spec: LabSpec;
  loads: readonly ActiveLoad[];
  placed: ReadonlyMap<string, PlacedVm>;
  diskCopies: readonly DiskCopy[];
  memoryCopies: readonly MemoryCopy[];
  faults: readonly LabFault[];
  network: NetworkState;
}

/** Operating point of one load; times in ms. */
export interface LoadPoint {
  opsPerS: number;
  residenceMs: number;
  /** Parts of the residence. */
  cpuMs: number;
  ioMs: number;
  netMs: number;
  clientMs: number;
  pagingMs: number;
  /** Squared coefficient of variation of the residence. */
  scv: number;
  goodShare: number;
  deliveredShare: number;
  readIops: number;
  writeIops: number;
  ioLatencyMs: number;
  /** Operations that fail because the VM or its host is gone. */
  refusedPerS: number;
}
export interface HostPoint {
  cpuShare: number;
  memoryShare: number;
  readyShare: number;
  powerW: number;
  swapMb: number;
  balloonMb: number;
  swapInKBps: number;
  capW: number | null;
  vcpus: number;
  up: boolean;
  netKbps: number;
  /** Work a second in reference cores: done, and what it could do. */
  work: number;
  capacity: number;
}
export interface DatastorePoint {
  readIops: number;
  writeIops: number;
  deviceLatencyMs: number;
  kernelLatencyMs: number;
  outstanding: number;
  readKBps: number;
  writeKBps: number;
}
/** CPU of one VM in reference cores: what it uses, and what it would use on an idle host. */
export interface VmPoint {
  usage: number;
  demand: number;
  /** Of all its vCPUs at the host's speed. */ cpuShare: number;
  /** vCPUs that are ready and wait for a core, on average. */ ready: number;
  diskKBps: number;
}

/** Steady state of the closed network of a lab in one state. */
export interface Solution {
  loads: ReadonlyMap<string, LoadPoint>;
  hosts: ReadonlyMap<string, HostPoint>;
  datastores: ReadonlyMap<string, DatastorePoint>;
  vms: ReadonlyMap<string, VmPoint>;
  clients: ReadonlyMap<string, number>;
  /** MB/s of each disk copy. */
  copies: ReadonlyMap<string, number>;
  network: NetworkSolution;
  /** Rounds of the fixed point, and the last relative change. */
  rounds: number;
  change: number;
}
