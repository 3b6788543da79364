import { inventorySchema } from '../../../src/shared/testbed.ts';
import { decodeName, toInventory } from './inventory.ts';
import { decodePage } from './properties.ts';
import { openEnvelope, returned } from './soap.ts';
import { answerXml, inventoryXml, objectXml, propXml } from './testing/inventoryXml.ts';
import { parseXml } from './xml.ts';

const about = { fullName: 'vCenter 8', version: '8.0.2', build: '1', apiVersion: '8.0.2.0', apiType: 'VirtualCenter', instanceUuid: 'u' };
const decode = (xml: string) => toInventory(decodePage('test', returned(openEnvelope('test', parseXml(xml)))[0]!).objects, about, 'vc1', 5);

describe.each(['vcenter', 'simulator'] as const)('an inventory as a %s writes it', (dialect) => {
  const inventory = decode(inventoryXml({ hosts: 3, vms: 6, datastores: 2, lunsPerHost: 3 }, dialect));

  test('is valid and complete', () => {
    expect(inventorySchema.parse(inventory)).toEqual(inventory);
    expect([inventory.clusters.length, inventory.hosts.length, inventory.datastores.length, inventory.networks.length, inventory.vms.length]).toEqual([1, 3, 2, 1, 6]);
  });
  test('gives hosts', () => {
    expect(inventory.hosts[0]).toMatchObject({
      ref: 'host-0', name: 'esx0.lab', clusterRef: 'domain-c1', sockets: 2, cores: 48, threads: 96, mhz: 2600, memoryBytes: 549_755_813_888, bios: '2.19.1', build: '22380479', powerPolicy: 'High Performance', connectionState: 'connected', maintenance: false,
    });
    expect(inventory.hosts[0]!.nics[3]).toEqual({ device: 'vmnic3', driver: 'i40en', speedMbps: 25_000 });
    expect(inventory.hosts[0]!.hbas[1]).toEqual({ device: 'vmhba1', model: 'QLE2692', driver: 'qlnativefc' });
  });
  test('joins datastores with their LUNs', () => {
    expect(inventory.datastores[1]).toMatchObject({ ref: 'datastore-1', hostRefs: ['host-0', 'host-1', 'host-2'], instanceUuid: '5f3c-1', type: 'VMFS', accessible: true });
    expect(inventory.datastores[1]!.luns).toEqual([{ canonicalName: 'naa.6000c290000000000000000000000001', vendor: 'ACME', model: 'FlashArray', capacityBytes: 2_199_023_255_552, queueDepth: 64, paths: 4, policy: 'VMW_PSP_RR' }]);
  });
  test('gives VMs and the cluster', () => {
    expect(inventory.vms[4]).toEqual({ ref: 'vm-4', name: 'tile4 database / x', hostRef: 'host-1', datastoreRefs: ['datastore-0'], powerState: 'poweredOn', vcpus: 4, memoryMb: 8_192, guest: 'Debian GNU/Linux 12 (64-bit)', toolsStatus: 'toolsOk', ip: '10.0.0.4', template: false, snapshotCount: 2 });
    expect(inventory.clusters[0]).toMatchObject({ drsEnabled: true, drsBehavior: 'fullyAutomated', drsVmotionRate: 3, haEnabled: false, hostRefs: ['host-0', 'host-1', 'host-2'] });
  });
});

test('what is not given is null', () => {
  const bare = decode(answerXml('RetrievePropertiesEx', `<returnval>${objectXml('HostSystem', 'host-9')}${objectXml('Datastore', 'datastore-9')}${objectXml('VirtualMachine', 'vm-9')}${objectXml('ClusterComputeResource', 'domain-c9')}${objectXml('Folder', 'group-1')}</returnval>`));
  expect(inventorySchema.parse(bare)).toEqual(bare);
  expect(bare.hosts[0]).toMatchObject({ name: 'host-9', clusterRef: null, vendor: null, cores: null, memoryBytes: null, powerPolicy: null, connectionState: 'unknown' });
  expect(bare.datastores[0]).toMatchObject({ capacityBytes: null, accessible: false, luns: [], instanceUuid: null });
  expect(bare.vms[0]).toMatchObject({ hostRef: null, vcpus: null, ip: null, snapshotCount: 0 });
  expect(bare.clusters[0]).toMatchObject({ drsEnabled: null, haEnabled: null });
});

test('an NFS datastore has no LUN and takes its instance from its URL', () => {
  const found = decode(answerXml('RetrievePropertiesEx', `<returnval>${objectXml('Datastore', 'datastore-1', propXml('vcenter', 'name', 'xsd:string', 'nfs'), propXml('vcenter', 'summary', 'DatastoreSummary', '<url>ds:///vmfs/volumes/1a2b-3c4d/</url><type>NFS</type>'), propXml('vcenter', 'info', 'NasDatastoreInfo', '<nas/>'))}</returnval>`));
  expect(found.datastores[0]).toMatchObject({ type: 'NFS', luns: [], instanceUuid: '1a2b-3c4d' });
});

test('a host that has lost a datastore does not count as mounting it', () => {
  const mount = (id: string, accessible: boolean) => `<DatastoreHostMount><key type="HostSystem">${id}</key><mountInfo><mounted>true</mounted><accessible>${accessible}</accessible></mountInfo></DatastoreHostMount>`;
  const found = decode(answerXml('RetrievePropertiesEx', `<returnval>${objectXml('Datastore', 'd', propXml('vcenter', 'host', 'ArrayOfDatastoreHostMount', mount('host-1', true) + mount('host-2', false)))}</returnval>`));
  expect(found.datastores[0]!.hostRefs).toEqual(['host-1']);
});

test('an expired session shows as missing properties, and is thrown', () => {
  const page = parseXml(answerXml('RetrievePropertiesEx', '<returnval><objects><obj type="HostSystem">host-1</obj><missingSet><path>name</path><fault><fault xsi:type="NotAuthenticated"/><localizedMessage/></fault></missingSet></objects></returnval>'));
  expect(() => decodePage('test', returned(openEnvelope('test', page))[0]!)).toThrow(expect.objectContaining({ details: { fault: 'NotAuthenticated' } }) as Error);
});

test.each([['a%2fb', 'a/b'], ['100%25', '100%'], ['c%5cd', 'c\\d'], ['%41', '%41'], ['%252f', '%2f']])('name %s is %s', (written, name) => {
  expect(decodeName(written)).toBe(name);
});
