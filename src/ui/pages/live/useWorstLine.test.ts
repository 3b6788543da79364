import { type ChartSeries, storedSource } from '../../engine/series.ts';
import { isLowWorse, worstLine } from './useWorstLine.ts';

const line = (key: string, value: number): ChartSeries => ({
  key,
  label: key,
  color: '#000',
  dash: [],
  unit: 'tps',
  decimals: 0,
  periodMs: 1_000,
  lagMs: 0,
  originMs: 0,
  source: storedSource(
    { tMs: Float64Array.of(0, 1_000), value: Float64Array.of(value, value) },
    1_000,
  ),
});

test('the highlighted line of many is the worst one, the lowest of work done, and does not flicker', () => {
  const lines = [line('a', 100), line('b', 90), line('c', 101)];
  expect(worstLine(lines, true, null)).toBe('b');
  expect(worstLine(lines, false, null)).toBe('c');
  expect(worstLine(lines, false, 'a')).toBe('a');
  expect(worstLine([line('a', NaN)], false, null)).toBeNull();
  expect(isLowWorse({ defs: [] })).toBe(false);
});
