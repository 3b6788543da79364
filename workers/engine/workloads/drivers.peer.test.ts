import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabMariadb, startMariadb } from '../../../e2e/lab/mariadb.ts';
import { mean } from '../../../src/core/stats/summary.ts';
import { getDriver } from './index.ts';
import { localHost } from './testing/localHost.ts';
import {
  dbenchLines,
  fioSteps,
  fioTotalsOf,
  type PrintedLines,
  sysbenchLines,
} from './testing/ownFigures.ts';
import { parseAll, parseResumed } from './testing/parse.ts';
import { runTool } from './testing/runTool.ts';

let dir: string;
let database: LabMariadb;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-drivers-'));
  database = await startMariadb({ dir });
});
afterAll(async () => {
  await database.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** What its own output says of a tool's intervals, and how many of its lines tell nothing new. */
interface Own {
  rates: number[];
  repeated: number;
}
const ownOfLines = ({ steps, repeated }: PrintedLines): Own => ({
  rates: steps.map(({ rate }) => rate),
  repeated,
});
const cases = [
  {
    id: 'sysbench-oltp',
    params: () => ({
      host: '127.0.0.1',
      port: database.port,
      user: database.user,
      database: database.databases[0],
      tables: 1,
      tableSize: 500,
      threads: 2,
      rate: 40,
    }),
    own: (text: string): Own => ownOfLines(sysbenchLines(text)),
    p95: true,
  },
  {
    id: 'sysbench-cpu',
    params: () => ({ threads: 1, rate: 200 }),
    own: (text: string): Own => ownOfLines(sysbenchLines(text)),
    p95: true,
  },
  {
    id: 'dbench',
    params: () => ({ clients: 1, targetRate: 5 }),
    own: (text: string): Own => ({ ...ownOfLines(dbenchLines(text)), repeated: 0 }),
    p95: false,
  },
  {
    id: 'fio',
    params: () => ({ directory: dir, sizeMb: 8, outstanding: 2, rateIops: 100 }),
    own: (text: string): Own => ({
      rates: fioSteps(fioTotalsOf(text), 400).map(({ iops }) => iops),
      repeated: 0,
    }),
    p95: true,
  },
] as const;

const durationS = 6;
async function load({ id, params }: (typeof cases)[number]) {
  const driver = getDriver(id);
  const parsed = driver.params.parse(params());
  const host = localHost();
  const check = await driver.check(host, parsed);
  await driver.prepare(host, parsed);
  const ran = await runTool(driver.command(parsed, { durationS, intervalS: 1 }), dir);
  await driver.cleanup(host, parsed);
  return { ...ran, driver, parsed, check };
}
/** All side by side: they hold a low rate, and are waited for. */
const loads = new Map<string, ReturnType<typeof load>>();
beforeAll(() => {
  for (const one of cases) {
    const made = load(one);
    // A failure belongs to the test that asks for it.
    made.catch(() => undefined);
    loads.set(one.id, made);
  }
});

test.each(cases)(
  '$id: what is parsed is what the tool printed, of the unit of its own report, and a fresh parser goes on from any byte',
  async ({ id, own, p95 }) => {
    const { driver, parsed, check, stdout, stderr, code, startMs, endMs } = await loads.get(id)!;
    expect(check).toMatchObject({ ok: true });
    // What the tool says of a failure is what a reader of this test needs.
    expect(code === 0 ? '' : `${stderr}\n${stdout.toString().slice(-400)}`).toBe('');
    const { samples, parser } = parseAll(driver, parsed, stdout, { startMs });
    const { rates, repeated } = own(stdout.toString());
    // A busy machine may keep a tool from a line, and have it print the next one twice.
    expect({ bad: parser.badLines, examples: parser.badExamples.length > 0 }).toEqual({
      bad: repeated,
      examples: repeated > 0,
    });

    const report = driver.finalReport(parsed, stdout.toString())!;
    const throughput = samples.filter(
      (s) => s.metric === 'throughput' && s.tMs > startMs + (report.fromS ?? 0) * 1_000,
    );
    expect(rates.length).toBeGreaterThan(0);
    expect(throughput).toHaveLength(rates.length);
    throughput.forEach(({ value }, i) => expect(value).toBeCloseTo(rates[i]!, 1));
    // A factor between lines and report would be seen; that a busy machine cuts them differently is
    // none.
    const ratio = mean(rates) / report.throughput!;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
    // Sample times lie within the tool's real time, give or take its start-up.
    expect(samples.every((s) => s.tMs > startMs && s.tMs < endMs + 1_500)).toBe(true);
    if (p95) expect(samples.some((s) => s.metric === 'latencyP95Ms' && s.value > 0)).toBe(true);

    for (
      let upTo = 0;
      upTo <= stdout.length;
      upTo += Math.max(1, Math.floor(stdout.length / 211))
    ) {
      expect(parseResumed(driver, parsed, stdout, upTo, startMs)).toEqual(samples);
    }
  },
);

test("fio: the difference of the bins over the whole run is fio's own 95th percentile, within a bin", async () => {
  const driver = getDriver('fio');
  const parsed = driver.params.parse({ directory: dir, sizeMb: 8, outstanding: 4, rateIops: 400 });
  await driver.prepare(localHost(), parsed);
  const { stdout } = await runTool(driver.command(parsed, { durationS: 4, intervalS: 1 }), dir);
  const report = driver.finalReport(parsed, stdout.toString())!;
  const documents = stdout
    .toString()
    .split(/^(?=\{$)/m)
    .filter((text) => text.trim() !== '');
  const last = JSON.parse(documents.at(-1)!) as { jobs: { read: Side; write: Side }[] };
  interface Side {
    clat_ns: { percentile: Record<string, number> };
  }
  const own = [last.jobs[0]!.read, last.jobs[0]!.write].map(
    (side) => side.clat_ns.percentile['95.000000']! / 1e6,
  );
  // Reads and writes are one load here: its percentile lies between theirs; bins are 1.6 % wide and
  // more.
  expect(report.latencyP95Ms!).toBeGreaterThanOrEqual(Math.min(...own) * 0.98);
  expect(report.latencyP95Ms!).toBeLessThanOrEqual(Math.max(...own) * 1.02);
});

/** A disk of this machine that lsblk sees mounted; undefined = there is none. */
const mountedDisk = String(spawnSync('lsblk', ['-nrpo', 'NAME,MOUNTPOINT']).stdout ?? '')
  .split('\n')
  .map((line) => line.split(' '))
  .find(([name = '', at = '']) => at.startsWith('/') && existsSync(name))?.[0];

describe('what was there before a load stays', () => {
  const fio = getDriver('fio');
  const decoys: Record<string, (path: string) => void> = {
    'a file': (path) => writeFileSync(path, 'precious'),
    'a link to a file': (path) => {
      writeFileSync(`${path}.real`, 'precious');
      symlinkSync(`${path}.real`, path);
    },
    'a pipe': (path) => {
      execFileSync('mkfifo', [path]);
    },
    'a folder': (path) => mkdirSync(path),
    'a file that took the place of ours': (path) => {
      writeFileSync(path, 'precious');
      writeFileSync(`${path}.tilebench`, '1:1\n');
    },
  };
  test.each(Object.keys(decoys))('%s is refused by fio, and left by its clean-up', async (name) => {
    const folder = mkdtempSync(join(dir, 'decoy: '));
    const path = join(folder, 'tilebench.fio');
    decoys[name]!(path);
    const before = lstatSync(path);
    const parsed = fio.params.parse({ directory: folder, sizeMb: 1 });
    await expect(fio.prepare(localHost(), parsed)).rejects.toMatchObject({ kind: 'conflict' });
    await fio.cleanup(localHost(), parsed);
    const after = lstatSync(path);
    expect([after.ino, after.mode, after.size]).toEqual([before.ino, before.mode, before.size]);
  });

  test('a file of its own is made where a colon stands in the path, used twice, and removed', async () => {
    const folder = mkdtempSync(join(dir, 'own: '));
    const parsed = fio.params.parse({ directory: folder, sizeMb: 1, rateIops: 20 });
    await fio.prepare(localHost(), parsed);
    await fio.prepare(localHost(), parsed);
    const { code } = await runTool(fio.command(parsed, { durationS: 1, intervalS: 1 }), dir);
    expect(code).toBe(0);
    expect(statSync(join(folder, 'tilebench.fio')).size).toBe(1024 ** 2);
    await fio.cleanup(localHost(), parsed);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a raw device is loaded only with its name said twice; folders of the system are refused', async () => {
    expect(fio.params.safeParse({ directory: '/dev' }).success).toBe(false);
    expect(fio.params.safeParse({ directory: '/data/../dev' }).success).toBe(false);
    expect(fio.params.safeParse({ fileName: '../sda' }).success).toBe(false);
    const asked = fio.params.parse({ device: '/dev/null' });
    await expect(fio.prepare(localHost(), asked)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await fio.check(localHost(), asked)).toMatchObject({
      ok: false,
      problem: 'data on /dev/null will be lost',
    });
    expect(fio.params.safeParse({ device: '/dev/../etc/passwd' }).success).toBe(false);
    const agreed = fio.params.parse({ device: '/dev/null', dataLossConfirmed: '/dev/null' });
    await expect(fio.prepare(localHost(), agreed)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await fio.check(localHost(), agreed)).toMatchObject({
      ok: false,
      problem: '/dev/null is no disk of the client',
    });
  });

  // A container may see no disk of its own.
  const onMountedDisk = mountedDisk === undefined ? test.skip : test;
  onMountedDisk(
    'a disk with a mounted file system is refused, by the check and before each run',
    async () => {
      const disk = mountedDisk!;
      const mounted = fio.params.parse({ device: disk, dataLossConfirmed: disk });
      const problem = `${disk} carries a mounted file system, or swap`;
      expect(await fio.check(localHost(), mounted)).toMatchObject({ ok: false, problem });
      await expect(fio.prepare(localHost(), mounted)).rejects.toMatchObject({
        kind: 'conflict',
        message: `${problem}.`,
      });
    },
  );

  test('tables that do not fit are dropped only where the plan says so', async () => {
    const oltp = getDriver('sysbench-oltp');
    const at = (more: Record<string, unknown>) =>
      oltp.params.parse({
        host: '127.0.0.1',
        port: database.port,
        user: database.user,
        database: database.databases[0],
        tables: 1,
        tableSize: 100,
        ...more,
      });
    await oltp.prepare(localHost(), at({}));
    await expect(oltp.prepare(localHost(), at({ tables: 2 }))).rejects.toMatchObject({
      kind: 'conflict',
      hint: expect.stringContaining('replaceTables'),
    });
    await oltp.prepare(localHost(), at({ tables: 2, replaceTables: true }));
    await oltp.cleanup(localHost(), at({ tables: 2 }));
  });
});

test("sysbench OLTP: a database that is not there is said in the tool's words", async () => {
  const driver = getDriver('sysbench-oltp');
  const parsed = driver.params.parse({
    host: '127.0.0.1',
    port: database.port,
    user: database.user,
    database: 'nowhere',
    tables: 1,
    tableSize: 100,
  });
  await expect(driver.prepare(localHost(), parsed)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('nowhere'),
  });
});

test('the check before a run logs in to what the run will load', async () => {
  const driver = getDriver('sysbench-oltp');
  const checked = (more: Record<string, unknown>) =>
    driver.check(
      localHost(),
      driver.params.parse({
        host: '127.0.0.1',
        port: database.port,
        user: database.user,
        database: database.databases[1],
        ...more,
      }),
    );
  // No table is there yet: `prepare` makes them.
  expect(await checked({})).toMatchObject({ ok: true, version: expect.stringContaining('1.') });
  // Port 1 of this machine: nobody listens.
  expect(await checked({ port: 1 })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('127.0.0.1:1'),
  });
  expect(await checked({ database: 'nowhere' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('nowhere'),
  });
  expect(await checked({ user: 'nobody-of-this-name' })).toMatchObject({ ok: false });
  expect(await checked({ host: '' })).toMatchObject({
    ok: false,
    problem: expect.stringContaining('no database address'),
  });
});

test('heartbeat: each beat by the time since the one before', async () => {
  const driver = getDriver('heartbeat');
  const parsed = driver.params.parse({});
  const { stdout, startMs } = await runTool(
    driver.command(parsed, { durationS: 3, intervalS: 1 }),
    dir,
  );
  const { samples, parser } = parseAll(driver, parsed, stdout, { startMs });
  expect(parser.badLines).toBe(0);
  // Whole seconds of the clock, each beat by what passed since the one before.
  const beats = [...stdout.toString().matchAll(/^beat (\d+) /gm)].map(([, at]) => Number(at));
  expect(beats.length).toBeGreaterThan(0);
  expect(samples.map(({ tMs, value }) => [tMs, value])).toEqual(
    beats.map((at, i) => [
      at * 1_000,
      1 / Math.max(1, at - (beats[i - 1] ?? Math.floor(startMs / 1_000))),
    ]),
  );
});

test('a program that is not installed is named with the line that installs it', async () => {
  const host = localHost();
  const without = {
    ...host,
    exec: (command: string, options?: Parameters<typeof host.exec>[1]) =>
      host.exec(`PATH=/nowhere; ${command}`, options),
  };
  expect(
    await getDriver('dbench').check(without, getDriver('dbench').params.parse({})),
  ).toMatchObject({
    ok: false,
    problem: 'dbench is not installed',
    fix: expect.stringContaining('apt-get install dbench'),
  });
});
