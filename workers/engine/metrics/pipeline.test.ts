import fc from 'fast-check';

import type { SampleBatch, SeriesDef } from '../../../src/core/metric/metric.ts';
import { createRunBuffer } from '../db/runBuffer.ts';
import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createPipeline } from './pipeline.ts';
import type { SampleFlush, SampleKeeper } from './types.ts';
import { createVerdictSink } from './verdictSink.ts';

const log = silentLog;
const keeper = () => {
  const store = {
    flushes: [] as SampleFlush[],
    broken: false,
    append(flush: SampleFlush): SampleBatch {
      if (store.broken) throw new Error('the store is broken');
      store.flushes.push(flush);
      return flush.batch;
    },
  };
  return store;
};
const recorder = (name: string, closed: string[] = []) => {
  const sink = {
    name,
    batches: [] as SampleBatch[],
    broken: false,
    accept(batch: SampleBatch): void {
      if (sink.broken) throw new Error(`${name} is broken`);
      sink.batches.push(batch);
    },
    close: () => {
      closed.push(name);
    },
  };
  return sink;
};
const values = (batches: readonly SampleBatch[]): number[] =>
  batches.flatMap((batch) => [...batch].filter((_, i) => i % 3 === 2));
const stored = ({ flushes }: { flushes: readonly SampleFlush[] }): number[] =>
  values(flushes.map(({ batch }) => batch));

test('one batch a second to the store, journal with it, and to each sink; sinks closed the last first', async () => {
  const clock = createFakeClock();
  const closed: string[] = [];
  const [store, live, toy] = [keeper(), recorder('live', closed), recorder('toy', closed)];
  const pipeline = createPipeline({
    clock,
    log,
    runId: 'r',
    flushEveryMs: 1_000,
    store,
    sinks: [live, toy],
    onStoreError: () => undefined,
    onSinkError: () => undefined,
  });
  pipeline.push(0, 1, 10);
  pipeline.push(1, 1, 20);
  pipeline.journal({ key: 'a', resume: { offset: 5 }, lastTMs: 1 });
  pipeline.journal({ key: 'a', resume: { offset: 9 }, lastTMs: 1 });
  await clock.advance(1_000);
  pipeline.push(0, 2, 30);
  await pipeline.close();
  expect(store.flushes.map((f) => [...f.batch])).toEqual([
    [0, 1, 10, 1, 1, 20],
    [0, 2, 30],
  ]);
  expect(store.flushes[0]!.journal).toEqual([{ key: 'a', resume: { offset: 9 }, lastTMs: 1 }]);
  for (const sink of [live, toy]) expect(values(sink.batches)).toEqual([10, 20, 30]);
  expect(closed).toEqual(['toy', 'live']);
});

test('a sink that fails is told once and left out; the store and the others go on', async () => {
  const clock = createFakeClock();
  const [store, live, toy] = [keeper(), recorder('live'), recorder('toy')];
  const told: string[] = [];
  const pipeline = createPipeline({
    clock,
    log,
    runId: 'r',
    flushEveryMs: 1_000,
    store,
    sinks: [live, toy],
    onStoreError: () => told.push('store'),
    onSinkError: (name) => told.push(name),
  });
  live.broken = true;
  for (let i = 0; i < 3; i += 1) {
    pipeline.push(0, i, i);
    await clock.advance(1_000);
  }
  await pipeline.close();
  expect(told).toEqual(['live']);
  expect(stored(store)).toEqual([0, 1, 2]);
  expect(values(toy.batches)).toEqual([0, 1, 2]);
});

test('a disk that is full for a while loses nothing; one that stays full is told after its patience', async () => {
  const clock = createFakeClock();
  const store = keeper();
  const live = recorder('live');
  const told: string[] = [];
  const pipeline = createPipeline({
    clock,
    log,
    runId: 'r',
    flushEveryMs: 1_000,
    storePatienceMs: 10_000,
    store,
    sinks: [live],
    onStoreError: () => told.push('store'),
    onSinkError: (name) => told.push(name),
  });
  store.broken = true;
  for (let i = 0; i < 5; i += 1) {
    pipeline.push(0, i, i);
    await clock.advance(1_000);
  }
  expect(told).toEqual([]);
  expect(live.batches).toEqual([]);
  store.broken = false;
  await clock.advance(1_000);
  expect(stored(store)).toEqual([0, 1, 2, 3, 4]);
  store.broken = true;
  pipeline.push(0, 9, 9);
  await clock.advance(12_000);
  expect(told).toEqual(['store']);
  await pipeline.close();
  expect(told).toEqual(['store']);
});

const throughput: SeriesDef = {
  id: 0,
  metric: 'throughput',
  entity: { kind: 'workload', id: 't0.db', name: 'Tile 1 Database', tile: 0 },
  unit: 'tps',
  source: 'test',
  periodMs: 1_000,
  decimals: 2,
  lagMs: 0,
};
/** Takes what is newer than a series' last, as the store does. */
function takingStore(): SampleKeeper & { kept: number[] } {
  const buffer = createRunBuffer(null, [throughput]);
  const kept: number[] = [];
  return {
    kept,
    append({ batch }) {
      const accepted = buffer.accept(batch);
      buffer.commit(accepted);
      kept.push(...values([accepted]));
      return accepted;
    },
  };
}

test('however often readings are repeated, the running mean and what is shown are of those stored', async () => {
  const readings = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 99 })),
    {
      minLength: 1,
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(readings, { minLength: 1, maxLength: 5 }), async (flushes) => {
      const clock = createFakeClock();
      const store = takingStore();
      const live = recorder('live');
      const verdict = createVerdictSink({
        profile: { workloads: [] },
        tiles: 1,
        series: [throughput],
        rule: null,
        standing: () => undefined,
        onWarning: () => undefined,
        onStanding: () => undefined,
      });
      verdict.begin({ periods: [{ index: 0, startMs: 0, endMs: 1_000 }], steady: null });
      const pipeline = createPipeline({
        clock,
        log,
        runId: 'r',
        flushEveryMs: 1_000,
        store,
        sinks: [live, verdict],
        onStoreError: () => undefined,
        onSinkError: () => undefined,
      });
      for (const flush of flushes) {
        for (const [tMs, value] of flush) pipeline.push(0, tMs, value);
        await pipeline.flush();
      }
      await pipeline.close();
      expect(values(live.batches)).toEqual(store.kept);
      const [measured] = verdict.measurements();
      expect(measured!.workloads[0]!.samples).toBe(store.kept.length);
      expect(measured!.workloads[0]!.values.throughput).toBeCloseTo(
        store.kept.reduce((a, b) => a + b, 0) / store.kept.length,
        9,
      );
    }),
    { numRuns: 60 },
  );
});
