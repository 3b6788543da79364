import { k6Csv, k6Points, k6Summary, toolFile } from './testing/driverToolFiles.ts';
import { lines, noCurve, read, samplesOf, sumOf, valuesOf } from './testing/readFile.ts';

/** Files of tools that run a plan of the user's own, and of tilekit. */

describe('k6, by its published form', () => {
  test.each([
    ['JSON lines', k6Points, [4, 4, 4]],
    ['CSV, whose times are whole seconds', k6Csv, [4, 4]],
  ])('%s: iterations, failed requests, times of requests', (_form, text, rates) => {
    const found = read(text);
    expect(valuesOf(found, 'throughput').slice(0, 2)).toEqual(rates.slice(0, 2));
    expect(Math.max(...valuesOf(found, 'latencyMaxMs'))).toBe(text === k6Csv ? 17 : 21);
    expect(found.leftOut).toEqual([]);
    expect(found.notes.join()).toContain('not yet read from the program itself');
  });
  test('a summary is one value a figure', () => {
    for (const text of [
      k6Summary,
      JSON.stringify({
        metrics: {
          iteration_duration: { type: 'trend', values: { avg: 250 } },
          iterations: { type: 'counter', values: { count: 12, rate: 4 } },
          http_req_duration: { type: 'trend', values: { avg: 15.5, max: 21, 'p(95)': 20.5 } },
          http_req_failed: { type: 'rate', values: { rate: 0.08, passes: 1, fails: 11 } },
        },
        state: { testRunDurationMs: 3_000 },
      }),
    ]) {
      const found = read(text);
      noCurve(found);
      expect(samplesOf(found, 'throughput')).toEqual([[4_000, 4]]);
      expect(valuesOf(found, 'errorRate')[0]).toBeCloseTo(1 / 3, 9);
      expect(valuesOf(found, 'latencyP95Ms')).toEqual([20.5]);
    }
  });
});

describe('JMeter', () => {
  const csv = toolFile('jmeter-csv');
  const xml = toolFile('jmeter-xml');
  test.each([
    ['CSV', csv, /,Page <one>,/g, /,Nobody there,/g],
    ['XML', xml, /lb="Page &lt;one&gt;"/g, /lb="Nobody there"/g],
  ])(
    '%s: each label by itself adds up to its lines; failures are errors without a time',
    (_form, text, page, nobody) => {
      const found = read(text);
      expect(found.leftOut).toEqual([]);
      const fromMs = Math.min(...lines(text, /(?:^|ts=")(\d{13})/gm).map(([, ts]) => Number(ts)));
      // Their last windows end within a second of each other.
      const near = (value: number, count: number): void =>
        expect(Math.abs(value - count)).toBeLessThan(0.05 * count + 0.2);
      near(sumOf(found, 'throughput', fromMs, 'Page <one>'), lines(text, page).length);
      expect(valuesOf(found, 'throughput', 'Nobody there').every((one) => one === 0)).toBe(true);
      expect(lines(text, nobody).length).toBeGreaterThan(3);
      expect(samplesOf(found, 'latencyMeanMs', 'Nobody there')).toEqual([]);
      expect(found.notes.join()).toContain('would count work twice');
    },
  );
  const head = csv.slice(0, csv.indexOf('\n'));
  const row = (startMs: number, label: string, message = ''): string =>
    `${startMs},40,${label},200,${message},thread ${startMs},text,true,,0,0,2,2,null,0,0,0`;
  const startMs = 1_795_508_417_000;
  test('a message of several lines is one row; one that never ends its quotes costs itself', () => {
    const text = [
      head,
      row(startMs, 'a', '"two\nlines, ""quoted"""'),
      row(startMs + 100, 'a', '"torn'),
      row(startMs + 900, 'a'),
      '',
    ].join('\n');
    const found = read(text);
    expect(sumOf(found, 'throughput', startMs)).toBeCloseTo(2, 1);
    expect(found.dropped).toBe(1);
  });
  test('two hundred labels become 32 and the rest; a label that hides text is shown without', () => {
    const rows = [...Array(200).keys()].map((i) => row(startMs + 5 * i, `"page ${i}\u202e, more"`));
    const names = read([head, ...rows, ''].join('\n')).series.map((s) => s.entity.name);
    expect(new Set(names).size).toBe(33);
    expect(names).toContain('all further names');
    expect(names.join()).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
  test('a label that rests for hours has rates of 0 until it goes on, while others work', () => {
    const rows = [...Array(300).keys()].map((i) => row(startMs + 30_000 * i, 'busy'));
    const all = [row(startMs, 'rare'), ...rows, row(startMs + 9_000_000, 'rare')];
    const found = read([head, ...all, ''].join('\n'));
    const rare = valuesOf(found, 'throughput', 'rare');
    expect([rare.length > 8_990, rare.reduce((sum, one) => sum + one, 0)]).toEqual([true, 1]);
  });
  test('times of another form are refused with the setting that mends it', () => {
    const text = [head, row(startMs, 'a').replace(/^\d+/, '2026/11/24 08:20:17.326'), ''].join(
      '\n',
    );
    expect(() => read(text)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('timestamp_format=ms') as string }),
    );
  });
  test('another run that JMeter appended to its log is refused', () => {
    const text = [
      head,
      row(startMs, 'a'),
      row(startMs + 900, 'a'),
      row(startMs + 86_400_000, 'a'),
      '',
    ].join('\n');
    expect(() => read(text)).toThrow(/more than an hour/);
  });
  test('declarations and entities of a document are not obeyed, texts of answers are passed over', () => {
    const hostile = xml
      .replace(
        '<testResults',
        '<!DOCTYPE testResults [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<testResults',
      )
      .replace(
        'http://127.0.0.1:9/x',
        '&b; &lt;sample t="1" ts="1795508470646" s="true" lb="no"/&gt;',
      );
    const names = (text: string) => new Set(read(text).series.map((s) => s.entity.name));
    expect(names(hostile)).toEqual(names(xml));
  });
});

describe('tilekit', () => {
  const text = toolFile('tilekit-web');
  test('read as its driver reads it, at the times of its head', () => {
    const found = read(text);
    expect(samplesOf(found, 'throughput')).toEqual([
      [1_795_508_703_091, 40],
      [1_795_508_704_091, 41],
      [1_795_508_705_091, 40],
      [1_795_508_706_091, 47],
    ]);
    expect(valuesOf(found, 'errorRate')).toEqual([17, 13, 12, 14]);
    expect(found.leftOut).toEqual([]);
  });
  test('without its last line it says so; without a second in between it is counted', () => {
    const all = text.trimEnd().split('\n');
    const cut = read(`${all.slice(0, -1).join('\n')}\n`);
    expect([cut.dropped, cut.notes.join()]).toEqual([1, expect.stringContaining('no last line')]);
    const holed = read(`${all.filter((line) => !line.startsWith('{"t":1,')).join('\n')}\n`);
    expect([valuesOf(holed, 'throughput'), holed.dropped]).toEqual([[40, 40, 47], 1]);
  });
  test('a scenario of a newer version, a second output and a lost head are refused', () => {
    expect(() => read(text.replace('"scenario":"web"', '"scenario":"ftp"'))).toThrow(
      /"ftp" is not known/,
    );
    expect(() => read(text + text)).toThrow(/second output of tilekit/);
  });
});
