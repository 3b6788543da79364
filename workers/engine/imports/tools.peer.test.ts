import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type LabMariadb, startMariadb } from '../../../e2e/lab/mariadb.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { freePort } from '../../../e2e/lab/ports.ts';
import { mean } from '../../../src/core/stats/summary.ts';
import { createHarness } from '../testing/engineHarness.ts';
import { getDriver } from '../workloads/index.ts';
import { localHost } from '../workloads/testing/localHost.ts';
import { formatOf } from './service.ts';
import { importBytes } from './testing/importBytes.ts';

/** What the tools of this machine print is imported, and held against their own summary. */

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-imports-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function shell(command: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => parts.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new Error(`${command} ended with ${code}: ${said.slice(-400)}`));
    });
  });
}
/** Seconds at which sysbench or dbench printed, or fio with an interval. */
const timesS = (log: Buffer): number[] => [
  ...[...log.toString().matchAll(/(?:^\[ |execute +)(\d+) ?s(?! \] queue)/gm)].map(([, s]) =>
    Number(s),
  ),
  ...[...log.toString().matchAll(/"timestamp_ms" : (\d+)/g)].map(([, ms]) => Number(ms) / 1_000),
];
/**
 * A log of a client that was never stalled: a second from line to line. On a busy machine it takes
 * more than one go.
 */
const evenly = (what: string, command: string): Promise<Buffer> =>
  poll(`${what} that printed every second`, async () => {
    const log = await shell(command);
    const [, ...steps] = timesS(log).map((s, i, all) => s - (all[i - 1] ?? s));
    return steps.length > 0 && steps.every((s) => s > 0 && s < 1.4) ? log : null;
  });
const read = (bytes: Uint8Array) => importBytes(formatOf('x.csv', bytes), bytes, 10_007);
type Imported = ReturnType<typeof read>;
const valuesOf = ({ series }: Imported, metric: string): number[] =>
  series.filter((s) => s.metric === metric).flatMap((s) => s.samples.map(([, value]) => value));
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface Side {
  iops: number;
  total_ios: number;
  runtime: number;
  clat_ns: { mean: number; N?: number; percentile?: Record<string, number> };
}
interface FioJob {
  jobname: string;
  read?: Side;
  write?: Side;
  trim?: Side;
  mixed?: Side;
}
const sides = (job: FioJob): Side[] =>
  [job.read, job.write, job.trim, job.mixed].flatMap((one) => (one ? [one] : []));
/** fio's own last result: of each job, what it says of itself. */
function lastResult(bytes: Uint8Array): FioJob[] {
  const documents = text(bytes)
    .split(/^(?=\{$)/m)
    .filter((one) => one.includes('"fio version"'))
    .map((one) => one.slice(0, one.lastIndexOf('\n}') + 2));
  return (JSON.parse(documents.at(-1)!) as { jobs: FioJob[] }).jobs;
}
/**
 * I/Os a second as fio counts them: of one time for all its jobs. Its own `iops` are each of the
 * time its job ran, which on a busy machine is not the same for all.
 */
function ownRate(own: readonly Side[]): number {
  const total = own.reduce((sum, { total_ios }) => sum + total_ios, 0);
  return (total * 1_000) / Math.max(...own.map(({ runtime }) => runtime));
}
/** Of the rates of fio's intervals, which a busy machine makes unequal: each by its length. */
function meanRate(bytes: Buffer, { series }: Imported): number {
  const endMs = Math.max(
    ...[...text(bytes).matchAll(/"timestamp_ms" : (\d+)/g)].map(([, t]) => Number(t)),
  );
  const startMs =
    endMs -
    Math.max(
      ...lastResult(bytes)
        .flatMap(sides)
        .map((side) => side.runtime),
    );
  const { samples } = series.find((s) => s.metric === 'throughput')!;
  const lengthsMs = samples.map(([tMs], i) => tMs - (i === 0 ? startMs : samples[i - 1]![0]));
  const total = samples.reduce((sum, [, value], i) => sum + value * lengthsMs[i]!, 0);
  return total / lengthsMs.reduce((sum, ms) => sum + ms, 0);
}
const near = (found: number, own: number, share: number): void =>
  expect(Math.abs(found / own - 1)).toBeLessThan(share);

const rates = '--rw=randrw --rate_iops=60,40 --time_based --runtime=3 --size=1m';
const fio = (args: string): string => `fio --name=io --ioengine=sync ${rates} ${args}`;

describe('fio', () => {
  test.each([
    ['several jobs of one name', '--numjobs=3 --output-format=json'],
    ['a group as one', '--numjobs=3 --group_reporting --output-format=json+'],
    ['directions as one', '--unified_rw_reporting=1 --output-format=json+'],
    ['whole latencies', '--lat_percentiles=1 --clat_percentiles=0 --output-format=json+'],
    ['no latencies', '--gtod_reduce=1 --output-format=json'],
    ['other percentiles', '--percentile_list=50:90 --output-format=json'],
    ['text after its JSON', '--output-format=json,normal'],
    ['trims', '--ioengine=null --rw=trim --size=1g --rate_iops=100 --output-format=json'],
  ])('%s: one result is what fio says of itself', async (_what, args) => {
    const bytes = await shell(fio(args));
    const found = read(bytes);
    expect(found.leftOut).toEqual([]);
    const own = lastResult(bytes).flatMap(sides);
    near(mean(valuesOf(found, 'throughput')), ownRate(own), 1e-4);
    const timed = own.map(({ clat_ns: { N = 0, mean: ns } }) => [N, ns] as const);
    const count = timed.reduce((sum, [n]) => sum + n, 0);
    const means = valuesOf(found, 'latencyMeanMs');
    expect(means).toHaveLength(count > 0 ? 1 : 0);
    if (count > 0) near(means[0]!, timed.reduce((s, [n, ns]) => s + n * ns, 0) / count / 1e6, 1e-6);
    if (args.includes('normal')) {
      const printed = [...text(bytes).matchAll(/(?:read|write): IOPS=(\d+)/g)];
      // fio cuts each to a whole number.
      expect(printed.map(([, iops]) => Number(iops))).toEqual(
        own.filter((one) => one.total_ios > 0).map(({ iops }) => Math.floor(iops)),
      );
    }
  });

  test.each(['json', 'json+', 'terse,json,normal'])(
    '--status-interval in %s: the intervals make up the whole',
    async (form) => {
      const bytes = await evenly(
        form,
        fio(`--numjobs=2 --status-interval=1 --output-format=${form}`),
      );
      const found = read(bytes);
      expect(found.leftOut).toEqual([]);
      const each = valuesOf(found, 'throughput');
      expect(each.length).toBeGreaterThanOrEqual(2);
      const own = lastResult(bytes).flatMap(sides);
      near(meanRate(bytes, found), ownRate(own), 0.1);
      expect(valuesOf(found, 'latencyP95Ms').length).toBe(form === 'json+' ? each.length : 0);
    },
  );

  /** As fio wrote it before 3.18 (axboe/fio 56440e63, stat.c): latencies without their count. */
  const before318 = (bytes: Uint8Array): Uint8Array =>
    new TextEncoder().encode(text(bytes).replaceAll(/,\s*"N" : \d+/g, ''));
  test.each(['json', 'json+'])('before 3.18, %s: the same figures', async (form) => {
    const bytes = await shell(fio(`--numjobs=2 --status-interval=1 --output-format=${form}`));
    const old = before318(bytes);
    expect(text(old)).not.toContain('"N"');
    const [now, then] = [read(bytes), read(old)];
    expect(then.leftOut).toEqual([]);
    expect(valuesOf(then, 'throughput')).toEqual(valuesOf(now, 'throughput'));
    const [means, own] = [valuesOf(then, 'latencyMeanMs'), valuesOf(now, 'latencyMeanMs')];
    expect(means).toHaveLength(own.length);
    means.forEach((value, i) => near(value, own[i]!, 0.02));
    // Without latencies its means were zero, which no I/O takes.
    const none = before318(await shell(fio('--gtod_reduce=1 --output-format=json')));
    expect(valuesOf(read(none), 'latencyMeanMs')).toEqual([]);
  });

  test('of a client and its server', async () => {
    const port = await freePort();
    const server = spawn('fio', [`--server=127.0.0.1,${port}`], { cwd: dir, stdio: 'pipe' });
    const closed = new Promise((done) => server.once('close', done));
    try {
      await poll('fio server', async () =>
        shell(`echo | timeout 1 bash -c 'cat > /dev/tcp/127.0.0.1/${port}'`).then(
          () => true,
          () => false,
        ),
      );
      const job = `[io]\n${rates.replaceAll('--', '').replaceAll(' ', '\n')}\nnumjobs=2\n`;
      const bytes = await shell(
        `printf '%s' '${job}' > job.fio; fio --client=127.0.0.1,${port} --output-format=json job.fio`,
      );
      const found = read(bytes);
      expect(found.leftOut).toEqual([]);
      const own = JSON.parse(text(bytes).slice(text(bytes).indexOf('{'))) as {
        client_stats: FioJob[];
      };
      const all = sides(own.client_stats.find((job) => job.jobname === 'All clients')!);
      near(mean(valuesOf(found, 'throughput')), ownRate(all), 1e-4);
    } finally {
      server.kill();
      await closed;
    }
  });

  test.each(['normal', 'terse'])(
    '%s alone is refused by its name, with what to do',
    async (form) => {
      const bytes = await shell(fio(`--runtime=1 --output-format=${form}`));
      expect(() => read(bytes)).toThrow(
        expect.objectContaining({
          kind: 'invalidInput',
          message: expect.stringContaining('fio') as string,
          hint: expect.stringContaining('--output-format=json') as string,
        }),
      );
    },
  );

  test('a result over 4 MiB comes in, through the engine, in pieces', async () => {
    const bytes = await shell(
      'fio --name=io --ioengine=null --size=1g --rw=randrw --thread --numjobs=900 --rate_iops=5 --runtime=2 --time_based --output-format=json+',
    );
    expect(bytes.length).toBeGreaterThan(4 * 1024 ** 2);
    const harness = await createHarness();
    let uploadId: string | null = null;
    let runId: string | null = null;
    for (let at = 0; at < bytes.length; at += 1 << 20) {
      const piece = bytes.subarray(at, at + (1 << 20));
      const last = at + piece.length >= bytes.length;
      const answer: { uploadId: string; runId: string | null; leftOut: string[] } =
        await harness.call('file.import', { fileName: 'big.json', uploadId, bytes: piece, last });
      ({ uploadId, runId } = answer);
      expect(answer.leftOut).toEqual([]);
    }
    const { overview } = await harness.call('run.record', { id: runId! });
    const [data] = await harness.call('run.samples', {
      runId: runId!,
      seriesIds: overview.series.filter((s) => s.metric === 'throughput').map((s) => s.id),
      maxPoints: 0,
    });
    const own = lastResult(bytes).flatMap(sides);
    near(data!.value[0]!, ownRate(own), 1e-4);
    await harness.close();
  });
});

describe('sysbench', () => {
  let database: LabMariadb;
  beforeAll(async () => {
    database = await startMariadb({ dir: join(dir, 'db') });
  });
  afterAll(() => database.stop());

  async function logs(): Promise<Record<'oltp' | 'cpu', Buffer>> {
    const driver = getDriver('sysbench-oltp');
    const params = driver.params.parse({
      host: '127.0.0.1',
      port: database.port,
      user: database.user,
      database: database.databases[0],
      tables: 1,
      tableSize: 200,
      rate: 40,
    });
    await driver.prepare(localHost(), params);
    return {
      oltp: await evenly('oltp', driver.command(params, { durationS: 6, intervalS: 1 })),
      cpu: await evenly('cpu', 'sysbench cpu --time=4 --rate=200 --report-interval=1 run'),
    };
  }

  test('oltp and cpu: intervals have the mean of the report; two logs in one are refused, a doubled line is counted', async () => {
    for (const [kind, bytes] of Object.entries(await logs())) {
      const found = read(bytes);
      expect(found.leftOut).toEqual([]);
      const own =
        kind === 'oltp'
          ? /transactions:\s+\d+\s+\(([\d.]+) per sec/.exec(text(bytes))
          : /events per second:\s+([\d.]+)/.exec(text(bytes));
      near(mean(valuesOf(found, 'throughput')), Number(own![1]), 0.15);
      expect(() => read(Buffer.concat([bytes, bytes]))).toThrow(/begins a second log of sysbench/);
      const doubled = text(bytes).replace(/^(\[ 2s \].*\n)/m, '$1$1');
      const again = read(new TextEncoder().encode(doubled));
      expect([again.dropped, again.series]).toEqual([1, found.series]);
    }
  });

  test('without intervals: the means of its report', async () => {
    const bytes = await shell('sysbench cpu --time=2 --rate=200 run');
    const own = Number(/events per second:\s+([\d.]+)/.exec(text(bytes))![1]);
    expect(valuesOf(read(bytes), 'throughput')).toEqual([own]);
  });
});

test('dbench: the means of its intervals make up its own figure', async () => {
  mkdirSync(join(dir, 'files'));
  const bytes = await evenly(
    'dbench',
    'dbench -c /usr/share/dbench/client.txt -D files -R 5 -t 5 1',
  );
  const found = read(bytes);
  expect(found.leftOut).toEqual([]);
  const warmS = Number(/minimum warmup (\d+) secs/.exec(text(bytes))![1]);
  const each = found.series
    .find((s) => s.metric === 'throughput')!
    .samples.filter(([tMs]) => tMs > 1_000 + warmS * 1_000);
  near(
    mean(each.map(([, value]) => value)),
    Number(/^Throughput ([\d.]+) MB/m.exec(text(bytes))![1]),
    0.1,
  );
});

/** How a file comes to harm; each keeps most of it. */
const damages: Readonly<Record<string, (bytes: Buffer, at: number, length: number) => Buffer>> = {
  cut: (bytes, at) => bytes.subarray(0, at),
  'a hole': (bytes, at, length) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
  'a part twice': (bytes, at, length) =>
    Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
  'zeros in it': (bytes, at, length) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length), bytes.subarray(at + length)]),
  'another log in it': (bytes, at, length) =>
    Buffer.concat([
      bytes.subarray(0, at),
      bytes.subarray(Math.max(0, at - 3 * length), at - length),
      bytes.subarray(at),
    ]),
};
describe.each([
  ['fio', fio('--status-interval=1 --runtime=8 --output-format=json+')],
  ['sysbench', 'sysbench cpu --time=10 --rate=200 --report-interval=1 run'],
  ['dbench', 'mkdir -p more && dbench -c /usr/share/dbench/client.txt -D more -R 5 -t 10 1'],
])('a damaged file of %s', (_tool, command) => {
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await shell(command);
  });
  test.each(Object.keys(damages))('%s: nothing false comes in unsaid', (kind) => {
    const figures = ({ series }: Imported): string[] =>
      series.flatMap((s) => s.samples.map(([t, v]) => `${s.metric} ${t} ${v.toFixed(4)}`));
    const whole = new Set(figures(read(bytes)));
    let told = 0;
    for (let i = 1; i < 40; i += 1) {
      const at = Math.floor((bytes.length * i) / 40);
      const hurt = damages[kind]!(bytes, at, Math.floor(bytes.length / 9));
      let found: Imported;
      try {
        found = read(hurt);
      } catch (thrown) {
        expect(thrown).toMatchObject({ kind: 'invalidInput' });
        told += 1;
        continue;
      }
      if (found.dropped > 0) told += 1;
      else if (kind !== 'a hole')
        expect(figures(found).filter((one) => !whole.has(one))).toEqual([]);
    }
    expect(told).toBeGreaterThan(kind === 'cut' ? 0 : 10);
  });
});
