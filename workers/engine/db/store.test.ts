import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import BetterSqlite from 'better-sqlite3';
import fc from 'fast-check';

import { demoRecord } from '../../../bench/demoRecord.ts';
import { historyView } from '../../../src/core/history/history.ts';
import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import { silentLog } from '../deps.ts';
import { migrations } from './migrations/index.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

const log = silentLog;
const clock = { now: () => 1_700_000_000_000, sleep: () => Promise.resolve() };
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-store-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});
const open = (dataDir = dir): Database => openDatabase({ dataDir, clock, log });
const series = (count: number, decimals = 2): SeriesDef[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    metric: 'throughput',
    unit: 'tps',
    source: 's',
    periodMs: 1_000,
    decimals,
    lagMs: 0,
    entity: { kind: 'workload', id: `w${id}`, name: `w${id}` },
  }));
const prepared = (db: Database, count: number): void => {
  db.runs.save(demoRecord('r', series(count), 1_000, 10));
  db.samples.defineSeries('r', series(count));
};
const flat = (db: Database, id: number): [number, number][] => {
  const [data] = db.samples.read('r', [id], { maxPoints: 0 });
  return [...data!.tMs].map((t, i) => [t, data!.value[i]!]);
};

test('what is read is what was appended, whatever is compacted, reopened or sent twice', () => {
  const sample = fc.tuple(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: 0, max: 2_000_000 }),
    fc.oneof(
      fc.integer({ min: -5_000, max: 5_000_000 }).map((v) => v / 100),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
  );
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.array(sample, { minLength: 1, maxLength: 400 }) },
    { weight: 1, arbitrary: fc.constant('reopen' as const) },
    { weight: 1, arbitrary: fc.constant('twice' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const dataDir = mkdtempSync(join(dir, 'p-'));
      let db = open(dataDir);
      try {
        prepared(db, 4);
        const expected = new Map<number, [number, number][]>([
          [0, []],
          [1, []],
          [2, []],
          [3, []],
        ]);
        let last: readonly (readonly [number, number, number])[] = [];
        for (const one of steps) {
          if (one === 'reopen') {
            db.close();
            db = open(dataDir);
            continue;
          }
          const samples = one === 'twice' ? last : one;
          last = samples;
          db.samples.append({ runId: 'r', batch: Float64Array.from(samples.flat()), journal: [] });
          for (const [id, t, v] of samples) {
            const known = expected.get(id)!;
            if (t > (known.at(-1)?.[0] ?? -Infinity)) known.push([t, v]);
          }
        }
        for (const [id, pairs] of expected) {
          expect(flat(db, id)).toEqual(pairs);
          const inside = pairs.filter(([t]) => t >= 500_000 && t < 1_500_000).map(([, v]) => v);
          const { count, min, max } = db.samples.aggregate('r', id, 500_000, 1_500_000);
          expect({ count, min: count ? min : 0, max: count ? max : 0 }).toEqual({
            count: inside.length,
            min: inside.length ? Math.min(...inside) : 0,
            max: inside.length ? Math.max(...inside) : 0,
          });
        }
        const before = [0, 1, 2, 3].map((id) => flat(db, id));
        db.samples.finish('r');
        expect([0, 1, 2, 3].map((id) => flat(db, id))).toEqual(before);
        expect(db.samples.sampleCount('r')).toBe(before.flat().length);
      } finally {
        db.close();
      }
    }),
    { numRuns: 40 },
  );
});

test('the journal comes with its samples, in one transaction', () => {
  const db = open();
  prepared(db, 1);
  db.samples.append({
    runId: 'r',
    batch: Float64Array.from([0, 1_000, 5]),
    journal: [{ key: 'job', resume: { offset: 42, state: 'x' }, lastTMs: 1_000 }],
  });
  expect(() =>
    db.samples.append({
      runId: 'no such run',
      batch: Float64Array.from([0, 2_000, 5]),
      journal: [{ key: 'job', resume: { offset: 99 }, lastTMs: 2_000 }],
    }),
  ).toThrow(/could not be stored/);
  expect(db.samples.journal('r')).toEqual([
    { key: 'job', resume: { offset: 42, state: 'x' }, lastTMs: 1_000 },
  ]);
  db.close();
});

test('a long series thinned for a chart keeps its lowest and highest value, from chunks and from the rollup alike', () => {
  const db = open();
  prepared(db, 1);
  for (let block = 0; block < 20; block += 1) {
    db.samples.append({
      runId: 'r',
      batch: Float64Array.from(
        Array.from({ length: 300 }, (_, i) => {
          const t = block * 300 + i;
          return [0, t * 1_000, t === 3_777 ? 9_999 : t === 1_234 ? -50 : 100 + (t % 7)];
        }).flat(),
      ),
      journal: [],
    });
  }
  const look = (): void => {
    const [data] = db.samples.read('r', [0], { maxPoints: 800 });
    expect(data!.value.length).toBeLessThanOrEqual(800);
    expect([Math.min(...data!.value), Math.max(...data!.value)]).toEqual([-50, 9_999]);
  };
  look();
  db.samples.finish('r');
  look();
  db.close();
});

test('kill -9: no acknowledged second is missing', async () => {
  const child = spawn(
    process.execPath,
    [resolve('workers/engine/db/testing/appendForever.ts'), dir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  await new Promise<void>((done) => {
    child.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      if (said.split('\n').length > 700 && !child.killed) child.kill('SIGKILL');
    });
    child.on('exit', () => done());
  });
  const acknowledged = Number(said.trim().split('\n').at(-1));
  expect(acknowledged).toBeGreaterThan(600);
  const db = open();
  const stored = flat(db, 5);
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
  expect(stored.every(([t], i) => t === (i + 1) * 1_000)).toBe(true);
  expect(db.samples.journal('r')[0]?.lastTMs).toBe(stored.length * 1_000);
  db.close();
});

test('a file of a newer Tilebench is refused and left as it was', () => {
  open().close();
  const raw = new BetterSqlite(join(dir, 'tilebench.sqlite'));
  raw.pragma('user_version = 999');
  raw.close();
  expect(() => open()).toThrow(/newer Tilebench \(schema 999, this one knows \d+\)/);
  const again = new BetterSqlite(join(dir, 'tilebench.sqlite'));
  expect(again.pragma('user_version', { simple: true })).toBe(999);
  again.close();
});

test('a damaged file is said with the place of the backups', () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    join(dir, 'tilebench.sqlite'),
    'this is no database, not at all, in no way whatsoever'.repeat(100),
  );
  expect(() => open()).toThrow(
    expect.objectContaining({ kind: 'internal', hint: expect.stringContaining('backups') }),
  );
});

test('the database is readable by its owner only', () => {
  open().close();
  expect(statSync(join(dir, 'tilebench.sqlite')).mode & 0o777).toBe(0o600);
});

test('the migrations make strict tables only', () => {
  const raw = new BetterSqlite(':memory:');
  for (const migration of migrations) migration(raw);
  const tables = raw
    .prepare<[], { name: string; strict: number }>(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  expect(tables.map((t) => t.name).sort()).toEqual([
    'chunks',
    'connections',
    'guest_jobs',
    'history',
    'history_tags',
    'history_views',
    'inventories',
    'jobs',
    'journal',
    'logs',
    'plans',
    'profiles',
    'provision_jobs',
    'rollups',
    'run_documents',
    'run_events',
    'run_keys',
    'run_parts',
    'runs',
    'secret_grants',
    'series',
    'settings',
    'stories',
    'studies',
    'study_points',
    'study_progress',
    'tail',
    'testbed_versions',
    'testbeds',
    'trusted_plans',
  ]);
  expect(tables.every((t) => t.strict === 1)).toBe(true);
});

test.each([
  [
    'the history',
    'SELECT id, summary_json FROM runs ORDER BY created_at_ms DESC',
    /USING INDEX runs_by_created/,
  ],
  [
    'unfinished runs',
    'SELECT id FROM runs WHERE ended = 0',
    /USING (COVERING )?INDEX runs_unfinished/,
  ],
  [
    'the tail of a run',
    'SELECT batch FROM tail WHERE run_id = ? ORDER BY id',
    /USING INDEX tail_by_run/,
  ],
  [
    'chunks in a window',
    'SELECT data FROM chunks WHERE run_key = ? AND series_id = ? AND from_ms <= ? AND to_ms >= ? ORDER BY from_ms',
    /USING PRIMARY KEY \(run_key=\? AND series_id=\? AND from_ms<\?\)/,
  ],
])('%s is read by an index, without a sort', (_what, sql, plan) => {
  open().close();
  const raw = new BetterSqlite(join(dir, 'tilebench.sqlite'), { readonly: true });
  const steps = raw
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...Array.from({ length: (sql.match(/\?/g) ?? []).length }, () => 1))
    .map((s) => s.detail)
    .join('; ');
  raw.close();
  expect(steps).toMatch(plan);
  expect(steps).not.toContain('TEMP B-TREE');
});

test('lists come in the order that people count: client2 before client10, in documents, filters, tags and logs', () => {
  const db = open();
  const names = ['client10', 'Client2', 'client1'];
  const counted = ['client1', 'Client2', 'client10'];
  for (const name of names)
    db.connections.save({
      kind: 'client',
      id: `id-${name}`,
      name,
      host: 'h',
      port: 22,
      user: 'u',
      auth: { method: 'agent' },
    });
  expect(db.connections.list().map((c) => c.name)).toEqual(counted);
  for (const name of names) db.settings.saveView(historyView.parse({ id: name, name, query: {} }));
  expect(db.settings.views().map((v) => v.name)).toEqual(counted);
  prepared(db, 1);
  for (const name of names) db.runs.saveLog('r', name, '');
  expect(db.runs.logs('r').map((l) => l.name)).toEqual(counted);
  db.history.change({ kind: 'run', id: 'r' }, { addTags: names }, 0);
  expect(db.history.row({ kind: 'run', id: 'r' })?.tags).toEqual(counted);
  expect(db.history.rows('all')[0]?.tags).toEqual(counted);
  db.close();
});

test('a document that no longer parses is left out of its list, the others stay', () => {
  let db = open();
  db.connections.save({
    kind: 'client',
    id: 'a',
    name: 'a',
    host: 'h',
    port: 22,
    user: 'u',
    auth: { method: 'agent' },
  });
  db.connections.save({
    kind: 'client',
    id: 'b',
    name: 'b',
    host: 'h',
    port: 22,
    user: 'u',
    auth: { method: 'agent' },
  });
  db.close();
  const raw = new BetterSqlite(join(dir, 'tilebench.sqlite'));
  raw.prepare('UPDATE connections SET json = \'{"kind":"ufo"}\' WHERE id = \'a\'').run();
  raw.close();
  db = open();
  expect(db.connections.list().map((c) => c.id)).toEqual(['b']);
  db.close();
});
