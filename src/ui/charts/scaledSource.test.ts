import { createSeriesWindow, storedSource } from '../engine/series.ts';
import { scaledSource } from './scaledSource.ts';

test('gives the same times and gaps with every value in the other unit, and leaves the source alone', () => {
  const value = Float64Array.of(125_000, 812_500, Number.NaN, 250_000);
  const source = scaledSource(
    storedSource({ tMs: Float64Array.of(0, 20_000, 40_000, 60_000), value }, 20_000),
    8e-6,
  );
  const window = createSeriesWindow();
  source.read(20_000, 60_000, window);
  const [part] = window.parts;
  expect(window.count).toBe(1);
  expect(
    [...part.v.subarray(part.start, part.end)].map((v, i) => [part.t[part.start + i], v]),
  ).toEqual([
    [0, 1],
    [20_000, 6.5],
    [40_000, Number.NaN],
    [60_000, 2],
  ]);
  expect(part.gapMs).toBe(50_000);
  expect([source.firstMs(), source.lastMs(), source.lastValue()]).toEqual([0, 60_000, 2]);
  expect(value[1]).toBe(812_500);
});

test('an empty series stays empty', () => {
  const source = scaledSource(
    storedSource({ tMs: new Float64Array(0), value: new Float64Array(0) }, 20_000),
    2,
  );
  const window = createSeriesWindow();
  source.read(0, 1, window);
  expect(window.count).toBe(0);
  expect(source.lastValue()).toBeNaN();
});
