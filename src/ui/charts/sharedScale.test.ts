import { createSeriesRing } from '../engine/seriesRing.ts';
import { createChartController } from './controller.ts';
import { createChartGroup } from './group.ts';
import { lastUpdateText, periodText, provenanceText } from './provenance.ts';
import { createScheduler } from './scheduler.ts';
import { createSharedScale } from './sharedScale.ts';
import { recordingPen, testSeries, testTheme } from './testing/lab.ts';
import { emptyInput } from './view.ts';

test('charts with one scale have one value axis, whatever each of them shows', () => {
  const low = testSeries('low', [
    [0, 2],
    [60_000, 3],
  ]);
  const high = testSeries('high', [
    [0, 20],
    [60_000, 95],
  ]);
  const scale = createSharedScale([low, high]);
  const axes = [low, high].map((series) => {
    const controller = createChartController(
      { pen: () => recordingPen().pen, readouts: () => undefined, cursor: () => undefined },
      createChartGroup(),
      createScheduler({ request: () => 1, cancel: () => undefined, nowMs: () => 0 }),
      () => 0,
    );
    controller.setTheme(testTheme);
    controller.resize(400, 120, 1);
    controller.update({ ...emptyInput, originMs: 1_000_000, series: [series], scale });
    controller.draw();
    return controller.axes();
  });
  expect(axes[0]!.y[1]).toBeGreaterThanOrEqual(95);
  expect(axes[0]).toEqual(axes[1]);
});

test("another chart's new peak moves the axis of one whose own data stand still", () => {
  const ring = createSeriesRing(1_000);
  for (let s = 0; s < 60; s++) ring.push(1_000_000 + s * 1_000, 5);
  const still = testSeries('still', [
    [0, 1],
    [59_000, 1],
  ]);
  const scale = createSharedScale([still, testSeries('moving', [], { source: ring })]);
  let wall = 0;
  const pen = recordingPen();
  const controller = createChartController(
    { pen: () => pen.pen, readouts: () => undefined, cursor: () => undefined },
    createChartGroup(),
    createScheduler({ request: () => 1, cancel: () => undefined, nowMs: () => 0 }),
    () => wall,
  );
  controller.setTheme(testTheme);
  controller.resize(400, 120, 1);
  controller.update({ ...emptyInput, originMs: 1_000_000, series: [still], scale });
  controller.draw();
  expect(controller.counts().full).toBe(1);
  wall += 2_000;
  controller.draw();
  expect(controller.counts().full).toBe(1);
  ring.push(1_058_500, 400);
  wall += 2_000;
  controller.draw();
  expect(controller.axes().y[1]).toBeGreaterThanOrEqual(400);
});

test('a limit near the values belongs to the axis, one far beyond does not', () => {
  const line = [
    testSeries('a', [
      [0, 10],
      [1_000, 12],
    ]),
  ];
  expect(createSharedScale(line, [20]).domain([0, 1_000], true, 4, 0)[1]).toBeGreaterThanOrEqual(
    20,
  );
  expect(createSharedScale(line, [500]).domain([0, 1_000], true, 4, 0)[1]).toBeLessThan(50);
});

test('a chart says who measured, how often, and when last', () => {
  const by = (measuredBy: string, periodMs: number) =>
    testSeries(
      measuredBy,
      [
        [0, 1],
        [30_000, 2],
      ],
      { measuredBy, periodMs },
    );
  expect(provenanceText([by('vCenter vc1', 20_000), by('vCenter vc1', 20_000)])).toBe(
    'vCenter vc1, every 20 s',
  );
  expect(
    provenanceText([
      by('sysbench on client-1', 1_000),
      by('sysbench on client-2', 1_000),
      by('NUT pdu', 5_000),
    ]),
  ).toBe('sysbench on client-1 and 2 more, every 1 s to 5 s');
  expect(provenanceText([testSeries('a', [[0, 1]])])).toBe('');
  expect([100, 1_500, 60_000, 300_000].map(periodText)).toEqual([
    '100 ms',
    '1.5 s',
    '60 s',
    '5 min',
  ]);
  expect(
    lastUpdateText(
      { ...emptyInput, originMs: 1_000_000, series: [by('a', 1_000)] },
      createChartGroup().get(),
    ),
  ).toBe('last 0:30');
  expect(
    lastUpdateText({ ...emptyInput, series: [testSeries('a', [])] }, createChartGroup().get()),
  ).toBe('');
});
