import { fastPace, looseSource } from '../../charts/fastPace.ts';
import { createSeriesWindow, storedSource } from '../../engine/series.ts';
import { chartLine } from './chartLine.ts';

const source = storedSource(
  { tMs: Float64Array.of(0, 10_000, 20_000, 60_000), value: Float64Array.of(1, 2, 3, 4) },
  10_000,
);

test('a real clock changes nothing; a fast one allows for what was left to the store', () => {
  expect(fastPace(1)).toBeNull();
  expect(fastPace(3_600)).toEqual({ slackMs: 10_800_000, gapMs: 540_000 });
  expect(fastPace(0)?.slackMs).toBe(Infinity);
});

test('gaps shorter than the pace allows are no gaps, longer limits stay', () => {
  const window = createSeriesWindow();
  looseSource(source, 216_000).read(0, 60_000, window);
  expect(window.parts[0].gapMs).toBe(216_000);
  looseSource(source, 1).read(0, 60_000, window);
  expect(window.parts[0].gapMs).toBe(25_000);
  expect(looseSource(source, 1).lastValue()).toBe(4);
});

test('a line of a fast lab is stale only past what its pace explains', () => {
  const def = {
    id: 1,
    entity: { kind: 'power' as const, id: 'p', name: 'Meter' },
    metric: 'powerW' as const,
    unit: 'W',
    periodMs: 10_000,
    lagMs: 500,
    decimals: 0,
    source: 'meter',
  };
  expect(chartLine(def, 0, 0, () => source, fastPace(60)).lagMs).toBe(180_500);
  expect(chartLine(def, 0, 0, () => source).lagMs).toBe(500);
});
