import { byNaturalOrder } from '../base/naturalOrder.ts';
import type { ClientRecord } from '../run/run.ts';
import { arrayColumns, type ArrayFacts } from '../testbed/arrayFacts.ts';
import type {
  AllocationInfo,
  ClusterInfo,
  DatastoreInfo,
  DiskInfo,
  HostInfo,
  Inventory,
  LunInfo,
  VmInfo,
  VnicInfo,
} from '../testbed/inventory.ts';

/** What a snapshot's differences are grouped by, in the order in which they are shown. */
export const snapshotGroups = {
  hardware: 'Hardware',
  firmware: 'Firmware and drivers',
  build: 'Build',
  policy: 'Host and cluster policy',
  storage: 'Storage',
  network: 'Network',
  vms: 'VMs',
  clients: 'Clients',
  tools: 'Tool versions',
} as const;
export type SnapshotGroup = keyof typeof snapshotGroups;

/**
 * Likely effect of a difference on results: this app's own judgement, with its reason beside each
 * field.
 */
export const effects = ['strong', 'moderate', 'slight', 'none'] as const;
export type Effect = (typeof effects)[number];

export const thingKinds = [
  'vcenter',
  'cluster',
  'host',
  'datastore',
  'lun',
  'array',
  'network',
  'vm',
  'client',
] as const;
export type ThingKind = (typeof thingKinds)[number];
export const partKinds = [
  'nic',
  'hba',
  'switch',
  'setting',
  'changedSetting',
  'package',
  'drsOption',
  'disk',
  'vnic',
  'tool',
] as const;
export type PartKind = (typeof partKinds)[number];
/** Parts that are one value under a name. */
const entryKinds = ['setting', 'changedSetting', 'package', 'drsOption', 'tool'] as const;
export type EntryKind = (typeof entryKinds)[number];
export const isEntry = (kind: ThingKind | PartKind): kind is EntryKind =>
  (entryKinds as readonly string[]).includes(kind);

/** Lists are sets: their order says nothing. */
export type SnapshotValue = string | number | boolean | string[];
export type Values = Record<string, SnapshotValue>;
type Given = SnapshotValue | null | undefined;

export interface Field<T> {
  key: string;
  label: string;
  group: SnapshotGroup;
  effect: Effect;
  why: string;
  unit?: string;
  /**
   * Volatile: true where two figures are as good as the same. Such a field is not part of the hash.
   */
  same?: (a: number, b: number, values: Values) => boolean;
  /** The value names other things of the snapshot; a change of it is a move. */
  place?: true;
  read: (of: T) => Given;
}

const gib = 2 ** 30;
/**
 * Space comes and goes with logs and swap files: less than 5 % of the datastore, or 1 GiB, is no
 * difference.
 */
const sameSpace: Field<unknown>['same'] = (a, b, { capacityBytes }) =>
  Math.abs(a - b) <= Math.max(gib, typeof capacityBytes === 'number' ? capacityBytes * 0.05 : 0);
/**
 * Offsets are measured through a network and clocks are slewed: half a second is what the run's own
 * clock check takes for a drift.
 */
export const clockToleranceMs = 500;

const field = <T>(
  group: SnapshotGroup,
  effect: Effect,
  key: string,
  label: string,
  why: string,
  read: Field<T>['read'],
  more: Pick<Field<T>, 'unit' | 'same' | 'place'> = {},
): Field<T> => ({ key, label, group, effect, why, read, ...more });

const vcenter: Field<Inventory>[] = [
  field('build', 'slight', 'version', 'Version', 'DRS decides by its version', (v) => v.version),
  field('build', 'slight', 'build', 'Build', 'DRS decides by its version', (v) => v.build),
];
const cluster: Field<ClusterInfo>[] = [
  field('policy', 'strong', 'drsEnabled', 'DRS', 'decides where VMs run', (c) => c.drsEnabled),
  field(
    'policy',
    'strong',
    'drsBehavior',
    'DRS automation',
    'decides whether VMs are moved during a run',
    (c) => c.drsBehavior,
  ),
  field(
    'policy',
    'strong',
    'drsVmotionRate',
    'DRS migration threshold',
    'decides how often VMs are moved',
    (c) => c.drsVmotionRate,
  ),
  field(
    'policy',
    'moderate',
    'drsVmOverrides',
    'VMs with a DRS setting of their own',
    'such VMs are left out of balancing',
    (c) => c.drsVmOverrides,
  ),
  field(
    'policy',
    'moderate',
    'rules',
    'Affinity rules',
    'keep VMs together or apart',
    (c) => c.rules,
  ),
  field(
    'policy',
    'moderate',
    'dpmEnabled',
    'Distributed Power Management',
    'may switch hosts off',
    (c) => c.dpmEnabled,
  ),
  field(
    'policy',
    'slight',
    'haEnabled',
    'HA',
    'agents and reservations take a little of each host',
    (c) => c.haEnabled,
  ),
  field(
    'policy',
    'slight',
    'admissionControl',
    'Admission control',
    'may refuse to power VMs on',
    (c) => c.admissionControl,
  ),
  field(
    'policy',
    'moderate',
    'evc',
    'EVC mode',
    'hides processor features from guests',
    (c) => c.evc,
  ),
];
const host: Field<HostInfo>[] = [
  field(
    'hardware',
    'strong',
    'model',
    'Model',
    'another machine',
    (h) => [h.vendor, h.model].filter((word) => word !== null && word !== '').join(' ') || null,
  ),
  field('hardware', 'strong', 'cpuModel', 'CPU', 'another processor', (h) => h.cpuModel),
  field('hardware', 'strong', 'sockets', 'Sockets', 'processors to run on', (h) => h.sockets),
  field('hardware', 'strong', 'cores', 'Cores', 'processors to run on', (h) => h.cores),
  field('hardware', 'strong', 'threads', 'Threads', 'hyper-threading on or off', (h) => h.threads),
  field('hardware', 'strong', 'mhz', 'Clock', 'speed of each core', (h) => h.mhz, {
    unit: 'MHz',
    same: (a, b) => Math.abs(a - b) <= 5,
  }),
  field(
    'hardware',
    'strong',
    'memoryBytes',
    'Memory',
    'room for VMs before anything is swapped',
    (h) => h.memoryBytes,
    { unit: 'B' },
  ),
  field('hardware', 'none', 'serial', 'Serial number', 'names the machine', (h) => h.serial),
  field('firmware', 'moderate', 'bios', 'BIOS', 'sets power states and microcode', (h) => h.bios),
  field(
    'firmware',
    'slight',
    'biosDate',
    'BIOS date',
    'sets power states and microcode',
    (h) => h.biosDate,
  ),
  field(
    'build',
    'strong',
    'version',
    'ESXi version',
    'another scheduler and drivers',
    (h) => h.version,
  ),
  field('build', 'strong', 'build', 'ESXi build', 'another scheduler and drivers', (h) => h.build),
  field(
    'policy',
    'strong',
    'powerPolicy',
    'Power policy',
    'clocks go down under a saving policy',
    (h) => h.powerPolicy,
  ),
  field(
    'policy',
    'strong',
    'connectionState',
    'Connection',
    'a host that is away carries nothing',
    (h) => h.connectionState,
  ),
  field(
    'policy',
    'strong',
    'maintenance',
    'Maintenance mode',
    'a host in maintenance carries nothing',
    (h) => h.maintenance,
  ),
  field(
    'build',
    'none',
    'softwareNote',
    'Packages and changed settings',
    'not told, so nothing can be said of them',
    (h) => h.software?.note,
  ),
];
const nic: Field<HostInfo['nics'][number]>[] = [
  field(
    'network',
    'strong',
    'speedMbps',
    'link speed',
    'bandwidth of the uplink',
    (n) => n.speedMbps,
    { unit: 'Mb/s' },
  ),
  field('firmware', 'moderate', 'driver', 'driver', 'offloads and interrupts', (n) => n.driver),
  field(
    'firmware',
    'moderate',
    'driverVersion',
    'driver version',
    'offloads and interrupts',
    (n) => n.driverVersion,
  ),
  field('firmware', 'slight', 'firmware', 'firmware', 'offloads and interrupts', (n) => n.firmware),
  field('network', 'none', 'mac', 'MAC address', 'names the adapter', (n) => n.mac),
];
const hba: Field<HostInfo['hbas'][number]>[] = [
  field('storage', 'moderate', 'model', 'model', 'another path to the storage', (a) => a.model),
  field('firmware', 'moderate', 'driver', 'driver', 'queues and interrupts', (a) => a.driver),
  field(
    'storage',
    'strong',
    'queueDepth',
    'queue depth',
    'commands under way at once',
    (a) => a.queueDepth,
  ),
];
const virtualSwitch: Field<NonNullable<HostInfo['switches']>[number]>[] = [
  field('network', 'moderate', 'mtu', 'MTU', 'packets a megabyte', (s) => s.mtu, { unit: 'B' }),
  field('network', 'moderate', 'uplinks', 'uplinks', 'bandwidth and teaming', (s) =>
    [...s.uplinks].sort(byNaturalOrder),
  ),
];
const setting: Field<string>[] = [
  field('policy', 'moderate', 'value', 'value', 'advanced setting of the host', (value) => value),
];
const changedSetting: Field<string>[] = [
  field('policy', 'moderate', 'value', 'value', 'not as the host was shipped', (value) => value),
];
const installed: Field<string>[] = [
  field('firmware', 'moderate', 'version', 'version', 'driver or part of ESXi', (text) => text),
];
const drsOption: Field<string>[] = [
  field('policy', 'moderate', 'value', 'value', 'advanced option of DRS', (value) => value),
];
const datastore: Field<DatastoreInfo>[] = [
  field(
    'storage',
    'strong',
    'accessible',
    'Accessible',
    'VMs on it stand still',
    (d) => d.accessible,
  ),
  field('storage', 'moderate', 'type', 'Type', 'another path to the storage', (d) => d.type),
  field(
    'storage',
    'slight',
    'fileSystem',
    'File system',
    'locking and block size',
    (d) => d.fileSystem,
  ),
  field(
    'storage',
    'slight',
    'blockSizeBytes',
    'Block size',
    'locking and growth of files',
    (d) => d.blockSizeBytes,
    { unit: 'B' },
  ),
  field(
    'storage',
    'moderate',
    'capacityBytes',
    'Capacity',
    'spread over the disks',
    (d) => d.capacityBytes,
    { unit: 'B' },
  ),
  field(
    'storage',
    'slight',
    'freeBytes',
    'Free space',
    'room for swap, clones and snapshots',
    (d) => d.freeBytes,
    { unit: 'B', same: sameSpace },
  ),
  field(
    'storage',
    'none',
    'uncommittedBytes',
    'Promised to thin disks',
    'room for swap, clones and snapshots',
    (d) => d.uncommittedBytes,
    { unit: 'B', same: sameSpace },
  ),
  field(
    'storage',
    'strong',
    'ioControl',
    'Storage I/O Control',
    'throttles VMs by latency',
    (d) => d.ioControl,
  ),
  field(
    'storage',
    'strong',
    'maintenance',
    'Maintenance',
    'VMs are being taken away',
    (d) => d.maintenance,
  ),
  field(
    'storage',
    'moderate',
    'mounts',
    'Hosts that mount it',
    'VMs can run only there',
    (d) => d.hostRefs.length,
  ),
];
const lun: Field<LunInfo>[] = [
  field(
    'storage',
    'strong',
    'queueDepth',
    'Queue depth',
    'commands under way at once',
    (l) => l.queueDepth,
  ),
  field('storage', 'strong', 'policy', 'Path policy', 'how many paths carry I/O', (l) => l.policy),
  field('storage', 'moderate', 'paths', 'Paths', 'bandwidth to the array', (l) => l.paths),
  field(
    'storage',
    'strong',
    'activePaths',
    'Paths alive',
    'bandwidth to the array',
    (l) => l.activePaths,
  ),
  field(
    'storage',
    'strong',
    'model',
    'Array',
    'another array',
    (l) => [l.vendor, l.model].filter((word) => word !== null && word !== '').join(' ') || null,
  ),
  field(
    'storage',
    'moderate',
    'capacityBytes',
    'Size',
    'spread over the disks',
    (l) => l.capacityBytes,
    { unit: 'B' },
  ),
  field(
    'storage',
    'slight',
    'blockSizeBytes',
    'Sector size',
    'unaligned writes are read first',
    (l) => l.blockSizeBytes,
    { unit: 'B' },
  ),
];
const array: Field<ArrayFacts>[] = [
  field('storage', 'strong', 'model', arrayColumns.model.label, 'another array', (a) => a.model),
  field('storage', 'strong', 'raid', arrayColumns.raid.label, 'writes a write', (a) => a.raid),
  field('storage', 'strong', 'disks', arrayColumns.disks.label, 'I/O at once', (a) => a.disks),
  field(
    'storage',
    'strong',
    'diskKind',
    arrayColumns.diskKind.label,
    'time of an I/O that no cache takes',
    (a) => a.diskKind,
  ),
  field(
    'storage',
    'moderate',
    'readCacheMb',
    arrayColumns.readCacheMb.label,
    'reads that need no disk',
    (a) => a.readCacheMb,
    { unit: 'MB' },
  ),
  field(
    'storage',
    'strong',
    'writeCacheMb',
    arrayColumns.writeCacheMb.label,
    'writes that are answered before they are on disk',
    (a) => a.writeCacheMb,
    { unit: 'MB' },
  ),
  field(
    'firmware',
    'moderate',
    'firmware',
    arrayColumns.firmware.label,
    'how the array works',
    (a) => a.firmware,
  ),
  ...(['highWatermarkPct', 'lowWatermarkPct'] as const).map((key) =>
    field<ArrayFacts>(
      'storage',
      'moderate',
      key,
      arrayColumns[key].label,
      'when the write cache is emptied',
      (a) => a[key],
      { unit: '%' },
    ),
  ),
  field('storage', 'none', 'note', arrayColumns.note.label, 'a remark', (a) => a.note || null),
];
const network: Field<Inventory['networks'][number]>[] = [
  field('network', 'slight', 'type', 'Type', 'another virtual switch', (n) => n.type),
];

const allocation = (key: 'cpu' | 'memory', label: string, unit: string): Field<VmInfo>[] => {
  const of =
    (part: keyof AllocationInfo) =>
    (v: VmInfo): Given =>
      v[key]?.[part];
  return [
    field(
      'vms',
      'moderate',
      `${key}Reservation`,
      `${label} reservation`,
      'guaranteed to it, taken from the others',
      of('reservation'),
      { unit },
    ),
    field(
      'vms',
      'strong',
      `${key}Limit`,
      `${label} limit`,
      'it gets no more, however idle the host',
      (v) => (v[key] ? (v[key].limit ?? 'none') : null),
      { unit },
    ),
    field(
      'vms',
      'moderate',
      `${key}Shares`,
      `${label} shares`,
      'its part when the host is busy',
      of('shares'),
    ),
  ];
};
const vm: Field<VmInfo>[] = [
  field(
    'vms',
    'strong',
    'powerState',
    'Power',
    'a VM that is off does no work',
    (v) => v.powerState,
  ),
  field('vms', 'strong', 'vcpus', 'vCPUs', 'size of the VM', (v) => v.vcpus),
  field(
    'vms',
    'moderate',
    'coresPerSocket',
    'Cores per socket',
    'what the guest sees of NUMA',
    (v) => v.coresPerSocket,
  ),
  field('vms', 'strong', 'memoryMb', 'Memory', 'size of the VM', (v) => v.memoryMb, { unit: 'MB' }),
  ...allocation('cpu', 'CPU', 'MHz'),
  ...allocation('memory', 'Memory', 'MB'),
  field(
    'vms',
    'moderate',
    'snapshotCount',
    'Snapshots',
    'a delta disk changes what storage does',
    (v) => v.snapshotCount,
  ),
  field(
    'vms',
    'slight',
    'hardwareVersion',
    'Virtual hardware',
    'devices the guest can use',
    (v) => v.hardwareVersion,
  ),
  field('vms', 'moderate', 'guest', 'Guest system', 'another operating system', (v) => v.guest),
  field(
    'tools',
    'slight',
    'toolsVersion',
    'VMware Tools',
    'drivers in the guest',
    (v) => v.toolsVersion,
  ),
  field(
    'tools',
    'slight',
    'toolsStatus',
    'Tools status',
    'drivers in the guest',
    (v) => v.toolsStatus,
  ),
  field('vms', 'none', 'hostName', 'Name in the guest', 'names the guest', (v) => v.hostName),
  field('vms', 'none', 'ip', 'Address', 'clients may look for it elsewhere', (v) => v.ip),
  field('vms', 'none', 'template', 'Template', 'cannot be powered on', (v) => v.template),
];
const disk: Field<DiskInfo>[] = [
  field('vms', 'strong', 'sizeBytes', 'size', 'size of the VM', (d) => d.sizeBytes, { unit: 'B' }),
  field('vms', 'moderate', 'controller', 'controller', 'queue and CPU an I/O', (d) => d.controller),
  field('vms', 'moderate', 'thin', 'thin', 'first writes allocate space', (d) => d.thin),
  field('vms', 'moderate', 'mode', 'mode', 'how writes are kept', (d) => d.mode),
];
const vnic: Field<VnicInfo>[] = [
  field('vms', 'strong', 'type', 'type', 'CPU a packet', (n) => n.type),
  field(
    'vms',
    'strong',
    'connected',
    'connected',
    'clients cannot reach the VM',
    (n) => n.connected,
  ),
];
const client: Field<ClientRecord>[] = [
  field('clients', 'moderate', 'cpus', 'CPUs', 'room to make load', (c) => c.facts['cpus']),
  field('clients', 'moderate', 'cpu', 'CPU', 'speed at which load is made', (c) => c.facts['cpu']),
  field(
    'clients',
    'slight',
    'memoryKb',
    'Memory',
    'room to make load',
    (c) => memoryKb(c.facts['memory']),
    { unit: 'kB', same: (a, b) => Math.abs(a - b) <= 0.01 * Math.max(a, b) },
  ),
  field('clients', 'moderate', 'kernel', 'Kernel', 'network and timers', (c) => c.facts['kernel']),
  field('clients', 'slight', 'os', 'System', 'libraries of the drivers', (c) => c.facts['os']),
  field(
    'clients',
    'moderate',
    'clockOffsetMs',
    'Clock against the engine',
    'shifts its samples in time',
    (c) => c.clockOffsetMs,
    { unit: 'ms', same: (a, b) => Math.abs(a - b) <= clockToleranceMs },
  ),
];
const tool: Field<string>[] = [
  field(
    'tools',
    'strong',
    'version',
    'version',
    'the load itself is made by it',
    (version) => version,
  ),
];
/** Facts of a client that are no driver. */
const machineFacts: ReadonlySet<string> = new Set(['cpus', 'cpu', 'memory', 'kernel', 'os']);
export const toolsOf = (c: ClientRecord): [string, string][] =>
  Object.entries(c.facts).filter(([name]) => !machineFacts.has(name));
function memoryKb(text: string | undefined): number | null {
  const value = Number(/^(\d+) kB$/.exec(text ?? '')?.[1] ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

/** Where a thing is: names of other things, with which a change is a move. */
const places: Readonly<Partial<Record<ThingKind | PartKind, readonly Field<never>[]>>> = {
  host: [
    field(
      'policy',
      'strong',
      'cluster',
      'Cluster',
      'another group of hosts to share with',
      () => null,
      { place: true },
    ),
  ],
  datastore: [
    field('storage', 'strong', 'luns', 'LUNs', 'another volume behind the same name', () => null, {
      place: true,
    }),
  ],
  array: [
    field(
      'storage',
      'strong',
      'datastores',
      'Datastores',
      'other data on the same disks',
      () => null,
      {
        place: true,
      },
    ),
  ],
  vm: [
    field('vms', 'strong', 'host', 'Host', 'shares another machine', () => null, { place: true }),
    field('vms', 'strong', 'datastores', 'Datastores', 'shares another LUN', () => null, {
      place: true,
    }),
    field(
      'vms',
      'moderate',
      'resourcePool',
      'Resource pool',
      'shares and limits of the pool',
      () => null,
      { place: true },
    ),
  ],
  disk: [
    field('vms', 'strong', 'datastore', 'datastore', 'shares another LUN', () => null, {
      place: true,
    }),
  ],
  vnic: [
    field('vms', 'moderate', 'network', 'network', 'another path to the clients', () => null, {
      place: true,
    }),
  ],
};

/** Every field by what it belongs to: what is read of a thing. */
export const readers = {
  vcenter,
  cluster,
  host,
  datastore,
  lun,
  array,
  network,
  vm,
  client,
  nic,
  hba,
  switch: virtualSwitch,
  setting,
  changedSetting,
  package: installed,
  drsOption,
  disk,
  vnic,
  tool,
};

/** A field without its reader: how a key of a snapshot is called, grouped and weighed. */
export type FieldMeaning = Omit<Field<never>, 'read'>;
export function meaningOf(kind: ThingKind | PartKind): readonly FieldMeaning[] {
  return [...(readers[kind] as readonly FieldMeaning[]), ...(places[kind] ?? [])];
}

export const thingNames: Readonly<Record<ThingKind, string>> = {
  vcenter: 'vCenter',
  cluster: 'Cluster',
  host: 'Host',
  datastore: 'Datastore',
  lun: 'LUN',
  array: 'Array',
  network: 'Network',
  vm: 'VM',
  client: 'Client',
};
/** What a part that came or went means. */
export const partNames: Readonly<
  Record<
    PartKind,
    {
      name: string;
      group: SnapshotGroup;
      effect: Effect;
      why: string;
      /** What it is where it is not listed; absent = it is not there. */ unlisted?: string;
    }
  >
> = {
  nic: { name: 'adapter', group: 'network', effect: 'strong', why: 'bandwidth of the host' },
  hba: { name: 'HBA', group: 'storage', effect: 'strong', why: 'paths to the storage' },
  switch: {
    name: 'switch',
    group: 'network',
    effect: 'moderate',
    why: 'path of the VMs to the clients',
  },
  setting: {
    name: 'setting',
    group: 'policy',
    effect: 'moderate',
    why: 'advanced setting of the host',
  },
  changedSetting: {
    name: 'setting',
    group: 'policy',
    effect: 'moderate',
    why: 'not as the host was shipped',
    unlisted: 'as shipped',
  },
  package: {
    name: 'package',
    group: 'firmware',
    effect: 'moderate',
    why: 'driver or part of ESXi',
  },
  drsOption: {
    name: 'DRS option',
    group: 'policy',
    effect: 'moderate',
    why: 'advanced option of DRS',
  },
  disk: { name: 'disk', group: 'vms', effect: 'strong', why: 'size of the VM' },
  vnic: { name: 'adapter', group: 'vms', effect: 'strong', why: 'path of the VM to its clients' },
  tool: { name: 'driver', group: 'tools', effect: 'strong', why: 'the load itself is made by it' },
};
export const groupOfThing: Readonly<Record<ThingKind, SnapshotGroup>> = {
  vcenter: 'build',
  cluster: 'policy',
  host: 'hardware',
  datastore: 'storage',
  lun: 'storage',
  array: 'storage',
  network: 'network',
  vm: 'vms',
  client: 'clients',
};
