import type { ClusterInfo, DatastoreInfo, HostInfo, Inventory, VmInfo } from '../../../src/shared/testbed.ts';
import type { Core } from './core.ts';
import { readAll, type ManagedObject, type Wanted } from './properties.ts';
import { idsOf, type ServiceContent } from './soap.ts';
import { lunsOfHost, lunTable, volumeOf, type LunRow } from './storage.ts';
import { booleanOf, child, childrenNamed, descend, numberOf, textOf, type XmlNode } from './xml.ts';

/** Narrow on purpose: whole `config` and `summary` objects would be ten times the size. */
export const inventoryProperties: Wanted = {
  ClusterComputeResource: ['name', 'host', 'configurationEx'],
  HostSystem: [
    'name', 'parent', 'summary.hardware', 'summary.config.product', 'hardware.biosInfo', 'runtime.connectionState', 'runtime.inMaintenanceMode',
    'config.network.pnic', 'config.storageDevice.hostBusAdapter', 'config.storageDevice.scsiLun', 'config.storageDevice.multipathInfo',
    'config.powerSystemInfo.currentPolicy', 'hardware.cpuPowerManagementInfo',
  ],
  Datastore: ['name', 'summary', 'host', 'info'],
  // Distributed port groups and opaque networks are Networks too.
  Network: ['name'],
  VirtualMachine: [
    'name', 'runtime.host', 'runtime.powerState', 'datastore', 'summary.config.numCpu', 'summary.config.memorySizeMB', 'summary.config.template',
    'summary.config.guestFullName', 'guest.toolsStatus', 'guest.toolsRunningStatus', 'guest.ipAddress', 'snapshot',
  ],
};

/** Reads clusters, hosts, datastores with LUNs, networks and VMs. To be called within `withLogin`. */
export async function readInventory(core: Core, signal?: AbortSignal): Promise<Inventory> {
  const takenAtMs = core.clock.now();
  const objects = await readAll(core, inventoryProperties, signal);
  return toInventory(objects, core.content().about, core.connection.id, takenAtMs);
}

const byName = <T extends { name: string }>(a: T, b: T): number => a.name.localeCompare(b.name, 'en', { numeric: true });

/** Property collector answer → inventory. What a source did not give is null. */
export function toInventory(objects: readonly ManagedObject[], about: ServiceContent['about'], vcenterId: string, takenAtMs: number): Inventory {
  const clusters: ClusterInfo[] = [];
  const hosts: HostInfo[] = [];
  const datastores: ManagedObject[] = [];
  const networks: Inventory['networks'] = [];
  const vms: VmInfo[] = [];
  const luns = new Map<string, Map<string, LunRow>>();
  for (const object of objects) {
    switch (object.ref.type) {
      case 'ClusterComputeResource': clusters.push(toCluster(object)); break;
      case 'HostSystem':
        hosts.push(toHost(object));
        luns.set(object.ref.id, lunsOfHost(object.props.get('config.storageDevice.scsiLun'), object.props.get('config.storageDevice.multipathInfo')));
        break;
      case 'Datastore': datastores.push(object); break;
      case 'Network': case 'DistributedVirtualPortgroup': case 'OpaqueNetwork':
        networks.push({ ref: object.ref.id, name: nameOf(object), type: object.ref.type }); break;
      case 'VirtualMachine': vms.push(toVm(object)); break;
      default: break;
    }
  }
  return {
    vcenterId, product: about.fullName, version: about.version, build: about.build, instanceUuid: about.instanceUuid, takenAtMs,
    clusters: clusters.sort(byName), hosts: hosts.sort(byName), datastores: datastores.map((d) => toDatastore(d, luns)).sort(byName), networks: networks.sort(byName), vms: vms.sort(byName),
  };
}

const nameOf = (object: ManagedObject): string => decodeName(textOf(object.props.get('name')) ?? object.ref.id);
/** vCenter writes `%`, `/` and `\` in names as %25, %2f and %5c, and nothing else. */
export function decodeName(name: string): string {
  return name.replace(/%(25|2f|5c)/gi, (escaped) => String.fromCharCode(parseInt(escaped.slice(1), 16)));
}

function toCluster({ ref, props, ...rest }: ManagedObject): ClusterInfo {
  const config = props.get('configurationEx');
  const drs = child(config, 'drsConfig');
  return {
    ref: ref.id, name: nameOf({ ref, props, ...rest }), hostRefs: idsOf(props.get('host')),
    drsEnabled: booleanOf(child(drs, 'enabled')), drsBehavior: textOf(child(drs, 'defaultVmBehavior')), drsVmotionRate: numberOf(child(drs, 'vmotionRate')),
    haEnabled: booleanOf(descend(config, 'dasConfig', 'enabled')),
  };
}

function toHost(object: ManagedObject): HostInfo {
  const { ref, props } = object;
  const hardware = props.get('summary.hardware');
  const product = props.get('summary.config.product');
  const parent = props.get('parent');
  return {
    ref: ref.id, name: nameOf(object), clusterRef: parent?.refType === 'ClusterComputeResource' ? textOf(parent) : null,
    vendor: textOf(child(hardware, 'vendor')), model: textOf(child(hardware, 'model')), cpuModel: textOf(child(hardware, 'cpuModel')),
    sockets: numberOf(child(hardware, 'numCpuPkgs')), cores: numberOf(child(hardware, 'numCpuCores')), threads: numberOf(child(hardware, 'numCpuThreads')),
    mhz: numberOf(child(hardware, 'cpuMhz')), memoryBytes: numberOf(child(hardware, 'memorySize')),
    build: textOf(child(product, 'build')), version: textOf(child(product, 'version')), bios: textOf(child(props.get('hardware.biosInfo'), 'biosVersion')),
    powerPolicy: textOf(child(props.get('hardware.cpuPowerManagementInfo'), 'currentPolicy')) ?? textOf(child(props.get('config.powerSystemInfo.currentPolicy'), 'shortName')),
    connectionState: textOf(props.get('runtime.connectionState')) ?? 'unknown', maintenance: booleanOf(props.get('runtime.inMaintenanceMode')) ?? false,
    nics: (props.get('config.network.pnic')?.children ?? []).map((nic) => ({ device: textOf(child(nic, 'device')) ?? '', driver: textOf(child(nic, 'driver')), speedMbps: numberOf(descend(nic, 'linkSpeed', 'speedMb')) })),
    hbas: (props.get('config.storageDevice.hostBusAdapter')?.children ?? []).map((hba) => ({ device: textOf(child(hba, 'device')) ?? '', model: textOf(child(hba, 'model')), driver: textOf(child(hba, 'driver')) })),
  };
}

function toDatastore(object: ManagedObject, luns: ReadonlyMap<string, ReadonlyMap<string, LunRow>>): DatastoreInfo {
  const { ref, props } = object;
  const summary = props.get('summary');
  const volume = volumeOf(props);
  return {
    ref: ref.id, name: nameOf(object), type: textOf(child(summary, 'type')), capacityBytes: numberOf(child(summary, 'capacity')), freeBytes: numberOf(child(summary, 'freeSpace')),
    accessible: booleanOf(child(summary, 'accessible')) ?? false, hostRefs: volume.hostRefs, luns: lunTable(volume, luns), instanceUuid: volume.instance,
  };
}

/** Snapshots of a VM, all branches. */
function countSnapshots(tree: XmlNode | undefined, list = 'rootSnapshotList'): number {
  return childrenNamed(tree, list).reduce((sum, snapshot) => sum + 1 + countSnapshots(snapshot, 'childSnapshotList'), 0);
}

function toVm(object: ManagedObject): VmInfo {
  const { ref, props } = object;
  return {
    ref: ref.id, name: nameOf(object), hostRef: textOf(props.get('runtime.host')), datastoreRefs: idsOf(props.get('datastore')), powerState: textOf(props.get('runtime.powerState')) ?? 'unknown',
    vcpus: numberOf(props.get('summary.config.numCpu')), memoryMb: numberOf(props.get('summary.config.memorySizeMB')), guest: textOf(props.get('summary.config.guestFullName')),
    toolsStatus: textOf(props.get('guest.toolsStatus')) ?? textOf(props.get('guest.toolsRunningStatus')), ip: textOf(props.get('guest.ipAddress')),
    template: booleanOf(props.get('summary.config.template')) ?? false, snapshotCount: countSnapshots(props.get('snapshot')),
  };
}
