import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';
import fc from 'fast-check';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import type { RunEvent, RunRecord } from '../../../src/core/run/run.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import { silentLog } from '../deps.ts';
import { openDatabase } from './open.ts';
import { makeOldFile } from './testing/oldFile.ts';
import type { Database } from './types.ts';

const log = silentLog;
const clock = { now: () => 1_700_000_000_000, sleep: () => Promise.resolve() };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-records-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});
const open = (): Database => openDatabase({ dataDir: dir, clock, log });
const path = (): string => join(dir, 'tilebench.sqlite');
function rowsOf<T>(sql: string): T[] {
  const raw = new BetterSqlite(path(), { readonly: true });
  try {
    return raw.prepare<[], T>(sql).all();
  } finally {
    raw.close();
  }
}

const seriesOf = (count: number): SeriesDef[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    metric: 'throughput',
    unit: 'tps',
    source: 'vCenter vc1',
    periodMs: 20_000,
    decimals: 2,
    lagMs: 20_000,
    entity: { kind: 'workload', id: `t${id}.database`, name: `Tile ${id + 1} Database` },
  }));
const inventory = (vms: number, takenAtMs: number): Inventory => ({
  vcenterId: 'vc1',
  product: 'VMware vCenter Server',
  version: '8.0.3',
  build: '24305161',
  instanceUuid: 'a1',
  takenAtMs,
  clusters: [],
  hosts: [],
  datastores: [],
  networks: [],
  vms: Array.from({ length: vms }, (_, i) => ({
    ref: `vm-${i}`,
    name: `t${i}-database`,
    hostRef: 'host-1',
    datastoreRefs: ['datastore-1'],
    powerState: 'poweredOn',
    vcpus: 2,
    memoryMb: 4096,
    guest: 'Debian GNU/Linux 12 (64-bit)',
    toolsStatus: 'toolsOk',
    ip: null,
    template: false,
    snapshotCount: 0,
  })),
});
const event = (id: number, text: string): RunEvent => ({
  id,
  tMs: 1_000 + id,
  kind: 'operation',
  text,
});
const begun = (id: string, vms = 1, series = 1): RunRecord => {
  const record = demoRecord(id, seriesOf(series), 1_000, 10);
  return {
    ...record,
    overview: { ...record.overview, state: 'steady', endedAtMs: null },
    inventoryBefore: inventory(vms, 500),
  };
};
const withOverview = (record: RunRecord, change: Partial<RunRecord['overview']>): RunRecord => ({
  ...record,
  overview: { ...record.overview, rev: record.overview.rev + 1, ...change },
});

type Step =
  | { kind: 'event'; text: string }
  | { kind: 'reword'; at: number; text: string }
  | { kind: 'fewer'; events: number }
  | { kind: 'series'; count: number }
  | { kind: 'after'; vms: number; takenAtMs: number }
  | { kind: 'noAfter' }
  | { kind: 'rolledBack' }
  | { kind: 'reopen' }
  | { kind: 'end' };
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('event' as const), text: fc.string({ maxLength: 20 }) }),
    fc.record({ kind: fc.constant('reword' as const), at: fc.nat(9), text: fc.string() }),
    fc.record({ kind: fc.constant('fewer' as const), events: fc.nat(3) }),
    fc.record({ kind: fc.constant('series' as const), count: fc.nat(4) }),
    fc.record({ kind: fc.constant('after' as const), vms: fc.nat(2), takenAtMs: fc.nat(9_999) }),
    fc.constantFrom<Step[]>(
      { kind: 'noAfter' },
      { kind: 'rolledBack' },
      { kind: 'reopen' },
      { kind: 'end' },
    ),
  ),
  { maxLength: 12 },
);

function changed(record: RunRecord, step: Step): RunRecord {
  const { events } = record.overview;
  switch (step.kind) {
    case 'event':
      return withOverview(record, { events: [...events, event(events.length, step.text)] });
    case 'reword':
      return withOverview(record, {
        events: events.map((one, at) => (at === step.at ? { ...one, text: step.text } : one)),
      });
    case 'fewer':
      return withOverview(record, { events: events.slice(0, step.events) });
    case 'series':
      return withOverview(record, { series: seriesOf(step.count) });
    case 'after':
      return { ...record, inventoryAfter: inventory(step.vms, step.takenAtMs) };
    case 'noAfter':
      return { ...record, inventoryAfter: null };
    case 'end':
      return withOverview(record, { state: 'passed', endedAtMs: 9_000 });
    case 'rolledBack':
    case 'reopen':
      return record;
  }
}

test('a record is read as it was saved last, whatever changed, was rolled back or reopened between', () => {
  fc.assert(
    fc.property(steps, (list) => {
      rmSync(path(), { force: true });
      let db = open();
      try {
        let record = begun('r');
        db.runs.save(record);
        for (const step of list) {
          if (step.kind === 'reopen') {
            db.close();
            db = open();
          } else if (step.kind === 'rolledBack') {
            const lost = changed(record, { kind: 'event', text: 'never stored' });
            expect(() =>
              db.transaction(() => {
                db.runs.save({ ...lost, inventoryAfter: inventory(3, 1) });
                throw new Error('no');
              }),
            ).toThrow('no');
          } else {
            record = changed(record, step);
            db.runs.save(record);
          }
          expect(db.runs.get('r')).toEqual(record);
        }
        expect(JSON.parse(db.runs.raw('r')!)).toEqual(record);
      } finally {
        db.close();
      }
    }),
    { numRuns: 60 },
  );
});

test('what runs have in common is stored once, and goes with the last of them', () => {
  const db = open();
  for (const [at, id] of ['a', 'b'].entries()) {
    const record = begun(id, 50);
    db.runs.save({ ...record, inventoryBefore: inventory(50, 500 + at) });
    db.runs.save({
      ...withOverview(record, { state: 'passed', endedAtMs: 9_000 }),
      inventoryBefore: inventory(50, 500 + at),
      inventoryAfter: inventory(50, 700 + at),
    });
  }
  const documents = (): number => rowsOf('SELECT hash FROM run_documents').length;
  // The testbed, the inventory and the series: one of each for two runs with two inventories.
  expect(documents()).toBe(3);
  expect(db.runs.get('b')!.inventoryAfter!.takenAtMs).toBe(701);
  db.runs.remove('a');
  expect(documents()).toBe(3);
  expect(db.runs.get('b')!.inventoryBefore).toEqual(inventory(50, 501));
  db.runs.remove('b');
  expect([documents(), rowsOf('SELECT place FROM run_events')]).toEqual([0, []]);
  db.close();
});

test('an event of a large run writes what is new, not the record again', () => {
  const db = open();
  let record = begun('r', 1_200, 2_000);
  db.runs.save(record);
  const walBytes = (): number => statSync(`${path()}-wal`).size;
  const before = walBytes();
  const events = 20;
  for (let i = 0; i < events; i += 1) {
    record = changed(record, { kind: 'event', text: `vMotion ${i}` });
    db.runs.save(record);
  }
  const each = (walBytes() - before) / events;
  const whole = JSON.stringify(record).length;
  expect(whole).toBeGreaterThan(600_000);
  // Head, summary and the event, in pages of 4 KB.
  expect(each).toBeLessThan(40_000);
  expect(db.runs.get('r')).toEqual(record);
  db.close();
});

test('a record that was stored whole by an earlier version is read, and parted when it is saved again', () => {
  const old = withOverview(begun('old', 3), { events: [event(0, 'from before')] });
  makeOldFile(dir, [old]);
  const db = open();
  expect(db.runs.get('old')).toEqual(old);
  expect(db.runs.raw('old')).toBe(JSON.stringify(old));
  expect(rowsOf('SELECT place FROM run_events')).toEqual([]);
  // Such a file shrinks from now on when runs are removed.
  expect(rowsOf('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
  const next = changed(old, { kind: 'event', text: 'and now' });
  db.runs.save(next);
  expect(db.runs.get('old')).toEqual(next);
  expect(rowsOf('SELECT place FROM run_events')).toHaveLength(2);
  expect(
    rowsOf<{ record_json: string }>('SELECT record_json FROM runs')[0]!.record_json,
  ).not.toContain('from before');
  db.close();
});

test.each([
  ['a part', "UPDATE run_documents SET json = '{' WHERE json LIKE '%t0-database%'", /JSON/],
  ['an event', 'UPDATE run_events SET json = \'{"id":\' WHERE place = 0', /JSON/],
  [
    'an event of another kind',
    "UPDATE run_events SET json = '1' WHERE place = 0",
    /overview\.events\.0/,
  ],
  ['no part at all', "DELETE FROM run_parts WHERE part = 'testbed'", /testbed/],
])('%s that is damaged is named, and the rest is given as it is stored', (_, sql, issue) => {
  const db = open();
  db.runs.save(withOverview(begun('bad', 1), { events: [event(0, 'kept')], state: 'passed' }));
  db.close();
  const raw = new BetterSqlite(path());
  raw.exec(sql);
  raw.close();
  const again = open();
  expect(again.runs.find('bad')).toBeNull();
  expect(again.unreadable.list()).toEqual([
    { kind: 'run', id: 'bad', issue: expect.stringMatching(issue) as string },
  ]);
  expect(again.runs.raw('bad')).toContain('"Run bad"');
  again.close();
});
