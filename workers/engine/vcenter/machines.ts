import type {
  AllocationInfo,
  DiskInfo,
  VmInfo,
  VnicInfo,
} from '../../../src/core/testbed/inventory.ts';
import { nameOf } from './names.ts';
import type { ManagedObject } from './properties.ts';
import { idsOf } from './soap.ts';
import { booleanOf, child, childrenNamed, descend, numberOf, textOf, type XmlNode } from './xml.ts';

export const machineProperties = [
  'name',
  'parent',
  'resourcePool',
  'runtime.host',
  'runtime.powerState',
  'datastore',
  'summary.config.numCpu',
  'summary.config.memorySizeMB',
  'summary.config.template',
  'summary.config.guestFullName',
  'summary.config.instanceUuid',
  'summary.storage',
  'guest.toolsStatus',
  'guest.toolsRunningStatus',
  'guest.toolsVersion',
  'guest.hostName',
  'guest.ipAddress',
  'snapshot',
  'config.version',
  'config.hardware.numCoresPerSocket',
  'config.hardware.device',
  'config.cpuAllocation',
  'config.memoryAllocation',
] as const;

/** Snapshots of a VM, all branches. */
function countSnapshots(tree: XmlNode | undefined, list = 'rootSnapshotList'): number {
  return childrenNamed(tree, list).reduce(
    (sum, snapshot) => sum + 1 + countSnapshots(snapshot, 'childSnapshotList'),
    0,
  );
}

/** Reservation, limit and shares; vCenter writes no limit as -1. */
export function allocationOf(node: XmlNode | undefined): AllocationInfo | null {
  if (!node) return null;
  const limit = numberOf(child(node, 'limit'));
  const shares = child(node, 'shares');
  return {
    reservation: numberOf(child(node, 'reservation')),
    limit: limit === null || limit < 0 ? null : limit,
    shares: numberOf(child(shares, 'shares')),
    level: textOf(child(shares, 'level')),
  };
}

function toDisk(device: XmlNode, controllers: ReadonlyMap<string, string>): DiskInfo {
  const backing = child(device, 'backing');
  const kilobytes = numberOf(child(device, 'capacityInKB'));
  const controller = controllers.get(textOf(child(device, 'controllerKey')) ?? '');
  const unit = textOf(child(device, 'unitNumber'));
  return {
    label: labelOf(device),
    sizeBytes:
      numberOf(child(device, 'capacityInBytes')) ?? (kilobytes === null ? null : kilobytes * 1_024),
    datastoreRef: textOf(child(backing, 'datastore')),
    controller:
      controller === undefined ? null : unit === null ? controller : `${controller}:${unit}`,
    thin: booleanOf(child(backing, 'thinProvisioned')),
    mode: textOf(child(backing, 'diskMode')),
  };
}

function toVnic(device: XmlNode): VnicInfo {
  const backing = child(device, 'backing');
  return {
    label: labelOf(device),
    type: device.type ?? 'unknown',
    mac: textOf(child(device, 'macAddress')),
    connected: booleanOf(descend(device, 'connectable', 'connected')),
    // The key of a distributed port group is its reference.
    networkRef:
      textOf(child(backing, 'network')) ?? textOf(descend(backing, 'port', 'portgroupKey')),
  };
}

const labelOf = (device: XmlNode): string =>
  textOf(descend(device, 'deviceInfo', 'label')) ?? `device ${textOf(child(device, 'key')) ?? ''}`;

/** Disks with their controllers, and network adapters, of a VM's device list. */
function devicesOf(list: XmlNode | undefined): {
  disks: DiskInfo[] | null;
  nics: VnicInfo[] | null;
} {
  if (!list) return { disks: null, nics: null };
  const controllers = new Map<string, string>();
  for (const device of list.children) {
    const bus = textOf(child(device, 'busNumber'));
    const key = textOf(child(device, 'key'));
    if (bus !== null && key !== null) controllers.set(key, `${device.type ?? 'controller'} ${bus}`);
  }
  return {
    disks: list.children
      .filter((device) => device.type === 'VirtualDisk')
      .map((device) => toDisk(device, controllers)),
    nics: list.children.filter((device) => child(device, 'macAddress') !== null).map(toVnic),
  };
}

/**
 * A VirtualMachine's properties as inventory. A VM whose files are out of reach has no
 * configuration: those figures are null.
 */
export function toVm(object: ManagedObject): VmInfo {
  const { ref, props } = object;
  const storage = props.get('summary.storage');
  return {
    ref: ref.id,
    name: nameOf(object),
    hostRef: textOf(props.get('runtime.host')),
    datastoreRefs: idsOf(props.get('datastore')),
    powerState: textOf(props.get('runtime.powerState')) ?? 'unknown',
    vcpus: numberOf(props.get('summary.config.numCpu')),
    memoryMb: numberOf(props.get('summary.config.memorySizeMB')),
    guest: textOf(props.get('summary.config.guestFullName')),
    toolsStatus:
      textOf(props.get('guest.toolsStatus')) ?? textOf(props.get('guest.toolsRunningStatus')),
    ip: textOf(props.get('guest.ipAddress')),
    template: booleanOf(props.get('summary.config.template')) ?? false,
    snapshotCount: countSnapshots(props.get('snapshot')),
    instanceUuid: textOf(props.get('summary.config.instanceUuid')),
    coresPerSocket: numberOf(props.get('config.hardware.numCoresPerSocket')),
    hardwareVersion: textOf(props.get('config.version')),
    // Tools that never ran report version 0.
    toolsVersion: nonZero(textOf(props.get('guest.toolsVersion'))),
    hostName: textOf(props.get('guest.hostName')),
    ...devicesOf(props.get('config.hardware.device')),
    cpu: allocationOf(props.get('config.cpuAllocation')),
    memory: allocationOf(props.get('config.memoryAllocation')),
    resourcePoolRef: textOf(props.get('resourcePool')),
    folderRef: textOf(props.get('parent')),
    committedBytes: numberOf(child(storage, 'committed')),
    uncommittedBytes: numberOf(child(storage, 'uncommitted')),
  };
}
const nonZero = (text: string | null): string | null => (text === '0' ? null : text);
