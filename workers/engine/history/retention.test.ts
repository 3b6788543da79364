import fc from 'fast-check';

import type { EventPayload } from '../../../src/wire/contract.ts';
import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { storedRun } from './testing/storedRuns.ts';
import { thinSeries } from './thinRun.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());
const run = (id: string) => ({ kind: 'run' as const, id });
const dayMs = 86_400_000;
const rule = { enabled: true, deletedDays: 30, sampleDays: 90, keepFavourites: true as const };
const notices = (): string[] =>
  harness.events
    .filter(({ event }) => event === 'notice')
    .map(({ payload }) => (payload as EventPayload<'notice'>).text);
/** Waits for what the engine does by itself, however many turns it takes. */
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((done) => setImmediate(done));
}

test('nothing is removed before the rule is switched on; its preview tells what would be', async () => {
  const now = harness.clock.now();
  await harness.restart((db) => {
    for (const id of ['old', 'kept', 'young']) storedRun(db, { id, name: id });
    for (const id of ['old', 'kept'])
      db.history.change(run(id), { deletedAtMs: now - 31 * dayMs, favourite: id === 'kept' }, now);
    db.history.change(run('young'), { deletedAtMs: now - 29 * dayMs }, now);
  });
  expect(await harness.call('history.retention.get', {})).toEqual({
    enabled: false,
    deletedDays: 30,
    sampleDays: null,
    keepFavourites: true,
  });
  expect((await harness.call('history.retention.preview', {})).purge.map((one) => one.id)).toEqual([
    'old',
  ]);
  expect(
    (await harness.call('history.retention.preview', { rule: { deletedDays: 7 } })).purge.map(
      (one) => one.id,
    ),
  ).toEqual(['old', 'young']);
  await harness.restart();
  expect((await harness.call('history.list', { deleted: true })).total).toBe(3);
  await harness.call('history.retention.set', rule);
  await until(() => notices().length > 0);
  expect(notices()).toEqual(['Retention rule: 1 entry of Deleted purged.']);
  expect(
    (
      await harness.call('history.list', { deleted: true, sort: 'name', descending: false })
    ).entries.map((entry) => entry.id),
  ).toEqual(['kept', 'young']);
  // A day later the next one is due.
  await harness.clock.advance(2 * dayMs);
  await until(() => notices().length > 1);
  expect(
    (await harness.call('history.list', { deleted: true })).entries.map((entry) => entry.id),
  ).toEqual(['kept']);
  await expect(harness.call('history.retention.set', { ...rule, deletedDays: 0 })).rejects.toThrow(
    /Too small/,
  );
});

test('samples of old runs are thinned to one in 20 s, the run says so, its score stays; favourites and opened files are left alone', async () => {
  const now = harness.clock.now();
  await harness.restart((db) => {
    for (const id of ['old', 'favourite', 'opened', 'young']) {
      storedRun(db, {
        id,
        name: id,
        seconds: 6_000,
        hosts: ['esx01'],
        startMs: now - (id === 'young' ? 10 : 100) * dayMs,
        ...(id === 'opened'
          ? {
              change: (record) => ({
                ...record,
                imported: {
                  fileName: 'f',
                  sha256: '0'.repeat(64),
                  atMs: 1,
                  redacted: false,
                  complete: true,
                  format: 'Bundle',
                },
              }),
            }
          : {}),
      });
    }
    db.history.change(run('favourite'), { favourite: true }, now);
  });
  const before = (await harness.call('history.list', { text: 'old' })).entries[0]!;
  const preview = await harness.call('history.retention.preview', { rule });
  expect(preview.thin.map((one) => one.id)).toEqual(['old']);
  const summary = (await harness.call('run.list', {})).find((one) => one.id === 'old')!;
  await harness.call('history.retention.set', rule);
  await until(() => notices().length > 0);
  expect(notices()).toEqual(['Retention rule: samples of 1 run thinned to one in 20 s.']);
  const [throughput, host] = await harness.call('run.samples', {
    runId: 'old',
    seriesIds: [0, 1],
    maxPoints: 0,
  });
  const start = now - 100 * dayMs;
  expect(throughput!.tMs).toHaveLength(301);
  // Seconds 20 to 39 of the run, whose values are their numbers.
  expect([throughput!.tMs[1]! - start, throughput!.value[1]]).toEqual([39_000, 29.5]);
  expect(host!.value).toHaveLength(6_000);
  const overview = await harness.call('run.overview', { id: 'old' });
  expect(overview.series.map((one) => one.periodMs)).toEqual([20_000, 20_000]);
  expect(overview.findings.map((finding) => finding.id)).toEqual(['retention.thinned']);
  expect(overview.verdict).toEqual({ outcome: 'passed', compliant: true, sentence: 'Passed.' });
  const after = (await harness.call('history.list', { text: 'old' })).entries[0]!;
  expect(after.thinnedAtMs).toBe(now);
  expect(after.storageBytes).toBeLessThan(before.storageBytes!);
  expect((await harness.call('run.list', {})).find((one) => one.id === 'old')).toEqual({
    ...summary,
    sampleCount: 6_301,
  });
  for (const id of ['favourite', 'opened', 'young'])
    expect([
      id,
      (await harness.call('run.samples', { runId: id, seriesIds: [0], maxPoints: 0 }))[0]!.tMs
        .length,
    ]).toEqual([id, 6_000]);
  // Done again, there is nothing to do.
  expect((await harness.call('history.retention.preview', { rule })).thin).toEqual([]);
});

test('a thinned series has the mean of every 20 s, and of maxima the maximum', () => {
  const tMs = Float64Array.from([0, 1_000, 19_999, 20_000, 61_000]);
  const value = Float64Array.from([1, 2, 6, 10, 7]);
  expect(thinSeries(tMs, value, 0, { keepMax: false, edges: [] })).toEqual({
    tMs: Float64Array.from([19_999, 20_000, 61_000]),
    value: Float64Array.from([3, 10, 7]),
  });
  expect(thinSeries(tMs, value, 0, { keepMax: true, edges: [] }).value).toEqual(
    Float64Array.from([6, 10, 7]),
  );
});

test('thinned or not, every window has the same mean: nothing of the ramp gets into the steady state', () => {
  const second = fc.integer({ min: 0, max: 40 }).map((slots) => slots * 20);
  fc.assert(
    fc.property(second, second, fc.integer({ min: 0, max: 19 }), (ramp, steady, offset) => {
      // A run whose windows are whole numbers of 20 s long, wherever its grid begins.
      const edges = [offset, offset + ramp, offset + ramp + steady].map((s) => s * 1_000);
      const seconds = offset + ramp + steady + 60;
      const tMs = Float64Array.from({ length: seconds }, (_, i) => i * 1_000);
      const value = Float64Array.from(tMs, (t) => (t < edges[1]! ? 5 : 100 + ((t / 1_000) % 7)));
      const thinned = thinSeries(tMs, value, 0, { keepMax: false, edges });
      const meanOf = (of: typeof thinned): number => {
        const own = [...of.value].filter(
          (_, i) => of.tMs[i]! >= edges[1]! && of.tMs[i]! < edges[2]!,
        );
        return own.reduce((a, b) => a + b, 0) / own.length;
      };
      if (steady === 0) return;
      expect(meanOf(thinned)).toBeCloseTo(meanOf({ tMs, value }), 9);
    }),
  );
});

test('saved filters are kept, replaced and removed; a name is given once', async () => {
  const view = {
    id: 'v1',
    name: 'Array A',
    query: { text: 'array a', folder: '2026/', archived: 'both' as const },
    columns: ['name', 'score'],
  };
  const saved = await harness.call('history.views.save', view);
  expect(saved).toMatchObject({
    ...view,
    query: { text: 'array a', folder: '2026', archived: 'both', deleted: false },
    sort: { by: 'started', descending: true },
  });
  await expect(
    harness.call('history.views.save', { ...view, id: 'v2', name: 'ARRAY A' }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  await harness.call('history.views.save', { ...view, name: 'B' });
  await harness.restart();
  expect((await harness.call('history.views.list', {})).map((one) => one.name)).toEqual(['B']);
  await harness.call('history.views.remove', { id: 'v1' });
  expect(await harness.call('history.views.list', {})).toEqual([]);
});
