import { inventorySchema } from '../../../src/core/testbed/inventory.ts';
import { toInventory } from './inventory.ts';
import { decodeName } from './names.ts';
import { decodePage } from './properties.ts';
import { openEnvelope, returned } from './soap.ts';
import { answerXml, inventoryXml, objectXml, propXml } from './testing/inventoryXml.ts';
import { parseXml } from './xml.ts';

const about = {
  fullName: 'vCenter 8',
  version: '8.0.2',
  build: '1',
  apiVersion: '8.0.2.0',
  apiType: 'VirtualCenter',
  instanceUuid: 'u',
};
const decode = (xml: string) =>
  toInventory(
    decodePage('test', returned(openEnvelope('test', parseXml(xml)))[0]!).objects,
    about,
    'vc1',
    5,
  );

describe.each(['vcenter', 'simulator'] as const)('an inventory as a %s writes it', (dialect) => {
  const inventory = decode(
    inventoryXml({ hosts: 3, vms: 6, datastores: 2, lunsPerHost: 3 }, dialect),
  );

  test('is valid and complete', () => {
    expect(inventorySchema.parse(inventory)).toEqual(inventory);
    expect([
      inventory.clusters.length,
      inventory.hosts.length,
      inventory.datastores.length,
      inventory.networks.length,
      inventory.vms.length,
    ]).toEqual([1, 3, 2, 1, 6]);
  });
  test('gives hosts', () => {
    expect(inventory.hosts[0]).toMatchObject({
      ref: 'host-0',
      name: 'esx0.lab',
      clusterRef: 'domain-c1',
      sockets: 2,
      cores: 48,
      threads: 96,
      mhz: 2600,
      memoryBytes: 549_755_813_888,
      bios: '2.19.1',
      build: '22380479',
      powerPolicy: 'High Performance',
      connectionState: 'connected',
      maintenance: false,
    });
    expect(inventory.hosts[0]!.nics[3]).toEqual({
      device: 'vmnic3',
      driver: 'i40en',
      speedMbps: 25_000,
      mac: '00:50:56:00:00:03',
      driverVersion: null,
      firmware: null,
    });
    expect(inventory.hosts[0]!.hbas[1]).toEqual({
      device: 'vmhba1',
      model: 'QLE2692',
      driver: 'qlnativefc',
      queueDepth: null,
    });
    expect(inventory.hosts[0]).toMatchObject({
      uuid: '4c4c4544-0042-0000',
      serial: 'TAG0',
      biosDate: '2024-01-05',
      settings: null,
      switches: [{ name: 'vSwitch0', mtu: 9_000, uplinks: ['vmnic0', 'vmnic1'] }],
    });
  });
  test('joins datastores with their LUNs', () => {
    expect(inventory.datastores[1]).toMatchObject({
      ref: 'datastore-1',
      hostRefs: ['host-0', 'host-1', 'host-2'],
      instanceUuid: '5f3c-1',
      type: 'VMFS',
      accessible: true,
    });
    expect(inventory.datastores[1]!.luns).toEqual([
      {
        canonicalName: 'naa.6000c290000000000000000000000001',
        vendor: 'ACME',
        model: 'FlashArray',
        capacityBytes: 2_199_023_255_552,
        queueDepth: 64,
        paths: 4,
        policy: 'VMW_PSP_RR',
        activePaths: 4,
        blockSizeBytes: 512,
      },
    ]);
    expect(inventory.datastores[1]).toMatchObject({
      uncommittedBytes: 4_096,
      fileSystem: '6.82',
      blockSizeBytes: 2 ** 20,
      ioControl: false,
      maintenance: 'normal',
    });
  });
  test('gives VMs and the cluster', () => {
    expect(inventory.vms[4]).toMatchObject({
      ref: 'vm-4',
      name: 'tile4 database / x',
      hostRef: 'host-1',
      datastoreRefs: ['datastore-0'],
      powerState: 'poweredOn',
      vcpus: 4,
      memoryMb: 8_192,
      guest: 'Debian GNU/Linux 12 (64-bit)',
      toolsStatus: 'toolsOk',
      ip: '10.0.0.4',
      template: false,
      snapshotCount: 2,
    });
    expect(inventory.vms[4]).toMatchObject({
      instanceUuid: '5012-4',
      coresPerSocket: 2,
      hardwareVersion: 'vmx-19',
      toolsVersion: '12352',
      hostName: 'tile4.lab',
      resourcePoolRef: 'resgroup-8',
      folderRef: 'group-v3',
      committedBytes: 9_663_676_416,
      uncommittedBytes: 8_589_934_592,
      cpu: { reservation: 0, limit: null, shares: 4_000, level: 'normal' },
      memory: { reservation: 1_024, limit: 8_192, shares: 81_920, level: 'normal' },
      disks: [
        {
          label: 'Hard disk 1',
          sizeBytes: 17_179_869_184,
          datastoreRef: 'datastore-0',
          controller: 'ParaVirtualSCSIController 0:0',
          thin: true,
          mode: 'persistent',
        },
      ],
      nics: [
        {
          label: 'Network adapter 1',
          type: 'VirtualVmxnet3',
          networkRef: 'dvportgroup-1',
          mac: '00:50:56:aa:00:01',
          connected: true,
        },
      ],
    });
    expect(inventory.clusters[0]).toMatchObject({
      evc: 'intel-cascadelake',
      dpmEnabled: false,
      admissionControl: null,
      drsOptions: { TryBalanceVmsPerHost: '1' },
      drsVmOverrides: 0,
      rules: 1,
    });
    expect(inventory.clusters[0]).toMatchObject({
      drsEnabled: true,
      drsBehavior: 'fullyAutomated',
      drsVmotionRate: 3,
      haEnabled: false,
      hostRefs: ['host-0', 'host-1', 'host-2'],
    });
  });
});

test('gives resource pools and the folders that hold VMs, by path', () => {
  const { resourcePools, folders } = decode(
    inventoryXml({ hosts: 1, vms: 1, datastores: 1, lunsPerHost: 1 }),
  );
  expect(resourcePools).toEqual([
    {
      ref: 'resgroup-8',
      name: 'Resources',
      path: 'Cluster',
      ownerRef: 'domain-c1',
      parentRef: null,
      cpu: null,
      memory: null,
    },
    {
      ref: 'resgroup-9',
      name: 'gold',
      path: 'Cluster/gold',
      ownerRef: 'domain-c1',
      parentRef: 'resgroup-8',
      cpu: { reservation: 500, limit: null, shares: 8_000, level: 'high' },
      memory: null,
    },
  ]);
  expect(folders).toEqual([
    { ref: 'group-v3', name: 'vm', path: 'lab/vm', parentRef: 'datacenter-2' },
    { ref: 'group-v4', name: 'tiles', path: 'lab/vm/tiles', parentRef: 'group-v3' },
  ]);
});

test("folders that are each other's parents have an end", () => {
  const folder = (id: string, parent: string) =>
    objectXml(
      'Folder',
      id,
      propXml('vcenter', 'name', 'xsd:string', id),
      propXml('vcenter', 'parent', 'ManagedObjectReference', parent, 'Folder'),
      propXml('vcenter', 'childType', 'ArrayOfString', '<string>VirtualMachine</string>'),
    );
  expect(
    decode(
      answerXml(
        'RetrievePropertiesEx',
        `<returnval>${folder('a', 'b')}${folder('b', 'a')}</returnval>`,
      ),
    ).folders!.map((f) => f.path),
  ).toEqual(['a/b', 'b/a']);
});

test('a LUN goes by the host that sees least of it', () => {
  const disk =
    '<ScsiLun xsi:type="HostScsiDisk"><key>k</key><canonicalName>naa.1</canonicalName><queueDepth>64</queueDepth></ScsiLun>';
  const host = (id: string, policy: string, ...states: string[]) =>
    objectXml(
      'HostSystem',
      id,
      propXml(
        'vcenter',
        'config.storageDevice.scsiLun',
        'ArrayOfScsiLun',
        id === 'host-2' ? disk.replace('64', '32') : disk,
      ),
      propXml(
        'vcenter',
        'config.storageDevice.multipathInfo',
        'HostMultipathInfo',
        `<lun><lun>k</lun>${states.map((state) => `<path><state>${state}</state></path>`).join('')}<policy><policy>${policy}</policy></policy></lun>`,
      ),
    );
  const mounts = ['host-1', 'host-2']
    .map((id) => `<DatastoreHostMount><key type="HostSystem">${id}</key></DatastoreHostMount>`)
    .join('');
  const store = objectXml(
    'Datastore',
    'd',
    propXml('vcenter', 'host', 'ArrayOfDatastoreHostMount', mounts),
    propXml(
      'vcenter',
      'info',
      'VmfsDatastoreInfo',
      '<vmfs><extent><diskName>naa.1</diskName></extent></vmfs>',
    ),
  );
  const found = decode(
    answerXml(
      'RetrievePropertiesEx',
      `<returnval>${host('host-1', 'VMW_PSP_RR', 'active', 'active', 'standby')}${host('host-2', 'VMW_PSP_FIXED', 'active', 'dead')}${store}</returnval>`,
    ),
  );
  expect(found.datastores[0]!.luns).toEqual([
    expect.objectContaining({
      queueDepth: 32,
      paths: 2,
      activePaths: 1,
      policy: 'VMW_PSP_FIXED + VMW_PSP_RR',
    }),
  ]);
});

test('what is not given is null', () => {
  const bare = decode(
    answerXml(
      'RetrievePropertiesEx',
      `<returnval>${objectXml('HostSystem', 'host-9')}${objectXml('Datastore', 'datastore-9')}${objectXml('VirtualMachine', 'vm-9')}${objectXml('ClusterComputeResource', 'domain-c9')}${objectXml('Folder', 'group-1')}</returnval>`,
    ),
  );
  expect(inventorySchema.parse(bare)).toEqual(bare);
  expect(bare.hosts[0]).toMatchObject({
    name: 'host-9',
    clusterRef: null,
    vendor: null,
    cores: null,
    memoryBytes: null,
    powerPolicy: null,
    connectionState: 'unknown',
    uuid: null,
    serial: null,
    biosDate: null,
    switches: null,
    settings: null,
  });
  expect(bare.datastores[0]).toMatchObject({
    capacityBytes: null,
    accessible: false,
    luns: [],
    instanceUuid: null,
  });
  expect(bare.vms[0]).toMatchObject({
    hostRef: null,
    vcpus: null,
    ip: null,
    snapshotCount: 0,
    disks: null,
    nics: null,
    cpu: null,
    instanceUuid: null,
    toolsVersion: null,
  });
  expect(bare.clusters[0]).toMatchObject({
    drsEnabled: null,
    haEnabled: null,
    evc: null,
    drsOptions: null,
    rules: null,
    drsVmOverrides: null,
  });
});

test('an NFS datastore has no LUN and takes its instance from its URL', () => {
  const found = decode(
    answerXml(
      'RetrievePropertiesEx',
      `<returnval>${objectXml('Datastore', 'datastore-1', propXml('vcenter', 'name', 'xsd:string', 'nfs'), propXml('vcenter', 'summary', 'DatastoreSummary', '<url>ds:///vmfs/volumes/1a2b-3c4d/</url><type>NFS</type>'), propXml('vcenter', 'info', 'NasDatastoreInfo', '<nas/>'))}</returnval>`,
    ),
  );
  expect(found.datastores[0]).toMatchObject({ type: 'NFS', luns: [], instanceUuid: '1a2b-3c4d' });
});

test('a host that has lost a datastore does not count as mounting it', () => {
  const mount = (id: string, accessible: boolean) =>
    `<DatastoreHostMount><key type="HostSystem">${id}</key><mountInfo><mounted>true</mounted><accessible>${accessible}</accessible></mountInfo></DatastoreHostMount>`;
  const found = decode(
    answerXml(
      'RetrievePropertiesEx',
      `<returnval>${objectXml('Datastore', 'd', propXml('vcenter', 'host', 'ArrayOfDatastoreHostMount', mount('host-1', true) + mount('host-2', false)))}</returnval>`,
    ),
  );
  expect(found.datastores[0]!.hostRefs).toEqual(['host-1']);
});

test('an expired session shows as missing properties, and is thrown', () => {
  const page = parseXml(
    answerXml(
      'RetrievePropertiesEx',
      '<returnval><objects><obj type="HostSystem">host-1</obj><missingSet><path>name</path><fault><fault xsi:type="NotAuthenticated"/><localizedMessage/></fault></missingSet></objects></returnval>',
    ),
  );
  expect(() => decodePage('test', returned(openEnvelope('test', page))[0]!)).toThrow(
    expect.objectContaining({ details: { fault: 'NotAuthenticated' } }) as Error,
  );
});

test.each([
  ['a%2fb', 'a/b'],
  ['100%25', '100%'],
  ['c%5cd', 'c\\d'],
  ['%41', '%41'],
  ['%252f', '%2f'],
])('name %s is %s', (written, name) => {
  expect(decodeName(written)).toBe(name);
});
test('what does not print in a name is left out: no record of a run could be read with it', () => {
  expect(decodeName('tile1\u200b-db\u0007%2f\u202eweb')).toBe('tile1 -db / web');
});
