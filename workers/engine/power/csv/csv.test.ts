import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PowerConnection } from '../../../../src/core/testbed/connection.ts';
import { csv } from '../../../../src/core/testbed/power/csv.ts';
import { silentLog } from '../../deps.ts';
import type { PowerMeter } from '../../deps/power.ts';
import { createHarness, type Harness, testPlanFile } from '../../testing/engineHarness.ts';
import { createPowerEdge } from '../edge.ts';
import { readHead } from './rows.ts';

let dir: string;
let path: string;
let nowMs: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-csv-'));
  path = join(dir, 'meter.csv');
  nowMs = Date.UTC(2026, 10, 23, 12);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const edge = createPowerEdge({
  clock: { now: () => nowMs, sleep: () => Promise.resolve() },
  log: silentLog,
});
const at = (change: Record<string, unknown> = {}): PowerConnection => ({
  kind: 'power',
  id: 'p1',
  name: 'meter',
  source: csv.schema.parse({ type: 'csv', path, ...change }),
});
const meterAt = (change = {}): PowerMeter =>
  edge.open(at(change), { secret: () => Promise.reject(new Error('none')), measuredMs: null });
const iso = (tMs: number): string => new Date(tMs).toISOString();

test.each([
  ['Time,Watts', '2026-11-23T12:00:00Z,312.5'],
  ['Watts;x;Time', '312,5;"a;b";2026-11-23 12:00:00.000+00:00'],
  ['\uFEFF"Time"\t"Watts"', '1795435200\t312,5'],
  ['Time,Volts,Watts', '1795435200000,230.1,3.125E2'],
  ['Time,Watts', '2026/11/23 13:00:00 +0100,312.5'],
])('%s: %s', (head, row) => {
  const readRow = readHead(head, { timeColumn: 'Time', wattsColumn: 'Watts', offsetMs: 0 }, 'f');
  expect(readRow(row)).toEqual({ tMs: Date.UTC(2026, 10, 23, 12), watts: 312.5 });
});

test('a row that says it measured nothing, is text or has no time is none', () => {
  const readRow = readHead(
    'Time,Watts',
    { timeColumn: 'Time', wattsColumn: 'Watts', offsetMs: 0 },
    'f',
  );
  for (const row of [
    '2026-11-23T12:00:00Z,-1.0',
    '2026-11-23T12:00:00Z,OVER',
    'noon,300',
    '',
    ',,,',
  ])
    expect(readRow(row)).toBeNull();
  expect(() =>
    readHead('a,b', { timeColumn: 'T', wattsColumn: 'W', offsetMs: 0 }, 'The file f'),
  ).toThrow('The file f has no columns T and W: its first line is "a,b".');
});

test('rows come as the file grows, whole lines only, by the clock that wrote them', async () => {
  writeFileSync(path, `Time,Watts\n${iso(nowMs - 1_000)},300\n${iso(nowMs)},30`);
  const meter = meterAt();
  const since = nowMs - 60_000;
  expect((await meter.read(undefined, since)).map(({ watts }) => watts)).toEqual([300]);
  appendFileSync(path, `5\n${iso(nowMs + 5_000)},310\n`);
  expect((await meter.read(undefined, since)).map(({ watts }) => watts)).toEqual([305]);
  nowMs += 5_000;
  expect(await meter.read(undefined, since)).toEqual([{ tMs: nowMs, watts: 310 }]);
  // A clock that is three seconds ahead.
  writeFileSync(path, `Time,Watts\n${iso(nowMs + 3_000)},320\n`);
  const ahead = meterAt({ offsetMs: 3_000 });
  expect(await ahead.read()).toEqual([{ tMs: nowMs, watts: 320 }]);
  // Begun anew: read from its start.
  expect((await meter.read(undefined, since)).map(({ watts }) => watts)).toEqual([]);
  nowMs += 3_000;
  expect((await meter.read(undefined, since)).map(({ watts }) => watts)).toEqual([320]);
});

test('a file that is away or silent is an error in words', async () => {
  const meter = meterAt();
  await expect(meter.read()).rejects.toMatchObject({
    kind: 'notFound',
    message: `The file ${path} does not exist.`,
  });
  writeFileSync(path, `Time,Watts\n${iso(nowMs)},300\n`);
  await meter.read();
  nowMs += 45_000;
  await expect(meter.read()).rejects.toMatchObject({
    message: `The file ${path} got its last row 45 s ago.`,
  });
  expect((await edge.test(at({ path: dir }), null)).steps).toMatchObject([
    { step: 'permission', ok: false },
  ]);
});

test('a test tells rows, age and how often one comes', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `${iso(nowMs - (20 - i) * 2_000)},${300 + i}`);
  writeFileSync(path, ['Time,Watts', ...rows, ''].join('\n'));
  const report = await edge.test(at({ windowMs: 2_000, uncertaintyPct: 0.5 }), null);
  expect(report).toMatchObject({ ok: true, updateMs: 2_000 });
  expect(report.steps.map(({ detail }) => detail)).toEqual([
    `${path} has 20 rows with Time and Watts.`,
    '319 W, written 2 s ago. Uncertainty: ± 0.5 %.',
    'A row every 2 s. Each is the mean over 2 s.',
  ]);
});

describe('in a run', () => {
  let harness: Harness;
  beforeEach(async () => {
    const clock = {
      now: () => harness.clock.now(),
      sleep: (ms: number, signal?: AbortSignal) => harness.clock.sleep(ms, signal),
    };
    harness = await createHarness({ deps: { power: createPowerEdge({ clock, log: silentLog }) } });
  });
  afterEach(() => harness.close());

  test('watts are recorded with their own times, a silence is a gap, and pre-flight says what they are', async () => {
    const startMs = Math.floor(harness.clock.now() / 1_000) * 1_000;
    const gap = { fromS: 200, toS: 260 };
    const rows = Array.from({ length: 1_500 }, (_, i) => i - 60)
      .filter((second) => second < gap.fromS || second >= gap.toS)
      .map((second) => `${iso(startMs + second * 1_000)},${200 + (second % 2)}`);
    writeFileSync(path, ['Time,Watts', ...rows, ''].join('\n'));
    const plan = testPlanFile();
    const id = await harness.launch({
      ...plan,
      connections: plan.connections.map((one) =>
        one.kind === 'power' ? { ...at({ uncertaintyPct: 1 }), id: one.id } : one,
      ),
    });
    const { findings } = await harness.call('plan.check', { id: 'plan' });
    expect(findings.find((one) => one.id === 'power.answers')).toMatchObject({
      severity: 'ok',
      evidence: expect.stringContaining(
        'of what the meter feeds, a new value every 1 s, averaging window not said by the device, ± 1 %',
      ) as string,
    });
    await harness.clock.advanceUntil(
      () => harness.overviews.some((one) => one.id === id && one.state === 'passed'),
      2_000_000,
    );
    const overview = await harness.overview(id);
    const watts = overview.series.find(({ metric }) => metric === 'powerW')!;
    expect(watts).toMatchObject({ source: `CSV on ${path}`, periodMs: 1_000 });
    const [samples] = await harness.call('run.samples', { runId: id, seriesIds: [watts.id] });
    const times = [...samples!.tMs].map((tMs) => (tMs - startMs) / 1_000);
    expect(times.length).toBeGreaterThan(100);
    expect(times[0]).toBeGreaterThanOrEqual(-1);
    expect(times.every(Number.isInteger)).toBe(true);
    expect(times.filter((s) => s >= gap.fromS && s < gap.toS)).toEqual([]);
    const steps = times.slice(1).map((s, i) => s - times[i]!);
    expect(new Set(steps)).toEqual(
      new Set(times.at(-1)! > gap.toS ? [1, gap.toS - gap.fromS + 1] : [1]),
    );
    expect(Math.min(...samples!.value)).toBe(200);
  });
});
