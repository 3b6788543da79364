import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createCore } from './core.ts';
import { escapeXml } from './soap.ts';
import { createFakeTransport, testConnection } from './testing/fakeTransport.ts';
import { answerXml, faultXml, objectXml, propXml } from './testing/inventoryXml.ts';
import { readVmPorts } from './vmPorts.ts';

const rows = (...all: Record<string, string>[]): string =>
  `<obj xmlns="urn:vim25" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ArrayOfDataObject">${all
    .map(
      (row) =>
        `<DataObject>${Object.entries(row)
          .map(([name, value]) => `<${name}>${value}</${name}>`)
          .join('')}</DataObject>`,
    )
    .join('')}</obj>`;
const vm = (ref: string, hostRef: string, uuid: string, power = 'poweredOn'): string =>
  objectXml(
    'VirtualMachine',
    ref,
    `<propSet><name>runtime.host</name><val type="HostSystem" xsi:type="ManagedObjectReference">${hostRef}</val></propSet>`,
    propXml('vcenter', 'runtime.powerState', 'VirtualMachinePowerState', power),
    propXml('vcenter', 'summary.config.uuid', 'xsd:string', uuid),
  );
const vms =
  vm('vm-1', 'host-1', '564d0001-0000-0000-0000-000000000001') +
  vm('vm-2', 'host-1', '564d0002-0000-0000-0000-000000000002') +
  vm('vm-3', 'host-2', '564d0003-0000-0000-0000-000000000003') +
  vm('vm-4', 'host-2', '564d0004-0000-0000-0000-000000000004', 'poweredOff');
/** As hosts write a UUID. */
const processes = rows(
  { WorldID: '101', UUID: '56 4d 00 01 00 00 00 00-00 00 00 00 00 00 00 01' },
  { WorldID: '102', UUID: '56 4d 00 02 00 00 00 00-00 00 00 00 00 00 00 02' },
);
const ports: Record<string, string> = {
  101: rows({ MACAddress: '00:50:56:00:00:01', PortID: '33554438', TeamUplink: 'vmnic1' }),
  // By address hash over both, and a port that is on none.
  102: rows(
    { MACAddress: '00:50:56:00:00:02', PortID: '33554439', TeamUplink: 'all(2)' },
    { MACAddress: '00:50:56:00:00:03', PortID: '33554440', TeamUplink: 'void' },
  ),
};

/*
 * No peer was met: the simulator lists the VMs of a host and no ports. The answer is as a published
 * recording of the same command has it.
 */
test('the port of each running VM, by the host it runs on; one that is spread has none; a host that refuses is told', async () => {
  const transport = createFakeTransport({
    RetrievePropertiesEx: answerXml('RetrievePropertiesEx', `<returnval>${vms}</returnval>`),
    RetrieveManagedMethodExecuter: (_calls, body) =>
      body.includes('host-2')
        ? faultXml('NoPermission')
        : answerXml(
            'RetrieveManagedMethodExecuter',
            '<returnval type="ManagedMethodExecuter">mme-1</returnval>',
          ),
    ExecuteSoap: (_calls, body) => {
      const world = /&lt;worldid&gt;(\d+)&lt;/.exec(body)?.[1];
      const answer = world === undefined ? processes : ports[world]!;
      return answerXml(
        'ExecuteSoap',
        `<returnval><response>${escapeXml(answer)}</response></returnval>`,
      );
    },
  });
  const core = createCore(
    { clock: createFakeClock(), log: silentLog },
    testConnection,
    'p',
    transport,
  );
  await core.login();
  expect(await readVmPorts(core, ['vm-1', 'vm-2', 'vm-3', 'vm-4'])).toEqual({
    ports: [{ vmRef: 'vm-1', hostRef: 'host-1', adapter: '00:50:56:00:00:01', uplink: 'vmnic1' }],
    notTold: [{ hostRef: 'host-2', note: expect.stringMatching(/lacks a privilege/) as string }],
  });
});
