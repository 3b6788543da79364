import fc from 'fast-check';

import { binPercentile } from './fioFormat.ts';
import { drivers, getDriver } from './index.ts';
import { createDocumentReader } from './jsonDocuments.ts';
import { createLineReader } from './lines.ts';
import { outputs, paramsOf } from './testing/outputs.ts';
import { parseAll, parseResumed } from './testing/parse.ts';

const parsed = (id: string): Record<string, unknown> =>
  getDriver(id).params.parse(paramsOf[id] ?? {});
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('dbench: each second is the difference of the running means, behind the warm-up', () => {
  expect(
    parseAll(getDriver('dbench'), parsed('dbench'), bytes(outputs['dbench']!)).samples.filter(
      (s) => s.metric === 'throughput',
    ),
  ).toEqual([
    { metric: 'throughput', tMs: 1_001_000, value: 536.97 },
    { metric: 'throughput', tMs: 1_003_000, value: 535.44 },
    { metric: 'throughput', tMs: 1_004_000, value: 502.46 },
  ]);
});

test('fio: rates and percentiles of the interval, not of the run; a last interval too short for a rate is left out', () => {
  const { samples } = parseAll(getDriver('fio'), parsed('fio'), bytes(outputs['fio']!));
  expect(samples.filter((s) => s.metric === 'throughput')).toEqual([
    { metric: 'throughput', tMs: 1_000_900, value: 100 },
    { metric: 'throughput', tMs: 1_001_900, value: 100 },
  ]);
  expect(samples.filter((s) => s.metric === 'latencyP95Ms').map((s) => s.value)).toEqual([
    0.002, 0.002,
  ]);
});

test('tilekit: what is left of a second at the end is no bad line, however short', () => {
  const rest =
    '{"t":2,"op":"*","lengthS":0,"started":0,"done":1,"requests":1,"bytes":9,"cpuPct":78.2}\n';
  const driver = getDriver('tilekit');
  const whole = parseAll(driver, parsed('tilekit'), bytes(outputs['tilekit']!));
  const more = parseAll(driver, parsed('tilekit'), bytes(outputs['tilekit']! + rest));
  expect([more.samples, more.parser.badLines]).toEqual([whole.samples, 0]);
});

test('tilekit-net: packets per second as the other side counted them, a second later; what is of no second gives no rate', () => {
  const { samples } = parseAll(
    getDriver('tilekit-net'),
    parsed('tilekit-net'),
    bytes(outputs['tilekit-net']!),
  );
  expect(samples.filter((one) => ['throughput', 'lossPct'].includes(one.metric))).toEqual([
    { metric: 'throughput', tMs: 1_002_000, value: 19 },
    { metric: 'lossPct', tMs: 1_002_000, value: 0 },
  ]);
});

test.each(Object.keys(outputs))(
  '%s: cut anywhere, and read on by a fresh parser from anywhere, the samples are the same',
  (id) => {
    const stdout = bytes(outputs[id]!);
    const whole = parseAll(getDriver(id), parsed(id), stdout);
    expect({ samples: whole.samples.length > 0, bad: whole.parser.badLines }).toEqual({
      samples: true,
      bad: 0,
    });
    for (let at = 0; at <= stdout.length; at += 1) {
      expect(parseAll(getDriver(id), parsed(id), stdout, { cuts: [at, at + 3] }).samples).toEqual(
        whole.samples,
      );
      expect(parseResumed(getDriver(id), parsed(id), stdout, at)).toEqual(whole.samples);
    }
  },
);

test.each([...drivers.keys()])(
  '%s: bytes of any kind are survived, and what is good among them is kept',
  (id) => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 0, max: 300 }),
        (junk, at) => {
          const good = bytes(outputs[id]!);
          const cut = Math.min(at, good.length);
          const mixed = Uint8Array.from([...good.subarray(0, cut), ...junk, ...good.subarray(cut)]);
          const { samples } = parseAll(getDriver(id), parsed(id), mixed);
          expect(samples.every((s) => Number.isFinite(s.tMs) && Number.isFinite(s.value))).toBe(
            true,
          );
        },
      ),
      { numRuns: 400 },
    );
  },
);

test('a torn, oversized or binary line is counted and skipped, and memory stays bounded', () => {
  const { samples, parser } = parseAll(
    getDriver('sysbench-cpu'),
    parsed('sysbench-cpu'),
    bytes(
      `[ 1s ] thds: 1 eps: 10.00 lat (ms,95%): 0.20\n[ 2s ] thds: 1 ep\u0000\u0001\n${'x'.repeat(200_000)}\n[ 3s ] thds: 1 eps: 12.00 lat (ms,95%): 0.20\n`,
    ),
  );
  expect(samples.filter((s) => s.metric === 'throughput').map((s) => s.value)).toEqual([10, 12]);
  expect(parser.badLines).toBe(2);
});

test('of a second that sysbench prints twice, after a stall of its client, the first is taken and the other counted', () => {
  const { samples, parser } = parseAll(
    getDriver('sysbench-cpu'),
    parsed('sysbench-cpu'),
    bytes(
      '[ 4s ] thds: 1 eps: 17.60 lat (ms,95%): 1.04\n[ 4s ] thds: 1 eps: 1326.24 lat (ms,95%): 147.61\n[ 5s ] thds: 1 eps: 200.00 lat (ms,95%): 0.80\n',
    ),
  );
  expect(samples.filter((s) => s.metric === 'throughput').map((s) => s.value)).toEqual([17.6, 200]);
  expect(parser.badLines).toBe(1);
});

test('any cutting of bytes gives the same lines at the same offsets', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 20 }),
      (text, steps) => {
        const all = bytes(text);
        const read = (cuts: readonly number[]): [string, number][] => {
          const lines: [string, number][] = [];
          const reader = createLineReader(
            7,
            (line, offset) => lines.push([line, offset]),
            () => undefined,
          );
          let from = 0;
          for (const step of cuts) {
            reader.push(all.subarray(from, from + step));
            from += step;
          }
          reader.push(all.subarray(from));
          reader.end();
          return lines;
        };
        expect(read(steps)).toEqual(read([]));
      },
    ),
  );
});

test('a brace inside a string ends no document', () => {
  const seen: string[] = [];
  const reader = createDocumentReader(0, {
    onDocument: (text) => seen.push(text),
    onJunk: () => undefined,
  });
  for (const byte of bytes('junk\n{"a":"}{\\""} {"b":{"c":1}}')) reader.push(Uint8Array.of(byte));
  expect(seen).toEqual(['{"a":"}{\\""}', '{"b":{"c":1}}']);
});

test('the percentile from bins is the nearest rank of what they hold', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0.5, 0.95, 0.99),
      (values, share) => {
        const bins = new Map<number, number>();
        for (const v of values) bins.set(v, (bins.get(v) ?? 0) + 1);
        const sorted = [...values].sort((a, b) => a - b);
        expect(binPercentile(new Map(), bins, share)).toBe(
          sorted[Math.ceil(share * sorted.length) - 1],
        );
      },
    ),
  );
});

test.each([
  ['(?<throughput>x)\\1', 'back references'],
  ['(?=a)(?<throughput>x)', 'look-ahead'],
  ['(?<throughput>x)(?<!a)', 'look-behind'],
  ['(?<throughput>a{1,100000})', 'repeat'],
  ['(?<speed>x)', 'no metric'],
  ['([', 'missing closing'],
  ['x', 'named group'],
  ['(?<throughput>(?:a?){1000})$', '2005 steps of at most 250'],
  [`(?<throughput>${'(?:a?){1000}'.repeat(78)})$`, 'steps of at most 250'],
])('the pattern %j is refused: %s', (pattern, words) => {
  const result = getDriver('command').params.safeParse({ command: 'x', pattern });
  expect(result.success).toBe(false);
  expect(JSON.stringify(result.error?.issues).toLowerCase()).toContain(words);
});

/** The heaviest that are still read: every step is looked at for every character. */
const heaviest = ['(?:a?){120}$', '(?:[a-z]?b?){60}$', '(?:(?:a|aa)*){45}$'];

test('a pattern of all metrics with words between them is read', () => {
  const names = ['Mean', 'P95', 'P99', 'Max'].map((name) => `latency${name}Ms`);
  const pattern = ['throughput', ...names, 'errorRate']
    .map((name) => `${name}=(?<${name}>[0-9.]+)`)
    .join('.*');
  const twice = `${pattern}.*then:.*(?<time>\\d+) ${'words that stand there '.repeat(3)}`;
  expect(getDriver('command').params.safeParse({ command: 'x', pattern: twice }).error).toBe(
    undefined,
  );
});

test.each(heaviest)('the heaviest pattern %s reads the longest line within bounds', (pattern) => {
  const params = getDriver('command').params.parse({
    command: 'x',
    pattern: `(?<throughput>x)?${pattern}`,
  });
  const lines = 10;
  const before = process.cpuUsage();
  parseAll(getDriver('command'), params, bytes(`${'a'.repeat(4_090)}!\n`.repeat(lines)));
  // Of the processor's time: a busy machine is no failure. Before steps were bounded, one line took
  // seconds.
  expect(process.cpuUsage(before).user / 1_000 / lines).toBeLessThan(500);
});

test.each(['((a+))+$', '(a|aa)+$', '(a*)*b', '([a-zA-Z]+)*$', '(.*a){12}$'])(
  'the pattern (?<throughput>x)?%s takes time by the length of the line, not by its own form',
  (pattern) => {
    const { samples, parser } = parseAll(
      getDriver('command'),
      getDriver('command').params.parse({ command: 'x', pattern: `(?<throughput>x)?${pattern}` }),
      bytes(`${'a'.repeat(4_000)}!\n`.repeat(20)),
    );
    expect(samples).toEqual([]);
    expect(parser.badLines).toBeLessThanOrEqual(20);
  },
  10_000,
);

test('fio: a latency bin whose name is no number makes its document a bad one, never a sample that is no number', () => {
  const { samples, parser } = parseAll(
    getDriver('fio'),
    parsed('fio'),
    bytes(outputs['fio']!.replace('"1000": 80', '"1000:": 80')),
  );
  expect(parser.badLines).toBe(1);
  expect(samples.every((s) => Number.isFinite(s.value))).toBe(true);
});

test.each([
  [
    'sysbench-cpu',
    '[ 1s ] thds: 1 eps: 10.00 lat (ms,95%): 0.20\n[ 2s ] thds: 1 eps: 0.00 lat (ms,95%): 0.00\n',
  ],
  [
    'sysbench-oltp',
    '[ 1s ] thds: 4 tps: 10.00 qps: 200.00 (r/w/o: 140.00/40.00/20.00) lat (ms,95%): 0.20 err/s: 0.00 reconn/s: 0.00\n[ 2s ] thds: 4 tps: 0.00 qps: 0.00 (r/w/o: 0.00/0.00/0.00) lat (ms,95%): 0.00 err/s: 0.00 reconn/s: 0.00\n',
  ],
])('%s: a second in which nothing was done has a rate of 0 and no latency', (id, output) => {
  const { samples, parser } = parseAll(getDriver(id), parsed(id), bytes(output));
  const of = (metric: string) => samples.filter((s) => s.metric === metric).map((s) => s.value);
  expect(of('throughput')).toEqual([10, 0]);
  expect(of('latencyP95Ms')).toEqual([0.2]);
  expect(parser.badLines).toBe(0);
});

test('single requests are added up in windows from the first one: silence is 0, a failed one an error, a dropped iteration too', () => {
  const of = (id: string, metric: string) =>
    parseAll(getDriver(id), parsed(id), bytes(outputs[id]!))
      .samples.filter((s) => s.metric === metric)
      .map((s) => s.value);
  // The last window ends with the last request, 0.442 s after it began.
  expect(of('jmeter', 'throughput')).toEqual([1, 0, 1, 3, 2.262]);
  expect(of('jmeter', 'errorRate')).toEqual([1, 0, 1, 2, 2.262]);
  expect(of('jmeter', 'latencyMaxMs')).toEqual([86, 2_017, 2, 2]);
  expect(of('k6', 'throughput')).toEqual([2, 1, 1, 1, 1.783]);
  expect(of('k6', 'errorRate')).toEqual([0, 0, 0, 3, 0]);
  expect(of('k6', 'latencyMaxMs')).toEqual([5.365, 0.252, 0.27, 0.249, 1_082.583]);
});

test('a request that comes after its window was told is counted as a bad line, not lost in silence', () => {
  const late = outputs['jmeter']!.replace('summary =', '1795511741100,10,true\nsummary =');
  const { parser } = parseAll(getDriver('jmeter'), parsed('jmeter'), bytes(late));
  expect(parser.badLines).toBe(1);
});
