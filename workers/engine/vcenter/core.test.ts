import { fail } from '../../../src/core/base/errors.ts';
import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createCore } from './core.ts';
import { createSession } from './session.ts';
import {
  createFakeTransport,
  type FakeTransport,
  testConnection,
} from './testing/fakeTransport.ts';
import { answerXml, faultXml, inventoryXml } from './testing/inventoryXml.ts';

const time = answerXml('CurrentTime', '<returnval>2026-11-21T03:40:00Z</returnval>');
const expired = answerXml(
  'RetrievePropertiesEx',
  '<returnval><objects><obj type="HostSystem">host-1</obj><missingSet><path>name</path><fault><fault xsi:type="NotAuthenticated"/></fault></missingSet></objects></returnval>',
);
const inventory = inventoryXml({ hosts: 2, vms: 2, datastores: 1, lunsPerHost: 1 });

function open(answers: Parameters<typeof createFakeTransport>[0]) {
  const transport: FakeTransport = createFakeTransport(answers);
  const clock = createFakeClock();
  const core = createCore({ clock, log: silentLog }, testConnection, 'p<ss', transport);
  return { transport, clock, core };
}

test('speaks the version of the server, and escapes the password', async () => {
  const { core, transport } = open({ CurrentTime: time });
  await core.login();
  expect(transport.sent.map((s) => s.method)).toEqual(['RetrieveServiceContent', 'Login']);
  expect(transport.sent[1]!.options.soapAction).toBe('urn:vim25/8.0.2.0');
  expect(transport.sent[1]!.body).toContain('<password>p&lt;ss</password>');
  expect(transport.sent[1]!.options.repeatable).toBe(false);
});

test('a session expired as a SOAP fault is renewed once for all who wait', async () => {
  const { core, transport } = open({
    CurrentTime: (calls) => (calls < 3 ? faultXml('NotAuthenticated') : time),
  });
  await core.login();
  const session = createSession(core);
  await Promise.all([session.clockOffset(), session.clockOffset(), session.clockOffset()]);
  expect(transport.count('Login')).toBe(2);
  await session.logout();
});

test('a session expired as missing properties is renewed and never shown as an empty inventory', async () => {
  const { core, transport } = open({
    RetrievePropertiesEx: (calls) => (calls === 0 ? expired : inventory),
  });
  await core.login();
  const session = createSession(core);
  expect((await session.inventory()).hosts).toHaveLength(2);
  expect([transport.count('Login'), transport.count('CreateContainerView')]).toEqual([2, 2]);
  await session.logout();
});

test('a session that expires again at once is an error, not a loop', async () => {
  const { core, transport } = open({ CurrentTime: faultXml('NotAuthenticated') });
  await core.login();
  const session = createSession(core);
  await expect(session.clockOffset()).rejects.toMatchObject({ kind: 'authFailed' });
  expect(transport.count('Login')).toBe(2);
  await session.logout();
});

test('a refused re-login is not tried again for a minute: accounts lock', async () => {
  const { core, transport, clock } = open({
    Login: (calls) =>
      calls === 1
        ? faultXml('InvalidLogin')
        : answerXml('Login', '<returnval><key>k</key></returnval>'),
    CurrentTime: (calls) => (calls < 3 ? faultXml('NotAuthenticated') : time),
  });
  await core.login();
  const session = createSession(core);
  await expect(session.clockOffset()).rejects.toMatchObject({
    kind: 'authFailed',
    details: { fault: 'InvalidLogin' },
  });
  await expect(session.clockOffset()).rejects.toMatchObject({ details: { fault: 'InvalidLogin' } });
  expect(transport.count('Login')).toBe(2);
  await clock.advance(60_000);
  await session.clockOffset();
  expect(transport.count('Login')).toBe(3);
  await session.logout();
});

test('keeps the session alive while it is idle, through a time away, and stops at logout', async () => {
  const { core, transport, clock } = open({
    CurrentTime: (calls) => (calls === 0 ? fail('unreachable', 'away') : time),
  });
  await core.login();
  const session = createSession(core);
  await clock.advance(900_000);
  expect(transport.count('CurrentTime')).toBe(3);
  await session.logout();
  await session.logout();
  await clock.advance(900_000);
  expect([transport.count('CurrentTime'), transport.count('Logout')]).toEqual([3, 1]);
  await expect(core.login()).rejects.toMatchObject({ kind: 'conflict' });
});

test('a logout that does not reach the server is no error', async () => {
  const { core } = open({ Logout: () => fail('unreachable', 'away') });
  await core.login();
  await expect(core.logout()).resolves.toBeUndefined();
});

test('a cancelled call is not sent', async () => {
  const { core, transport } = open({});
  await expect(core.login(AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
  expect(transport.sent).toHaveLength(0);
});

test('a single host is not taken for a vCenter', async () => {
  const { core } = open({
    RetrieveServiceContent: answerXml('RetrieveServiceContent', '<returnval><about/></returnval>'),
  });
  await expect(core.login()).rejects.toMatchObject({ kind: 'unreachable' });
});

test('pages are followed to the end', async () => {
  const page =
    (part: string) =>
    (text: string): string =>
      text.replaceAll('RetrievePropertiesEx', part);
  const two = inventory.split('</objects>');
  const half = Math.floor(two.length / 2);
  const first = `${two.slice(0, half).join('</objects>')}</objects><token>t1</token></returnval></RetrievePropertiesExResponse></soapenv:Body></soapenv:Envelope>`;
  const head = inventory.slice(0, inventory.indexOf('<objects>'));
  const second = page('ContinueRetrievePropertiesEx')(head + two.slice(half).join('</objects>'));
  const { core, transport } = open({
    RetrievePropertiesEx: first,
    ContinueRetrievePropertiesEx: second,
  });
  await core.login();
  const session = createSession(core);
  const found = await session.inventory();
  expect([
    found.hosts.length,
    found.vms.length,
    transport.count('ContinueRetrievePropertiesEx'),
  ]).toEqual([2, 2, 1]);
  expect(transport.sent.find((s) => s.method === 'ContinueRetrievePropertiesEx')!.body).toContain(
    '<token>t1</token>',
  );
  await session.logout();
});

test.each([
  [
    'told as missing',
    answerXml(
      'HasPrivilegeOnEntities',
      '<returnval><privAvailability><privId>System.View</privId><isGranted>true</isGranted></privAvailability><privAvailability><privId>Resource.HotMigrate</privId><isGranted>false</isGranted></privAvailability></returnval>',
    ),
    true,
  ],
  ['not guessed when the server has no such method', faultXml('MethodNotFound'), false],
])('privileges are %s', async (_what, answer, missing) => {
  const { core } = open({
    RetrievePropertiesEx: answerXml(
      'RetrievePropertiesEx',
      '<returnval><objects><obj type="Datacenter">dc-1</obj></objects></returnval>',
    ),
    HasPrivilegeOnEntities: answer,
  });
  await core.login();
  const session = createSession(core);
  const found = await session.missingPrivileges();
  expect(found.includes('Resource.HotMigrate')).toBe(missing);
  expect(found).not.toContain('System.View');
  await session.logout();
});
