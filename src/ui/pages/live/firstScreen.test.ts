import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import { storedSource } from '../../engine/series.ts';
import { createSpark, meanReader, throughputRatio, throughputSeries } from './boardFigures.ts';
import { interestOf, mostInteresting } from './interesting.ts';
import { shareCells } from './shareCells.ts';
import { sparkPath } from './Spark.tsx';
import { testOverview, testProfile } from './testing/overview.ts';

const level = (values: readonly number[]) =>
  storedSource(
    { tMs: Float64Array.from(values, (_, i) => i * 1_000), value: Float64Array.from(values) },
    1_000,
  );
const flat = (value: number, count = 400): number[] => Array.from({ length: count }, () => value);
const def = testOverview().series[0]!;
const chart = (id: string, more: Partial<BoardChart> = {}): BoardChart => ({
  id,
  group: 'throughput',
  title: id,
  unit: 'tps',
  defs: [def],
  limits: [],
  ...more,
});

test('a broken limit is more interesting than a move, a move than a flat line, and silence is not', () => {
  const score = (values: readonly number[], limits: BoardChart['limits'] = []): number =>
    interestOf(chart('a', { limits }), () => level(values), 400_000);
  const limit = { value: 50, kind: 'max' as const, label: '' };
  const moved = [...flat(10, 340), ...flat(20, 60)];
  expect(score(flat(100), [limit])).toBeGreaterThan(10);
  expect(score(moved)).toBeLessThan(10);
  expect(score(moved)).toBeGreaterThan(score(flat(100)));
  expect(score([])).toBeLessThan(0);
  expect(score(flat(0))).toBeLessThan(0);
});

test('three charts stay until another is clearly more interesting; one measure of a thing is enough', () => {
  const charts = [
    'throughput/web/tps',
    'latencyMeanMs/web/ms',
    'latencyP95Ms/web/ms',
    'cpuPct/host/%',
    'powerW/power/W',
  ].map((id) => chart(id));
  const scores = (list: readonly number[]) => (one: BoardChart) => list[charts.indexOf(one)]!;
  const first = mostInteresting(charts, scores([0.5, 12, 11, 0.4, 0.3]), 3, []);
  expect(first).toEqual(['throughput/web/tps', 'latencyMeanMs/web/ms', 'cpuPct/host/%']);
  expect(mostInteresting(charts, scores([0.5, 12, 11, 0.4, 0.45]), 3, first)).toEqual(first);
  expect(mostInteresting(charts, scores([0.5, 12, 11, 0.4, 0.9]), 3, first)).toContain(
    'powerW/power/W',
  );
});

test('throughput is a ratio to the reference, without one the share of the median tile', () => {
  const { workloads, series } = testOverview();
  const run = { workloads, series, score: null };
  const sources = [level(flat(100)), level(flat(90))];
  const mean = meanReader((id) => sources[id] ?? level([]));
  const list = throughputSeries(run, testProfile);
  expect(throughputRatio(list, mean, 0, 400_000)).toBeCloseTo(0.95);
  const bare = throughputSeries(run, null);
  expect(throughputRatio(bare, mean, 0, 400_000)).toBeNaN();
  const cell = shareCells(
    bare,
    (one) => mean(one.def, 0, 400_000),
    (_, tile) => tile === 9,
    () => 0,
  );
  expect(cell('database', 'tile:0')?.pct).toBeCloseTo((100 / 95) * 100);
  expect(cell('database', 'tile:9')).toMatchObject({ lost: true });
  expect(cell('nothing', 'tile:0')).toBeUndefined();
});

test('the last five minutes are worked out once each, the newest anew, a few at a time', () => {
  const asked: number[] = [];
  const spark = createSpark();
  const at = (nowMs: number): number[] =>
    spark(
      (fromMs) => {
        asked.push(fromMs);
        return fromMs;
      },
      { nowMs, sinceMs: 0, leastMs: 1_000, isFast: false },
    );
  expect(at(100_000)).toHaveLength(10);
  expect(asked).toHaveLength(6);
  expect(at(100_000).every(Number.isFinite)).toBe(true);
  asked.length = 0;
  at(100_000);
  expect(asked).toEqual([90_000, 80_000]);
});

test('a line of what was not measured has a gap', () => {
  expect(sparkPath([1, 2, NaN, 1, 2]).match(/M/g)).toHaveLength(2);
  expect(sparkPath([NaN, 1])).toBe('');
});
