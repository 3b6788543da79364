import { fail } from '../../core/base/errors.ts';
import { packSamples } from '../../core/metric/metric.ts';
import type {
  Client,
  EventName,
  EventPayload,
  LinkState,
  MethodName,
} from '../../wire/contract.ts';
import { testOverview, testStartMs } from '../pages/live/testing/overview.ts';
import { connectLive } from './connectLive.ts';
import { createLiveSeries } from './liveSeries.ts';
import { createSeriesWindow } from './series.ts';

const at = (s: number): number => testStartMs + s * 1_000;

/**
 * An engine with a store of one sample a second of series 0, whose answers come when the test says
 * so.
 */
function fakeEngine() {
  const listeners = new Map<string, Set<(payload: never) => void>>();
  const followed: string[] = [];
  let gap: (runId: string) => void = () => undefined;
  let state: (s: LinkState) => void = () => undefined;
  const calls: { method: MethodName; input: { fromMs?: number; seriesIds?: number[] } }[] = [];
  let until = 60;
  let broken = false;
  const client = {
    call: (method: MethodName, input: { fromMs?: number; toMs?: number; seriesIds?: number[] }) => {
      calls.push({ method, input });
      if (broken) return Promise.reject(fail('notFound', 'Run r1 does not exist.'));
      if (method === 'run.overview') return Promise.resolve(testOverview({ nowMs: at(until) }));
      const seconds = Array.from({ length: until + 1 }, (_, s) => s).filter(
        (s) => at(s) >= (input.fromMs ?? 0) && at(s) <= (input.toMs ?? Infinity),
      );
      return Promise.resolve(
        input.seriesIds!.map((seriesId) => ({
          seriesId,
          tMs: Float64Array.from(seconds, at),
          value: Float64Array.from(seconds),
        })),
      );
    },
    on: (event: EventName, listener: (payload: never) => void) => {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener));
      return () => {
        set.delete(listener);
      };
    },
    follow: (runId: string) => {
      followed.push(runId);
      return () => {
        followed.splice(followed.indexOf(runId), 1);
      };
    },
    onGap: (listener: (runId: string) => void) => {
      gap = listener;
      return () => undefined;
    },
    onState: (listener: (s: LinkState) => void) => {
      state = listener;
      return () => undefined;
    },
    close: () => undefined,
  } as unknown as Client;
  const emit = <E extends EventName>(event: E, payload: EventPayload<E>): void => {
    for (const l of listeners.get(event) ?? []) l(payload as never);
  };
  return {
    client,
    calls,
    emit,
    followed,
    gap: (runId: string) => {
      gap(runId);
    },
    state: (s: LinkState) => {
      state(s);
    },
    advance: (s: number) => {
      until = s;
    },
    breakIt: (value: boolean) => {
      broken = value;
    },
    heard: () => [...listeners.values()].reduce((n, s) => n + s.size, 0),
  };
}

const settled = (connection: ReturnType<typeof connectLive>, state: string): Promise<void> =>
  new Promise((done) => {
    if (connection.get().state === state) {
      done();
      return;
    }
    const stop = connection.subscribe(() => {
      if (connection.get().state === state) {
        stop();
        done();
      }
    });
  });
function values(live: ReturnType<typeof createLiveSeries>): number[] {
  const window = createSeriesWindow();
  live.source('r1', 0).read(-Infinity, Infinity, window);
  return Array.from({ length: window.count }, (_, p) =>
    Array.from(window.parts[p]!.v.slice(window.parts[p]!.start, window.parts[p]!.end)),
  ).flat();
}
const upTo = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => i);

test('events are heard before the snapshot is asked for; back-fill and live make one line without gap or duplicate', async () => {
  const engine = fakeEngine();
  const live = createLiveSeries();
  const connection = connectLive(engine.client, live, 'r1');
  engine.emit('run.samples', {
    runId: 'r1',
    batch: packSamples([
      [0, at(60), 60],
      [0, at(61), 61],
    ]),
  });
  engine.emit('run.samples', { runId: 'other', batch: packSamples([[0, at(62), 999]]) });
  await settled(connection, 'ready');
  expect(values(live)).toEqual(upTo(61));
  connection.close();
});

test('a lower rev is ignored', async () => {
  const engine = fakeEngine();
  const connection = connectLive(engine.client, createLiveSeries(), 'r1');
  await settled(connection, 'ready');
  engine.emit('run.changed', testOverview({ rev: 7, name: 'newer' }));
  engine.emit('run.changed', testOverview({ rev: 6, name: 'older' }));
  engine.emit('run.changed', testOverview({ rev: 9, id: 'r2', name: 'another run' }));
  expect(connection.get().overview?.name).toBe('newer');
  connection.close();
});

test('after the port came back the missed samples are read, from shortly before the last one', async () => {
  const engine = fakeEngine();
  const live = createLiveSeries();
  const connection = connectLive(engine.client, live, 'r1');
  await settled(connection, 'ready');
  engine.state('closed');
  expect(connection.get().state).toBe('disconnected');
  engine.advance(200);
  engine.calls.length = 0;
  engine.state('open');
  await settled(connection, 'ready');
  expect(values(live)).toEqual(upTo(200));
  expect(engine.calls.find((c) => c.method === 'run.samples')?.input.fromMs).toBe(at(0));
  connection.close();
});

test('a long run is asked for its last half hour by sample and for what lies before in buckets', async () => {
  const engine = fakeEngine();
  engine.advance(4_000);
  const live = createLiveSeries();
  const connection = connectLive(engine.client, live, 'r1');
  await settled(connection, 'ready');
  expect(
    engine.calls
      .filter((c) => c.method === 'run.samples')
      .map((c) => [c.input.fromMs, (c.input as { maxPoints: number }).maxPoints]),
  ).toEqual([
    [at(0), 2_000],
    [at(2_200), 0],
  ]);
  expect(live.source('r1', 0).lastMs()).toBe(at(4_000));
  expect(live.source('r1', 0).firstMs()).toBe(at(0));
  connection.close();
});

test('a failure is kept with its words, and a retry mends it', async () => {
  const engine = fakeEngine();
  engine.breakIt(true);
  const connection = connectLive(engine.client, createLiveSeries(), 'r1');
  await settled(connection, 'failed');
  expect(connection.get().error?.message).toBe('Run r1 does not exist.');
  engine.breakIt(false);
  connection.retry();
  await settled(connection, 'ready');
  expect(connection.get().error).toBeNull();
  connection.close();
  expect(engine.heard()).toBe(0);
});

test('samples are asked for while the run is followed, and no longer', async () => {
  const engine = fakeEngine();
  const connection = connectLive(engine.client, createLiveSeries(), 'r1');
  await settled(connection, 'ready');
  expect(engine.followed).toEqual(['r1']);
  connection.close();
  expect(engine.followed).toEqual([]);
});

test('a slow window gets less work: gaps are read as buckets, and later each time', async () => {
  jest.useFakeTimers();
  try {
    const engine = fakeEngine();
    const live = createLiveSeries();
    const connection = connectLive(engine.client, live, 'r1');
    await settled(connection, 'ready');
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      engine.calls.length = 0;
      engine.advance(60 + 60 * (round + 1));
      for (let told = 0; told < 10; told += 1) engine.gap('r1');
      engine.gap('another run');
      let waitedMs = 0;
      while (engine.calls.length === 0 && waitedMs < 100_000) {
        await jest.advanceTimersByTimeAsync(1_000);
        waitedMs += 1_000;
      }
      waits.push(waitedMs);
      await settled(connection, 'ready');
      const asked = engine.calls.filter((c) => c.method === 'run.samples');
      expect(asked.map((c) => (c.input as { maxPoints?: number }).maxPoints)).toEqual([120]);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    expect(live.lastMs('r1')).toBe(at(300));
    connection.close();
  } finally {
    jest.useRealTimers();
  }
});

test('a gap is filled although newer samples came before it was told', async () => {
  jest.useFakeTimers();
  try {
    const engine = fakeEngine();
    const live = createLiveSeries();
    const connection = connectLive(engine.client, live, 'r1');
    await settled(connection, 'ready');
    engine.emit('run.samples', { runId: 'r1', batch: packSamples([[0, at(80), 80]]) });
    engine.advance(80);
    engine.gap('r1');
    await jest.advanceTimersByTimeAsync(2_000);
    await settled(connection, 'ready');
    expect(values(live)).toEqual(upTo(80));
    connection.close();
  } finally {
    jest.useRealTimers();
  }
});
