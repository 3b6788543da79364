import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type LabOrders, startOrders } from '../../../e2e/lab/orders.ts';
import { silentLog } from '../deps.ts';
import type { SshHost } from '../deps/ssh.ts';
import { findKit } from '../kit/findKit.ts';
import { createSshEdge } from '../ssh/edge.ts';
import {
  createBench,
  follow,
  hopOf,
  memoryTrust,
  realClock,
  targetOf,
} from '../ssh/testing/peer.ts';
import { getDriver } from './index.ts';
import { kitVersion } from './testing/kitVersion.ts';
import { parseAll, parseResumed } from './testing/parse.ts';

const run = promisify(execFile);
const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const driver = getDriver('tilekit-orders');
const bench = createBench();
let dir: string;
let server: LabOrders;
let host: SshHost;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-orders-'));
  server = await startOrders(dir);
  const sshd = await bench.sshd();
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  host = bench.host(targetOf(hopOf(sshd)), edge);
});
afterAll(async () => {
  await bench.cleanUp();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

const at = (more: Record<string, unknown> = {}) =>
  driver.params.parse({
    host: '127.0.0.1',
    port: server.port,
    rate: 100,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });
const counted = ['orders', 'lines', 'cents', 'payments', 'paidCents', 'delivered'] as const;

test('the check sends a whole order through the server, and names what is no order server', async () => {
  const before = await server.sums();
  expect(await driver.check(host, at())).toMatchObject({ ok: true, version: kitVersion });
  expect((await server.sums()).orders - before.orders).toBe(1);
  expect(await driver.check(host, at({ port: 1 }))).toMatchObject({
    ok: false,
    blames: 'host',
    problem: expect.stringContaining('no order server answers'),
  });
  expect(await driver.check(host, at({ host: '' }))).toMatchObject({
    ok: false,
    blames: 'host',
    problem: expect.stringContaining('no order server address'),
  });
});

test.each([
  ['open', { rate: 100 }],
  ['closed', { mode: 'closed', thinkS: 0.1, users: 8 }],
])("orders in the %s loop are the JVM's own to the cent", async (_loop, more) => {
  const parsed = at(more);
  const before = await server.sums();
  await driver.prepare(host, parsed);
  const job = await host.startJob({
    runId: 'orders',
    jobId: 't0.java',
    command: driver.command(parsed, { durationS: 6, intervalS: 1 }),
    timeLimitS: 120,
  });
  const followed = follow(host, job);
  expect(await followed.end).toMatchObject({ exitCode: 0 });
  await driver.cleanup(host, parsed);
  await host.cleanRun('orders');
  const after = await server.sums();
  const stdout = followed.bytes();
  const end = JSON.parse(stdout.toString().trimEnd().split('\n').at(-1)!) as {
    offered: number;
    done: number;
    counts: Record<string, number>;
  };
  expect(end.done).toBe(end.offered);
  expect(Object.fromEntries(counted.map((name) => [name, end.counts[name]]))).toEqual(
    Object.fromEntries(counted.map((name) => [name, after[name] - before[name]])),
  );
  expect(end.counts['orders']! / end.done).toBeGreaterThan(0.38);

  const { samples, parser } = parseAll(driver, parsed, stdout, { startMs: job.startMs });
  expect(parser.badExamples).toEqual([]);
  const done = samples
    .filter(({ metric }) => metric === 'throughput')
    .reduce((sum, { value }) => sum + value, 0);
  // What is done in the rest of a second at the end has no sample.
  expect(Math.abs(done / end.done - 1)).toBeLessThan(0.03);
  for (let upTo = 0; upTo <= stdout.length; upTo += 211)
    expect(parseResumed(driver, parsed, stdout, upTo, job.startMs)).toEqual(samples);
});

test('warehouses inside one JVM say what they did each second, and all of it at the end', async () => {
  const { stdout } = await run('java', [join(dir, 'Orders.java'), 'warehouses', '2', '3']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { second?: number; operations: number; orders?: number });
  const seconds = lines.filter(({ second }) => second !== undefined);
  const last = lines.at(-1)!;
  expect(seconds.map(({ second }) => second)).toEqual([1, 2, 3]);
  const sum = seconds.reduce((all, { operations }) => all + operations, 0);
  expect(sum).toBeGreaterThan(1_000);
  expect(Math.abs(sum / last.operations - 1)).toBeLessThan(0.01);
  expect(last.orders! / last.operations).toBeGreaterThan(0.4);
});
