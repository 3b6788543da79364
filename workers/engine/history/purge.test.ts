import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { type StudyPoint, studySpecSchema } from '../../../src/core/study/study.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import type { Database } from '../db/types.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';
import { storedRun } from './testing/storedRuns.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());
const run = (id: string) => ({ kind: 'run' as const, id });
const study = (id: string) => ({ kind: 'study' as const, id });
const onFile = <T>(work: (raw: BetterSqlite.Database) => T): T => {
  const raw = new BetterSqlite(join(harness.dataDir, 'tilebench.sqlite'));
  try {
    return work(raw);
  } finally {
    raw.close();
  }
};
const spec = (id: string) =>
  studySpecSchema.parse({
    schemaVersion: 1,
    id,
    name: `Study ${id}`,
    planId: 'p',
    notes: 'Where does the array saturate',
    axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [1, 2] }],
  });
const point = (tiles: number, runId: string | null, detail = ''): StudyPoint => ({
  key: `tiles=${tiles};repeat=1`,
  values: { tiles },
  repeat: 1,
  state: runId === null ? 'pending' : 'passed',
  runId,
  earlierRunIds: [],
  detail,
  measures: { score: 1 },
});
const progress = {
  state: 'done' as const,
  rev: 1,
  detail: '',
  activeKey: null,
  startedAtMs: 5,
  endedAtMs: 6,
  only: null,
  confirmed: {},
  lastEndMs: null,
};
function withStudy(db: Database, id: string, ...points: StudyPoint[]): void {
  db.studies.save(spec(id));
  db.studies.saveProgress(
    id,
    progress,
    points.map((one, place) => ({ place, point: one })),
    points.length,
  );
}

test('purged is what lies in Deleted, and nothing of it is left; the file is shorter by it', async () => {
  await harness.restart((db) => {
    storedRun(db, { id: 'gone', name: 'Gone', seconds: 6_000, workloads: 4 });
    storedRun(db, { id: 'stays', name: 'Stays', seconds: 700 });
    db.runs.saveLog('gone', 'stderr', 'gone'.repeat(100));
  });
  const early = await harness.call('history.purge', { items: [run('gone')] });
  expect(early.refused.map((one) => one.reason)).toEqual([
    'It does not lie in Deleted: delete it first.',
  ]);
  const before = await harness.call('history.storage', {});
  await harness.call('history.delete', { items: [run('gone')] });
  expect(await harness.call('history.purge', { items: [run('gone')] })).toEqual({
    done: [run('gone')],
    refused: [],
  });
  const after = await harness.call('history.storage', {});
  expect(after.databaseBytes).toBeLessThan(before.databaseBytes - 20_000);
  expect(after.perKind.map((one) => one.entries)).toEqual([1, 0, 0, 0, 0]);
  await expect(harness.call('run.record', { id: 'gone' })).rejects.toThrow(
    'Run gone does not exist.',
  );
  expect(
    (await harness.call('run.samples', { runId: 'stays', seriesIds: [0], maxPoints: 0 }))[0]?.value,
  ).toHaveLength(700);
  for (const table of [
    'runs',
    'run_keys',
    'series',
    'tail',
    'chunks',
    'rollups',
    'journal',
    'jobs',
    'logs',
    'history',
    'history_tags',
    'history_text',
  ]) {
    expect([
      table,
      onFile((raw) => JSON.stringify(raw.prepare(`SELECT * FROM ${table}`).all())).match(/gone/i),
    ]).toEqual([table, null]);
  }
  expect(
    onFile((raw) => raw.prepare('SELECT count(DISTINCT run_key) AS n FROM chunks').get()),
  ).toEqual({ n: 1 });
});

test('a run that a study needs stays until the study goes; with its study it goes and comes back', async () => {
  await harness.restart((db) => {
    for (const id of ['r1', 'r2', 'other']) storedRun(db, { id, name: id });
    withStudy(db, 's', point(1, 'r1', 'Ran into the LUN queue'), {
      ...point(2, 'r2'),
      earlierRunIds: ['other'],
    });
  });
  const alone = await harness.call('history.delete', { items: [run('r1'), run('other')] });
  expect(alone).toEqual({
    done: [run('other')],
    refused: [
      {
        ...run('r1'),
        name: 'r1',
        reason: 'It is a result of the study Study s: delete the study, or run that point again.',
      },
    ],
  });
  // In whatever order they are named.
  expect(
    (await harness.call('history.delete', { items: [run('r1'), run('r2'), study('s')] })).refused,
  ).toEqual([]);
  expect([
    (await harness.call('study.list', {})).length,
    (await harness.call('run.list', {})).length,
  ]).toEqual([0, 0]);
  await expect(harness.call('study.start', { id: 's' })).rejects.toThrow(
    'Study s lies in Deleted.',
  );
  expect((await harness.call('history.purge', { items: [run('r1')] })).refused[0]?.reason).toMatch(
    /^It is a result of the study Study s in Deleted/,
  );
  await harness.call('history.restore', { items: [study('s')] });
  expect(
    (await harness.call('history.list', { sort: 'name', descending: false })).entries.map(
      (entry) => entry.id,
    ),
  ).toEqual(['r1', 'r2', 's']);
  expect(
    (await harness.call('history.list', { text: 'lun queue' })).entries.map((entry) => [
      entry.kind,
      entry.id,
    ]),
  ).toEqual([['study', 's']]);
  expect(
    (await harness.call('history.list', { text: 'saturate' })).matched[0]?.hits[0]?.field,
  ).toBe('marks');
  await harness.call('history.delete', { items: [study('s'), run('r1'), run('r2')] });
  expect(
    (
      await harness.call('history.purge', {
        items: [run('r2'), run('r1'), study('s'), run('other')],
      })
    ).refused,
  ).toEqual([]);
  expect((await harness.call('history.list', { deleted: true })).total).toBe(0);
  await expect(harness.call('study.overview', { id: 's' })).rejects.toThrow(/no study/);
});

test('the reference run of a plan stays', async () => {
  await harness.restart((db) => {
    storedRun(db, { id: 'ref', name: 'Ref' });
  });
  await importOwn(harness, sourceOf(testPlanFile({ referenceRunId: 'ref' })));
  expect(
    (await harness.call('history.delete', { items: [run('ref')] })).refused.map(
      (one) => one.reason,
    ),
  ).toEqual(['It is the reference run of the plan Plan: choose another reference first.']);
});

test('a comparison with a deleted run works; with a purged one it says which is missing', async () => {
  await harness.restart((db) => {
    for (const id of ['a', 'b']) storedRun(db, { id, name: `Run ${id}`, seconds: 60 });
  });
  await harness.call('history.delete', { items: [run('b')] });
  expect(
    (await harness.call('run.compare', { baselineId: 'a', ids: ['a', 'b'] })).runs.map(
      (one) => one.id,
    ),
  ).toEqual(['a', 'b']);
  await harness.call('history.purge', { items: [run('b')] });
  await expect(
    harness.call('run.compare', { baselineId: 'a', ids: ['a', 'b'] }),
  ).rejects.toMatchObject({ kind: 'notFound', message: expect.stringContaining('b') });
});

test('begun and not finished, a run is gone for every reader, and the next engine removes the rest', async () => {
  await harness.restart((db) => {
    storedRun(db, { id: 'half', name: 'Half', seconds: 6_000, workloads: 40 });
    storedRun(db, { id: 'stays', name: 'Stays', seconds: 700 });
    db.history.change(run('half'), { deletedAtMs: 1 }, 1);
    db.purges.begin([run('half')]);
    expect(db.purges.step(run('half'), 100)).toBe(false);
    expect([
      db.runs.get('half'),
      db.history.row(run('half')),
      db.runs.list().map((one) => one.id),
    ]).toEqual([null, null, ['stays']]);
    expect([
      db.history.change(run('half'), { deletedAtMs: null }, 2),
      db.history.notes(run('half')),
    ]).toEqual([false, null]);
  });
  await harness.call('history.purge', { items: [run('nothing')] });
  expect(
    onFile((raw) => [
      raw.prepare("SELECT count(*) AS n FROM runs WHERE id = 'half'").get(),
      raw.prepare('SELECT count(DISTINCT run_key) AS n FROM chunks').get(),
      raw.prepare('SELECT count(*) AS n FROM history WHERE purging = 1').get(),
    ]),
  ).toEqual([{ n: 0 }, { n: 1 }, { n: 0 }]);
});
