import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { silentLog } from '../deps.ts';
import { createHarness } from '../testing/engineHarness.ts';
import { openDatabase } from './open.ts';
import { makeOldFile } from './testing/oldFile.ts';
import type { Database } from './types.ts';

const clock = { now: () => 1_700_000_000_000, sleep: () => Promise.resolve() };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-parts-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});
const open = (): Database => openDatabase({ dataDir: dir, clock, log: silentLog });
function onFile<T>(work: (raw: BetterSqlite.Database) => T): T {
  const raw = new BetterSqlite(join(dir, 'tilebench.sqlite'));
  try {
    return work(raw);
  } finally {
    raw.close();
  }
}
const headOf = (id: string): string =>
  onFile((raw) =>
    raw.prepare<[string], string>('SELECT record_json FROM runs WHERE id = ?').pluck().get(id),
  )!;
const rowsOf = (table: string): number =>
  onFile((raw) => raw.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get())!;

/** Of one testbed for all, with an event of its own; each begun a second after the one before. */
function recordOf(place: number, change: Partial<RunRecord['overview']> = {}): RunRecord {
  const record = demoRecord(`r${place}`, [], place * 1_000, 10);
  return {
    ...record,
    overview: {
      ...record.overview,
      events: [{ id: 0, tMs: 5, kind: 'operation', text: `event of ${place}` }],
      ...change,
    },
  };
}

test('records of an old file are parted one by one, oldest first, and read as before', () => {
  const records = [recordOf(2), recordOf(1), recordOf(3, { state: 'steady', endedAtMs: null })];
  makeOldFile(dir, records);
  let db = open();
  // The one that goes on is parted by whoever goes on with it.
  expect(db.parts.whole()).toEqual(['r1', 'r2']);
  expect(db.parts.part('r1')).toBe(true);
  expect(db.parts.part('r1')).toBe(false);
  expect(db.parts.part('nobody')).toBe(false);
  db.close();
  db = open();
  expect(db.parts.whole()).toEqual(['r2']);
  expect(db.parts.part('r2')).toBe(true);
  for (const record of records) expect(db.runs.get(record.overview.id)).toEqual(record);
  expect(db.storage.measure({ kind: 'run', id: 'r1' })).toBeGreaterThan(500);
  db.close();
  expect(headOf('r1')).not.toContain('event of');
  // The testbed and the list of no series: both once for two runs.
  expect([rowsOf('run_documents'), rowsOf('run_parts'), rowsOf('run_events')]).toEqual([2, 4, 2]);
});

test.each<[string, (json: string) => string]>([
  ['no JSON', (json) => json.slice(0, -1)],
  ['no overview', () => '{"overview":1}'],
  ['another run', (json) => json.replace('"id":"r1"', '"id":"r7"')],
  ['no list of events', (json) => json.replace('"events":[', '"happened":[')],
  // Read again it would be a list: parts are joined by their members.
  ['a testbed that is a list', (json) => json.replace(/"testbed":\{.*?\}/, '"testbed":[1]')],
  ['the same member twice', (json) => json.replace(/\}$/, ',"overview":{"id":"r1"}}')],
])('a record that is %s is left as it is, to the letter', (_, damage) => {
  makeOldFile(dir, [recordOf(1)]);
  const damaged = damage(headOf('r1'));
  expect(damaged).not.toBe(headOf('r1'));
  onFile((raw) => raw.prepare('UPDATE runs SET record_json = ?').run(damaged));
  const db = open();
  expect(db.parts.part('r1')).toBe(false);
  expect(db.runs.raw('r1')).toBe(damaged);
  db.close();
  expect([rowsOf('run_parts'), rowsOf('run_events'), rowsOf('run_documents')]).toEqual([0, 0, 0]);
});

test('what this version does not know stays in the record', () => {
  const record = {
    ...recordOf(1),
    laterMember: { deep: [1, null] },
  };
  makeOldFile(dir, [record]);
  const db = open();
  expect(db.parts.part('r1')).toBe(true);
  expect(JSON.parse(db.runs.raw('r1')!)).toEqual(record);
  db.close();
});

test('an engine parts an old history in the background, and one after it the rest', async () => {
  makeOldFile(
    dir,
    [1, 2, 3, 4].map((place) => recordOf(place)),
  );
  const whole = (): number => 4 - rowsOf('run_parts') / 2;
  const harness = await createHarness({ dataDir: dir });
  expect(whole()).toBe(4);
  await harness.clock.advanceUntil(() => whole() === 2, 60_000);
  await harness.restart();
  expect(whole()).toBe(2);
  await harness.clock.advanceUntil(() => whole() === 0, 60_000);
  expect((await harness.overview('r3')).events[0]!.text).toBe('event of 3');
  await harness.close();
});
