import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

import { freePort } from '../../../e2e/lab/ports.ts';
import type { Vcsim } from '../../../e2e/lab/vcsim.ts';
import { connectionTo, createBench, edge } from './testing/peer.ts';

const bench = createBench();
const otherPin = Array.from({ length: 32 }, () => 'AB').join(':');
let vcsim: Vcsim;
beforeAll(async () => {
  vcsim = await bench.start({ hosts: 2, vms: 2 });
});
afterAll(() => bench.cleanUp());

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const failedStep = (report: { steps: { step: string; ok: boolean }[] }): string | undefined =>
  report.steps.find((s) => !s.ok)?.step;

test('every step passes with the right password and pin', async () => {
  const report = await edge.test(connectionTo(vcsim), vcsim.password);
  expect(report).toMatchObject({ ok: true });
  expect(report.steps.map((s) => s.step)).toEqual([
    'name',
    'port',
    'tls',
    'pin',
    'authentication',
    'permission',
  ]);
});

test('a wrong password fails at authentication, with words', async () => {
  const report = await edge.test(connectionTo(vcsim), 'wrong');
  expect(failedStep(report)).toBe('authentication');
  expect(report.steps.at(-1)!.fix).toContain('password');
  await expect(edge.connect(connectionTo(vcsim), 'wrong')).rejects.toMatchObject({
    kind: 'authFailed',
  });
});

test('identify reads the certificate, sends nothing, and judges it against the pin', async () => {
  const before = await vcsim.control.calls();
  const facts = {
    kind: 'certificate',
    fingerprint: vcsim.fingerprint256,
    subject: 'vcsim.lab',
    issuer: 'vcsim.lab',
  };
  expect(await edge.identify(connectionTo(vcsim))).toMatchObject({
    ...facts,
    trust: 'trusted',
    expected: null,
  });
  expect(await edge.identify(connectionTo(vcsim, { fingerprint256: undefined }))).toMatchObject({
    ...facts,
    trust: 'unknown',
    expected: null,
  });
  expect(await edge.identify(connectionTo(vcsim, { fingerprint256: otherPin }))).toMatchObject({
    ...facts,
    trust: 'changed',
    expected: otherPin,
  });
  expect(await vcsim.control.calls()).toEqual(before);
});

test.each([
  ['a wrong pin', otherPin],
  ['no pin and a certificate no authority vouches for', undefined],
])('%s is untrusted, and nothing is sent', async (_what, fingerprint256) => {
  const before = await vcsim.control.calls();
  const connection = connectionTo(vcsim, { fingerprint256 });
  await expect(edge.connect(connection, vcsim.password)).rejects.toMatchObject({
    kind: 'untrusted',
    details: { expected: fingerprint256 ?? null, actual: vcsim.fingerprint256 },
  });
  expect(failedStep(await edge.test(connection, vcsim.password))).toBe('pin');
  expect(await vcsim.control.calls()).toEqual(before);
});

test('a privilege that is missing is named', async () => {
  await vcsim.control.deny(['Resource.HotMigrate', 'Datastore.AllocateSpace']);
  try {
    const report = await edge.test(connectionTo(vcsim), vcsim.password);
    expect(failedStep(report)).toBe('permission');
    expect(report.steps.at(-1)!.detail).toContain('Resource.HotMigrate, Datastore.AllocateSpace');
    expect(report.steps.at(-1)!.fix).toContain('docs/vcenter-role.md');
    expect(await (await bench.connect(vcsim)).missingPrivileges()).toEqual([
      'Resource.HotMigrate',
      'Datastore.AllocateSpace',
    ]);
  } finally {
    await vcsim.control.deny([]);
  }
});

test('a name that does not resolve fails at name', async () => {
  const report = await edge.test(connectionTo(vcsim, { host: 'vcenter.invalid' }), 'x');
  expect(failedStep(report)).toBe('name');
  expect(report.steps).toHaveLength(1);
});

test('a closed port fails at port', async () => {
  const port = await freePort();
  expect(failedStep(await edge.test(connectionTo(vcsim, { port }), 'x'))).toBe('port');
  await expect(edge.connect(connectionTo(vcsim, { port }), 'x')).rejects.toMatchObject({
    kind: 'unreachable',
  });
});

test('a port without TLS fails at tls', async () => {
  const server = await listening(
    createHttpServer((_request, response) => {
      response.end('hello');
    }),
  );
  try {
    expect(failedStep(await edge.test(connectionTo(vcsim, { port: portOf(server) }), 'x'))).toBe(
      'tls',
    );
  } finally {
    server.close();
  }
});

test('a cancelled test is aborted, not a failed step', async () => {
  await expect(
    edge.test(connectionTo(vcsim), vcsim.password, AbortSignal.abort()),
  ).rejects.toMatchObject({ kind: 'aborted' });
});

test('a changed certificate is refused with both fingerprints, by a new and by an open session', async () => {
  const first = await bench.start({ hosts: 2, vms: 2 });
  const session = await bench.connect(first);
  const second = await first.restart({ newCertificate: true });
  try {
    const changed = {
      kind: 'untrusted',
      details: { expected: first.fingerprint256, actual: second.fingerprint256 },
    };
    await expect(edge.connect(connectionTo(first), first.password)).rejects.toMatchObject(changed);
    await expect(session.inventory()).rejects.toMatchObject(changed);
    expect(await second.control.calls()).toEqual({});
  } finally {
    await second.stop();
  }
});
