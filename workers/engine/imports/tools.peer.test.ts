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
import {
  dbenchLines,
  type FioJob,
  fioRate,
  fioResults,
  type FioSide,
  fioSides,
  fioSteps,
  fioTotalsOf,
  type PrintedLines,
  sysbenchLines,
} from '../workloads/testing/ownFigures.ts';
import { runTool } from '../workloads/testing/runTool.ts';
import { importers } from './importers.ts';
import { formatOf } from './service.ts';
import { damageKinds, toldDamages } from './testing/damages.ts';
import { importBytes } from './testing/importBytes.ts';

/** What the tools of this machine print is imported, and held against their own summary. */

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-imports-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function shell(command: string): Promise<Buffer> {
  const { code, stdout, stderr } = await runTool(command, dir);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr.slice(-400)}`);
  return stdout;
}
/**
 * A log of a client that was never stalled: a line for each second. On a busy machine it takes more
 * than one go.
 */
const evenly = (
  what: string,
  command: string,
  linesOf: (text: string) => PrintedLines,
): Promise<Buffer> =>
  poll(`${what} that printed every second`, async () => {
    const log = await shell(command);
    const { steps, repeated } = linesOf(text(log));
    const even = steps.every(({ atS }, i) => atS === i + 1);
    return steps.length > 1 && even && repeated === 0 ? log : null;
  });
const read = (bytes: Uint8Array) => importBytes(importers[formatOf('x.csv', bytes)], bytes, 10_007);
type Imported = ReturnType<typeof read>;
const valuesOf = ({ series }: Imported, metric: string): number[] =>
  series.filter((s) => s.metric === metric).flatMap((s) => s.samples.map(([, value]) => value));
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** fio's own last result: of each job, what it says of itself. */
const lastSides = (bytes: Uint8Array): FioSide[] =>
  fioResults(text(bytes)).at(-1)!.jobs.flatMap(fioSides);
const rateOf = (own: readonly FioSide[]): number =>
  fioRate({
    ios: own.reduce((sum, { total_ios }) => sum + total_ios, 0),
    runtimeMs: Math.max(...own.map(({ runtime }) => runtime)),
  });
const lastRate = (bytes: Uint8Array): number => rateOf(lastSides(bytes));
const near = (found: number, own: number, share: number): void =>
  expect(Math.abs(found / own - 1)).toBeLessThan(share);
/**
 * A total that a tool counts by other times than its lines is no measure of them on a busy machine;
 * a figure read in another unit is off by far more than twice.
 */
const sameUnit = (found: number, own: number): void => {
  expect(found / own).toBeGreaterThan(0.5);
  expect(found / own).toBeLessThan(2);
};

const rates = '--rw=randrw --rate_iops=60,40 --time_based --runtime=3 --size=1m';
const fio = (args: string, where = '.'): string =>
  `cd ${where} && fio --name=io --ioengine=sync ${rates} ${args}`;
/** Of its own for each that runs beside others: fio names its files by its jobs. */
const folder = (): string => mkdtempSync(join(dir, 'fio-'));

describe('fio', () => {
  const results = [
    ['several jobs of one name', '--numjobs=3 --output-format=json'],
    ['a group as one', '--numjobs=3 --group_reporting --output-format=json+'],
    ['directions as one', '--unified_rw_reporting=1 --output-format=json+'],
    ['whole latencies', '--lat_percentiles=1 --clat_percentiles=0 --output-format=json+'],
    ['no latencies', '--gtod_reduce=1 --output-format=json'],
    ['other percentiles', '--percentile_list=50:90 --output-format=json'],
    ['text after its JSON', '--output-format=json,normal'],
    ['trims', '--ioengine=null --rw=trim --size=1g --rate_iops=100 --output-format=json'],
  ] as const;
  const forms = ['json', 'json+', 'terse,json,normal'] as const;
  /** All side by side: they hold a low rate, and are waited for. */
  const outputs = new Map<string, Promise<Buffer>>();
  beforeAll(() => {
    const start = (key: string, made: Promise<Buffer>): void => {
      // A failure belongs to the test that asks for it.
      made.catch(() => undefined);
      outputs.set(key, made);
    };
    for (const [, args] of results) start(args, shell(fio(args, folder())));
    for (const form of forms)
      start(
        form,
        // Its first interval may take the whole run where a busy machine stalls it.
        poll(`intervals of fio in ${form}`, async () => {
          const args = `--numjobs=2 --status-interval=1 --output-format=${form}`;
          const bytes = await shell(fio(args, folder()));
          return fioSteps(fioTotalsOf(text(bytes)), 1).length > 1 ? bytes : null;
        }),
      );
  });

  test.each(results)('%s: one result is what fio says of itself', async (_what, args) => {
    const bytes = await outputs.get(args)!;
    const found = read(bytes);
    expect(found.leftOut).toEqual([]);
    const own = lastSides(bytes);
    expect(valuesOf(found, 'throughput')).toHaveLength(1);
    near(valuesOf(found, 'throughput')[0]!, lastRate(bytes), 1e-4);
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

  test.each(forms)('--status-interval in %s: the intervals make up the whole', async (form) => {
    const bytes = await outputs.get(form)!;
    const found = read(bytes);
    expect(found.leftOut).toEqual([]);
    const steps = fioSteps(fioTotalsOf(text(bytes)), 1);
    const samples = found.series.find((s) => s.metric === 'throughput')!.samples;
    expect(samples.map(([tMs]) => tMs)).toEqual(steps.map(({ tMs }) => tMs));
    samples.forEach(([, value], i) => expect(value).toBeCloseTo(steps[i]!.iops, 6));
    expect(valuesOf(found, 'latencyP95Ms').length).toBe(
      form === 'json+' ? steps.filter(({ timed }) => timed > 0).length : 0,
    );
  });

  /** As fio wrote it before 3.18 (axboe/fio 56440e63, stat.c): latencies without their count. */
  const before318 = (bytes: Uint8Array): Uint8Array =>
    new TextEncoder().encode(text(bytes).replaceAll(/,\s*"N" : \d+/g, ''));
  test.each(['json', 'json+'] as const)(
    'before 3.18, %s: the same figures, each I/O one with a latency',
    async (form) => {
      const bytes = await outputs.get(form)!;
      const old = before318(bytes);
      expect(text(old)).not.toContain('"N"');
      const [now, then] = [read(bytes), read(old)];
      expect(then.leftOut).toEqual([]);
      expect(valuesOf(then, 'throughput')).toEqual(valuesOf(now, 'throughput'));
      // Bins tell the count all the same; else it is that of the I/Os.
      const means = fioSteps(fioTotalsOf(text(bytes)), 1).map(
        ({ meanMs }) => meanMs[form === 'json+' ? 'binned' : 'all'],
      );
      const known = means.filter((mean) => mean >= 0);
      expect(valuesOf(then, 'latencyMeanMs')).toHaveLength(known.length);
      valuesOf(then, 'latencyMeanMs').forEach((value, i) => near(value, known[i]!, 1e-6));
      // Some end while fio prints: of two jobs, in each direction.
      for (const { timed, binned, all } of fioTotalsOf(text(bytes))) {
        const { count } = form === 'json+' ? binned : all;
        expect(Math.abs(count - timed.count)).toBeLessThanOrEqual(Math.max(4, 0.1 * timed.count));
      }
    },
  );
  test('before 3.18, without latencies: its means were zero, which no I/O takes', async () => {
    const none = before318(await outputs.get('--gtod_reduce=1 --output-format=json')!);
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
      const all = fioSides(own.client_stats.find((job) => job.jobname === 'All clients')!);
      expect(valuesOf(found, 'throughput')).toHaveLength(1);
      near(valuesOf(found, 'throughput')[0]!, rateOf(all), 1e-4);
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
    near(data!.value[0]!, lastRate(bytes), 1e-4);
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
    const [oltp, cpu] = await Promise.all([
      evenly('oltp', driver.command(params, { durationS: 4, intervalS: 1 }), sysbenchLines),
      evenly('cpu', 'sysbench cpu --time=4 --rate=200 --report-interval=1 run', sysbenchLines),
    ]);
    return { oltp, cpu };
  }

  test('oltp and cpu: intervals are those of the log; two logs in one are refused, a doubled line is counted', async () => {
    for (const [kind, bytes] of Object.entries(await logs())) {
      const found = read(bytes);
      expect(found.leftOut).toEqual([]);
      const own =
        kind === 'oltp'
          ? /transactions:\s+\d+\s+\(([\d.]+) per sec/.exec(text(bytes))
          : /events per second:\s+([\d.]+)/.exec(text(bytes));
      const rates = sysbenchLines(text(bytes)).steps.map(({ rate }) => rate);
      expect(valuesOf(found, 'throughput')).toEqual(rates);
      sameUnit(mean(rates), Number(own![1]));
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

test('dbench: the intervals are what it moved between its lines', async () => {
  mkdirSync(join(dir, 'files'));
  const bytes = await evenly(
    'dbench',
    'dbench -c /usr/share/dbench/client.txt -D files -R 5 -t 5 1',
    dbenchLines,
  );
  const found = read(bytes);
  expect(found.leftOut).toEqual([]);
  const { steps } = dbenchLines(text(bytes));
  const executed = valuesOf(found, 'throughput').slice(-steps.length);
  expect(executed).toHaveLength(steps.length);
  executed.forEach((value, i) => expect(value).toBeCloseTo(steps[i]!.rate, 3));
  sameUnit(mean(executed), Number(/^Throughput ([\d.]+) MB/m.exec(text(bytes))![1]));
});

const logs: [string, string][] = [
  ['fio', fio('--status-interval=1 --runtime=8 --output-format=json+')],
  ['sysbench', 'sysbench cpu --time=10 --rate=200 --report-interval=1 run'],
  ['dbench', 'mkdir -p more && dbench -c /usr/share/dbench/client.txt -D more -R 5 -t 10 1'],
];
const whole = new Map<string, Promise<Buffer>>();
/** The logs that are damaged later are waited for beside each other, and beside all else here. */
beforeAll(() => {
  for (const [tool, command] of logs) {
    const made = shell(command);
    made.catch(() => undefined);
    whole.set(tool, made);
  }
});
describe.each(logs)('a damaged file of %s', (tool) => {
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await whole.get(tool)!;
  });
  test.each(damageKinds)('%s: nothing false comes in unsaid', (kind) => {
    expect(toldDamages(read, bytes, kind)).toBeGreaterThan(kind === 'cut' ? 0 : 10);
  });
});
