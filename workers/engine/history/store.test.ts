import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import { storedRun } from './testing/storedRuns.ts';

let dir: string;
let db: Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-history-'));
  db = openDatabase({
    dataDir: dir,
    clock: { now: () => 1, sleep: () => Promise.resolve() },
    log: silentLog,
  });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

test('a text written in a transaction that failed is written again with the next', () => {
  storedRun(db, { id: 'a', name: 'Before' });
  const record = db.runs.get('a')!;
  const renamed = { ...record, overview: { ...record.overview, name: 'After' } };
  expect(() =>
    db.history.together(() => {
      db.runs.save(renamed);
      expect(db.history.rows('all')[0]!.json).toContain('After');
      throw new Error('disk full');
    }),
  ).toThrow('disk full');
  expect([
    db.history.search('before').size,
    db.history.search('after').size,
    db.history.rows('all')[0]!.json.includes('Before'),
  ]).toEqual([1, 0, true]);
  db.runs.save(renamed);
  expect([
    db.history.search('before').size,
    db.history.search('after').size,
    db.history.rows('all')[0]!.json.includes('After'),
  ]).toEqual([0, 1, true]);
});

test('what did not change is not written again, and rows stay the same until something is written', () => {
  storedRun(db, {
    id: 'a',
    name: 'A',
    hosts: ['esx01'],
    findings: ['One\u0001 "quoted"'],
    notes: ['Größe 😀'],
  });
  const rows = db.history.rows('all');
  expect(db.history.rows('all')).toBe(rows);
  const record = db.runs.get('a')!;
  db.history.index(
    { kind: 'run', id: 'a' },
    {
      name: 'A',
      hosts: ['esx01'],
      findings: ['One\u0001 "quoted"'],
      testbed: 'Bed',
      profile: 'Bench',
      marks: ['Größe 😀'],
      findingCount: 1,
    },
  );
  expect(db.history.rows('all')).toBe(rows);
  db.runs.save(record);
  expect(db.history.rows('all')).not.toBe(rows);
});
