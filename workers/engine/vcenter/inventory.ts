import { byName } from '../../../src/core/base/naturalOrder.ts';
import type {
  ClusterInfo,
  DatastoreInfo,
  HostInfo,
  Inventory,
  VmInfo,
} from '../../../src/core/testbed/inventory.ts';
import type { Core } from './core.ts';
import { hostProperties, toHost } from './hosts.ts';
import { machineProperties, toVm } from './machines.ts';
import { nameOf } from './names.ts';
import { placeProperties, toFolders, toPools } from './places.ts';
import { type ManagedObject, readAll, type Wanted } from './properties.ts';
import { readSettings } from './settings.ts';
import { idsOf, type ServiceContent } from './soap.ts';
import { type LunRow, lunsOfHost, lunTable, volumeOf } from './storage.ts';
import { booleanOf, child, childrenNamed, descend, numberOf, textOf } from './xml.ts';

/** Narrow on purpose: whole `config` and `summary` objects would be many times the size. */
const inventoryProperties: Wanted = {
  ClusterComputeResource: ['name', 'host', 'configurationEx', 'summary'],
  HostSystem: hostProperties,
  Datastore: ['name', 'summary', 'host', 'info', 'iormConfiguration.enabled'],
  // Distributed port groups and opaque networks are Networks too.
  Network: ['name'],
  VirtualMachine: machineProperties,
  ...placeProperties,
};

/**
 * Reads clusters, hosts with their advanced settings, datastores with LUNs, networks, VMs, resource
 * pools and folders. To be called within `withLogin`.
 */
export async function readInventory(core: Core, signal?: AbortSignal): Promise<Inventory> {
  const takenAtMs = core.clock.now();
  const objects = await readAll(core, inventoryProperties, signal);
  const inventory = toInventory(objects, core.content().about, core.connection.id, takenAtMs);
  const settings = await readSettings(
    core,
    objects.filter((object) => object.ref.type === 'HostSystem'),
    signal,
  );
  return {
    ...inventory,
    hosts: inventory.hosts.map((host) => ({ ...host, settings: settings.get(host.ref) ?? null })),
  };
}

/** Property collector answer → inventory. What a source did not give is null. */
export function toInventory(
  objects: readonly ManagedObject[],
  about: ServiceContent['about'],
  vcenterId: string,
  takenAtMs: number,
): Inventory {
  const clusters: ClusterInfo[] = [];
  const hosts: HostInfo[] = [];
  const datastores: ManagedObject[] = [];
  const pools: ManagedObject[] = [];
  const folders: ManagedObject[] = [];
  const datacenters: ManagedObject[] = [];
  const networks: Inventory['networks'] = [];
  const vms: VmInfo[] = [];
  const luns = new Map<string, Map<string, LunRow>>();
  for (const object of objects) {
    switch (object.ref.type) {
      case 'ClusterComputeResource':
        clusters.push(toCluster(object));
        break;
      case 'HostSystem':
        hosts.push(toHost(object));
        luns.set(
          object.ref.id,
          lunsOfHost(
            object.props.get('config.storageDevice.scsiLun'),
            object.props.get('config.storageDevice.multipathInfo'),
          ),
        );
        break;
      case 'Datastore':
        datastores.push(object);
        break;
      case 'Network':
      case 'DistributedVirtualPortgroup':
      case 'OpaqueNetwork':
        networks.push({ ref: object.ref.id, name: nameOf(object), type: object.ref.type });
        break;
      case 'VirtualMachine':
        vms.push(toVm(object));
        break;
      case 'ResourcePool':
      case 'VirtualApp':
        pools.push(object);
        break;
      case 'Folder':
        folders.push(object);
        break;
      case 'Datacenter':
        datacenters.push(object);
        break;
      default:
        break;
    }
  }
  const owners = new Map([...clusters, ...hosts].map((owner) => [owner.ref, owner.name]));
  return {
    vcenterId,
    product: about.fullName,
    version: about.version,
    build: about.build,
    instanceUuid: about.instanceUuid,
    takenAtMs,
    clusters: clusters.sort(byName),
    hosts: hosts.sort(byName),
    datastores: datastores.map((d) => toDatastore(d, luns)).sort(byName),
    networks: networks.sort(byName),
    vms: vms.sort(byName),
    resourcePools: toPools(pools, owners),
    folders: toFolders(folders, datacenters),
  };
}

function toCluster(object: ManagedObject): ClusterInfo {
  const { ref, props } = object;
  const config = props.get('configurationEx');
  const drs = child(config, 'drsConfig');
  return {
    ref: ref.id,
    name: nameOf(object),
    hostRefs: idsOf(props.get('host')),
    drsEnabled: booleanOf(child(drs, 'enabled')),
    drsBehavior: textOf(child(drs, 'defaultVmBehavior')),
    drsVmotionRate: numberOf(child(drs, 'vmotionRate')),
    haEnabled: booleanOf(descend(config, 'dasConfig', 'enabled')),
    admissionControl: booleanOf(descend(config, 'dasConfig', 'admissionControlEnabled')),
    dpmEnabled: booleanOf(descend(config, 'dpmConfigInfo', 'enabled')),
    evc: textOf(child(props.get('summary'), 'currentEVCModeKey')),
    drsOptions:
      drs &&
      Object.fromEntries(
        childrenNamed(drs, 'option').flatMap((option) => {
          const [key, value] = [textOf(child(option, 'key')), textOf(child(option, 'value'))];
          return key === null ? [] : [[key, value ?? '']];
        }),
      ),
    drsVmOverrides: config ? childrenNamed(config, 'drsVmConfig').length : null,
    rules: config ? childrenNamed(config, 'rule').length : null,
  };
}

function toDatastore(
  object: ManagedObject,
  luns: ReadonlyMap<string, ReadonlyMap<string, LunRow>>,
): DatastoreInfo {
  const { ref, props } = object;
  const summary = props.get('summary');
  const volume = volumeOf(props);
  return {
    ref: ref.id,
    name: nameOf(object),
    type: textOf(child(summary, 'type')),
    capacityBytes: numberOf(child(summary, 'capacity')),
    freeBytes: numberOf(child(summary, 'freeSpace')),
    accessible: booleanOf(child(summary, 'accessible')) ?? false,
    hostRefs: volume.hostRefs,
    luns: lunTable(volume, luns),
    instanceUuid: volume.instance,
    uncommittedBytes: numberOf(child(summary, 'uncommitted')),
    fileSystem: volume.version,
    blockSizeBytes: volume.blockSizeBytes,
    ioControl: booleanOf(props.get('iormConfiguration.enabled')),
    maintenance: textOf(child(summary, 'maintenanceMode')),
  };
}
