import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import { createCompareService } from './service.ts';

const log = silentLog;
const series: SeriesDef[] = [0, 1].map((tile) => ({
  id: tile,
  metric: 'throughput',
  unit: 'x',
  source: 's',
  periodMs: 1_000,
  decimals: 3,
  lagMs: 0,
  entity: { kind: 'workload', id: `t${tile}.w`, name: `Tile ${tile + 1} W`, tile },
}));
const seconds = 300;
const signal = new AbortController().signal;
let dir: string;
let db: Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-compare-'));
  db = openDatabase({ dataDir: dir, clock: { now: () => 0, sleep: () => Promise.resolve() }, log });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A stored run whose two tiles wobble around `level` and twice that. */
function store(
  id: string,
  level: number,
  edit: (record: RunRecord) => void = () => undefined,
): void {
  const startMs = 1_000_000;
  const record = demoRecord(id, series, startMs, seconds);
  record.plan.tiles = 2;
  record.planHash = `plan ${id}`;
  record.overview.periods = [0, 1].map((index) => ({
    index,
    startMs: startMs + index * 150_000,
    endMs: startMs + (index + 1) * 150_000,
  }));
  edit(record);
  db.runs.save(record);
  db.samples.defineSeries(id, series);
  const second = (s: number): number[] =>
    [0, 1].flatMap((tile) => [
      tile,
      startMs + s * 1_000,
      level * (tile + 1) + Math.sin(s * 12.9898 + tile),
    ]);
  db.samples.append({
    runId: id,
    batch: Float64Array.from(Array.from({ length: seconds }, (_, s) => second(s)).flat()),
    journal: [],
  });
  db.samples.finish(id);
}

test('values are the exact means of the steady state and of each period, read once', async () => {
  store('a', 100);
  store('b', 110);
  const of = await createCompareService(db).compare('a', ['b'], signal);
  const exact = [0, 1].map((id) => db.samples.aggregate('a', id, 1_000_000, 1_300_000).mean);
  const row = of.rows.find((r) => r.key === 'throughput.w.x')!;
  expect(row.values[0]).toBeCloseTo((exact[0]! + exact[1]!) / 2, 9);
  expect(row.tests[1]).toMatchObject({ word: 'better', method: 'bootstrap' });
  expect(of.matrix[0]!.cells.map((c) => c.words[1])).toEqual(['better', 'better']);
});

test('noise is learnt from passed, compliant repeats in the history; others teach nothing', async () => {
  const plan =
    (hash: string) =>
    (record: RunRecord): void => {
      record.planHash = hash;
    };
  store('a', 100, plan('p'));
  store('b', 110);
  for (const [i, level] of [100.5, 99.5, 100].entries()) store(`a${i}`, level, plan('p'));
  store('wild', 500, (record) => {
    record.planHash = 'p';
    record.overview.state = 'aborted';
  });
  store('broken', 10, (record) => {
    record.planHash = 'p';
    record.overview.verdict = { outcome: 'passed', compliant: false, sentence: 'A limit broke.' };
  });
  const test = (await createCompareService(db).compare('a', ['b'], signal)).rows.find(
    (r) => r.key === 'throughput.w.x',
  )!.tests[1]!;
  expect(test).toMatchObject({ method: 'noiseBand', word: 'better' });
  expect(test.basis).toMatch(/^noise of 4 repeats of the same plan, 0\.\d+ % from run to run$/);
});

test('a second comparison reads no sample again; a run whose record changed is read anew', async () => {
  store('a', 100);
  store('b', 110);
  let reads = 0;
  const read = db.samples.read.bind(db.samples);
  const service = createCompareService({
    ...db,
    samples: {
      ...db.samples,
      read: (...args) => {
        reads += 1;
        return read(...args);
      },
    },
  });
  const first = await service.compare('a', ['b'], signal);
  expect(reads).toBe(4);
  expect(await service.compare('a', ['b'], signal)).toEqual(first);
  expect(reads).toBe(4);
  const record = db.runs.get('b')!;
  db.runs.save({
    ...record,
    overview: { ...record.overview, rev: record.overview.rev + 1, name: 'Renamed' },
  });
  expect((await service.compare('a', ['b'], signal)).runs[1]!.name).toBe('Renamed');
  expect(reads).toBe(6);
});

test('distributions: every sample of the steady state, by the metric that was asked for', async () => {
  store('a', 100);
  store('b', 110);
  const service = createCompareService(db);
  const of = await service.distributions('a', ['b'], undefined, signal);
  expect(of.runs.map((r) => [r.runId, r.samples, r.periods.map((p) => p!.count)])).toEqual([
    ['a', 600, [300, 300]],
    ['b', 600, [300, 300]],
  ]);
  await expect(service.distributions('a', ['b'], 'power', signal)).rejects.toMatchObject({
    kind: 'notFound',
    message: 'None of these runs has samples of power in its steady state.',
  });
});

test('a run that is gone is named; a caller who left is not worked for', async () => {
  store('a', 100);
  store('b', 110);
  const service = createCompareService(db);
  await expect(service.compare('a', ['z'], signal)).rejects.toMatchObject({
    kind: 'notFound',
    message: 'Run z does not exist.',
  });
  const left = new AbortController();
  left.abort();
  await expect(service.compare('a', ['b'], left.signal)).rejects.toMatchObject({ kind: 'aborted' });
});

test('a run without a steady state has no values, and says why it cannot be compared', async () => {
  store('a', 100);
  store('early', 100, (record) => {
    record.overview.phases = [];
    record.overview.periods = [];
    record.overview.state = 'aborted';
  });
  const of = await createCompareService(db).compare('a', ['early'], signal);
  expect(of.guards).toEqual(['Run early ended aborted.']);
  expect(of.rows.find((r) => r.key === 'throughput.w.x')!.values).toEqual([
    expect.any(Number),
    null,
  ]);
});
