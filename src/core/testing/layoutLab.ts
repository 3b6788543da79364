import type { Profile, ProfileWorkload } from '../profile/profile.ts';
import type { DatastoreInfo, HostInfo, Inventory, VmInfo } from '../testbed/inventory.ts';
import type { Testbed } from '../testbed/testbed.ts';

/** Inventories, profiles and testbeds of any size for tests and benches of the layout. */

export const gib = 2 ** 30;
export const hostRef = (i: number): string => `host-${i + 1}`;
export const datastoreRef = (i: number): string => `datastore-${i + 1}`;
export const vmRef = (tile: number, workload: string): string => `vm-${tile + 1}-${workload}`;

const host = (i: number): HostInfo => ({
  ref: hostRef(i),
  name: `esx${i + 1}`,
  clusterRef: 'cluster-1',
  vendor: 'V',
  model: 'M',
  cpuModel: 'C',
  sockets: 2,
  cores: 16,
  threads: 32,
  mhz: 2_600,
  memoryBytes: 64 * gib,
  build: '1',
  version: '8',
  bios: 'b',
  powerPolicy: 'High',
  connectionState: 'connected',
  maintenance: false,
  nics: [{ device: 'vmnic0', driver: 'd', speedMbps: 10_000 }],
  hbas: [{ device: 'vmhba0', model: 'h', driver: 'd', queueDepth: 32 }],
});
const datastore = (i: number, hosts: number): DatastoreInfo => ({
  ref: datastoreRef(i),
  name: `lun${i + 1}`,
  type: 'VMFS',
  capacityBytes: 500 * gib,
  freeBytes: 400 * gib,
  accessible: true,
  hostRefs: Array.from({ length: hosts }, (_, h) => hostRef(h)),
  luns: [
    {
      canonicalName: `naa.${i}`,
      vendor: null,
      model: null,
      capacityBytes: 500 * gib,
      queueDepth: 64,
      paths: 2,
      policy: 'RR',
    },
  ],
  instanceUuid: null,
});
export const layoutVm = (ref: string, name: string, change: Partial<VmInfo> = {}): VmInfo => ({
  ref,
  name,
  hostRef: hostRef(0),
  datastoreRefs: [datastoreRef(0)],
  powerState: 'poweredOn',
  vcpus: 2,
  memoryMb: 4_096,
  guest: 'Linux',
  toolsStatus: 'ok',
  ip: null,
  template: false,
  snapshotCount: 0,
  disks: [
    {
      label: 'Hard disk 1',
      sizeBytes: 20 * gib,
      datastoreRef: datastoreRef(0),
      controller: null,
      thin: true,
      mode: null,
    },
  ],
  ...change,
});

export const workloadIds = ['mail', 'web', 'java', 'database', 'file', 'standby'] as const;
const drivers: Readonly<Record<string, string>> = {
  file: 'fio',
  standby: 'heartbeat',
  java: 'sysbench-cpu',
};
export function layoutProfile(change: Partial<Profile> = {}): Profile {
  return {
    schemaVersion: 1,
    id: 'six',
    version: '1',
    name: 'Six VMs',
    description: '',
    resultName: 'scaling study',
    minimumHosts: 1,
    workloads: workloadIds.map((id): ProfileWorkload => ({
      id,
      role: id,
      name: id,
      driver: drivers[id] ?? 'command',
      params: id === 'file' ? { outstanding: 4 } : {},
      unit: 'ops/s',
      scored: true,
      reference: null,
      referenceSource: 'none',
      qos: [],
    })),
    phases: { rampUpS: 60, staggerS: 0, steadyS: 600, periods: 1, rampDownS: 0 },
    scoring: { tile: 'geometricMean', total: 'sum', periods: null, source: 'test' },
    ...change,
  };
}

/** A lab in which every tile's VMs are on; all on the first host and the first datastore. */
export function layoutInventory({
  hosts,
  datastores,
  tiles,
}: {
  hosts: number;
  datastores: number;
  tiles: number;
}): Inventory {
  return {
    vcenterId: 'vc',
    product: 'p',
    version: '8',
    build: '1',
    instanceUuid: 'u',
    takenAtMs: 0,
    clusters: [
      {
        ref: 'cluster-1',
        name: 'lab',
        hostRefs: Array.from({ length: hosts }, (_, i) => hostRef(i)),
        drsEnabled: true,
        drsBehavior: 'fullyAutomated',
        drsVmotionRate: 3,
        haEnabled: false,
      },
    ],
    hosts: Array.from({ length: hosts }, (_, i) => host(i)),
    datastores: Array.from({ length: datastores }, (_, i) => datastore(i, hosts)),
    networks: [],
    vms: Array.from({ length: tiles }, (_, tile) =>
      workloadIds.map((id) => layoutVm(vmRef(tile, id), `tile${tile + 1}-${id}`)),
    ).flat(),
  };
}

export function layoutTestbed(
  tiles: number,
  { clients = 2, assigned = true }: { clients?: number; assigned?: boolean } = {},
): Testbed {
  return {
    id: 'bed',
    name: 'Bed',
    version: 1,
    profileId: 'six',
    vcenterId: 'vc',
    powerIds: [],
    notes: '',
    tiles: Array.from({ length: tiles }, (_, index) => ({
      index,
      workloads: workloadIds.map((id) => ({
        workloadId: id,
        vm: assigned ? { ref: vmRef(index, id), name: `tile${index + 1}-${id}` } : null,
        clientId: `client-${(index % clients) + 1}`,
        params: {},
      })),
    })),
  };
}
export const layoutClients = (count: number): { id: string; name: string; cpus: number }[] =>
  Array.from({ length: count }, (_, i) => ({ id: `client-${i + 1}`, name: `c${i + 1}`, cpus: 16 }));

/** Repeatable numbers in [0, 1): mulberry32. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
