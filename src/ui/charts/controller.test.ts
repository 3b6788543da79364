import { createSeriesRing } from '../engine/seriesRing.ts';
import { createChartController } from './controller.ts';
import { createChartGroup } from './group.ts';
import { createScheduler } from './scheduler.ts';
import { recordingPen, testSeries, testTheme } from './testing/lab.ts';
import { type ChartInput, emptyInput } from './view.ts';

const originMs = 1_000_000;

function lab(input: Partial<ChartInput> = {}, windowMs: number | null = 300_000) {
  const pen = recordingPen();
  const group = createChartGroup({ windowMs });
  let frame: (() => void) | null = null;
  let wall = 10_000;
  let readouts = 0;
  let cursor: number | null = null;
  const scheduler = createScheduler({
    request: (c) => {
      frame = c;
      return 1;
    },
    cancel: () => {
      frame = null;
    },
    nowMs: () => 0,
  });
  const controller = createChartController(
    {
      pen: () => pen.pen,
      readouts: () => {
        readouts++;
      },
      cursor: (x) => {
        cursor = x;
      },
    },
    group,
    scheduler,
    () => wall,
  );
  controller.connect();
  controller.setTheme(testTheme);
  controller.resize(656 + 24, 228, 1);
  const draw = (): void => {
    const f = frame;
    frame = null;
    f?.();
  };
  const set = (change: Partial<ChartInput>): void => {
    controller.update({ ...emptyInput, originMs, ...input, ...change });
    draw();
  };
  return {
    pen,
    group,
    controller,
    draw,
    set,
    pass: (ms: number) => {
      wall += ms;
    },
    readouts: () => readouts,
    cursor: () => cursor,
  };
}

function liveLine(count: number, change = {}) {
  const ring = createSeriesRing(1_000);
  for (let s = 0; s < count; s++) ring.push(originMs + s * 1_000, 50 + (s % 2));
  return { ring, series: testSeries('a', [], { source: ring, ...change }) };
}

test('a new sample is drawn onto what is there: one piece, nothing cleared', () => {
  const { ring, series } = liveLine(100);
  const { set, pen, controller, draw } = lab({ nowMs: () => ring.lastMs() });
  set({ series: [series] });
  expect(controller.counts()).toEqual({ full: 1, appended: 0 });
  pen.clear();
  ring.push(originMs + 100_000, 50);
  controller.poke();
  draw();
  expect(controller.counts()).toEqual({ full: 1, appended: 1 });
  expect([pen.count('clearRect'), pen.count('stroke')]).toEqual([0, 1]);
  expect(pen.count('lineTo')).toBeLessThanOrEqual(2);
});

test('paused stands still, following again catches up', () => {
  const { ring, series } = liveLine(100);
  const { set, pen, controller, draw, group } = lab({ nowMs: () => ring.lastMs() });
  set({ series: [series] });
  group.set({ pausedAtMs: 99_000 });
  draw();
  pen.clear();
  ring.push(originMs + 100_000, 50);
  controller.poke();
  draw();
  expect(pen.calls).toEqual([]);
  group.set({ pausedAtMs: null });
  draw();
  expect(pen.count('stroke')).toBe(1);
});

test('nothing is drawn when nothing changed', () => {
  const { ring, series } = liveLine(100);
  const { set, pen, controller, draw } = lab({ nowMs: () => ring.lastMs() });
  set({ series: [series] });
  pen.clear();
  controller.poke();
  draw();
  expect(pen.calls).toEqual([]);
});

test('back-fill draws everything anew', () => {
  const { ring, series } = liveLine(100);
  const { set, controller, draw } = lab({ nowMs: () => ring.lastMs() });
  set({ series: [series] });
  ring.merge(Float64Array.of(originMs - 2_000), Float64Array.of(1));
  controller.poke();
  draw();
  expect(controller.counts().full).toBe(2);
});

test('a gap lifts the pen; a lone sample between gaps is a dot', () => {
  const { set, pen } = lab({}, null);
  set({
    series: [
      testSeries('a', [
        [0, 1],
        [1_000, 1],
        [2_000, 1],
        [20_000, 1],
        [40_000, 1],
        [41_000, 1],
      ]),
    ],
  });
  const line = pen.calls.slice(pen.calls.lastIndexOf('beginPath()'));
  expect(line.filter((c) => c.startsWith('moveTo')).length).toBe(4);
  expect(line.filter((c) => c.startsWith('lineTo')).length).toBe(4);
});

test('a stale end fades, a fresh one does not', () => {
  const { ring, series } = liveLine(100);
  let now = ring.lastMs();
  const { set, pen, controller, draw } = lab({ nowMs: () => now });
  set({ series: [series] });
  expect(pen.count('gradient')).toBe(0);
  now += 10_500;
  controller.poke();
  draw();
  expect(pen.count('gradient')).toBe(1);
});

test('axes stand still inside a window step and move once it is over', () => {
  const { ring, series } = liveLine(301);
  const { set, controller, draw, pass } = lab({ nowMs: () => ring.lastMs() });
  set({ series: [series] });
  const before = controller.axes();
  for (let s = 301; s < 329; s++) {
    ring.push(originMs + s * 1_000, 50);
    pass(1_000);
    controller.poke();
    draw();
  }
  expect(controller.axes()).toBe(before);
  ring.push(originMs + 330_000, 50);
  pass(1_000);
  controller.poke();
  draw();
  expect(controller.axes().x).toEqual([60_000, 360_000]);
});

test('a value beyond the axis moves it at most once a second', () => {
  const { ring, series } = liveLine(100);
  const { set, controller, draw, pass } = lab({ nowMs: () => ring.lastMs() });
  set({ series: [series] });
  let moves = 0;
  controller.onAxes(() => moves++);
  pass(2_000);
  for (let i = 0; i < 10; i++) {
    ring.push(originMs + 100_000 + i * 100, 100 * 2 ** i);
    pass(100);
    controller.poke();
    draw();
  }
  expect(moves).toBe(1);
  pass(1_000);
  controller.poke();
  draw();
  expect(moves).toBe(2);
  expect(controller.axes().y[1]).toBeGreaterThanOrEqual(51_200);
});

test('a limit in reach belongs to the axis; one far beyond is named at the edge', () => {
  const near = lab({}, null);
  near.set({
    series: [
      testSeries('a', [
        [0, 10],
        [1_000, 12],
      ]),
    ],
    limits: [{ value: 20, kind: 'max', label: 'QoS ≤ 20 ms' }],
  });
  expect(near.controller.axes().y[1]).toBeGreaterThanOrEqual(20);
  expect(near.pen.texts()).toContain('QoS ≤ 20 ms');
  const far = lab({}, null);
  far.set({
    series: [
      testSeries('a', [
        [0, 10],
        [1_000, 12],
      ]),
    ],
    limits: [{ value: 500, kind: 'max', label: 'QoS ≤ 500 ms' }],
  });
  expect(far.controller.axes().y[1]).toBeLessThan(50);
  expect(far.pen.texts()).toContain('QoS ≤ 500 ms ↑');
});

test('phases are named bands, events are marks', () => {
  const { set, pen } = lab({}, null);
  set({
    series: [
      testSeries('a', [
        [0, 1],
        [60_000, 1],
      ]),
    ],
    phases: [
      { name: 'rampUp', fromMs: 0, toMs: 30_000 },
      { name: 'steady', fromMs: 30_000, toMs: 60_000 },
    ],
    events: [
      { id: 1, atMs: 10_000, kind: 'note', text: 'x' },
      { id: 2, atMs: 99_000, kind: 'note', text: 'outside' },
    ],
  });
  expect(pen.texts()).toEqual(['Ramp-up', 'Steady']);
  expect(pen.count('fill')).toBe(1);
});

test('names of phases and periods stand over the lines: under one they could not be read', () => {
  const { set, pen } = lab({}, null);
  set({
    series: [
      testSeries('a', [
        [0, 1],
        [60_000, 1],
      ]),
    ],
    phases: [{ name: 'rampUp', fromMs: 0, toMs: 30_000 }],
    periods: [{ label: 'Period 1', fromMs: 30_000, toMs: 60_000, over: false }],
  });
  const calls = pen.calls.map((call) => call.split('(')[0]);
  expect(pen.texts()).toEqual(['Ramp-up', 'Period 1']);
  expect(calls.lastIndexOf('stroke')).toBeLessThan(calls.indexOf('fillText'));
});

test('zoom and cursor of the group reach the chart', () => {
  const { set, group, controller, draw, cursor } = lab({}, null);
  set({
    series: [
      testSeries(
        'a',
        Array.from({ length: 61 }, (_, s) => [s * 1_000, s] as const),
      ),
    ],
  });
  group.set({ zoom: [10_000, 20_000] });
  draw();
  expect(controller.axes().x).toEqual([10_000, 20_000]);
  group.moveCursor(15_000, controller);
  draw();
  expect(cursor()).toBeCloseTo(56 + 300, 0);
  group.moveCursor(50_000, controller);
  draw();
  expect(cursor()).toBeNull();
  expect(controller.timeAt(56 + 300)).toBeCloseTo(15_000, 0);
});

test('past eight series all but one are grey', () => {
  const { set, pen } = lab({}, null);
  const styles: string[] = [];
  Object.defineProperty(pen.pen, 'strokeStyle', {
    set: (v: string) => {
      styles.push(v);
    },
    get: () => '',
  });
  set({
    series: Array.from({ length: 9 }, (_, i) =>
      testSeries(
        `s${i}`,
        [
          [0, i],
          [1_000, i],
        ],
        { color: `#00000${i}` },
      ),
    ),
    defaultHighlight: 's4',
  });
  expect(styles.filter((s) => s === testTheme.muted).length).toBe(8);
  expect(styles.at(-1)).toBe('#000004');
});

test('100,000 points become at most four a pixel', () => {
  const { set, pen } = lab({}, null);
  set({
    series: [
      testSeries(
        'a',
        Array.from({ length: 100_000 }, (_, i) => [i * 100, Math.sin(i)] as const),
        { periodMs: 100 },
      ),
    ],
  });
  expect(pen.count('lineTo')).toBeLessThan(600 * 4 + 8);
  expect(pen.count('lineTo')).toBeGreaterThan(600);
});
