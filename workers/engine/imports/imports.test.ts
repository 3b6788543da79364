import fc from 'fast-check';

import { compareGuards } from '../../../src/core/compare/index.ts';
import { type ImportId, importIds } from '../../../src/core/history/importForms.ts';
import { marksOf } from '../../../src/core/report/marks.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { cpuSince } from '../../../src/core/testing/cpuSince.ts';
import { parseColumn } from '../esxtop/counters.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { dvdstore } from './dvdstore.ts';
import { esxtop } from './esxtop.ts';
import { fioFile } from './fioFile.ts';
import { importers } from './importers.ts';
import { iometer } from './iometer.ts';
import { formatOf } from './service.ts';
import { sysbench } from './sysbench.ts';
import { importFiles } from './testing/files.ts';
import { importBytes } from './testing/importBytes.ts';
import type { ImportFormat, ImportOptions } from './types.ts';

/** What a format makes of a text that comes in pieces of `size` bytes. */
const importText = (
  format: ImportFormat,
  text: string,
  size = 1 << 20,
  options: Partial<ImportOptions> = {},
) => importBytes(format, new TextEncoder().encode(text), size, options);

const head = [
  '(PDH-CSV 4.0) (UTC)(0)',
  '\\\\esx1\\Memory\\Memory Overcommit (1 Minute Avg)',
  '\\\\esx1\\Physical Cpu(_Total)\\% Util Time',
  '\\\\esx1\\Group Cpu(28868:Ted, "quoted")\\% Ready',
  '\\\\esx1\\Physical Disk SCSI Device(naa.1)\\Commands/sec',
  '\\\\esx1\\Physical Disk SCSI Device(naa.2)\\Average Driver MilliSec/Command',
  '\\\\esx1\\Power\\Power Usage Now Watts',
];
const line = (fields: readonly string[]): string => `${fields.map((f) => `"${f}"`).join(',')}\r\n`;
const file =
  line(head) +
  line(['05/15/2017 06:49:37', '0.00', '12.34', '1', '100.5', '2.25', '310']) +
  line(['05/15/2017 06:49:42', '0.00', '15.00', '1', '-3', '', '311.5']);

test('columns that a chart shows become series with their unit, entity and source', () => {
  const { series, notes } = importText(esxtop, file);
  expect(series.map((s) => [s.metric, s.entity.kind, s.entity.name, s.unit, s.source])).toEqual([
    ['cpuBusyPct', 'host', 'esx1', '%', 'esxtop on esx1'],
    ['iops', 'datastore', 'naa.1 (esx1)', 'IOPS', 'esxtop on esx1'],
    ['deviceLatencyMs', 'datastore', 'naa.2 (esx1)', 'ms', 'esxtop on esx1'],
    ['powerW', 'power', 'esx1', 'W', 'esxtop on esx1'],
  ]);
  const t0 = Date.UTC(2017, 4, 15, 6, 49, 37);
  expect(series.map((s) => s.samples)).toEqual([
    [
      [t0, 12.34],
      [t0 + 5_000, 15],
    ],
    [
      [t0, 100.5],
      [t0 + 5_000, -3],
    ],
    [[t0, 2.25]],
    [
      [t0, 310],
      [t0 + 5_000, 311.5],
    ],
  ]);
  expect(notes[0]).toContain('4 of 6 columns');
});

const files = importIds.flatMap((id) =>
  importFiles[id].map((text): [ImportId, string] => [id, text]),
);
test.each(files)('%s: however the file is cut, the same comes out', (id, text) => {
  const whole = importText(importers[id], text);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (size) => {
      expect(importText(importers[id], text, size)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test('a decimal comma inside quotes is a number, not two fields', () => {
  expect(
    importText(
      esxtop,
      line(head) + line(['05/15/2017 06:49:37', '0,00', '12,34', '1', '5', '1', '300']),
    ).series[0]!.samples[0]![1],
  ).toBe(12.34);
});

test('a row that is cut or has no time is left out and counted; the rest stays', () => {
  const { series, leftOut } = importText(
    esxtop,
    `${file}"05/15/2017 06:49:47","0.00","99"\r\n${line(['no time', '0', '1', '1', '1', '1', '1'])}`,
  );
  expect(series[0]!.samples).toHaveLength(2);
  expect(leftOut).toEqual(['2 rows of x.csv are missing, damaged or there twice, and left out.']);
});

test('a filter takes devices by name; one that takes none is refused', () => {
  expect(importText(esxtop, file, 100, { filter: ['NAA.2'] }).series.map((s) => s.metric)).toEqual([
    'cpuBusyPct',
    'deviceLatencyMs',
    'powerW',
  ]);
  expect(
    importText(esxtop, line(head) + file.split('\r\n')[1]!, 100, {
      filter: ['nothing'],
    }).series.map((s) => s.entity.kind),
  ).not.toContain('datastore');
});

test.each([
  ['only a head', line(head), /no rows/],
  ['no head line end', head.join(','), /no rows/],
  ['no counter of ours', `${line(['(PDH-CSV 4.0)', '\\\\a\\B\\C'])}x\r\n`, /no counter/],
])('%s is refused', (_what, text, reason) => {
  expect(() => importText(esxtop, text)).toThrow(reason);
});

test('any bytes after the head neither crash nor hang', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.integer({ min: 1, max: 64 }),
      (bytes, size) => {
        const text = line(head) + new TextDecoder('latin1').decode(bytes);
        try {
          importText(esxtop, text, size);
        } catch (thrown) {
          expect((thrown as { kind?: string }).kind).toBe('invalidInput');
        }
      },
    ),
    { numRuns: 100 },
  );
});

test.each([
  [
    '\\\\h\\Physical Cpu(0)\\% Util Time',
    { host: 'h', object: 'Physical Cpu', instance: '0', counter: '% Util Time' },
  ],
  [
    '\\\\h\\Memory\\Free MBytes',
    { host: 'h', object: 'Memory', instance: null, counter: 'Free MBytes' },
  ],
  ['time', null],
])('%s', (text, expected) => expect(parseColumn(text)).toEqual(expected));

describe('logs of other tools', () => {
  const throughput = (format: ImportFormat, text: string) =>
    importText(format, text, 7).series.find((s) => s.metric === 'throughput')!;

  test('Iometer: each result at its time stamp, all managers together', () => {
    const text = [
      "'Test Type,Test Description",
      '0,my test',
      "'Version",
      '2006.07.27',
      "'Time Stamp",
      '2008-05-20 10:11:12:123',
      "'Results",
      "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,Average Response Time,Maximum Response Time",
      'ALL,All,8K 50R 100Rnd,16,16,100,1234.5,600,634.5,9.6,12.25,310',
      'MANAGER,VM01,8K 50R 100Rnd,,1,5,77,1,1,1,1,1',
      "'Time Stamp",
      '2008-05-20 10:21:12:456',
      "'Results",
      "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,Average Response Time,Maximum Response Time",
      'ALL,All,8K 50R 100Rnd,16,16,100,1300,650,650,9.6,13,300',
    ].join('\r\n');
    const { series } = importText(iometer, text, 11);
    expect(series.map((s) => s.metric)).toEqual([
      'throughput',
      'readIops',
      'writeIops',
      'latencyMeanMs',
      'latencyMaxMs',
    ]);
    expect(series[0]!.samples).toEqual([
      [Date.UTC(2008, 4, 20, 10, 11, 12, 123), 1_234.5],
      [Date.UTC(2008, 4, 20, 10, 21, 12, 456), 1_300],
    ]);
    expect(series[3]!.samples.map((s) => s[1])).toEqual([12.25, 13]);
  });

  test('sysbench 0.5 and 1.0: interval lines', () => {
    const old =
      '[  46s] threads: 32, tps: 14336.08, reads: 143349.82, writes: 0.00, response time: 2.33ms (95%), errors: 0.00, reconnects:  0.00';
    const now =
      'sysbench 1.0.20\n[ 1s ] thds: 2 tps: 20.01 qps: 400.22 (r/w/o: 280.2/80.0/40.0) lat (ms,95%): 3.43 err/s: 0.50 reconn/s: 0.00\n[ 2s ] thds: 2 tps: 21.00 qps: 1.00 lat (ms,99%): 9.00 err/s: 0.00';
    expect(throughput(sysbench, old).samples).toEqual([[47_000, 14_336.08]]);
    const { series } = importText(sysbench, now, 9);
    expect(series.map((s) => [s.metric, s.samples])).toEqual([
      [
        'throughput',
        [
          [2_000, 20.01],
          [3_000, 21],
        ],
      ],
      ['latencyP95Ms', [[2_000, 3.43]]],
      [
        'errorRate',
        [
          [2_000, 0.5],
          [3_000, 0],
        ],
      ],
      ['latencyP99Ms', [[3_000, 9]]],
    ]);
  });

  test('DVD Store: orders a minute of the interval, not since the start; the warm-up ends at its reset', () => {
    const text =
      'et=   10.0 n_overall=20 opm=120 rt_tot_lastn_max_msec=867 rt_tot_avg_msec=182 rt_tot_sampled=90 rollbacks: n=0 %=  0.0 \nStats reset\net=   10.0 n_overall=50 opm=300 rt_tot_lastn_max_msec=100 rt_tot_avg_msec=50 rt_tot_sampled=44 rollbacks: n=0 %= 0.0\net=   20.0 n_overall=80 opm=240 rt_tot_lastn_max_msec=90 rt_tot_avg_msec=50 rt_tot_sampled=40 rollbacks: n=0 %=  0.0\nFinal: et=   21.0 n_overall=150 opm=147 rt_tot_lastn_max=1205';
    const { series } = importText(dvdstore, text, 13);
    expect(series[0]!.samples).toEqual([
      [11_000, 120],
      [21_000, 300],
      [31_000, 180],
    ]);
    expect(series.find((s) => s.metric === 'latencyMeanMs')!.samples.map((s) => s[1])).toEqual([
      90, 44, 40,
    ]);
  });

  test('fio: a job of one direction has percentiles, one of two has none', () => {
    const side = (iops: number, n: number) => ({
      iops,
      total_ios: n,
      runtime: n > 0 ? 100 : 0,
      clat_ns: { N: n, mean: 2e6, percentile: { '95.000000': 3e6, '99.000000': 4e6 } },
    });
    const text = JSON.stringify({
      'fio version': 'fio-3.33',
      timestamp_ms: 5_000,
      jobs: [
        { jobname: 'read', read: side(100, 10), write: side(0, 0) },
        { jobname: 'mixed', read: side(60, 6), write: side(40, 4) },
      ],
    });
    const { series } = importText(fioFile, text, 17);
    expect(
      series.filter((s) => s.entity.name === 'read').map((s) => [s.metric, s.samples[0]![1]]),
    ).toEqual([
      ['throughput', 100],
      ['readIops', 100],
      ['writeIops', 0],
      ['latencyMeanMs', 2],
      ['latencyP95Ms', 3],
      ['latencyP99Ms', 4],
    ]);
    expect(series.filter((s) => s.entity.name === 'mixed').map((s) => s.metric)).toEqual([
      'throughput',
      'readIops',
      'writeIops',
      'latencyMeanMs',
    ]);
  });

  test('fio: a result too soon after the one before is told, and gives no figure', () => {
    const document = (tMs: number, runtime: number, n: number): string =>
      JSON.stringify(
        {
          'fio version': 'fio-3.33',
          timestamp_ms: tMs,
          jobs: [
            {
              jobname: 'read',
              read: {
                iops: (n * 1_000) / runtime,
                total_ios: n,
                runtime,
                clat_ns: { N: n, mean: 2e6 },
              },
              write: { iops: 0, total_ios: 0, runtime: 0, clat_ns: { N: 0, mean: 0 } },
            },
          ],
        },
        null,
        2,
      );
    const { series, notes } = importText(
      fioFile,
      `${document(5_000, 1_000, 100)}\n${document(6_000, 2_000, 220)}\n${document(6_200, 2_200, 250)}\n`,
    );
    expect(notes).toEqual([
      expect.stringContaining('3 results'),
      '1 result of them comes too soon after the one before for a rate, and gives no figure.',
    ]);
    expect(series.find((s) => s.metric === 'throughput')!.samples).toEqual([
      [5_000, 100],
      [6_000, 120],
    ]);
  });

  test.each<[string, string]>([
    ...files,
    ['iometer', "'Test Type,Test Description\n"],
    ['fio', '{"fio version" : "fio-3.33"'],
    ['dvdstore', 'et=   10.1 n_overall=23 opm=136 x'],
    ['dbench', '   4     21792   539.21 MB/sec  warmup   1 sec  latency 9.978 ms\n'],
    ['sysbench', 'OLTP test statistics:\n'],
    ['sysbench', 'sysbench 1.0.20 (using LuaJIT)\n'],
  ])('a file of %s is known by its beginning', (id, text) => {
    expect(formatOf('x', new TextEncoder().encode(text))).toBe(id);
  });
  test('what is none of them is refused with what is known', () => {
    expect(() => formatOf('notes.txt', new TextEncoder().encode('hello'))).toThrow(
      /notes\.txt is of no known format/,
    );
  });
  test.each([
    ['line ends', '\n'],
    ['blanks', ' '],
    ['digits', '1'],
    ['digits and blanks', '1 '],
    ['digits a line', '1\n'],
  ])('two million %s are of no known format, and that is known at once', (_what, text) => {
    const bytes = new TextEncoder().encode(text.repeat(2_000_000 / text.length));
    const cpuMs = cpuSince();
    expect(() => formatOf('x', bytes)).toThrow(/of no known format/);
    expect(cpuMs()).toBeLessThan(5_000);
  });
  test.each(importIds)('any text neither crashes nor hangs %s', (id) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        try {
          importText(importers[id], text, 5);
        } catch (thrown) {
          expect((thrown as { kind?: string }).kind).toBe('invalidInput');
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('through the engine', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await createHarness();
  });
  afterEach(() => harness.close());
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  test('a file becomes a run that can be charted and compared, marked where it came from', async () => {
    const first = await harness.call('file.import', {
      fileName: 'esx1.csv',
      uploadId: null,
      bytes: bytes(file.slice(0, 700)),
      last: false,
    });
    const { runId } = await harness.call('file.import', {
      fileName: 'esx1.csv',
      uploadId: first.uploadId,
      bytes: bytes(file.slice(700)),
      last: true,
    });
    const record = await harness.call('run.record', { id: runId! });
    expect(record.imported).toMatchObject({
      format: 'esxtop batch CSV',
      complete: true,
      fileName: 'esx1.csv',
    });
    expect(record.overview).toMatchObject({ state: 'passed', score: null });
    const data = await harness.call('run.samples', {
      runId: runId!,
      seriesIds: record.overview.series.map((s) => s.id),
      maxPoints: 0,
    });
    expect(data.map((d) => [...d.value])).toEqual([[12.34, 15], [100.5, -3], [2.25], [310, 311.5]]);
    expect((await harness.call('run.list', {}))[0]).toMatchObject({
      id: runId,
      importedFrom: 'esx1.csv',
      sampleCount: 7,
    });
  });

  test('no rule was asked of it, and none is said to be broken: in lists, comparisons and reports', async () => {
    const opened = async (fileName: string): Promise<RunRecord> => {
      const { runId } = await harness.call('file.import', {
        fileName,
        uploadId: null,
        bytes: bytes(file),
        last: true,
      });
      return harness.call('run.record', { id: runId! });
    };
    const records = [await opened('one.csv'), await opened('two.csv')];
    for (const { compliant } of await harness.call('run.list', {})) expect(compliant).toBeNull();
    expect(marksOf(records.map(({ overview }) => overview))).toEqual([]);
    expect(compareGuards(records.map((record) => ({ record }))).join()).not.toMatch(/compliant/);
  });

  test('a refused or stopped import leaves no run', async () => {
    await expect(
      harness.call('file.import', {
        fileName: 'x.csv',
        uploadId: null,
        bytes: bytes(line(head)),
        last: true,
      }),
    ).rejects.toMatchObject({ kind: 'invalidInput' });
    const { uploadId } = await harness.call('file.import', {
      fileName: 'y.csv',
      uploadId: null,
      bytes: bytes(file),
      last: false,
    });
    await harness.call('file.importStop', { uploadId });
    expect(await harness.call('run.list', {})).toEqual([]);
    await expect(
      harness.call('file.import', { fileName: 'y.csv', uploadId, bytes: bytes('x'), last: true }),
    ).rejects.toMatchObject({ kind: 'notFound' });
  });
});
