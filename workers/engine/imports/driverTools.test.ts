import { damageKinds, toldDamages } from './testing/damages.ts';
import { iperf3Stream, toolFile } from './testing/driverToolFiles.ts';
import { importFiles } from './testing/files.ts';
import { lines, noCurve, read, readBytes, samplesOf, sumOf, valuesOf } from './testing/readFile.ts';

/** Files of the tools that are drivers too: what they printed themselves, and what versions differ in. */

describe('pgbench', () => {
  test('progress without a date begins where the import began; the figures are those of its lines', () => {
    const found = read(toolFile('pgbench-progress'));
    expect(samplesOf(found, 'throughput')).toEqual([
      [2_100, 0],
      [3_000, 52.1],
      [4_000, 22.8],
      [5_400, 14.8],
    ]);
    // Nothing was done in the first: it has no mean.
    expect(valuesOf(found, 'latencyMeanMs')).toEqual([48.371, 84.361, 96.126]);
    expect(found.notes.join()).toContain('no date');
  });
  test('held to a rate: what was skipped are errors; of the first line nobody knows how long it is', () => {
    const found = read(toolFile('pgbench-rate'));
    expect(samplesOf(found, 'throughput')[0]).toEqual([1_795_508_163_007, 16.7]);
    expect(valuesOf(found, 'errorRate')[0]).toBeCloseTo(25 / 1.049, 5);
    expect(valuesOf(found, 'errorRate')).toHaveLength(3);
  });
  test.each([
    ['9.5', 'progress: 1.0 s, 100.0 tps, lat 9.000 ms stddev 1.000\n'],
    ['15', 'progress: 1.0 s, 100.0 tps, lat 9.000 ms stddev 1.000, 0 failed\n'],
    [
      'with tries again',
      'progress: 1.0 s, 100.0 tps, lat 9.000 ms stddev 1.000, 0 failed, 0 retried, 0 retries\n',
    ],
  ])('lines of %s', (_version, line) => {
    expect(valuesOf(read(line), 'throughput')).toEqual([100]);
  });
  test('a line without its end is none: it may have been torn where an older version ends', () => {
    const torn =
      'progress: 1.0 s, 9.0 tps, lat 9.000 ms stddev 1.000, 0 failed\nprogress: 2.0 s, 9.0 tps, lat 9.000 ms stddev 1.000';
    const found = read(torn);
    expect([valuesOf(found, 'throughput'), found.dropped]).toEqual([[9], 1]);
  });
  test('a report alone is one value a figure, said so, with what was skipped as errors', () => {
    const found = read(toolFile('pgbench-report'));
    noCurve(found);
    expect(valuesOf(found, 'throughput')).toEqual([32.448745]);
    expect(valuesOf(found, 'errorRate')[0]).toBeCloseTo(31 / 3, 6);
    expect(found.leftOut).toEqual([]);
  });
  test('the report of 13 and before, with its own words', () => {
    const old =
      'transaction type: <builtin: select only>\nscaling factor: 1\nquery mode: simple\nnumber of clients: 1\nnumber of threads: 1\nnumber of transactions per client: 10\nnumber of transactions actually processed: 10/10\nlatency average = 2.000 ms\ntps = 400.000000 (including connections establishing)\ntps = 500.000000 (excluding connections establishing)\n';
    const found = read(old);
    expect(samplesOf(found, 'throughput')).toEqual([[1_020, 500]]);
    expect(found.leftOut).toEqual([]);
  });
  test('a log of transactions adds up to the lines in it; skipped ones are errors', () => {
    const text = toolFile('pgbench-log');
    const found = read(text);
    const done = lines(text, /^\d+ \d+ (\d+) \d+ (\d{10}) (\d+)/gm);
    const first = done[0]!;
    const fromMs = Math.floor(
      Number(first[2]) * 1_000 + Number(first[3]) / 1_000 - Number(first[1]) / 1_000,
    );
    expect(sumOf(found, 'throughput', fromMs)).toBeCloseTo(done.length, 1);
    expect(sumOf(found, 'errorRate', fromMs)).toBeCloseTo(lines(text, /skipped/g).length, 1);
    expect(Math.max(...valuesOf(found, 'latencyMaxMs'))).toBeCloseTo(
      Math.max(...done.map(([, us]) => Number(us))) / 1_000,
      3,
    );
    expect(found.notes.join()).toContain('a file each');
  });
  test.each([
    ['15', toolFile('pgbench-intervals')],
    ['before', toolFile('pgbench-intervals').replace(/( \d+){4}$/gm, '')],
  ])('intervals of %s: mean and most of each, what was skipped a second', (_version, text) => {
    const found = read(text);
    expect(valuesOf(found, 'throughput')).toEqual([22, 37, 39, 33]);
    expect(valuesOf(found, 'errorRate')).toEqual([2, 6, 8, 11]);
    expect(valuesOf(found, 'latencyMeanMs')[0]).toBeCloseTo(476_666 / 22 / 1_000, 9);
    expect(valuesOf(found, 'latencyMaxMs')[0]).toBe(74.782);
  });
});

describe('iperf3', () => {
  const json = toolFile('iperf3-json-tcp');
  const own = JSON.parse(json) as {
    start: { timestamp: { timesecs: number } };
    intervals: { sum: { end: number; bits_per_second: number } }[];
  };
  test.each([
    ['-J', json],
    ['--json-stream', iperf3Stream],
  ])('%s: each interval at its own time, of all streams', (form, text) => {
    const found = read(text);
    expect(samplesOf(found, 'throughput')).toEqual(
      own.intervals.map(({ sum }) => [
        own.start.timestamp.timesecs * 1_000 + Math.round(sum.end * 1_000),
        sum.bits_per_second / 1e6,
      ]),
    );
    expect(found.leftOut).toEqual([]);
    expect(found.notes.join().includes('not yet read from the program itself')).toBe(
      form === '--json-stream',
    );
  });
  test('what UDP receives tells loss and jitter; both ways at once are two loads', () => {
    const udp = read(toolFile('iperf3-json-udp'));
    expect(udp.series.map((s) => s.metric)).toEqual(['throughput', 'lossPct', 'jitterMs']);
    for (const text of [toolFile('iperf3-json-both-ways'), toolFile('iperf3-both-ways')])
      expect(new Set(read(text).series.map((s) => s.entity.name))).toEqual(
        new Set(['iperf3, sent', 'iperf3, received']),
      );
  });
  test('a test that failed is refused with the words of iperf3; two results, and half of one', () => {
    expect(() => read(toolFile('iperf3-json-error'))).toThrow(/Connection refused/);
    expect(() => read(`${json}\n${json}`)).toThrow(/several results/);
    expect(() => read(json.slice(0, -300))).toThrow(/cut short or damaged/);
  });
  test('intervals that were omitted (-O) give no figure, and it is said', () => {
    const omitted = json
      .replace(/"omitted":\s*false/, '"omitted": true')
      .replace(/"omitted":\s*false/, '"omitted": true');
    const found = read(omitted);
    expect(valuesOf(found, 'throughput')).toHaveLength(own.intervals.length - 1);
    expect(found.notes.join()).toContain('omitted');
  });
  test.each([
    ['one stream', 'iperf3-tcp', [20.9, 19.7, 19.1]],
    ['the sum of streams', 'iperf3-streams', [41.9, 39.7, 39.9]],
    ['a time before each line', 'iperf3-timestamps', [19.7, 18.5, 21.5]],
    [
      'what UDP sends, whose number of datagrams is no retransmit',
      'iperf3-udp',
      [19.3, 20.8, 19.9],
    ],
  ])('as text: %s', (_what, name, rates) => {
    const found = read(toolFile(name));
    expect(valuesOf(found, 'throughput')).toEqual(rates);
    expect(found.leftOut).toEqual([]);
    if (name === 'iperf3-udp') expect(found.series.map((s) => s.metric)).toEqual(['throughput']);
  });
  test.each([
    ['Kbits/sec', '50327 Kbits/sec', 50.327],
    ['Gbits/sec', '1.25 Gbits/sec', 1_250],
    ['MBytes/sec', '6.00 MBytes/sec', 50.332],
  ])('as text in %s', (_unit, rate, mbps) => {
    const text = `[ ID] Interval           Transfer     Bitrate\n[  5]   0.00-1.00   sec  6.00 MBytes  ${rate}    0   1.12 MBytes\n`;
    expect(valuesOf(read(text), 'throughput')).toEqual([mbps]);
  });
  test('a server log with two tests is refused', () => {
    const text = toolFile('iperf3-tcp');
    expect(() => read(text + text)).toThrow(/second test of iperf3/);
  });
});

test('sockperf: the log adds up to its lines, its mean is that of the report before it', () => {
  const text = toolFile('sockperf-log');
  const found = read(text);
  const answers = lines(text, /^\d+, (\d+\.\d+), /gm);
  expect(sumOf(found, 'throughput', 1_000)).toBeCloseTo(answers.length, 0);
  const own = Number(/avg-latency=([\d.]+)/.exec(text)![1]) / 1_000;
  const all = lines(text, /^\d+, .*, (-?[\d.]+)$/gm).map(([, us]) => Number(us) / 1_000);
  expect(all.reduce((sum, one) => sum + one, 0) / all.length).toBeCloseTo(own, 3);
  expect(Math.max(...valuesOf(found, 'latencyMaxMs'))).toBeCloseTo(Math.max(...all), 3);
  // What was lost is not in it.
  expect(found.series.map((s) => s.metric)).not.toContain('errorRate');
  expect(found.notes.join()).toContain('half of each round trip');
});
test('sockperf: a report alone is one value a figure; of throughput it tells no latency', () => {
  const found = read(toolFile('sockperf'));
  noCurve(found);
  expect(valuesOf(found, 'latencyMeanMs')).toEqual([0.48189]);
  expect(valuesOf(found, 'latencyP99Ms')[0]).toBeCloseTo(16.184445, 9);
  const rate = read(toolFile('sockperf-throughput'));
  expect(rate.series.map((s) => [s.metric, s.unit, s.samples[0]![1]])).toEqual([
    ['throughput', 'messages/s', 16_386],
  ]);
});

test('h2load: the log adds up to its lines, and says from when it counts; an error status is no throughput', () => {
  const text = toolFile('h2load-log');
  const found = read(text);
  const [first] = lines(text, /^(\d{16})\t/gm);
  const fromMs = Math.floor(Number(first![1]) / 1_000);
  expect(sumOf(found, 'throughput', fromMs)).toBeCloseTo(lines(text, /\n/g).length, 0);
  expect(found.notes.join()).toContain('not from when they were due');
  const failed = read(text.replaceAll('\t200\t', '\t404\t'));
  expect(new Set(valuesOf(failed, 'throughput'))).toEqual(new Set([0]));
});
test('h2load: a report alone is one value a figure', () => {
  const found = read(toolFile('h2load'));
  noCurve(found);
  expect(valuesOf(found, 'throughput')[0]).toBeCloseTo(300 / 3.01, 9);
  expect([valuesOf(found, 'latencyMeanMs'), valuesOf(found, 'latencyMaxMs')]).toEqual([
    [2.26],
    [41.92],
  ]);
  expect(() => read(toolFile('h2load') + toolFile('h2load'))).toThrow(/2 reports of h2load/);
});

const wrk2 = `Running 30s test @ http://10.0.0.5/
  2 threads and 100 connections
  Thread calibration: mean lat.: 9747 usec, rate sampling interval: 21 ms
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     6.46ms    1.93ms  12.34ms   67.66%
    Req/Sec     1.05k     1.12k    2.50k    64.84%
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%    6.67ms
 99.000%   11.62ms
100.000%   12.35ms

  Detailed Percentile spectrum:
       Value   Percentile   TotalCount 1/(1-Percentile)

       0.921     0.000000            1         1.00
----------------------------------------------------------
  60018 requests in 30.00s, 19.81MB read
Requests/sec:   2000.15
Transfer/sec:    676.14KB
`;
test('wrk and wrk2: what was refused is no throughput; one is told from the other', () => {
  const found = read(toolFile('wrk-errors'));
  noCurve(found);
  expect([valuesOf(found, 'throughput'), valuesOf(found, 'latencyP99Ms')]).toEqual([[0], [94.16]]);
  expect(valuesOf(found, 'errorRate')[0]).toBeCloseTo(17_803 / 3.07, 9);
  expect(found.notes.join()).toContain('its wait is in no figure');
  const two = read(wrk2);
  expect(new Set(two.series.map((s) => s.source))).toEqual(new Set(['wrk2']));
  expect(two.notes.join()).toContain('not yet read from the program itself');
  expect(valuesOf(two, 'latencyP99Ms')).toEqual([11.62]);
});
test('wrk: without its last line nobody knows whether errors would have followed', () => {
  const text = toolFile('wrk-errors');
  expect(() => read(text.slice(0, text.indexOf('  Non-2xx')))).toThrow(/no whole report of wrk/);
});

/** Lines of their own, or one report. */
const isLog = (text: string): boolean => text.split('\n').length > 60;
const files = (
  [
    'pgbench',
    'pgbenchLog',
    'iperf3',
    'iperf3Text',
    'sockperf',
    'h2load',
    'wrk',
    'jmeter',
    'jmeterXml',
    'tilekit',
  ] as const
).flatMap((id) => importFiles[id].map((text, i): [string, string] => [`${id} ${i + 1}`, text]));
describe.each(files)('a damaged file of %s', (_name, text) => {
  test.each(damageKinds)('%s: nothing false comes in unsaid', (kind) => {
    const told = toldDamages(readBytes, Buffer.from(text), kind);
    if (isLog(text) && kind !== 'cut') expect(told).toBeGreaterThan(10);
  });
});
