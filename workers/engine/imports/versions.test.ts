import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { dbenchFile } from './dbench.ts';
import { dvdstore } from './dvdstore.ts';
import { esxtop } from './esxtop.ts';
import { fioFile } from './fioFile.ts';
import { iometer } from './iometer.ts';
import { sysbench } from './sysbench.ts';
import { importBytes } from './testing/importBytes.ts';
import type { ImportFormat } from './types.ts';

const run = (format: ImportFormat, text: string) =>
  importBytes(format, new TextEncoder().encode(text));
const metricOf = (format: ImportFormat, text: string, metric: string, name?: string) =>
  run(format, text)
    .series.filter((s) => s.metric === metric && (name === undefined || s.entity.name === name))
    .flatMap((s) => s.samples);

/** One document of fio as `version` prints it, `s` seconds in: what was counted since the start. */
function fioDocument(
  s: number,
  jobs: readonly string[],
  version: '3.1' | '3.33',
  plus: boolean,
): string {
  const ios = 100 * s;
  const side = (loaded: boolean) => {
    const n = loaded ? ios : 0;
    return {
      io_bytes: n * 4096,
      iops: n / Math.max(1, s),
      runtime: loaded ? s * 1_000 : 0,
      total_ios: n,
      clat_ns: {
        min: loaded ? 1_000 : 0,
        max: loaded ? 9_000_000 : 0,
        mean: loaded ? 2_000_000 : 0,
        stddev: 0,
        ...(version === '3.33' ? { N: n } : {}),
        ...(loaded ? { percentile: { '95.000000': 3_000_000, '99.000000': 4_000_000 } } : {}),
        ...(plus && loaded ? { bins: { '1990656': n - s, '3030000': s } } : {}),
      },
    };
  };
  return JSON.stringify(
    {
      'fio version': `fio-${version}`,
      timestamp: 1_000 + s,
      timestamp_ms: (1_000 + s) * 1_000,
      time: 'Sun Nov 22 01:00:00 2026',
      jobs: jobs.map((jobname) => ({ jobname, read: side(true), write: side(false) })),
    },
    null,
    2,
  );
}
const seconds = [1, 2, 3, 4, 5, 6];
const fioLog = (version: '3.1' | '3.33' = '3.33', plus = true): string =>
  seconds.map((s) => fioDocument(s, ['io'], version, plus)).join('\n');

describe('fio', () => {
  test.each([
    ['3.33', true],
    ['3.33', false],
    ['3.1', true],
    ['3.1', false],
  ] as const)('%s, bins %s: intervals of a status log, with their mean', (version, plus) => {
    const log = fioLog(version, plus);
    expect(metricOf(fioFile, log, 'throughput').map(([, v]) => v)).toEqual(seconds.map(() => 100));
    expect(metricOf(fioFile, log, 'latencyMeanMs').map(([, v]) => v)).toEqual(seconds.map(() => 2));
    // A printed percentile is one since the start: it is of an interval only where that is the
    // first.
    expect(metricOf(fioFile, log, 'latencyP95Ms')).toHaveLength(plus ? 6 : 1);
  });
  test('3.1 itself, built from its source: two jobs of one name, without the counts of latencies', () => {
    const log = readFileSync(join(import.meta.dirname, 'testing', 'fio-3.1.txt'), 'utf8');
    expect(log).toContain('"fio version" : "fio-3.1"');
    const found = run(fioFile, log);
    expect(found.leftOut).toEqual([]);
    const rates = found.series.find((s) => s.metric === 'throughput')!.samples.map(([, v]) => v);
    expect(rates.length).toBeGreaterThanOrEqual(2);
    // Asked of each of the two: 60 reads and 40 writes a second.
    for (const rate of rates) expect(Math.abs(rate / 200 - 1)).toBeLessThan(0.15);
    const means = found.series.find((s) => s.metric === 'latencyMeanMs')!.samples;
    expect(means).toHaveLength(rates.length);
    for (const [, mean] of means) expect(mean).toBeGreaterThan(0);
  });
  test('jobs of one name are one load: their I/Os are summed', () => {
    const log = fioDocument(4, ['io', 'io', 'io', 'io', 'other'], '3.33', true);
    expect(metricOf(fioFile, log, 'throughput', 'io')).toEqual([[1_004_000, 400]]);
    expect(metricOf(fioFile, log, 'throughput', 'other')).toEqual([[1_004_000, 100]]);
  });
  test('results of several runs in one file are each of its own run, never the difference of two', () => {
    const first = fioDocument(2, ['io'], '3.33', true);
    const later = fioDocument(4, ['io'], '3.33', true).replaceAll('1004', '2004');
    expect(metricOf(fioFile, `${first}\n${later}`, 'throughput').map(([, v]) => v)).toEqual([
      100, 100,
    ]);
  });
  test('a document over 4 MiB is read', () => {
    const jobs = Array.from({ length: 6_000 }, (_, i) => `job${i % 3}`);
    const log = fioDocument(2, jobs, '3.33', true);
    expect(log.length).toBeGreaterThan(4 * 1024 ** 2);
    expect(metricOf(fioFile, log, 'throughput', 'job0').map(([, v]) => v)).toEqual([200_000]);
  });
});

describe('sysbench', () => {
  test('0.4 has no intervals: the means of its report', () => {
    const log = `sysbench 0.4.12:  multi-threaded system evaluation benchmark

OLTP test statistics:
    queries performed:
        read:                            1285217
        total:                           2570434
    transactions:                        1285217 (21420.18 per sec.)
    deadlocks:                           0      (0.00 per sec.)

Test execution summary:
    total time:                          60.0003s
    total number of events:              1285217
    per-request statistics:
         min:                                  0.11ms
         avg:                                  0.19ms
         max:                                  5.07ms
         approx.  95 percentile:               0.25ms
`;
    expect(run(sysbench, log).series.map((s) => [s.metric, s.unit, s.samples])).toEqual([
      ['throughput', 'tps', [[61_000, 21_420.18]]],
      ['latencyMeanMs', 'ms', [[61_000, 0.19]]],
      ['latencyP95Ms', 'ms', [[61_000, 0.25]]],
    ]);
  });
  const log = (from: number): string =>
    `sysbench 1.0.20 (using system LuaJIT 2.1.0)\n${seconds.map((s) => `[ ${s}s ] thds: 1 eps: ${from + s}.00 lat (ms,95%): 0.20\n`).join('')}`;
  test.each([
    ['with their heads', log(100) + log(200)],
    ['without', (log(100) + log(200)).replace(/^sysbench.*\n/gm, '')],
  ])('two logs in one file, %s, are refused by the line', (_what, text) => {
    expect(() => run(sysbench, text)).toThrow(/line \d+ begins a second log of sysbench/);
  });

  // Printed by 1.0.20 while its process was stopped for 1.6 s after the second line.
  const stalled = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)
[ 1s ] thds: 1 eps: 182.64 lat (ms,95%): 0.74
[ 1s ] queue length: 0 concurrency: 0
[ 2s ] thds: 1 eps: 191.02 lat (ms,95%): 0.81
[ 2s ] queue length: 0 concurrency: 0
[ 4s ] thds: 1 eps: 17.60 lat (ms,95%): 1.04
[ 4s ] queue length: 326 concurrency: 1
[ 4s ] thds: 1 eps: 1326.24 lat (ms,95%): 147.61
[ 4s ] queue length: 0 concurrency: 0
[ 5s ] thds: 1 eps: 200.01 lat (ms,95%): 0.84
[ 5s ] queue length: 0 concurrency: 0
`;
  test('a client that stalled prints a second twice: no second log, and what is left out is told', () => {
    const found = run(sysbench, stalled);
    expect(found.series.find((s) => s.metric === 'throughput')!.samples).toEqual([
      [2_000, 182.64],
      [3_000, 191.02],
      [5_000, 17.6],
      [6_000, 200.01],
    ]);
    expect(found.leftOut).toEqual([
      '2 lines of x.csv are missing, damaged or there twice, and left out.',
    ]);
  });
});

describe('dbench', () => {
  const line = (s: number, latency: string): string =>
    `   4     ${s}1792   500.00 MB/sec  execute ${String(s).padStart(3)} sec  ${latency}`;
  test.each([
    ['3', ' '],
    ['4', 'latency 5.818 ms'],
  ])('version %s', (version, latency) => {
    const text = seconds.map((s) => line(s, latency)).join('\n');
    const { series } = run(dbenchFile, text);
    expect(series[0]!.samples.map(([, v]) => v)).toEqual(seconds.map(() => 500));
    expect(series.map((s) => s.metric)).toEqual(
      version === '3' ? ['throughput'] : ['throughput', 'latencyMaxMs'],
    );
  });
  test('two logs are refused', () => {
    const one = `Running for 60 seconds with load 'client.txt' and minimum warmup 12 secs\n${line(1, '')}\n`;
    expect(() => run(dbenchFile, one + one)).toThrow(/second log of dbench/);
  });
});

describe('DVD Store', () => {
  const at = (s: number, n: number, extra: string): string =>
    `et=${String(s).padStart(5)}.0 n_overall=${n} opm=${Math.floor((60 * n) / s)} rt_tot_lastn_max_msec=867 rt_tot_avg_msec=182${extra} rollbacks: n=0 %=  0.0 `;
  test.each([
    ['2.0', '', ''],
    ['2.1', ' rt_tot_sampled=90', ''],
    ['3', ' rt_tot_sampled=90', '11/22/2026 01:02:03 '],
  ])('%s', (_version, extra, prefix) => {
    const text = [10, 20, 30].map((s) => `${prefix}${at(s, s * 2, extra)}`).join('\n');
    const { series } = run(dvdstore, text);
    expect(series[0]!.samples.map(([, v]) => v)).toEqual([120, 120, 120]);
    expect(series.some((s) => s.metric === 'latencyMeanMs')).toBe(extra !== '');
  });
  test('two logs are refused, also where the second has more orders', () => {
    const one = [10, 20].map((s) => at(s, s * 2, '')).join('\n');
    expect(() => run(dvdstore, `${one}\nFinal: et= 21.0\n${at(30, 900, '')}`)).toThrow(
      /second log/,
    );
    const other = [10, 20].map((s) => at(s, s * 3, '')).join('\n');
    expect(() => run(dvdstore, `${one}\n${other}`)).toThrow(/second log/);
  });
  test('a log that stands there twice is read once, and its lines are counted', () => {
    const one = [10, 20].map((s) => at(s, s * 2, '')).join('\n');
    const twice = run(dvdstore, `${one}\n${one}`);
    expect([twice.dropped, twice.series]).toEqual([2, run(dvdstore, one).series]);
  });
});

describe('Iometer', () => {
  test.each([
    ['2006.07.27', 'MBps,Read MBps,Write MBps', 3],
    [
      '1.1.0 early',
      'MBps (Binary),Read MBps (Binary),Write MBps (Binary),MBps (Decimal),Read MBps (Decimal),Write MBps (Decimal)',
      6,
    ],
    [
      '1.1.0',
      'MiBps (Binary),Read MiBps (Binary),Write MiBps (Binary),MBps (Decimal),Read MBps (Decimal),Write MBps (Decimal)',
      6,
    ],
  ])('%s', (_version, rates, count) => {
    const text = `'Test Type,Test Description\n0,t\n'Time Stamp\n2008-05-20 10:11:12:123\n'Results\n'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,${rates},Transactions per Second,Connections per Second,Average Response Time,Maximum Response Time\nALL,All,8K,1,1,1,1000,600,400,${Array.from({ length: count }, () => '1.5').join(',')},1000,0,12.25,310\n`;
    expect(run(iometer, text).series.map((s) => [s.metric, s.samples[0]![1]])).toEqual([
      ['throughput', 1_000],
      ['readIops', 600],
      ['writeIops', 400],
      ['latencyMeanMs', 12.25],
      ['latencyMaxMs', 310],
    ]);
  });
});

describe('esxtop', () => {
  /** As wide as a busy host writes it, its names with commas and quotes of both kinds. */
  const wide = (columns: number, comma: string, ragged: boolean): string => {
    const head = [
      '(PDH-CSV 4.0) (UTC)(0)',
      '\\\\esx1\\Physical Cpu(_Total)\\% Util Time',
      ...Array.from(
        { length: columns - 3 },
        (_, i) => `\\\\esx1\\Group Cpu(${i}:vm, "${i % 3 === 0 ? 'odd' : 'even"'} ${i})\\% Ready`,
      ),
      '\\\\esx1\\Power\\Power Usage Now Watts',
    ];
    const row = (s: number): string =>
      [
        `"05/15/2017 06:49:0${s}"`,
        ragged ? ` ${10 + s}.50` : `"${10 + s}.50"`,
        ...Array.from({ length: columns - 3 }, (_, i) => (ragged && i % 5 === 0 ? '' : '"0.00"')),
        `"${300 + s}"`,
      ].join(',') + comma;
    return `${head.map((h) => `"${h}"`).join(',')}${comma}\r\n${[1, 2, 3].map(row).join('\r\n')}\r\n`;
  };
  test.each([
    [17_427, '', false],
    [17_427, ',', true],
    [7_632, ',', false],
    [7_632, '', true],
  ])('%d columns, trailing comma %j, ragged %s: every row counts', (columns, comma, ragged) => {
    const { series, notes } = run(esxtop, wide(columns, comma, ragged));
    expect(series.map((s) => [s.metric, s.samples.map(([, v]) => v)])).toEqual([
      ['cpuBusyPct', [11.5, 12.5, 13.5]],
      ['powerW', [301, 302, 303]],
    ]);
    expect(notes).toHaveLength(1);
  });
  test('however it is cut, the same comes out', () => {
    const bytes = new TextEncoder().encode(wide(40, ',', true));
    const whole = importBytes(esxtop, bytes);
    for (let size = 1; size < 90; size += 1)
      expect(importBytes(esxtop, bytes, size)).toEqual(whole);
  });
});

/** A span is cut out of the file, as lost blocks and torn writes do. */
const logs: readonly (readonly [ImportFormat, string])[] = [
  [fioFile, fioLog()],
  [
    sysbench,
    `${[...Array(30).keys()].map((s) => `[ ${s + 1}s ] thds: 2 tps: 2${s}.01 qps: 400.22 (r/w/o: 280.20/80.00/40.00) lat (ms,95%): 3.43 err/s: 0.50 reconn/s: 0.00`).join('\n')}\n`,
  ],
  [
    dvdstore,
    `${[...Array(30).keys()].map((i) => `et=${String((i + 1) * 10).padStart(5)}.0 n_overall=${(i + 1) * 20} opm=120 rt_tot_lastn_max_msec=867 rt_tot_avg_msec=182 rt_tot_sampled=9${i} rollbacks: n=0 %=  0.0 `).join('\n')}\n`,
  ],
];
test.each(logs)(
  '$id: after damage anywhere every figure is one of the whole file, or what was lost is counted',
  (format, text) => {
    const key = (s: { metric: string; samples: [number, number][] }): string[] =>
      s.samples.map(([tMs, value]) => `${s.metric} ${tMs} ${value}`);
    const whole = new Set(run(format, text).series.flatMap(key));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.integer({ min: 20, max: 4_000 }),
        (from, length) => {
          let found: ReturnType<typeof run>;
          try {
            found = run(format, text.slice(0, from) + text.slice(from + length));
          } catch (thrown) {
            expect((thrown as { kind?: string }).kind).toBe('invalidInput');
            return;
          }
          const counted = found.dropped > 0;
          const wrong = found.series.flatMap(key).filter((one) => !whole.has(one));
          if (!counted) expect(wrong.filter((one) => !spansALostLine(one, format))).toEqual([]);
        },
      ),
      { numRuns: 120, seed: 20261122 },
    );
  },
);

/**
 * Whole lines that are missing leave no trace: what stands over them is the mean over both, which
 * the counts still give.
 */
function spansALostLine(sample: string, format: ImportFormat): boolean {
  const [metric, , value] = sample.split(' ');
  if (format === dvdstore) return metric === 'throughput' && Math.abs(Number(value) - 120) < 1e-6;
  return format === fioFile && metric === 'throughput' && Number(value) === 100;
}
