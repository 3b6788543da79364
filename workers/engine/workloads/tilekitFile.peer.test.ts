import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../../e2e/lab/poll.ts';
import { listProcesses, readProc } from '../../../e2e/lab/processes.ts';
import { type LabSamba, startSamba } from '../../../e2e/lab/samba.ts';
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
const driver = getDriver('tilekit-file');
const bench = createBench();
const password = "it's one";
const users = 6;
const perUser = 5;
const fileBytes = 64 * 1_024;

let dir: string;
let sshd: LabSshd;
let host: SshHost;
let kits: string;
let secret: string;
let samba: LabSamba;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-file-'));
  sshd = await bench.sshd();
  kits = join(sshd.home, '.tilebench-kit');
  secret = join(dir, 'secret');
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  host = bench.host(targetOf(hopOf(sshd)), edge);
  samba = await startSamba({ password });
});
afterAll(async () => {
  await bench.cleanUp();
  await samba.stop();
  rmSync(dir, { recursive: true, force: true });
});

const at = (more: Record<string, unknown> = {}) =>
  driver.params.parse({
    host: '127.0.0.1',
    port: samba.port,
    user: samba.user,
    passwordFile: secret,
    users,
    files: perUser,
    fileKb: 64,
    rate: 60,
    usersPerS: 100,
    // Others may load this machine for seconds.
    latenessLimitMs: 60_000,
    ...more,
  });
const left = (): string[] => (existsSync(kits) ? readdirSync(kits) : []);
const setFiles = (of = samba) => of.files().filter(({ path }) => /\/f\d{5}\.dat$/.test(path));
const madeFiles = (of = samba) => of.files().filter(({ path }) => /\/made-/.test(path));

interface End {
  offered: number;
  done: number;
  failed?: Record<string, number>;
  unfinished: number;
  bytes: number;
  counts: Partial<Record<'readBytes' | 'writtenBytes' | 'created' | 'deleted', number>>;
}
const endOf = (stdout: Buffer): End =>
  JSON.parse(stdout.toString().trim().split('\n').at(-1)!) as End;
const failedOf = ({ failed }: End): number =>
  Object.values(failed ?? {}).reduce((sum, n) => sum + n, 0);
const share = (part: number, whole: number): number => Math.abs(part / whole - 1);

/** Runs the load for some seconds and gives what its program said. */
async function run(
  durationS: number,
  meanwhile: (said: () => string) => Promise<void>,
  more: Record<string, unknown> = {},
): Promise<{ stdout: Buffer; startMs: number; exitCode: number | null }> {
  const job = await host.startJob({
    runId: 'file',
    jobId: 't0.file',
    command: driver.command(at(more), { durationS, intervalS: 1 }),
    timeLimitS: 240,
  });
  const followed = follow(host, job);
  const said = (): string => followed.bytes().toString();
  await poll('the first second', () => said().includes('"op":"*"'));
  await meanwhile(said);
  const { exitCode } = await followed.end;
  await host.cleanRun('file');
  return { stdout: followed.bytes(), startMs: job.startMs, exitCode };
}

test('the check writes to the share and says what is wrong in words; nothing is left on either side', async () => {
  const wrong = join(dir, 'wrong');
  writeFileSync(wrong, 'wrong\n', { mode: 0o600 });
  const open = join(dir, 'open');
  writeFileSync(open, 'x\n', { mode: 0o644 });
  const check = (more: Record<string, unknown>) => driver.check(host, at(more));
  expect(await check({})).toMatchObject({
    ok: true,
    version: kitVersion,
    warning: expect.stringContaining('It is made before the run begins'),
  });
  expect(await check({ user: 'guest', passwordFile: '' })).toMatchObject({ ok: true });
  const refused = await check({ passwordFile: wrong });
  expect(refused).toMatchObject({
    ok: false,
    blames: 'passwordFile',
    problem: expect.stringContaining('user name or password is wrong'),
  });
  expect(JSON.stringify(refused)).not.toContain(password);
  expect(await check({ passwordFile: open })).toMatchObject({
    blames: 'passwordFile',
    problem: expect.stringContaining('chmod 600'),
  });
  expect(await check({ user: 'guest', passwordFile: '', sign: true })).toMatchObject({
    blames: 'user',
    problem: expect.stringContaining('cannot sign'),
  });
  expect(await check({ share: 'nosuch' })).toMatchObject({
    blames: 'share',
    problem: expect.stringContaining('has no share nosuch'),
  });
  expect(await check({ share: 'readonly' })).toMatchObject({
    ok: false,
    blames: 'folder',
    problem: expect.stringContaining('access denied'),
  });
  expect(await check({ share: 'sealed' })).toMatchObject({
    blames: 'user',
    problem: expect.stringContaining('encryption of SMB 3'),
  });
  // A full disk or quota, before anything is written.
  expect(await check({ share: 'narrow' })).toMatchObject({
    ok: false,
    blames: 'fileKb',
    problem: expect.stringMatching(/0 MB free .* needs 2 MB more/),
  });
  expect(await check({ port: 1 })).toMatchObject({
    blames: 'port',
    problem: expect.stringContaining('refused'),
  });
  expect(await check({ port: sshd.port })).toMatchObject({
    blames: 'port',
    problem: expect.stringContaining('no SMB'),
  });
  expect(await check({ host: '' })).toMatchObject({
    problem: expect.stringContaining('no file server address'),
  });
  expect(left()).toEqual([]);
  expect(samba.files()).toEqual([]);
});

test('files are made, filled up where loading was cut, and removed with nothing of others', async () => {
  const given = new AbortController();
  const made = driver.prepare(host, at({ files: 2_000 }), given.signal);
  const refused = expect(made).rejects.toMatchObject({ kind: 'aborted' });
  await poll('files', () => setFiles().length > 2 * users);
  given.abort();
  await refused;
  await poll('no loader on the client', () =>
    listProcesses().every(({ pid }) => !readProc(`/proc/${pid}/cmdline`).includes(`${kits}/`)),
  );
  const mine = join(samba.folder, 'tilekit', 'u00003', 'mine.txt');
  writeFileSync(mine, 'hello');
  // Half of one set, and another is asked for.
  expect(await driver.check(host, at({ load: false }))).toMatchObject({ blames: 'files' });
  await driver.prepare(host, at());
  expect(setFiles().map(({ bytes }) => bytes)).toEqual(
    Array.from({ length: users * perUser }, () => fileBytes),
  );
  expect(await driver.check(host, at({ load: false }))).not.toHaveProperty('warning');
  await driver.cleanup(host, at({ unload: true }));
  expect(samba.files()).toEqual([{ path: 'tilekit/u00003/mine.txt', bytes: 5 }]);
  rmSync(join(samba.folder, 'tilekit'), { recursive: true });
  expect(left()).toEqual([]);
});

test.each([
  ['open', { mode: 'open', sign: true }],
  ['closed', { mode: 'closed', thinkS: 0.1, counted: 'data', flush: true, mix: 'filebench' }],
])(
  'what it says of the %s loop is what smbd counted and what lies in the share, also over a lost connection',
  async (_name, more) => {
    await driver.prepare(host, at(more));
    const before = samba.counts();
    const commands: string[] = [];
    const { stdout, startMs, exitCode } = await run(
      4,
      async () => {
        for (const { pid } of listProcesses()) commands.push(readProc(`/proc/${pid}/cmdline`));
        // The session over which it is read is cut: the load goes on.
        await sshd.restart();
      },
      more,
    );
    expect(exitCode).toBe(0);
    const after = samba.counts();
    expect(commands.some((line) => line.includes('tilekit'))).toBe(true);
    expect([...commands, stdout.toString()].join('\n')).not.toContain(password);
    const end = endOf(stdout);
    expect(end).toMatchObject({ done: end.offered, unfinished: 0 });
    const { readBytes = 0, writtenBytes = 0, created = 0, deleted = 0 } = end.counts;
    expect(share(readBytes, after.readBytes - before.readBytes)).toBeLessThan(0.01);
    expect(share(writtenBytes, after.writtenBytes - before.writtenBytes)).toBeLessThan(0.01);
    expect(readBytes + writtenBytes).toBe(end.bytes);
    expect(after.opened - before.opened).toBeGreaterThanOrEqual(end.done);
    expect(madeFiles()).toHaveLength(created - deleted);
    expect(setFiles()).toHaveLength(users * perUser);
    // The driver's series tell the same.
    const { samples, parser } = parseAll(driver, at(more), stdout, { startMs });
    expect(parser.badExamples).toEqual([]);
    /** A rate over the time that each of its samples is about. */
    const over = (metric: string): number => {
      let from = startMs;
      return samples
        .filter((one) => one.metric === metric)
        .reduce((all, { tMs, value }) => {
          const seconds = (tMs - from) / 1_000;
          from = tMs;
          return all + value * seconds;
        }, 0);
    };
    const told = 'counted' in more ? end.bytes / 1e6 : end.done;
    for (const [metric, whole] of [
      ['throughput', told],
      ['readMBps', readBytes / 1e6],
      ['writeMBps', writtenBytes / 1e6],
    ] as const) {
      expect(over(metric)).toBeLessThanOrEqual(whole * 1.001);
      // What is done in the rest of a second at the end has no sample.
      expect(over(metric)).toBeGreaterThan(whole * 0.7);
    }
    expect(over('errorRate')).toBe(0);
    expect(parseResumed(driver, at(more), stdout, stdout.length >> 1, startMs)).toEqual(samples);
    expect(driver.finalReport(at(more), stdout.toString())).not.toHaveProperty('warning');
  },
);

test('sessions whose smbd is killed count as failed and are opened again; what they wrote is put back', async () => {
  await driver.prepare(host, at());
  const { stdout } = await run(5, async () => {
    const before = samba.counts().opened;
    await poll('sessions that are cut', () => samba.cut() > 0);
    await poll('work after the cut', () => samba.counts().opened > before + 4 * users);
  });
  const end = endOf(stdout);
  expect(failedOf(end)).toBeGreaterThan(0);
  // A connection that is gone is no content that is wrong.
  expect(end.failed).not.toHaveProperty('content');
  expect(end.done + failedOf(end) + end.unfinished).toBe(end.offered);
  await driver.prepare(host, at());
  expect(madeFiles()).toEqual([]);
  expect(await driver.check(host, at({ load: false }))).not.toHaveProperty('warning');
});

test('a generator that is killed leaves what Put back removes, and nothing beside it', async () => {
  await driver.prepare(host, at({ load: true }));
  const more = { mix: 'own', weights: 'create 4, write 2, read 1' };
  const { exitCode } = await run(
    60,
    async () => {
      await poll('files that were made', () => madeFiles().length > 10);
      const runs = listProcesses().filter(({ pid }) =>
        readProc(`/proc/${pid}/cmdline`).startsWith(`${kits}/`),
      );
      expect(runs).toHaveLength(1);
      process.kill(runs[0]!.pid, 'SIGKILL');
    },
    more,
  );
  expect(exitCode).not.toBe(0);
  expect(madeFiles().length).toBeGreaterThan(10);
  await driver.cleanup(host, at({ unload: true }));
  expect(samba.files()).toEqual([]);
  expect(readdirSync(samba.folder)).toEqual([]);
  expect(left()).toEqual([]);
});

test('a disk that fills up in the midst of a run is named at its end, and errors are shown as they come', async () => {
  const small = await startSamba({ password, diskMb: 4 });
  const more = {
    port: small.port,
    users: 2,
    files: 2,
    rate: 40,
    mix: 'own',
    weights: 'create 3, read 1',
  };
  try {
    await driver.prepare(host, at(more));
    const { stdout, startMs } = await run(
      5,
      (said) => poll('a full disk', () => said().includes('"full":')).then(() => undefined),
      more,
    );
    const end = endOf(stdout);
    expect(end.failed?.['full']).toBeGreaterThan(0);
    expect(Object.keys(end.failed ?? {})).toEqual(['full']);
    // What did not fit is not left there by halves.
    expect(new Set(madeFiles(small).map(({ bytes }) => bytes))).toEqual(new Set([fileBytes]));
    const { samples } = parseAll(driver, at(more), stdout, { startMs });
    expect(samples.some(({ metric, value }) => metric === 'errorRate' && value > 0)).toBe(true);
    expect(driver.finalReport(at(more), stdout.toString())?.warning).toContain(
      'found the disk, or the quota of the user, full',
    );
    await driver.cleanup(host, at({ ...more, unload: true }));
    expect(small.files()).toEqual([]);
  } finally {
    await small.stop();
  }
});

test('a local folder of the client is loaded without a server, and left as it was', async () => {
  const directory = join(dir, 'local');
  const more = { where: 'local', host: '', directory, rate: 100 };
  expect(driver.target!(at(more))).toBe('');
  expect(driver.withTarget!(at(more), '10.0.0.5')).toMatchObject({ host: '' });
  expect(driver.withTarget!(at({ host: '' }), '10.0.0.5')).toMatchObject({ host: '10.0.0.5' });
  expect(await driver.check(host, at({ ...more, directory: '' }))).toMatchObject({
    blames: 'directory',
  });
  expect(
    await driver.check(host, at({ ...more, directory: join(dir, 'no', 'such') })),
  ).toMatchObject({ ok: false, blames: 'directory' });
  expect(await driver.check(host, at(more))).toMatchObject({ ok: true });
  await driver.prepare(host, at(more));
  const { stdout } = await run(2, async () => undefined, more);
  const end = endOf(stdout);
  expect(end).toMatchObject({ done: end.offered, unfinished: 0 });
  const made = readdirSync(directory)
    .filter((name) => name.startsWith('u'))
    .flatMap((name) => readdirSync(join(directory, name)))
    .filter((name) => name.startsWith('made-'));
  expect(made).toHaveLength((end.counts.created ?? 0) - (end.counts.deleted ?? 0));
  await driver.cleanup(host, at({ ...more, unload: true }));
  expect(existsSync(directory)).toBe(false);
  expect(left()).toEqual([]);
});
