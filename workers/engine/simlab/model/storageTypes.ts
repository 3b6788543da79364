import type { LabFault, LabSpec } from '../../../../src/core/lab/lab.ts';

/** The parts of a lab that the storage stations are made of. */
export type StorageLab = Pick<LabSpec, 'hosts' | 'arrays' | 'luns' | 'datastores'>;

/**
 * One stream of I/O as the rest of the model offers it: a closed population of `outstanding` I/Os,
 * each of which waits `thinkMs` (CPU, network, the user) between its end and the next, so that rate
 * = outstanding ÷ (thinkMs + latency). A stream that only has a rate gives its population as the
 * upper bound and `iopsLimit` as the rate.
 */
export interface StorageStream {
  id: string;
  hostId: string;
  datastoreId: string;
  /** Positions in the datastore's `lunIds` it uses, its population in equal parts; absent = all. */
  extents?: readonly number[];
  outstanding: number;
  thinkMs: number;
  /** I/Os a second it never exceeds; absent = as many as come back. */
  iopsLimit?: number;
  sizeKb: number;
  readShare: number;
  randomShare: number;
  /** Reads that hit a cache beyond what the array's size gives. */
  hitShare?: number;
}

export interface StreamResult {
  iops: number;
  /** From the HBA to the array and back, ms; what esxtop calls DAVG. */
  deviceMs: number;
  /** Wait above the HBA for a free command slot, ms; what esxtop calls KAVG. */
  kernelMs: number;
  /** I/Os in flight, kernel queue included. */
  outstanding: number;
  /** false: no path is left; the rate is 0 and the latency is the command time-out. */
  reachable: boolean;
}

export interface LunResult {
  lunId: string;
  /** Busy share of the mean disk, 0 to 1: reads, destaging and prefetch. */
  utilisation: number;
  iops: number;
  readIops: number;
  writeIops: number;
  readMbps: number;
  writeMbps: number;
  /**
   * Commands that wait for or are in service in the device; those still in the kernels are not
   * counted.
   */
  outstanding: number;
  /** Means over its I/Os, ms; 0 without I/O. */
  deviceMs: number;
  kernelMs: number;
  /** Share of sequential I/Os that other streams turned random. */
  brokenShare: number;
}

export interface StorageResult {
  /** In the order of the streams asked. */
  streams: StreamResult[];
  /** In the order of the lab's LUNs; those without I/O too. */
  luns: LunResult[];
  /** Rounds of the fixed point, and whether it closed within them. */
  rounds: number;
  converged: boolean;
}

/** What changes without the lab changing. */
export interface StorageConditions {
  /**
   * Faults that act now; `lunSlow` (LUN or datastore; amount = factor on its disks), `pathLost`
   * (host, array, LUN or datastore; amount = paths). Others are ignored.
   */
  faults?: readonly LabFault[];
  /** Metadata updates a second, by datastore: each takes a SCSI reservation on a shared VMFS. */
  metadataPerS?: ReadonlyMap<string, number>;
}
