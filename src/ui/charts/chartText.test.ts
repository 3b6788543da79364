import { formatClock } from '../../core/base/format.ts';
import { summaryText, tableData, tableTsv } from './chartText.ts';
import { createChartGroup } from './group.ts';
import { readings, readoutLines, spokenText, spreadText, statusText } from './readout.ts';
import { testSeries } from './testing/lab.ts';
import { type ChartInput, emptyInput, highlightOf, timeDomain } from './view.ts';

const originMs = 1_000_000;
const input: ChartInput = {
  ...emptyInput,
  originMs,
  series: [
    testSeries('Tile 1', [
      [0, 10],
      [1_000, 12.34],
      [2_000, 11],
    ]),
    testSeries('Tile 2', [
      [400, 20],
      [20_400, 22],
    ]),
  ],
  limits: [{ value: 25, kind: 'max', label: 'QoS ≤ 25 ms' }],
};
const x = [0, 30_000] as const;
const state = createChartGroup().get();

test('rows line samples of a period up; missing ones stay empty', () => {
  const { timesMs, values } = tableData(input, x);
  expect(Array.from(timesMs)).toEqual([0, 1_000, 2_000, 20_000]);
  expect(Array.from(values)).toEqual([10, 20, 12.34, NaN, 11, NaN, NaN, 22]);
});

test('a copy is tab-separated with units in the head and plain digits', () => {
  expect(tableTsv(input, [1_000, 2_000])).toBe(
    [
      'elapsed\tclock\tTile 1 (tps)\tTile 2 (tps)',
      `0:01\t${formatClock(originMs + 1_000)}\t12.3\t`,
      `0:02\t${formatClock(originMs + 2_000)}\t11.0\t`,
    ].join('\n'),
  );
});

test('the summary says what is seen, with limits, gaps and stale lines', () => {
  const live = { ...input, nowMs: () => originMs + 20_500 };
  expect(summaryText('Database', 'tps', live, x)).toEqual([
    'Database, tps, 0:00 to 0:30 of the run, 2 series.',
    'QoS ≤ 25 ms.',
    'Tile 1: last 11.0, mean 11.1, min 10.0, max 12.3 tps, stale for 19 s.',
    'Tile 2: last 22.0, mean 21.0, min 20.0, max 22.0 tps, 1 gap.',
  ]);
  expect(summaryText('Database', 'tps', input, [40_000, 50_000])[2]).toBe('Tile 1: no samples.');
});

test('the cursor reads the nearest sample, and nothing inside a gap', () => {
  expect(readings(input, 1_100).map((r) => r.value)).toEqual([12.34, 20]);
  expect(readings(input, 10_000).map((r) => r.value)).toEqual([NaN, NaN]);
  expect(readoutLines(input, state, readings(input, 10_000)).map((l) => l.text)).toEqual([
    'no sample',
    'no sample',
  ]);
  expect(readings(input, NaN).map((r) => r.value)).toEqual([11, 22]);
  expect(spokenText(input, state, 1_000)).toBe('0:01. Tile 1 12.3 tps. Tile 2 20.0 tps');
});

test('many series are read as the highlighted one and the extremes', () => {
  const many = {
    ...input,
    series: Array.from({ length: 12 }, (_, i) => testSeries(`Tile ${i + 1}`, [[0, i]])),
  };
  const list = readings(many, NaN);
  expect(spreadText(list)).toBe('min 0 · median 5.50 · max 11.0');
  expect(readoutLines(many, { ...state, highlight: 'Tile 3' }, list).map((l) => l.label)).toEqual([
    'Tile 3',
    'max: Tile 12',
    'min: Tile 1',
  ]);
});

test('the badge counts stale series', () => {
  expect(statusText(readings({ ...input, nowMs: () => originMs + 21_000 }, NaN))).toBe(
    '1 of 2 stale',
  );
  expect(statusText(readings({ ...input, nowMs: () => originMs + 60_400 }, NaN))).toBe(
    'Stale 40 s',
  );
  expect(statusText(readings(input, NaN))).toBe('');
});

test('highlight: chosen, else the default, else none up to eight series', () => {
  expect(highlightOf(input, state)).toBeNull();
  expect(highlightOf(input, { ...state, highlight: 'Tile 2' })).toBe('Tile 2');
  expect(highlightOf(input, { ...state, highlight: 'Tile 9' })).toBeNull();
  const many = { ...input, series: Array.from({ length: 9 }, (_, i) => testSeries(`s${i}`, [])) };
  expect(highlightOf(many, state)).toBe('s0');
  expect(highlightOf({ ...many, emphasis: 'all' }, state)).toBeNull();
});

test('visible time: zoom, paused window, whole stored run, nothing yet', () => {
  expect(timeDomain(input, { ...state, zoom: [5, 6] })).toEqual([5, 6]);
  expect(
    timeDomain(
      { ...input, nowMs: () => originMs + 900_000 },
      { ...state, windowMs: 300_000, pausedAtMs: 305_000 },
    ),
  ).toEqual([30_000, 330_000]);
  expect(timeDomain(input, state)).toEqual([0, 20_400]);
  expect(timeDomain({ ...input, series: [] }, state)).toEqual([0, 60_000]);
});
