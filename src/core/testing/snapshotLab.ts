import type { ClientRecord } from '../run/run.ts';
import type { Inventory } from '../testbed/inventory.ts';
import type { Testbed } from '../testbed/testbed.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/**
 * An inventory with every field that a snapshot reads: two VMs a host, one datastore and LUN a
 * host.
 */
export function snapshotInventory(hosts = 2): Inventory {
  return {
    vcenterId: 'vc1',
    product: 'vCenter',
    version: '8.0.3',
    build: '24022515',
    instanceUuid: 'vc-uuid',
    takenAtMs: 1_000,
    clusters: [
      {
        ref: 'domain-c1',
        name: 'bench',
        hostRefs: range(hosts).map((i) => `host-${i}`),
        drsEnabled: true,
        drsBehavior: 'manual',
        drsVmotionRate: 3,
        haEnabled: false,
        evc: 'intel-cascadelake',
        admissionControl: false,
        dpmEnabled: false,
        drsOptions: { TryBalanceVmsPerHost: '1' },
        drsVmOverrides: 0,
        rules: 0,
      },
    ],
    hosts: range(hosts).map((i) => ({
      ref: `host-${i}`,
      name: `esx${i}.lab`,
      clusterRef: 'domain-c1',
      vendor: 'ACME',
      model: 'R1',
      cpuModel: 'CPU 9',
      sockets: 2,
      cores: 48,
      threads: 96,
      mhz: 2_600,
      memoryBytes: 512 * 2 ** 30,
      build: '22380479',
      version: '8.0.2',
      bios: '2.19.1',
      powerPolicy: 'static',
      connectionState: 'connected',
      maintenance: false,
      uuid: `44454C4C-${i}`,
      serial: `SN${i}`,
      biosDate: '2024-01-05',
      nics: [0, 1].map((n) => ({
        device: `vmnic${n}`,
        driver: 'i40en',
        speedMbps: 25_000,
        mac: `00:50:56:00:0${i}:0${n}`,
        driverVersion: '2.5.11',
        firmware: '9.2',
      })),
      hbas: [{ device: 'vmhba2', model: 'QLE2692', driver: 'qlnativefc', queueDepth: 64 }],
      switches: [{ name: 'vSwitch0', mtu: 1_500, uplinks: ['vmnic0', 'vmnic1'] }],
      settings: { 'Disk.SchedNumReqOutstanding': '32', 'Power.UseCStates': '1' },
      software: {
        packages: { 'nmlx5-core': '4.19.16.8' },
        settings: { 'Net.TcpipHeapMax': '1536' },
        note: null,
      },
    })),
    datastores: range(hosts).map((i) => ({
      ref: `datastore-${i}`,
      name: `lun${i}`,
      type: 'VMFS',
      capacityBytes: 2 ** 40,
      freeBytes: 2 ** 39,
      accessible: true,
      hostRefs: range(hosts).map((h) => `host-${h}`),
      instanceUuid: `5f3c-${i}`,
      uncommittedBytes: 0,
      fileSystem: '6.82',
      blockSizeBytes: 2 ** 20,
      ioControl: false,
      maintenance: 'normal',
      luns: [
        {
          canonicalName: `naa.600${i}`,
          vendor: 'ACME',
          model: 'FlashArray',
          capacityBytes: 2 ** 40,
          queueDepth: 64,
          paths: 4,
          policy: 'VMW_PSP_RR',
          activePaths: 4,
          blockSizeBytes: 512,
        },
      ],
    })),
    networks: [
      { ref: 'network-1', name: 'VM Network', type: 'Network' },
      { ref: 'network-2', name: 'other', type: 'Network' },
    ],
    vms: range(hosts * 2).map((i) => ({
      ref: `vm-${i}`,
      name: `vm${i}`,
      hostRef: `host-${i % hosts}`,
      datastoreRefs: [`datastore-${i % hosts}`],
      powerState: 'poweredOn',
      vcpus: 2,
      memoryMb: 4_096,
      guest: 'Debian 12',
      toolsStatus: 'toolsOk',
      ip: `10.0.0.${i}`,
      template: false,
      snapshotCount: 0,
      instanceUuid: `5012-${i}`,
      coresPerSocket: 1,
      hardwareVersion: 'vmx-19',
      toolsVersion: '12352',
      hostName: `vm${i}`,
      folderRef: 'group-v1',
      resourcePoolRef: 'resgroup-1',
      committedBytes: 2 ** 33,
      uncommittedBytes: 0,
      disks: [
        {
          label: 'Hard disk 1',
          sizeBytes: 16 * 2 ** 30,
          datastoreRef: `datastore-${i % hosts}`,
          controller: 'ParaVirtualSCSIController 0:0',
          thin: true,
          mode: 'persistent',
        },
      ],
      nics: [
        {
          label: 'Network adapter 1',
          type: 'VirtualVmxnet3',
          networkRef: 'network-1',
          mac: `00:50:56:aa:00:0${i}`,
          connected: true,
        },
      ],
      cpu: { reservation: 0, limit: null, shares: 2_000, level: 'normal' },
      memory: { reservation: 0, limit: null, shares: 40_960, level: 'normal' },
    })),
    resourcePools: [
      {
        ref: 'resgroup-1',
        name: 'Resources',
        path: 'bench',
        ownerRef: 'domain-c1',
        parentRef: null,
      },
    ],
    folders: [{ ref: 'group-v1', name: 'vm', path: 'lab/vm', parentRef: null }],
  };
}

export function snapshotClients(): ClientRecord[] {
  return [1, 2].map((i) => ({
    id: `client-${i}`,
    name: `load${i}`,
    clockOffsetMs: i,
    machineId: `machine-${i}`,
    facts: {
      kernel: 'Linux 6.1.0',
      cpus: '8',
      cpu: 'CPU 9',
      memory: '16384000 kB',
      os: 'Debian 12',
      fio: 'fio-3.33',
    },
  }));
}

/** A tile of one workload on each of the first `tiles` VMs. */
export function snapshotTestbed(tiles = 2): Testbed {
  return {
    id: 'tb',
    name: 'Rack',
    version: 1,
    profileId: 'p',
    vcenterId: 'vc1',
    powerIds: [],
    notes: '',
    tiles: range(tiles).map((index) => ({
      index,
      workloads: [
        {
          workloadId: 'database',
          vm: { ref: `vm-${index}`, name: `vm${index}` },
          clientId: `client-${(index % 2) + 1}`,
          params: {},
        },
      ],
    })),
  };
}
