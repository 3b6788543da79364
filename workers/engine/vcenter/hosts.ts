import type { HostInfo } from '../../../src/core/testbed/inventory.ts';
import { nameOf } from './names.ts';
import type { ManagedObject } from './properties.ts';
import { booleanOf, child, childrenNamed, descend, numberOf, textOf, type XmlNode } from './xml.ts';

export const hostProperties = [
  'name',
  'parent',
  'summary.hardware',
  'summary.config.product',
  'hardware.biosInfo',
  'hardware.systemInfo',
  'runtime.connectionState',
  'runtime.inMaintenanceMode',
  'config.network.pnic',
  'config.network.vswitch',
  'config.network.proxySwitch',
  'config.storageDevice.hostBusAdapter',
  'config.storageDevice.scsiLun',
  'config.storageDevice.multipathInfo',
  'config.powerSystemInfo.currentPolicy',
  'hardware.cpuPowerManagementInfo',
  'configManager.advancedOption',
] as const;

/**
 * vCenter gave the serial number a field of its own late; before, and from some makers still, it is
 * one of the tags.
 */
function serialOf(system: XmlNode | undefined): string | null {
  const tag = (key: string): string | null => {
    const found = childrenNamed(system, 'otherIdentifyingInfo').find(
      (info) => textOf(descend(info, 'identifierType', 'key')) === key,
    );
    return textOf(child(found, 'identifierValue'));
  };
  return textOf(child(system, 'serialNumber')) ?? tag('SerialNumberTag') ?? tag('ServiceTag');
}

function switchesOf({ props }: ManagedObject): HostInfo['switches'] {
  const standard = props.get('config.network.vswitch');
  const distributed = props.get('config.network.proxySwitch');
  if (!standard && !distributed) return null;
  // An uplink is named by its key, `key-vim.host.PhysicalNic-vmnic0`.
  const uplinks = (node: XmlNode): string[] =>
    childrenNamed(node, 'pnic').flatMap(
      (pnic) => textOf(pnic)?.replace(/^key-vim\.host\.PhysicalNic-/, '') ?? [],
    );
  const read = (node: XmlNode, name: string): NonNullable<HostInfo['switches']>[number] => ({
    name: textOf(child(node, name)) ?? '',
    mtu: numberOf(child(node, 'mtu')),
    uplinks: uplinks(node),
  });
  return [
    ...(standard?.children ?? []).map((node) => read(node, 'name')),
    ...(distributed?.children ?? []).map((node) => read(node, 'dvsName')),
  ];
}

/** A HostSystem's properties as inventory; its advanced settings are read apart. */
export function toHost(object: ManagedObject): HostInfo {
  const { ref, props } = object;
  const hardware = props.get('summary.hardware');
  const product = props.get('summary.config.product');
  const bios = props.get('hardware.biosInfo');
  const system = props.get('hardware.systemInfo');
  const parent = props.get('parent');
  return {
    ref: ref.id,
    name: nameOf(object),
    clusterRef: parent?.refType === 'ClusterComputeResource' ? textOf(parent) : null,
    vendor: textOf(child(hardware, 'vendor')),
    model: textOf(child(hardware, 'model')),
    cpuModel: textOf(child(hardware, 'cpuModel')),
    sockets: numberOf(child(hardware, 'numCpuPkgs')),
    cores: numberOf(child(hardware, 'numCpuCores')),
    threads: numberOf(child(hardware, 'numCpuThreads')),
    mhz: numberOf(child(hardware, 'cpuMhz')),
    memoryBytes: numberOf(child(hardware, 'memorySize')),
    build: textOf(child(product, 'build')),
    version: textOf(child(product, 'version')),
    bios: textOf(child(bios, 'biosVersion')),
    biosDate: textOf(child(bios, 'releaseDate'))?.slice(0, 10) ?? null,
    uuid: textOf(child(hardware, 'uuid')) ?? textOf(child(system, 'uuid')),
    serial: serialOf(system),
    powerPolicy:
      textOf(child(props.get('hardware.cpuPowerManagementInfo'), 'currentPolicy')) ??
      textOf(child(props.get('config.powerSystemInfo.currentPolicy'), 'shortName')),
    connectionState: textOf(props.get('runtime.connectionState')) ?? 'unknown',
    maintenance: booleanOf(props.get('runtime.inMaintenanceMode')) ?? false,
    nics: (props.get('config.network.pnic')?.children ?? []).map((nic) => ({
      device: textOf(child(nic, 'device')) ?? '',
      driver: textOf(child(nic, 'driver')),
      speedMbps: numberOf(descend(nic, 'linkSpeed', 'speedMb')),
      mac: textOf(child(nic, 'mac')),
      driverVersion: textOf(child(nic, 'driverVersion')),
      firmware: textOf(child(nic, 'firmwareVersion')),
    })),
    // vCenter does not tell an adapter's own queue depth; the queue of each LUN is with the LUN.
    hbas: (props.get('config.storageDevice.hostBusAdapter')?.children ?? []).map((hba) => ({
      device: textOf(child(hba, 'device')) ?? '',
      model: textOf(child(hba, 'model')),
      driver: textOf(child(hba, 'driver')),
      queueDepth: null,
    })),
    switches: switchesOf(object),
    settings: null,
  };
}
