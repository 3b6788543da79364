import { byName } from '../../../../src/core/base/naturalOrder.ts';
import {
  type LabHost,
  type LabLun,
  type LabSpec,
  type LabVm,
  shownName,
} from '../../../../src/core/lab/lab.ts';
import { mostArrays, newArray } from '../../../../src/core/testbed/arrayFacts.ts';
import type { Inventory, VmInfo } from '../../../../src/core/testbed/inventory.ts';
import type { HostedLab } from '../lab.ts';
import type { LabModel } from '../model/types.ts';
import { clusterRef, machineHost } from '../names.ts';
import { lunName } from '../programs/esxtop.ts';

const gib = 2 ** 30;

/** A lab as its vCenter sees it now. */
interface Sight {
  lab: HostedLab;
  model: LabModel;
  /** VMs by their snapshots. */
  snapshots: ReadonlyMap<string, string>;
}

/** Of an adapter of a VM by its place from 0, as vSphere calls them. */
export const adapterLabel = (place: number): string => `Network adapter ${place + 1}`;

/**
 * What the lab's vCenter lists, with VMs where they are now. A physical machine stands outside the
 * cluster.
 */
export function readSimInventory(
  lab: HostedLab,
  model: LabModel,
  vcenterId: string,
  nowMs: number,
  snapshots: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, string> = new Map(),
): Inventory {
  const { spec } = lab;
  const sight: Sight = { lab, model, snapshots };
  const placement = model.placement();
  const lunOf = new Map(spec.luns.map((lun) => [lun.id, lun]));
  const arrayOf = new Map(spec.arrays.map((array) => [array.id, array]));
  return {
    vcenterId,
    product: 'Simulated vCenter Server',
    version: 'sim',
    build: '1',
    instanceUuid: `sim-${spec.id}`,
    takenAtMs: nowMs,
    clusters: [clusterOf(sight)],
    hosts: spec.hosts.map((host) => hostOf(sight, host)).sort(byName),
    datastores: spec.datastores
      .map((store) => datastoreOf(sight, store, lunOf, arrayOf))
      .sort(byName),
    arrays: arraysOf(spec),
    networks: [{ ref: 'network-1', name: 'VM Network', type: 'Network' }],
    vms: [...placement].map(([ref, place]) => vmOf(sight, ref, place)).sort(byName),
    resourcePools: [
      {
        ref: 'resgroup-1',
        name: 'Resources',
        path: `${spec.name} cluster`,
        ownerRef: clusterRef,
        parentRef: null,
        cpu: null,
        memory: null,
      },
    ],
    folders: [
      { ref: vmFolderRef, name: 'vm', path: `${spec.name}/vm`, parentRef: null },
      ...[...folders].map(([ref, name]) => ({
        ref,
        name,
        path: `${spec.name}/vm/${name}`,
        parentRef: vmFolderRef,
      })),
    ],
  };
}

/** A lab's arrays by their own figures; of disks what the LUNs are bound of. */
const arraysOf = (spec: LabSpec): NonNullable<Inventory['arrays']> =>
  spec.arrays.slice(0, mostArrays).map((array) => {
    const luns = spec.luns.filter(({ arrayId }) => arrayId === array.id);
    const lunIds = new Set(luns.map(({ id }) => id));
    const kinds = (of: (lun: LabLun) => string): string | null =>
      [...new Set(luns.map(of))].join(', ').slice(0, 120) || null;
    return {
      // One name whatever its model: a sweep over models is one array that changes.
      ...newArray(spec.arrays.length === 1 ? 'Disk array' : `Disk array ${array.id}`.slice(0, 120)),
      model: array.model.slice(0, 120) || null,
      raid: kinds(({ raid }) => `RAID ${raid}`),
      disks: luns.reduce((sum, { disks }) => sum + disks, 0) || null,
      diskKind: kinds(({ rpm, seekMs }) => `${rpm} rpm, seek ${seekMs} ms`),
      readCacheMb: array.readCacheMb,
      writeCacheMb: array.writeCacheMb,
      datastores: spec.datastores
        .filter((store) => store.lunIds.some((id) => lunIds.has(id)))
        .slice(0, 1_024)
        .map((store) => ({ ref: store.id, name: shownName(store) })),
    };
  });

const clusterOf = ({ lab: { spec }, model }: Sight): Inventory['clusters'][number] => ({
  ref: clusterRef,
  name: `${spec.name} cluster`,
  hostRefs: spec.hosts.filter((host) => host.virtual).map((host) => host.id),
  // In the API as in the lab 1 is the most aggressive.
  drsEnabled: model.drs().enabled,
  drsBehavior: model.drs().enabled ? model.drs().behavior : null,
  drsVmotionRate: model.drs().stars,
  haEnabled: spec.ha !== undefined,
  evc: null,
  admissionControl: false,
  dpmEnabled: false,
  drsOptions: {},
  drsVmOverrides: 0,
  rules: 0,
});

/** How a host stands to vCenter. */
export const stateOf = (
  lab: HostedLab,
  model: LabModel,
  hostId: string,
): { connectionState: string; maintenance: boolean } => {
  const state = model.hostState(hostId);
  return {
    connectionState: lab.hit('hostDown', hostId)
      ? 'notResponding'
      : state === 'out'
        ? 'disconnected'
        : 'connected',
    maintenance: state === 'maintenance' || state === 'out',
  };
};

const hostOf = ({ lab, model }: Sight, host: LabHost): Inventory['hosts'][number] => ({
  ref: host.id,
  name: shownName(host),
  clusterRef: host.virtual ? clusterRef : null,
  vendor: host.vendor,
  model: host.model,
  cpuModel: host.cpuModel,
  sockets: host.sockets,
  cores: host.sockets * host.coresPerSocket,
  threads: host.sockets * host.coresPerSocket * (host.hyperThreadGain > 1 ? 2 : 1),
  mhz: Math.round(host.ghz * 1_000),
  memoryBytes: host.memoryGb * gib,
  build: host.build,
  version: host.virtual ? 'sim' : 'physical',
  bios: null,
  powerPolicy: null,
  ...stateOf(lab, model, host.id),
  nics: host.uplinks.map((uplink) => ({
    device: uplink.id,
    driver: 'sim',
    speedMbps: Math.round(uplink.gbps * 1_000),
    mac: null,
    driverVersion: null,
    firmware: null,
  })),
  hbas: Array.from({ length: host.hba.ports }, (_, port) => ({
    device: `vmhba${port}`,
    model: `${host.hba.gbps} Gb/s`,
    driver: 'sim',
    queueDepth: host.hba.queueDepth,
  })),
  uuid: `sim-${lab.spec.id}-${host.id}`,
  serial: null,
  biosDate: null,
  settings: {},
  // The lab names what its uplinks are teamed by; an MTU it does not know.
  switches: host.virtual
    ? [
        {
          name: `vSwitch0 (${host.teaming})`,
          mtu: null,
          uplinks: host.uplinks.map((uplink) => uplink.id),
        },
      ]
    : [],
});

function datastoreOf(
  { lab, model }: Sight,
  store: LabSpec['datastores'][number],
  lunOf: ReadonlyMap<string, LabLun>,
  arrayOf: ReadonlyMap<string, LabSpec['arrays'][number]>,
): Inventory['datastores'][number] {
  const alive = (...ids: [lunId: string, arrayId: string, storeId: string]): number | null => {
    const ports = arrayOf.get(ids[1])?.ports;
    return ports === undefined
      ? null
      : Math.max(0, ports - (lab.hit('pathLost', ...ids)?.amount ?? 0));
  };
  const luns = store.lunIds.flatMap((id) => lunOf.get(id) ?? []);
  const capacityBytes = luns.reduce((sum, lun) => sum + lun.sizeGb * gib, 0);
  const users = [...model.placement().values()].filter(
    (place) => place.datastoreId === store.id,
  ).length;
  return {
    ref: store.id,
    name: shownName(store),
    type: 'VMFS',
    capacityBytes,
    freeBytes: Math.max(capacityBytes * 0.1, capacityBytes - users * 10 * gib),
    accessible: true,
    hostRefs: lab.spec.hosts.map((host) => host.id),
    instanceUuid: `sim-${store.id}`,
    uncommittedBytes: 0,
    fileSystem: null,
    blockSizeBytes: null,
    ioControl: false,
    maintenance: 'normal',
    luns: luns.map((lun) => ({
      canonicalName: lunName(lun.id),
      vendor: 'Sim',
      model: arrayOf.get(lun.arrayId)?.model ?? null,
      capacityBytes: lun.sizeGb * gib,
      queueDepth: lun.queueDepth,
      paths: arrayOf.get(lun.arrayId)?.ports ?? null,
      policy: 'sim',
      activePaths: alive(lun.id, lun.arrayId, store.id),
      blockSizeBytes: null,
    })),
  };
}

function vmOf(
  { lab, snapshots }: Sight,
  ref: string,
  place: { hostId: string; datastoreId: string; poweredOn: boolean },
): VmInfo {
  const shape = lab.shape(ref);
  return {
    ref,
    name: ref,
    hostRef: place.hostId,
    datastoreRefs: [place.datastoreId],
    powerState: place.poweredOn ? 'poweredOn' : 'poweredOff',
    vcpus: shape?.vcpus ?? null,
    memoryMb: shape?.memoryMb ?? null,
    guest: shape?.guest ?? null,
    toolsStatus: place.poweredOn ? 'toolsOk' : 'toolsNotRunning',
    ip: place.poweredOn ? machineHost(lab.spec.id, ref) : null,
    template: shape?.template ?? false,
    snapshotCount: [...snapshots.values()].filter((one) => one === ref).length,
    ...shapeOf(lab.spec.id, ref, place.datastoreId, shape),
  };
}

const vmFolderRef = 'group-v1';
/** How the lab's kinds of network device are called where they are real. */
const adapters = {
  emulated: 'VirtualE1000',
  paravirtual: 'VirtualVmxnet3',
  passthrough: 'VirtualPCIPassthrough',
} as const;
/** Size of a lab VM's disks where its spec says none. */
const usualDiskGb = 10;

/**
 * What the lab knows of a VM's make. Its disks are one; shares are the field's default of 1,000 a
 * vCPU where the spec says none.
 */
function shapeOf(
  labId: string,
  ref: string,
  datastoreRef: string,
  shape: LabVm | undefined,
): Partial<VmInfo> {
  if (!shape) return {};
  return {
    instanceUuid: `sim-${labId}-${ref}`,
    coresPerSocket: null,
    hardwareVersion: null,
    toolsVersion: null,
    hostName: ref,
    resourcePoolRef: 'resgroup-1',
    committedBytes: (shape.diskGb ?? usualDiskGb) * gib,
    uncommittedBytes: 0,
    disks: [
      {
        label: 'Hard disk 1',
        sizeBytes: (shape.diskGb ?? usualDiskGb) * gib,
        datastoreRef,
        controller: null,
        thin: false,
        mode: 'persistent',
      },
    ],
    nics: (shape.vnics ?? [null]).map((_vnic, i) => ({
      label: adapterLabel(i),
      type: adapters[shape.device],
      networkRef: 'network-1',
      mac: null,
      connected: true,
    })),
    cpu: {
      reservation: shape.reservationMhz,
      limit: null,
      shares: shape.shares ?? 1_000 * shape.vcpus,
      level: shape.shares === undefined ? 'normal' : 'custom',
    },
    memory: { reservation: shape.memoryReservationMb ?? 0, limit: null, shares: null, level: null },
  };
}
