import type { Act } from '../../../src/core/acts/act.ts';
import { silentLog } from '../deps.ts';
import type { VCenterSession } from '../deps/vcenter.ts';
import { pathLost } from '../runs/acts/paths.ts';
import type { ActScene } from '../runs/acts/types.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createCore } from './core.ts';
import { createHostPaths } from './hostPaths.ts';
import {
  createFakeTransport,
  type FakeTransport,
  testConnection,
} from './testing/fakeTransport.ts';
import { answerXml, faultXml } from './testing/inventoryXml.ts';

const signal = new AbortController().signal;
/** Two LUNs over two adapters; the second over vmhba1 alone where `alone`. Never of a real vCenter. */
function hostAnswers({ alone = false, deaf = false } = {}) {
  const disabled = new Set<string>();
  const path = (name: string, adapter: string): string =>
    `<path><key>key-vim.host.MultipathInfo.Path-${name}</key><name>${name}</name>` +
    `<pathState>${disabled.has(name) ? 'disabled' : 'active'}</pathState>` +
    `<state>${disabled.has(name) ? 'disabled' : 'active'}</state>` +
    `<adapter>key-vim.host.FibreChannelHba-${adapter}</adapter></path>`;
  const property = (type: string, id: string, name: string, value: string): string =>
    `<objects><obj type="${type}">${id}</obj><propSet><name>${name}</name>${value}</propSet></objects>`;
  const storage = (): string =>
    '<objects><obj type="HostStorageSystem">storageSystem-9</obj>' +
    '<propSet><name>storageDeviceInfo.hostBusAdapter</name><val xsi:type="ArrayOfHostHostBusAdapter">' +
    ['vmhba1', 'vmhba2']
      .map(
        (device) =>
          `<HostHostBusAdapter xsi:type="HostFibreChannelHba"><key>key-vim.host.FibreChannelHba-${device}</key><device>${device}</device></HostHostBusAdapter>`,
      )
      .join('') +
    '</val></propSet>' +
    '<propSet><name>storageDeviceInfo.multipathInfo</name><val xsi:type="HostMultipathInfo">' +
    `<lun><key>unit-1</key><lun>lun-1</lun>${path('vmhba1:C0:T0:L1', 'vmhba1')}${path('vmhba2:C0:T0:L1', 'vmhba2')}</lun>` +
    `<lun><key>unit-2</key><lun>lun-2</lun>${path('vmhba1:C0:T0:L2', 'vmhba1')}${alone ? '' : path('vmhba2:C0:T0:L2', 'vmhba2')}</lun>` +
    '</val></propSet></objects>';
  const named = (body: string): string => /<pathName>([^<]+)<\/pathName>/.exec(body)![1]!;
  const transport: FakeTransport = createFakeTransport({
    RetrievePropertiesEx: (_calls, body) =>
      answerXml(
        'RetrievePropertiesEx',
        `<returnval>${
          body.includes('configManager.storageSystem')
            ? property(
                'HostSystem',
                'host-9',
                'configManager.storageSystem',
                '<val type="HostStorageSystem" xsi:type="ManagedObjectReference">storageSystem-9</val>',
              )
            : storage()
        }</returnval>`,
      ),
    DisableMultipathPath: (_calls, body) => {
      if (!deaf) disabled.add(named(body));
      return answerXml('DisableMultipathPath', '');
    },
    EnableMultipathPath: (_calls, body) => {
      if (!disabled.delete(named(body))) return faultXml('NotFound');
      return answerXml('EnableMultipathPath', '');
    },
  });
  return { transport, disabled };
}
async function open(of: Parameters<typeof hostAnswers>[0] = {}) {
  const { transport, disabled } = hostAnswers(of);
  const core = createCore(
    { clock: createFakeClock(), log: silentLog },
    testConnection,
    'secret',
    transport,
  );
  await core.login();
  const paths = createHostPaths(core);
  const scene = {
    act: { target: { ref: 'host-9/vmhba1', name: 'esx9 vmhba1' } } as Act,
    lab: null,
    session: async () => paths as VCenterSession,
  } as unknown as ActScene;
  return { transport, disabled, paths, scene };
}

test('paths over an adapter, each with how many others its LUN has', async () => {
  const { paths } = await open({ alone: true });
  expect(await paths.adapterPaths('host-9', 'vmhba1')).toEqual([
    { name: 'vmhba1:C0:T0:L1', state: 'active', lun: 'lun-1', otherwise: 1 },
    { name: 'vmhba1:C0:T0:L2', state: 'active', lun: 'lun-2', otherwise: 0 },
  ]);
  expect(await paths.adapterPaths('host-9', 'vmhba7')).toEqual([]);
});

test('an act disables every path over its adapter, tells what the host says, and enables what it disabled', async () => {
  const { scene, disabled, transport } = await open();
  // One was disabled by somebody before: it stays so.
  disabled.add('vmhba1:C0:T0:L2');
  const before = await pathLost.before(scene, signal);
  expect(before).toEqual({ paths: '["vmhba1:C0:T0:L1"]' });
  expect(transport.count('DisableMultipathPath')).toBe(0);
  expect(await pathLost.begin(scene, before, signal, () => undefined)).toBe(
    '1 path over vmhba1 was disabled.',
  );
  expect([...disabled]).toEqual(['vmhba1:C0:T0:L2', 'vmhba1:C0:T0:L1']);
  expect(transport.sent.at(-3)!.body).toContain('storageSystem-9');
  await pathLost.end(scene, before, signal);
  expect([...disabled]).toEqual(['vmhba1:C0:T0:L2']);
  // Again, as the next engine does: nothing is left to do.
  await pathLost.end(scene, before, signal);
  expect(transport.count('EnableMultipathPath')).toBe(1);
});

test('a LUN without another path is refused before anything is changed', async () => {
  const { scene, transport } = await open({ alone: true });
  await expect(pathLost.before(scene, signal)).rejects.toMatchObject({
    kind: 'conflict',
    message: '1 LUN of vmhba1 has no other path that carries: vmhba1:C0:T0:L2.',
  });
  expect(transport.count('DisableMultipathPath')).toBe(0);
});

test('a host that answered and disabled nothing is told as such', async () => {
  const { scene } = await open({ deaf: true });
  const before = await pathLost.before(scene, signal);
  expect(await pathLost.begin(scene, before, signal, () => undefined)).toBe(
    '0 paths over vmhba1 were disabled; the host still calls 2 of them active.',
  );
});
