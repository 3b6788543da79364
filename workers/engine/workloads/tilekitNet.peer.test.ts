import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
import {
  type LabTilekitServe,
  type ServedLoad,
  startTilekitServe,
} from '../../../e2e/lab/tilekitServe.ts';
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
import { parseAll, type Parsed, parseResumed } from './testing/parse.ts';

const run = promisify(execFile);
const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const driver = getDriver('tilekit-net');
const bench = createBench();
let dir: string;
let kit: string;
let server: LabTilekitServe;
let sshd: LabSshd;
let host: SshHost;
let other: Server;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-net-'));
  kit = (await findKit(places)).path;
  server = await startTilekitServe(dir, kit);
  sshd = await bench.sshd();
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  host = bench.host(targetOf(hopOf(sshd)), edge);
  other = createServer((socket) => socket.on('error', () => undefined).end('220 mail\r\n'));
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await bench.cleanUp();
  await server.stop();
  other.close();
  rmSync(dir, { recursive: true, force: true });
});

const at = (more: Record<string, unknown> = {}) =>
  driver.params.parse({
    host: '127.0.0.1',
    port: server.port,
    rate: 2_000,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });

/** One load over SSH: its samples, its report, and what the other side counted of it. */
async function loaded(id: string, more: Record<string, unknown>, durationS = 5) {
  const parsed = at(more);
  const before = server.loads().length;
  await driver.prepare(host, parsed);
  const job = await host.startJob({
    runId: id,
    jobId: 't0.net',
    command: driver.command(parsed, { durationS, intervalS: 1 }),
    timeLimitS: 120,
  });
  const followed = follow(host, job);
  expect(await followed.end).toMatchObject({ exitCode: 0 });
  await poll('what the other side counted', () => server.loads().length > before);
  await driver.cleanup(host, parsed);
  await host.cleanRun(id);
  const stdout = followed.bytes();
  const { samples, parser } = parseAll(driver, parsed, stdout, { startMs: job.startMs });
  expect(parser.badExamples).toEqual([]);
  for (let upTo = 0; upTo <= stdout.length; upTo += 211)
    expect(parseResumed(driver, parsed, stdout, upTo, job.startMs)).toEqual(samples);
  const metrics = new Set(samples.map(({ metric }) => metric));
  const said = new Set(driver.series(parsed).map(({ metric }) => metric));
  expect([...metrics].filter((metric) => !said.has(metric))).toEqual([]);
  return {
    samples,
    report: driver.finalReport(parsed, stdout.toString())!,
    end: JSON.parse(stdout.toString().trimEnd().split('\n').at(-1)!) as {
      done: number;
      bytes: number;
      seconds: number;
      found?: { perS: number; limitedBy: string; steps: number };
    },
    own: server.loads().at(-1)!,
  };
}
const valuesOf = (samples: readonly Parsed[], metric: string): number[] =>
  samples.filter((one) => one.metric === metric).map(({ value }) => value);
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;
const offPct = (a: number, b: number): number => Math.abs(a / b - 1) * 100;

test('the check meets the other side by both protocols, calibrates the client, names what is wrong, and leaves nothing there', async () => {
  const checks = [];
  for (const more of [
    {},
    { kind: 'requests', protocol: 'tcp' },
    { kind: 'streams' },
    { port: 1 },
    { port: (other.address() as { port: number }).port },
    { host: 'no-such-host.invalid' },
    { host: '' },
  ])
    checks.push(await driver.check(host, at(more)));
  expect(checks).toMatchObject([
    { ok: true, version: kitVersion },
    { ok: true },
    { ok: true },
    { ok: false, blames: 'port', problem: expect.stringContaining('no tilekit serve answers') },
    { ok: false, blames: 'port', problem: expect.stringContaining('is no tilekit serve') },
    { ok: false, blames: 'host', problem: expect.stringContaining('is not known') },
    { ok: false, blames: 'host', problem: expect.stringContaining('no tilekit serve address') },
  ]);
  // More than any client can send: the client is to blame, not the network.
  expect(await driver.check(host, at({ rate: 500_000, users: 1 }))).toMatchObject({
    ok: false,
    blames: 'rate',
  });
  const kits = join(sshd.home, '.tilebench-kit');
  expect(existsSync(kits) ? readdirSync(kits) : []).toEqual([]);
});

test.each(['udp', 'tcp'])(
  'packets by %s over SSH: what each second tells is what the other side counted',
  async (protocol) => {
    const { samples, report, end, own } = await loaded(`net-${protocol}`, { protocol });
    const perS = valuesOf(samples, 'throughput');
    expect(perS.length).toBeGreaterThanOrEqual(4);
    // The first sample is of the first second of sending; the last second of it has none.
    expect(offPct(meanOf(perS), 2_000)).toBeLessThan(1);
    expect(offPct(own.packets, end.done)).toBeLessThan(1);
    expect(own).toMatchObject({ bytes: own.packets * 125, duplicates: 0, damaged: 0 });
    expect(offPct(report.throughput!, own.packets / end.seconds)).toBeLessThan(1);
    expect(meanOf(valuesOf(samples, 'lossPct'))).toBeLessThan(1);
    expect(valuesOf(samples, 'latencyP99Ms')).toEqual([]);
  },
);

test('requests are answered as often as the other side says, with times from when each was due', async () => {
  const { samples, end, own } = await loaded('net-requests', {
    kind: 'requests',
    rate: 500,
    receiveBytes: 1_000,
  });
  expect(offPct(own.answered, end.done)).toBeLessThan(1);
  expect(offPct(meanOf(valuesOf(samples, 'throughput')), own.answered / 5)).toBeLessThan(1);
  expect(valuesOf(samples, 'latencyP99Ms').every((ms) => ms > 0)).toBe(true);
});

test.each(['send', 'receive'])('streams, %s: as many Mb/s as were offered', async (direction) => {
  const { samples, end, own } = await loaded(`net-${direction}`, {
    kind: 'streams',
    direction,
    bitrateMbps: 200,
    users: 2,
  });
  if (direction === 'send') expect(own).toMatchObject({ bytes: end.bytes, damaged: 0 });
  expect(offPct((end.bytes * 8) / 1e6 / 5, 200)).toBeLessThan(2);
  expect(offPct(meanOf(valuesOf(samples, 'throughput')), 200)).toBeLessThan(5);
});

test('a rate is found, held, and told with what limited it', async () => {
  const { samples, report, end } = await loaded(
    'net-found',
    { pace: 'found', rate: 500, maxRate: 2_000, stepS: 1, lossBoundPct: 50 },
    12,
  );
  expect(end.found).toMatchObject({ perS: 2_000, limitedBy: 'ceiling', steps: 3 });
  expect(offPct(valuesOf(samples, 'throughput').at(-1)!, 2_000)).toBeLessThan(5);
  expect(report.warning).toContain('reached its own end');
});

/** Counters of the kernel in a network namespace in which nobody else sends: name → value. */
function countersOf(text: string): Record<string, number> {
  const [names = '', values = ''] = text.split('\n').filter((line) => line.startsWith('Udp: '));
  const numbers = values.split(' ');
  return Object.fromEntries(
    names.split(' ').flatMap((name, i) => (i === 0 ? [] : [[name, Number(numbers[i])]])),
  );
}

test("in a network namespace of its own the kernel's counters of datagrams are tilekit's", async () => {
  const port = await freePort();
  const serve = join(dir, 'own-serve.json');
  const job = join(dir, 'own-run.json');
  writeFileSync(serve, JSON.stringify({ schema: 1, netServer: { listen: `127.0.0.1:${port}` } }));
  writeFileSync(
    job,
    JSON.stringify({
      schema: 1,
      scenario: 'net',
      durationS: 3,
      users: 4,
      arrivals: { kind: 'constant', rate: [{ atS: 0, perS: 5_000 }] },
      net: { host: '127.0.0.1', port },
    }),
  );
  // As root, or as a user who may have a namespace of users.
  const namespace = process.getuid?.() === 0 ? ['-n'] : ['-rn'];
  const { stdout } = await run('unshare', [
    ...namespace,
    'sh',
    '-c',
    `ip link set lo up; "$0" serve --job "$1" >"$3" & server=$!
     until grep -q listens "$3"; do sleep 0.02; done
     "$0" run --job "$2" | tail -1
     kill $server; wait $server; tail -1 "$3"; cat /proc/self/net/snmp`,
    kit,
    serve,
    job,
    join(dir, 'own.log'),
  ]);
  const [end = '', own = ''] = stdout.split('\n');
  const { done, shown } = JSON.parse(end) as { done: number; shown: { done: number } };
  const counters = countersOf(stdout);
  expect(done).toBeGreaterThan(14_000);
  expect(offPct(done, counters['OutDatagrams']!)).toBeLessThan(1);
  expect(offPct(shown.done, counters['InDatagrams']!)).toBeLessThan(1);
  expect((JSON.parse(own) as ServedLoad).packets).toBe(shown.done);
});
