import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { neutralColor, tileStyle } from '../../core/chart/palette.ts';
import type { SeriesDef } from '../../core/metric/metric.ts';
import { createSeriesWindow, type SeriesSource, storedSource } from '../engine/series.ts';
import { chartLine, fastPace } from './chartLine.ts';

const meter: SeriesDef = {
  id: 1,
  entity: { kind: 'power', id: 'p', name: 'Meter' },
  metric: 'powerW',
  unit: 'W',
  periodMs: 10_000,
  lagMs: 500,
  decimals: 0,
  source: 'meter',
};
const uplink: SeriesDef = {
  ...meter,
  entity: { kind: 'uplink', id: 'h1/vmnic0', name: 'esx-01 vmnic0' },
  metric: 'netKbps',
  unit: 'KB/s',
  periodMs: 20_000,
};
const ofTile: SeriesDef = {
  ...meter,
  entity: { kind: 'workload', id: 't2.db', name: 'Tile 3 Database', tile: 2 },
  metric: 'latencyP95Ms',
};
const stored = (periodMs: number, value: Float64Array): SeriesSource =>
  storedSource({ tMs: Float64Array.from(value, (_, i) => i * periodMs), value }, periodMs);
const read = (source: SeriesSource, fromMs: number, toMs: number) => {
  const window = createSeriesWindow();
  source.read(fromMs, toMs, window);
  return window;
};
const source = stored(10_000, Float64Array.of(1, 2, 3, 4));

test.each([
  ['a tile, wherever it stands', ofTile, 5, undefined, ['1', 'Tile 3', 'tile:2', tileStyle(2)]],
  [
    'a VM by its own name, in the colour of its tile',
    { ...meter, entity: { kind: 'vm', id: 'vm/vm-7', name: 'tile3-db', tile: 2 } } as const,
    5,
    undefined,
    ['1', 'tile3-db', 'vm:vm/vm-7', tileStyle(2)],
  ],
  ['a machine by its place', meter, 5, undefined, ['1', 'Meter', 'power:p', tileStyle(5)]],
  [
    'a measure of one thing',
    ofTile,
    1,
    { kind: 'measure', label: 'Mean' } as const,
    ['1', 'Mean', 'latencyP95Ms', tileStyle(1)],
  ],
  [
    'the baseline of runs',
    ofTile,
    0,
    { kind: 'run', id: 'r1', name: 'A' } as const,
    ['r1', 'A (baseline)', 'r1', { color: neutralColor, dash: [] }],
  ],
  [
    'a candidate of runs',
    ofTile,
    1,
    { kind: 'run', id: 'r2', name: 'B' } as const,
    ['r2', 'B', 'r2', tileStyle(0)],
  ],
])('tells %s by name, colour and highlight', (_, def, place, of, expected) => {
  const { key, label, highlightKey, color, dash } = chartLine(def, {
    source,
    originMs: 0,
    place,
    of,
  });
  expect([key, label, highlightKey, { color, dash }]).toEqual(expected);
});

test('an uplink has the same times and gaps with every value in Gb/s; its source is left alone', () => {
  const value = Float64Array.of(125_000, 812_500, Number.NaN, 250_000);
  const line = chartLine(uplink, { source: stored(20_000, value), originMs: 0, place: 0 });
  const window = read(line.source, 20_000, 60_000);
  const [part] = window.parts;
  expect([line.unit, line.decimals, window.count]).toEqual(['Gb/s', 3, 1]);
  expect(
    [...part.v.subarray(part.start, part.end)].map((v, i) => [part.t[part.start + i], v]),
  ).toEqual([
    [0, 1],
    [20_000, 6.5],
    [40_000, Number.NaN],
    [60_000, 2],
  ]);
  expect(part.gapMs).toBe(50_000);
  const { source } = line;
  expect([source.firstMs(), source.lastMs(), source.lastValue()]).toEqual([0, 60_000, 2]);
  expect(value[1]).toBe(812_500);
});

test('an empty series stays empty in another unit', () => {
  const empty = stored(20_000, new Float64Array(0));
  const line = chartLine(uplink, { source: empty, originMs: 0, place: 0 });
  expect(read(line.source, 0, 1).count).toBe(0);
  expect(line.source.lastValue()).toBeNaN();
});

test('a real clock changes nothing; a fast one allows for what was left to the store', () => {
  expect(fastPace(1)).toBeNull();
  expect(fastPace(3_600)).toEqual({ slackMs: 10_800_000, gapMs: 540_000 });
  expect(fastPace(0)?.slackMs).toBe(Infinity);
});

test('under a fast clock a line is stale and has gaps only past what its pace explains', () => {
  const paced = (gapMs: number) =>
    chartLine(meter, { source, originMs: 0, place: 0, pace: { slackMs: 180_000, gapMs } });
  expect(read(paced(216_000).source, 0, 60_000).parts[0].gapMs).toBe(216_000);
  expect(read(paced(1).source, 0, 60_000).parts[0].gapMs).toBe(25_000);
  expect([paced(1).lagMs, paced(1).source.lastValue()]).toEqual([180_500, 4]);
  expect(chartLine(meter, { source, originMs: 0, place: 0 }).lagMs).toBe(500);
});

test('every line of a chart is made here, and only one place says how long a gap is', () => {
  const files = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|(^|\/)testing\//.test(name))
      .map((name) => join(root, name).replaceAll('\\', '/'));
  const saying = (root: string, pattern: RegExp) =>
    files(root).filter((name) => pattern.test(readFileSync(name, 'utf8')));
  // What a line must have and nothing else has: who measured, beside a source.
  expect(saying('src/ui', /\bmeasuredBy:|\bmeasuredBy,/)).toEqual(['src/ui/charts/chartLine.ts']);
  const gap = /[sS]\b[^;\n]*\* 2\.5\b/;
  expect([...saying('src', gap), ...saying('workers/engine/runs', gap)]).toEqual([]);
});
