import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabNginx, startNginx } from '../../../e2e/lab/nginx.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import type { LabSshd } from '../../../e2e/lab/sshd.ts';
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

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
const driver = getDriver('tilekit');
const bench = createBench();
let dir: string;
let nginx: LabNginx;
let sshd: LabSshd;
let kits: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-tilekit-'));
  nginx = await startNginx({ dir });
  sshd = await bench.sshd();
  kits = join(sshd.home, '.tilebench-kit');
});
afterAll(async () => {
  await bench.cleanUp();
  await nginx.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** What an engine makes, with or without a program to put on clients. */
function client(find: typeof findKit | null = findKit): SshHost {
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    ...(find ? { findKit: (platform) => find(places, platform) } : {}),
  });
  return bench.host(targetOf(hopOf(sshd)), edge);
}
const at = (more: Record<string, unknown> = {}) =>
  driver.params.parse({
    host: '127.0.0.1',
    port: nginx.port,
    path: '/page.html',
    rate: 200,
    users: 16,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const left = (): string[] => (existsSync(kits) ? readdirSync(kits) : []);

test('the check calibrates the client, asks the target, names what is wrong, and leaves nothing there', async () => {
  const host = client();
  const checks = await Promise.all(
    [{ rate: 9 }, { rate: 9, path: '/nowhere' }, { rate: 9, port: 1 }, { host: '' }].map((more) =>
      driver.check(host, at(more)),
    ),
  );
  expect(checks).toMatchObject([
    { ok: true, version: kitVersion },
    { ok: false, blames: 'path', problem: expect.stringContaining('status') },
    { ok: false, blames: 'host', problem: expect.stringContaining('connect') },
    { ok: false, blames: 'host', problem: expect.stringContaining('no web server address') },
  ]);
  // More than any client can offer: the client is to blame, not the server.
  expect(await driver.check(host, at({ rate: 100_000, users: 1 }))).toMatchObject({
    ok: false,
    blames: 'rate',
  });
  expect(left()).toEqual([]);
});

test('where this computer has no tilekit, the check says so before a run', async () => {
  expect(await driver.check(client(null), at())).toMatchObject({
    ok: false,
    problem: expect.stringContaining('no load generator tilekit'),
  });
});

test("a load over SSH is counted by the web server's own log, also over a lost connection and by another engine", async () => {
  const before = nginx.answered();
  const first = client();
  const parsed = at();
  await driver.prepare(first, parsed);
  await driver.prepare(first, parsed);
  const job = await first.startJob({
    runId: 'web',
    jobId: 't0.web',
    command: driver.command(parsed, { durationS: 6, intervalS: 1 }),
    timeLimitS: 120,
  });
  const followed = follow(first, job);
  await poll('the first second', () => followed.bytes().toString().includes('"op":"*"'));
  // Every session is cut while the load goes on; then the engine itself is gone.
  await sshd.restart();
  await poll('a byte after the cut', () => followed.links.some(({ up }) => up));
  followed.stop();
  await followed.end.catch(() => undefined);
  first.close();

  const second = client();
  const again = follow(second, job);
  expect(await again.end).toMatchObject({ exitCode: 0 });
  const stdout = again.bytes();
  expect(stdout.subarray(0, followed.bytes().length)).toEqual(followed.bytes());
  await driver.cleanup(second, parsed);
  await second.cleanRun('web');
  expect(left()).toEqual([]);

  const { samples, parser } = parseAll(driver, parsed, stdout, { startMs: job.startMs });
  expect(parser.badExamples).toEqual([]);
  const of = (metric: string): number[] =>
    samples.filter((one) => one.metric === metric).map(({ value }) => value);
  const done = sum(of('throughput'));
  const answered = nginx.answered() - before;
  expect(answered).toBeGreaterThan(1_000);
  expect(Math.abs(done / answered - 1)).toBeLessThan(0.01);
  expect(sum(of('errorRate'))).toBe(0);
  expect(of('latencyP99Ms').every((ms) => ms > 0)).toBe(true);
  const report = driver.finalReport(parsed, stdout.toString())!;
  expect(Math.abs(report.throughput! / (answered / 6) - 1)).toBeLessThan(0.02);
  for (let upTo = 0; upTo <= stdout.length; upTo += 97)
    expect(parseResumed(driver, parsed, stdout, upTo, job.startMs)).toEqual(samples);
});

test('a program that was changed on the client is not started', async () => {
  const host = client();
  const parsed = at();
  await driver.prepare(host, parsed);
  const name = left().find((one) => one.startsWith('tilekit-'))!;
  appendFileSync(join(kits, name), 'x');
  const job = await host.startJob({
    runId: 'changed',
    jobId: 't0.web',
    command: driver.command(parsed, { durationS: 6, intervalS: 1 }),
    timeLimitS: 60,
  });
  expect(await follow(host, job).end).toMatchObject({
    exitCode: 126,
    stderrTail: expect.stringContaining('was changed'),
  });
  // The next run puts it right.
  await driver.prepare(host, parsed);
  expect(await driver.check(host, at({ rate: 9 }))).toMatchObject({ ok: true });
  await host.cleanRun('changed');
  await driver.cleanup(host, parsed);
  expect(left()).toEqual([]);
});
