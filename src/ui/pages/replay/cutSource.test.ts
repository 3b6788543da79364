import { createSeriesWindow } from '../../engine/series.ts';
import { createCutSource, type Cut } from './cutSource.ts';

/** Samples each second of [from, to], value = second. */
const seconds = (
  from: number,
  to: number,
  step = 1,
): { tMs: Float64Array; value: Float64Array } => {
  const list = Array.from(
    { length: Math.floor((to - from) / step) + 1 },
    (_, i) => from + i * step,
  );
  return { tMs: Float64Array.from(list, (s) => s * 1_000), value: Float64Array.from(list) };
};
const window = createSeriesWindow();
const cut: Cut = { atMs: 0, moves: 0 };
const make = (): ReturnType<typeof createCutSource> => createCutSource(1_000, cut, () => 42);
/** What a chart would draw, second by second. */
const seen = (source: ReturnType<typeof createCutSource>, fromS: number, toS: number): number[] => {
  source.read(fromS * 1_000, toS * 1_000, window);
  return window.parts
    .slice(0, window.count)
    .flatMap(({ v, start, end }) => [...v.slice(start, end)]);
};
beforeEach(() => {
  cut.atMs = 0;
  cut.moves = 0;
});

test('empty before the first sample and before anything was read', () => {
  const source = make();
  expect([
    source.firstMs(),
    source.lastMs(),
    source.lastValue(),
    seen(source, 0, 10).length,
  ]).toEqual([NaN, NaN, NaN, 0]);
  source.setWhole(seconds(5, 100));
  expect([source.firstMs(), source.lastMs(), seen(source, 0, 10).length]).toEqual([NaN, NaN, 0]);
});

test.each([
  // cut, window, drawn first and last; one neighbour before the window, none after the cut
  [50, 0, 100, 0, 50],
  [50.5, 0, 100, 0, 50],
  [50, 10, 20, 9, 20],
  [50, 45, 60, 44, 50],
  [100, 0, 200, 0, 100],
])('cut at %d s, window %d to %d s: samples %d to %d', (at, from, to, first, last) => {
  const source = make();
  source.setWhole(seconds(0, 100));
  cut.atMs = at * 1_000;
  const drawn = seen(source, from, to);
  // A neighbour beyond the window is drawn, a sample beyond the cut never.
  expect([drawn[0], Math.min(drawn.at(-1)!, to)]).toEqual([first, last]);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(at);
  expect(source.lastMs()).toBe(Math.floor(at) * 1_000);
});

test('the detail is drawn where it reaches; before it, and beyond it, the thinner whole', () => {
  const source = make();
  source.setWhole(seconds(0, 1_000, 10));
  source.setDetail(seconds(400, 600), 400_000, 600_000);
  cut.atMs = 500_000;
  expect(seen(source, 480, 500)).toEqual(Array.from({ length: 22 }, (_, i) => 479 + i));
  expect(seen(source, 370, 403)).toEqual([360, 370, 380, 390, 400, 401, 402, 403]);
  expect(source.lastValue()).toBe(500);
  cut.atMs = 650_000;
  expect(seen(source, 580, 650)).toEqual([570, 580, 590, 600, 610, 620, 630, 640, 650]);
});

test('between two samples of a thinned stretch a series is not stale, in a gap it is', () => {
  const source = make();
  const { tMs, value } = seconds(0, 1_000, 10);
  const keep = Array.from(tMs, (t) => t <= 500_000 || t >= 800_000);
  source.setWhole({ tMs: tMs.filter((_, i) => keep[i]), value: value.filter((_, i) => keep[i]) });
  cut.atMs = 207_400;
  expect(source.lastMs()).toBe(207_000);
  cut.atMs = 650_000;
  expect(source.lastMs()).toBe(500_000);
});

test('revision grows with what was read and with a cut that moved back, not with time', () => {
  const source = make();
  const first = source.revision();
  source.setWhole(seconds(0, 100));
  const second = source.revision();
  cut.atMs = 90_000;
  expect([second > first, source.revision()]).toEqual([true, second]);
  cut.moves++;
  expect(source.revision()).toBe(second + 1);
});

test('a slow series keeps its last sample from before the detail', () => {
  const source = createCutSource(20_000, cut, () => 0);
  source.setWhole(seconds(0, 1_000, 20));
  source.setDetail({ tMs: new Float64Array(0), value: new Float64Array(0) }, 401_000, 419_000);
  cut.atMs = 410_000;
  expect([source.lastMs(), source.lastValue()]).toEqual([400_000, 400]);
});
