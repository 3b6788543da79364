import { fail } from '../../../core/base/errors.ts';
import type { SeriesData, SeriesDef } from '../../../core/metric/metric.ts';
import type { Client, Input } from '../../../wire/contract.ts';
import { createSeriesWindow } from '../../engine/series.ts';
import { createReplayPlayer, type ReplayPlayer } from './replayPlayer.ts';

const hour = 3_600_000;
const span = { startMs: hour, endMs: 5 * hour };
const def = (id: number): SeriesDef => ({
  id,
  metric: 'throughput',
  entity: { kind: 'workload', id: `t${id}.db`, name: `Tile ${id + 1}`, tile: id },
  unit: 'tps',
  source: 'test',
  periodMs: 1_000,
  decimals: 0,
  lagMs: 0,
});

/** Lets answers that are there be taken, page by page. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 200; i++) await Promise.resolve();
};

interface Bench {
  player: ReplayPlayer;
  asked: Input<'run.samples'>[];
  beat: (wallMs: number) => Promise<void>;
  refuse: (yes: boolean) => void;
  stop: () => void;
  look: () => void;
  wall: () => number;
}
/** A player over an engine that holds one sample a second, with a clock and a beat of its own. */
function bench(
  seriesCount: number,
  options: { speed?: 1 | 600; windowMs?: number | null } = {},
): Bench {
  const asked: Input<'run.samples'>[] = [];
  let wall = 0;
  let refused = false;
  let onBeat = (): void => undefined;
  const client = {
    call: async (_method: 'run.samples', input: Input<'run.samples'>): Promise<SeriesData[]> => {
      asked.push(input);
      if (refused) throw fail('internal', 'The disk is gone.');
      const from = Math.max(span.startMs, input.fromMs ?? -Infinity);
      const to = Math.min(span.endMs, input.toMs ?? Infinity);
      const stepMs = Math.max(
        1_000,
        Math.ceil((to - from) / (input.maxPoints ?? 2_000) / 1_000) * 1_000,
      );
      const times = Array.from(
        { length: Math.floor((to - from) / stepMs) + 1 },
        (_, i) => from + i * stepMs,
      );
      return input.seriesIds.map((seriesId) => ({
        seriesId,
        tMs: Float64Array.from(times),
        value: Float64Array.from(times, (t) => t / 1_000),
      }));
    },
  } as unknown as Client;
  const series = Array.from({ length: seriesCount }, (_, id) => def(id));
  const player = createReplayPlayer(client, {
    runId: 'r',
    series,
    span,
    ...options,
    wallMs: () => wall,
    every: (beat) => {
      onBeat = beat;
      return () => {
        onBeat = () => undefined;
      };
    },
  });
  const stop = player.start();
  return {
    player,
    asked,
    stop,
    wall: () => wall,
    refuse: (yes) => {
      refused = yes;
    },
    look: () => {
      player.feed.source('r', 0).read(span.startMs, span.endMs, createSeriesWindow());
    },
    beat: async (wallMs) => {
      wall += wallMs;
      onBeat();
      await settled();
    },
  };
}

test('reads the whole run by pages, quick then finer; the looked-at series in full around the position', async () => {
  const { player, asked, beat, look } = bench(250, { speed: 1 });
  await beat(0);
  expect(asked.map((a) => [a.seriesIds.length, a.fromMs, a.maxPoints])).toEqual(
    [1_000, 4_000].flatMap((points) => [
      [100, undefined, points],
      [100, undefined, points],
      [50, undefined, points],
    ]),
  );
  expect(player.reading()).toEqual({ done: 250, total: 250, error: null });
  await beat(100);
  expect(asked).toHaveLength(6);
  look();
  await beat(100);
  expect(asked.slice(6)).toMatchObject([
    { seriesIds: [0], fromMs: span.startMs, maxPoints: 9_000 },
  ]);
  expect(player.feed.source('r', 0).lastMs()).toBe(span.startMs);
  look();
  await beat(60_000);
  expect(player.feed.source('r', 0).lastMs()).toBe(span.startMs + 60_000);
});

test('what is looked at is read in full before the whole run is read finer', async () => {
  const { asked, beat, look, stop } = bench(150, { speed: 1 });
  look();
  await beat(0);
  expect(asked.map((a) => [a.seriesIds[0], a.maxPoints])).toEqual([
    [0, 1_000],
    [100, 1_000],
    [0, 9_000],
    [0, 4_000],
    [100, 4_000],
  ]);
  stop();
});

test('a series nobody knows is empty', () => {
  expect(bench(1).player.feed.source('r', 99).lastMs()).toBeNaN();
});

test('time passes and listeners are told; a jump back changes the revision', async () => {
  const { player, beat } = bench(1, { speed: 600 });
  await beat(0);
  let told = 0;
  player.feed.subscribe('r', () => told++);
  await beat(1_000);
  const source = player.feed.source('r', 0);
  expect(source.lastValue()).toBe((span.startMs + 600_000) / 1_000);
  const before = source.revision();
  expect(told).toBe(1);
  player.clock.dispatch({ do: 'seek', toMs: span.startMs + 10_000 });
  expect(told).toBe(2);
  expect(source.revision()).toBe(before + 1);
  expect(source.lastMs()).toBe(span.startMs + 10_000);
});

test('paused, nothing is told', async () => {
  const { player, beat } = bench(1);
  await beat(0);
  player.clock.dispatch({ do: 'pause' });
  let told = 0;
  player.feed.subscribe('r', () => told++);
  await beat(5_000);
  expect(told).toBe(0);
});

test('a run that cannot be read says so, and is read again on request', async () => {
  const { player, beat, refuse, stop } = bench(150);
  stop();
  refuse(true);
  const stopAgain = player.start();
  await beat(0);
  expect(player.reading().error?.message).toBe('The disk is gone.');
  refuse(false);
  player.retry();
  await beat(0);
  expect(player.reading()).toEqual({ done: 150, total: 150, error: null });
  stopAgain();
});

test('after its end nothing is read any more', async () => {
  const { player, beat, stop, asked, look } = bench(1);
  await beat(0);
  stop();
  look();
  player.clock.dispatch({ do: 'seek', toMs: span.endMs });
  await beat(1_000);
  expect(asked).toHaveLength(2);
});
