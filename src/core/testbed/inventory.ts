import * as z from 'zod';

import { field } from '../base/field.ts';
import { arrayFactsSchema, mostArrays } from './arrayFacts.ts';

/*
 * Inventory as discovered. Everything a source did not give is null, never a guess; what an older
 * version of Tilebench did not read yet is absent.
 */
const ref = field.id('ref');
const text = field.word().nullish();
const figure = field.figure().nullish();
const flag = z.boolean().nullish();
const hostInfo = z.object({
  ref,
  name: field.name('host'),
  clusterRef: ref.nullable(),
  vendor: field.word().nullable(),
  model: field.word().nullable(),
  cpuModel: field.word().nullable(),
  sockets: field.figure().nullable(),
  cores: field.figure().nullable(),
  threads: field.figure().nullable(),
  mhz: field.figure().nullable(),
  memoryBytes: field.figure().nullable(),
  build: field.word().nullable(),
  version: field.word().nullable(),
  bios: field.word().nullable(),
  powerPolicy: field.word().nullable(),
  connectionState: field.word(),
  maintenance: z.boolean(),
  nics: field.list(
    z.object({
      device: field.word(),
      driver: field.word().nullable(),
      speedMbps: field.figure().nullable(),
      mac: field.address('mac').nullish(),
      driverVersion: text,
      firmware: text,
    }),
  ),
  hbas: field.list(
    z.object({
      device: field.word(),
      model: field.word().nullable(),
      driver: field.word().nullable(),
      queueDepth: figure,
    }),
  ),
  /** Hardware UUID: tells a host apart when it is renamed or added to another vCenter. */
  uuid: field.address('uuid').nullish(),
  serial: field.address('serial').nullish(),
  /** Day the BIOS was released, as ISO date. */ biosDate: text,
  /** Virtual switches with their MTU, standard and distributed. */
  switches: field
    .list(z.object({ name: field.name('switch'), mtu: figure, uplinks: field.list(field.word()) }))
    .nullish(),
  /**
   * Advanced settings that change results, of those that `hostSettings` lists; null = the host did
   * not tell.
   */
  settings: field.record(field.word(), field.word()).nullish(),
  /**
   * What the host's own command line told, only read for a run: installed packages with their
   * versions, and settings that are not as they were shipped, beside those above. null = not told;
   * `note` says why.
   */
  software: z
    .object({
      packages: field.record(field.word(), field.word()).nullable(),
      settings: field.record(field.word(), field.word()).nullable(),
      note: field.freeText().nullable(),
    })
    .nullish(),
});
const lunInfo = z.object({
  canonicalName: field.address('lun'),
  vendor: field.word().nullable(),
  model: field.word().nullable(),
  capacityBytes: field.figure().nullable(),
  /**
   * Least queue depth and paths over the hosts that see it; policies that differ between hosts are
   * joined by ` + `.
   */
  queueDepth: field.figure().nullable(),
  paths: field.figure().nullable(),
  policy: field.word().nullable(),
  /** Paths that carry I/O or may, least over the hosts. */ activePaths: figure,
  blockSizeBytes: figure,
});
const datastoreInfo = z.object({
  ref,
  name: field.name('datastore'),
  type: field.word().nullable(),
  capacityBytes: field.figure().nullable(),
  freeBytes: field.figure().nullable(),
  accessible: z.boolean(),
  hostRefs: field.list(ref),
  luns: field.list(lunInfo),
  instanceUuid: field.address('volume').nullable(),
  /** What thin disks may still grow into. */ uncommittedBytes: figure,
  /** Version of the file system, e.g. `6.82`, and its block size. */ fileSystem: text,
  blockSizeBytes: figure,
  /** Storage I/O Control throttles VMs by latency. */ ioControl: flag,
  maintenance: text,
});
const clusterInfo = z.object({
  ref,
  name: field.name('cluster'),
  hostRefs: field.list(ref),
  drsEnabled: z.boolean().nullable(),
  drsBehavior: field.word().nullable(),
  drsVmotionRate: field.figure().nullable(),
  haEnabled: z.boolean().nullable(),
  /** Key of the EVC mode, e.g. `intel-cascadelake`; null = EVC is off or not told. */ evc: text,
  admissionControl: flag,
  dpmEnabled: flag,
  /**
   * Advanced options of DRS, and how many VMs have a DRS setting of their own and how many affinity
   * rules there are.
   */
  drsOptions: field.record(field.word(), field.word()).nullish(),
  drsVmOverrides: figure,
  rules: figure,
});
/**
 * Reservation, limit and shares of a VM's or pool's CPU (MHz) or memory (MB); a limit of null =
 * none.
 */
const allocationInfo = z.object({
  reservation: field.figure().nullable(),
  limit: field.figure().nullable(),
  shares: field.figure().nullable(),
  level: field.word().nullable(),
});
const diskInfo = z.object({
  label: field.word(),
  sizeBytes: field.figure().nullable(),
  datastoreRef: ref.nullable(),
  /** e.g. `ParaVirtualSCSIController 0:1`. */ controller: field.word().nullable(),
  thin: z.boolean().nullable(),
  mode: field.word().nullable(),
});
const vnicInfo = z.object({
  label: field.word(),
  /** e.g. `VirtualVmxnet3`. */ type: field.word(),
  networkRef: ref.nullable(),
  mac: field.address('mac').nullable(),
  connected: z.boolean().nullable(),
});
const vmInfo = z.object({
  ref,
  name: field.name('vm'),
  hostRef: ref.nullable(),
  datastoreRefs: field.list(ref),
  powerState: field.word(),
  vcpus: field.figure().nullable(),
  memoryMb: field.figure().nullable(),
  guest: field.word().nullable(),
  toolsStatus: field.word().nullable(),
  ip: field.address('address').nullable(),
  template: z.boolean(),
  snapshotCount: field.figure(),
  /** vCenter's own id of the VM, kept over renames and moves. */
  instanceUuid: field.address('uuid').nullish(),
  coresPerSocket: figure,
  /** e.g. `vmx-19`. */ hardwareVersion: text,
  toolsVersion: text,
  /** Name the guest calls itself. */ hostName: field.address('address').nullish(),
  disks: field.list(diskInfo).nullish(),
  nics: field.list(vnicInfo).nullish(),
  cpu: allocationInfo.nullish(),
  memory: allocationInfo.nullish(),
  resourcePoolRef: ref.nullish(),
  folderRef: ref.nullish(),
  committedBytes: figure,
  uncommittedBytes: figure,
});
const networkInfo = z.object({ ref, name: field.name('network'), type: field.word() });
/** A resource pool, vApp or the root pool of a cluster; `path` from its cluster or host down. */
const resourcePoolInfo = z.object({
  ref,
  name: field.name('pool'),
  path: field.path('pool'),
  /** Cluster or lone host that owns it. */ ownerRef: ref.nullable(),
  parentRef: ref.nullable(),
  cpu: allocationInfo.nullish(),
  memory: allocationInfo.nullish(),
});
/** A folder that can hold VMs; `path` from its datacenter down. */
const folderInfo = z.object({
  ref,
  name: field.name('folder'),
  path: field.path('folder'),
  parentRef: ref.nullable(),
});
export const inventorySchema = z.object({
  vcenterId: field.id('vcenter'),
  product: field.word(),
  version: field.word(),
  build: field.word(),
  instanceUuid: field.address('uuid'),
  takenAtMs: field.timeMs(),
  clusters: field.list(clusterInfo),
  hosts: field.list(hostInfo),
  datastores: field.list(datastoreInfo),
  networks: field.list(networkInfo),
  /** Disk arrays, where whoever lists the rest knows them; a vCenter does not. */
  arrays: z.array(arrayFactsSchema).max(mostArrays).nullish(),
  vms: field.list(vmInfo),
  resourcePools: field.list(resourcePoolInfo).nullish(),
  folders: field.list(folderInfo).nullish(),
});
export type Inventory = z.infer<typeof inventorySchema>;
export type HostInfo = z.infer<typeof hostInfo>;
export type DatastoreInfo = z.infer<typeof datastoreInfo>;
export type VmInfo = z.infer<typeof vmInfo>;
export type ClusterInfo = z.infer<typeof clusterInfo>;
export type LunInfo = z.infer<typeof lunInfo>;
export type AllocationInfo = z.infer<typeof allocationInfo>;
export type DiskInfo = z.infer<typeof diskInfo>;
export type VnicInfo = z.infer<typeof vnicInfo>;
export type ResourcePoolInfo = z.infer<typeof resourcePoolInfo>;
export type FolderInfo = z.infer<typeof folderInfo>;
