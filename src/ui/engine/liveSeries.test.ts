import { packSamples, type SeriesDef } from '../../core/metric/metric.ts';
import { createLiveSeries } from './liveSeries.ts';
import { createSeriesWindow } from './series.ts';

const def = (id: number, periodMs = 1_000): SeriesDef => ({
  id,
  metric: 'throughput',
  entity: { kind: 'workload', id: `t${id}.db`, name: `Tile ${id + 1}`, tile: id },
  unit: 'tps',
  source: 'test',
  periodMs,
  decimals: 1,
  lagMs: 0,
});

test('samples go to their series; one tick and one call a batch', () => {
  const live = createLiveSeries();
  let calls = 0;
  const stop = live.subscribe('r1', () => calls++);
  live.define('r1', [def(0), def(1)]);
  live.ingest(
    'r1',
    packSamples([
      [0, 1_000, 5],
      [1, 1_000, 6],
      [0, 2_000, 7],
    ]),
  );
  expect([live.source('r1', 0).lastValue(), live.source('r1', 1).lastValue()]).toEqual([7, 6]);
  expect(live.lastMs('r1')).toBe(2_000);
  expect([calls, live.tick('r1')]).toEqual([1, 1]);
  stop();
  live.ingest('r1', packSamples([[0, 3_000, 8]]));
  expect([calls, live.tick('r1')]).toEqual([1, 2]);
});

test('back-fill after live batches leaves no gap and no duplicate', () => {
  const live = createLiveSeries();
  live.define('r1', [def(0)]);
  live.ingest(
    'r1',
    packSamples([
      [0, 4_000, 4],
      [0, 5_000, 5],
    ]),
  );
  live.seed('r1', [
    {
      seriesId: 0,
      tMs: Float64Array.of(1_000, 2_000, 3_000, 4_000),
      value: Float64Array.of(1, 2, 3, 4),
    },
  ]);
  const window = createSeriesWindow();
  live.source('r1', 0).read(0, 10_000, window);
  const part = window.parts[0];
  expect(Array.from(part.v.slice(part.start, part.end))).toEqual([1, 2, 3, 4, 5]);
});

test('the period of a series sets its gap limit', () => {
  const live = createLiveSeries();
  live.define('r1', [def(0, 20_000)]);
  live.ingest('r1', packSamples([[0, 20_000, 1]]));
  const window = createSeriesWindow();
  live.source('r1', 0).read(0, 30_000, window);
  expect(window.parts[0].gapMs).toBe(50_000);
});

test('runs are apart, and a dropped run is gone', () => {
  const live = createLiveSeries();
  live.ingest('r1', packSamples([[0, 1_000, 1]]));
  expect(live.lastMs('r2')).toBeNaN();
  live.drop('r1');
  expect(live.tick('r1')).toBe(0);
  expect(live.source('r1', 0).lastMs()).toBeNaN();
});
