import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createCore } from './core.ts';
import { readHostSoftware } from './hostSoftware.ts';
import { escapeXml } from './soap.ts';
import { createFakeTransport, testConnection } from './testing/fakeTransport.ts';
import { answerXml, faultXml } from './testing/inventoryXml.ts';

const row = (fields: Record<string, string>): string =>
  `<DataObject>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`)
    .join('')}</DataObject>`;
const document = (...rows: string[]): string =>
  `<obj xmlns="urn:vim25" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ArrayOfDataObject">${rows.join('')}</obj>`;
const told = (text: string): string =>
  answerXml('ExecuteSoap', `<returnval><response>${escapeXml(text)}</response></returnval>`);
const refused = (words: string): string =>
  answerXml('ExecuteSoap', `<returnval><fault><faultMsg>${words}</faultMsg></fault></returnval>`);
const setting = (path: string, value: string, byDefault: string, more = {}): string =>
  row({ Path: path, Type: 'integer', IntValue: value, DefaultIntValue: byDefault, ...more });

const packages = document(
  row({ Name: 'nmlx5-core', Version: '4.23.0.66', Vendor: 'MEL' }),
  row({ Name: 'esx-base', Version: '8.0.1' }),
  row({ Name: '', Version: '1' }),
);
const settings = document(
  setting('/Net/TcpipHeapMax', '1536', '1024'),
  setting('/Net/AtItsDefault', '7', '7'),
  setting('/Net/OfThisHost', '1', '0', { HostSpecific: 'true' }),
  setting('/Mem/ShareForceSalting', '0', '2'),
  row({
    Path: '/UserVars/ActiveDirectoryDomain',
    Type: 'string',
    StringValue: 'lab.example',
    DefaultStringValue: '',
  }),
  row({ Path: '/Power/Policy', Type: 'string', StringValue: 'High', DefaultStringValue: 'Low' }),
);

async function read(
  answer: (body: string) => string,
  executer: (body: string) => string = (body) =>
    answerXml(
      'RetrieveManagedMethodExecuter',
      `<returnval type="ManagedMethodExecuter">mme-${/>(host-\d)</.exec(body)?.[1]}</returnval>`,
    ),
) {
  const transport = createFakeTransport({
    RetrieveManagedMethodExecuter: (_calls, body) => executer(body),
    ExecuteSoap: (_calls, body) => answer(body),
  });
  const core = createCore(
    { clock: createFakeClock(), log: silentLog },
    testConnection,
    'p',
    transport,
  );
  await core.login();
  return { transport, found: await readHostSoftware(core, ['host-1', 'host-2'], undefined) };
}
const both = (body: string): string =>
  told(body.includes('software.vib.list') ? packages : settings);

test('packages with their versions; settings that are not as shipped and change a measurement', async () => {
  const { found, transport } = await read(both);
  const host = {
    packages: { 'nmlx5-core': '4.23.0.66', 'esx-base': '8.0.1' },
    settings: { 'Net.TcpipHeapMax': '1536', 'Power.Policy': 'High' },
    note: null,
  };
  expect(found).toEqual([
    { hostRef: 'host-1', ...host },
    { hostRef: 'host-2', ...host },
  ]);
  const asked = transport.sent.filter(({ method }) => method === 'ExecuteSoap');
  expect(asked[0]!.body).toContain(
    '<moid>ha-cli-handler-software-vib</moid><version>urn:vim25/5.0</version><method>vim.EsxCLI.software.vib.list</method>',
  );
  // The value of an argument is XML, carried as text.
  expect(asked.find(({ body }) => body.includes('advanced'))!.body).toContain(
    '<argument><name>delta</name><val>&lt;delta&gt;true&lt;/delta&gt;</val></argument>',
  );
});

test.each<[string, (body: string) => string, RegExp]>([
  ['refuses', () => refused('Access denied.'), /esxcli software vib list: Access denied\./],
  ['may not be asked', () => faultXml('NoPermission'), /lacks a privilege/],
  ['answers what is no XML', () => told('<obj><half'), /not one of a vCenter/],
  [
    'answers without end',
    () => told(document(...Array.from({ length: 70_000 }, () => row({ a: '', b: '' })))),
    /exceeds/,
  ],
])('a host that %s has a note; the other keeps what it tells', async (_what, bad, note) => {
  const { found } = await read((body) => (body.includes('mme-host-1') ? bad(body) : both(body)));
  expect(found[0]).toMatchObject({ packages: null, settings: null });
  expect(found[0]!.note).toMatch(note);
  expect(found[1]).toMatchObject({ note: null });
  expect(found[1]!.packages).not.toBeNull();
});

test('a host without a command line has a note; one that knows no delta is read all the same', async () => {
  const { found } = await read(both, (body) =>
    body.includes('host-1')
      ? faultXml('MethodNotFound')
      : answerXml(
          'RetrieveManagedMethodExecuter',
          '<returnval type="ManagedMethodExecuter">mme-host-2</returnval>',
        ),
  );
  expect(found.map(({ note }) => note === null)).toEqual([false, true]);
});

test('what a host tells is bounded and printable, whatever it tells', async () => {
  const many = document(
    ...Array.from({ length: 1_000 }, (_, i) =>
      row({ Name: `p${i}\u202e${'x'.repeat(500)}`, Version: 'v'.repeat(5_000) }),
    ),
  );
  const { found } = await read((body) => told(body.includes('vib') ? many : settings));
  const kept = Object.entries(found[0]!.packages!);
  expect(kept.length).toBeLessThanOrEqual(400);
  expect(kept.every(([name, version]) => name.length <= 200 && version.length <= 200)).toBe(true);
  expect(kept.some(([name]) => name.includes('\u202e'))).toBe(false);
});
