import type { DriverParams, Profile } from '../profile/profile.ts';
import type { DatastoreInfo, HostInfo, Inventory } from './inventory.ts';
import type { NamedRef, Testbed } from './testbed.ts';

/**
 * `tile/workloadId`, tile counted from 0: what selections, edits and findings name a slot of the
 * board by.
 */
export type SlotKey = string;
export const slotKey = (tile: number, workloadId: string): SlotKey => `${tile}/${workloadId}`;

export interface LayoutWorkload {
  id: string;
  name: string;
  role: string;
  driver: string;
  /** Position in the profile: index of colour and shape. */ ordinal: number;
  /** One or two letters, unique in the profile. */ letter: string;
  /** false: the testbed names a workload the profile does not have. */ known: boolean;
}

/** One workload VM of one tile. */
export interface LayoutVm {
  key: SlotKey;
  tile: number;
  workload: LayoutWorkload;
  /** VM of the testbed; null = none assigned. */
  vm: NamedRef | null;
  /** No VM, or one that the last discovery did not find. */
  missing: boolean;
  missingWhy: 'unassigned' | 'notDiscovered' | null;
  /** Where it will run: as planned, else where it is; null = not known. */
  host: NamedRef | null;
  hostFrom: 'planned' | 'actual' | null;
  actualHost: NamedRef | null;
  datastore: NamedRef | null;
  datastoreFrom: 'planned' | 'actual' | null;
  /** That with most of its disk space first. */ actualDatastores: readonly NamedRef[];
  /** Planned elsewhere than it is. */
  moves: boolean;
  vcpus: number | null;
  memoryMb: number | null;
  diskBytes: number | null;
  /** Memory that is guaranteed to it; it needs no swap space. null = not read. */
  reservedMb: number | null;
  /** Whose figures these are. */
  sizeFrom: 'vm' | 'template' | 'profile' | null;
  powerState: string | null;
  snapshotCount: number | null;
  clientId: string;
  /** The driver's parameters: the profile's, overridden by the testbed's. */
  params: DriverParams;
  /** Outstanding I/Os its driver plans; null = the driver does not say. */
  outstanding: number | null;
}
export interface LayoutTile {
  tile: number;
  vms: readonly LayoutVm[];
  hostRefs: readonly string[];
  datastoreRefs: readonly string[];
  missing: number;
}
export interface LayoutHost {
  ref: string;
  name: string;
  clusterRef: string | null;
  clusterName: string | null;
  info: HostInfo | null;
  cores: number | null;
  threads: number | null;
  memoryMb: number | null;
  maintenance: boolean;
  connected: boolean | null;
  /** Chosen in the layout, or used by a tile where nothing is chosen. */ underTest: boolean;
  vms: readonly LayoutVm[];
}
export interface LayoutDatastore {
  ref: string;
  name: string;
  info: DatastoreInfo | null;
  capacityBytes: number | null;
  freeBytes: number | null;
  /** Smallest of its LUNs; null = not read. */ queueDepth: number | null;
  lunCount: number | null;
  accessible: boolean | null;
  hostRefs: readonly string[];
  /** Scratch datastore of Storage vMotion and deploy. */ maintenance: boolean;
  underTest: boolean;
  vms: readonly LayoutVm[];
}
export interface LayoutClient {
  id: string;
  name: string;
  cpus: number | null;
  memoryMb: number | null;
  known: boolean;
  vms: readonly LayoutVm[];
}
/** A client machine; CPUs and memory where somebody read them. */
export interface ClientFacts {
  id: string;
  name: string;
  cpus?: number | null;
  memoryMb?: number | null;
}

export interface LayoutView {
  testbed: Testbed;
  inventory: Inventory | null;
  profile: Profile;
  workloads: readonly LayoutWorkload[];
  tiles: readonly LayoutTile[];
  hosts: readonly LayoutHost[];
  datastores: readonly LayoutDatastore[];
  clients: readonly LayoutClient[];
  /** Hosts of VMs that have none yet, planned or actual. */
  unplaced: {
    host: readonly LayoutVm[];
    datastore: readonly LayoutVm[];
    client: readonly LayoutVm[];
  };
  byKey: ReadonlyMap<SlotKey, LayoutVm>;
  hostByRef: ReadonlyMap<string, LayoutHost>;
  datastoreByRef: ReadonlyMap<string, LayoutDatastore>;
}
