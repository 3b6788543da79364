import fc from 'fast-check';

import { type SampleBatch, type SeriesDef } from '../../../src/core/metric/metric.ts';
import { createRunBuffer } from '../db/runBuffer.ts';
import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createPipeline } from './pipeline.ts';
import type { SampleFlush, Sink, StoreSink } from './types.ts';
import { createVerdictSink } from './verdictSink.ts';

const log = silentLog;
const recorder = <N extends Sink['name']>(name: N, closed: string[]) => {
  const sink = {
    name,
    flushes: [] as SampleFlush[],
    broken: false,
    write(flush: SampleFlush): SampleBatch {
      if (sink.broken) throw new Error(`${name} is broken`);
      sink.flushes.push(flush);
      return flush.batch;
    },
    close: () => {
      closed.push(name);
    },
  };
  return sink;
};
const values = (flushes: readonly SampleFlush[]): number[] =>
  flushes.flatMap(({ batch }) => [...batch].filter((_, i) => i % 3 === 2));

test('one batch a second to each sink, journal with it, sinks closed verdict, live, store', async () => {
  const clock = createFakeClock();
  const closed: string[] = [];
  const [store, live, verdict] = [
    recorder('store', closed),
    recorder('live', closed),
    recorder('verdict', closed),
  ];
  const pipeline = createPipeline({
    clock,
    log,
    runId: 'r',
    flushEveryMs: 1_000,
    sinks: [store, live, verdict],
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
  expect(values(live.flushes)).toEqual([10, 20, 30]);
  expect(closed).toEqual(['verdict', 'live', 'store']);
});

test('a live sink that fails is told once and left out; the store goes on', async () => {
  const clock = createFakeClock();
  const [store, live] = [recorder('store', []), recorder('live', [])];
  const told: string[] = [];
  const pipeline = createPipeline({
    clock,
    log,
    runId: 'r',
    flushEveryMs: 1_000,
    sinks: [store, live],
    onSinkError: (name) => told.push(name),
  });
  live.broken = true;
  for (let i = 0; i < 3; i += 1) {
    pipeline.push(0, i, i);
    await clock.advance(1_000);
  }
  await pipeline.close();
  expect(told).toEqual(['live']);
  expect(values(store.flushes)).toEqual([0, 1, 2]);
});

test('a disk that is full for a while loses nothing; one that stays full is told after its patience', async () => {
  const clock = createFakeClock();
  const store = recorder('store', []);
  const live = recorder('live', []);
  const told: string[] = [];
  const pipeline = createPipeline({
    clock,
    log,
    runId: 'r',
    flushEveryMs: 1_000,
    storePatienceMs: 10_000,
    sinks: [store, live],
    onSinkError: (name) => told.push(name),
  });
  store.broken = true;
  for (let i = 0; i < 5; i += 1) {
    pipeline.push(0, i, i);
    await clock.advance(1_000);
  }
  expect(told).toEqual([]);
  expect(live.flushes).toEqual([]);
  store.broken = false;
  await clock.advance(1_000);
  expect(values(store.flushes)).toEqual([0, 1, 2, 3, 4]);
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
function takingStore(): StoreSink & { kept: number[] } {
  const buffer = createRunBuffer(null, [throughput]);
  const kept: number[] = [];
  return {
    name: 'store',
    kept,
    write({ batch }) {
      const accepted = buffer.accept(batch);
      buffer.commit(accepted);
      kept.push(...values([{ runId: 'r', batch: accepted, journal: [] }]));
      return accepted;
    },
    close: () => undefined,
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
      const live = recorder('live', []);
      const verdict = createVerdictSink();
      verdict.setPeriods([{ index: 0, startMs: 0, endMs: 1_000 }]);
      const pipeline = createPipeline({
        clock,
        log,
        runId: 'r',
        flushEveryMs: 1_000,
        sinks: [store, live, verdict],
        onSinkError: () => undefined,
      });
      for (const flush of flushes) {
        for (const [tMs, value] of flush) pipeline.push(0, tMs, value);
        await pipeline.flush();
      }
      await pipeline.close();
      expect(values(live.flushes)).toEqual(store.kept);
      const [measured] = verdict.measurements([throughput]);
      expect(measured!.workloads[0]!.samples).toBe(store.kept.length);
      expect(measured!.workloads[0]!.values.throughput).toBeCloseTo(
        store.kept.reduce((a, b) => a + b, 0) / store.kept.length,
        9,
      );
    }),
    { numRuns: 60 },
  );
});
