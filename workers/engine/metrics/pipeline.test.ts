import { createFakeClock } from '../testing/fakeClock.ts';
import { createPipeline } from './pipeline.ts';
import type { SampleFlush, Sink } from './types.ts';

const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const recorder = (
  name: Sink['name'],
  closed: string[],
): Sink & { flushes: SampleFlush[]; broken: boolean } => {
  const sink = {
    name,
    flushes: [] as SampleFlush[],
    broken: false,
    write(flush: SampleFlush) {
      if (sink.broken) throw new Error(`${name} is broken`);
      sink.flushes.push(flush);
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
