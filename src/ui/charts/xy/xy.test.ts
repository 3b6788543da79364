import {
  axesOf,
  coveredBy,
  labelRows,
  neighbour,
  placeX,
  placeY,
  plotBox,
  valueAt,
  xyAxes,
  type XyInput,
  type XyPoint,
  type XySeries,
} from '../../../core/chart/xyModel.ts';
import { xyCsv, xySummary, xyTable, xyTsv } from './xyText.ts';

const point = (key: string, x: number, y: number, change: Partial<XyPoint> = {}): XyPoint => ({
  key,
  x,
  y,
  low: null,
  high: null,
  flaw: null,
  lines: [key],
  open: key,
  ...change,
});
const series = (key: string, points: XyPoint[], change: Partial<XySeries> = {}): XySeries => ({
  key,
  label: key,
  color: '#123456',
  dash: [],
  shape: 'circle',
  published: false,
  points,
  ...change,
});
const input = (list: XySeries[], change: Partial<XyInput> = {}): XyInput => ({
  series: list,
  bands: [],
  marks: [],
  categories: null,
  fromZero: true,
  ...change,
});
const box = plotBox(800, 400);

test('axes hold every point and its spread, and end where the measurements end', () => {
  const axes = xyAxes(
    input([series('a', [point('1', 1, 1), point('20', 20, 16, { low: 15, high: 17.5 })])]),
    box,
  );
  expect(axes.y[0]).toBe(0);
  expect(axes.y[1]).toBeGreaterThanOrEqual(17.5);
  expect(axes.x[0]).toBeLessThan(1);
  expect(axes.x[1]).toBeGreaterThan(20);
  expect(axes.x[1]).toBeLessThan(22);
});

test('the measured values are the ticks while they fit, round numbers where they do not', () => {
  const few = xyAxes(
    input([
      series(
        'a',
        [1, 2, 4, 8].map((x) => point(String(x), x, x)),
      ),
    ]),
    box,
  );
  expect(few.xTicks.map((t) => t.label)).toEqual(['1', '2', '4', '8']);
  const many = xyAxes(
    input([
      series(
        'a',
        Array.from({ length: 200 }, (_, i) => point(String(i), i + 1, i)),
      ),
    ]),
    box,
  );
  expect(many.xTicks.length).toBeLessThanOrEqual(13);
  expect(many.xTicks.length).toBeGreaterThan(3);
});

test('of values that double the crowded low ones go without a label', () => {
  const axes = xyAxes(
    input([
      series(
        'a',
        [1, 2, 4, 8, 16, 32, 64].map((x) => point(String(x), x, x)),
      ),
    ]),
    plotBox(500, 300),
  );
  expect(axes.xTicks.map((t) => t.label)).toEqual(['1', '4', '8', '16', '32', '64']);
});

test('values that are names stand one beside the other, in their order', () => {
  const axes = xyAxes(
    input([series('a', [point('x', 0, 5), point('y', 1, 3)])], {
      categories: [
        { at: 0, label: 'Two sockets' },
        { at: 1, label: 'Four sockets' },
      ],
    }),
    box,
  );
  expect(axes.xTicks.map((t) => t.label)).toEqual(['Two sockets', 'Four sockets']);
  expect(placeX(axes, box, 0)).toBeCloseTo(box.left + box.width / 4);
});

test('a zoomed axis shows its part, with the values in it', () => {
  const axes = xyAxes(
    input(
      [
        series(
          'a',
          [1, 2, 8, 9, 16].map((x) => point(String(x), x, x * 10)),
        ),
      ],
      { zoom: [7, 10] },
    ),
    box,
  );
  expect(axes.x).toEqual([7, 10]);
  expect(axes.xTicks.map((t) => t.label)).toEqual(['8', '9']);
  expect(axes.y[1]).toBeLessThan(160);
  expect(valueAt(axes, box, placeX(axes, box, 8.5))).toBeCloseTo(8.5);
  expect(valueAt(axes, box, -100)).toBe(7);
});

test('no point, one point and a flat curve have finite axes', () => {
  for (const list of [
    [],
    [series('a', [])],
    [series('a', [point('1', 7, 0)])],
    [series('a', [point('1', 1, 5), point('2', 2, 5)])],
  ]) {
    const axes = xyAxes(input(list), box);
    expect([...axes.x, ...axes.y].every(Number.isFinite)).toBe(true);
    expect(axes.x[1]).toBeGreaterThan(axes.x[0]);
    expect(axes.y[1]).toBeGreaterThan(axes.y[0]);
  }
});

test('arrow keys go along a curve, to the nearest point of the next, and stop at the ends', () => {
  const list = [
    series('a', [point('a1', 1, 1), point('a9', 9, 2)]),
    series('b', [point('b2', 2, 1), point('b8', 8, 2)]),
  ];
  expect(neighbour(list, 'a1', 'right')?.key).toBe('a9');
  expect(neighbour(list, 'a9', 'right')).toBeNull();
  expect(neighbour(list, 'a9', 'down')?.key).toBe('b8');
  expect(neighbour(list, 'b2', 'up')?.key).toBe('a1');
  expect(neighbour(list, 'b8', 'first')?.key).toBe('b2');
  expect(neighbour(list, 'gone', 'left')?.key).toBe('a1');
});

test('labels that would lie over each other stand in rows', () => {
  const rows = labelRows([
    { key: 'a', centre: 100, width: 80 },
    { key: 'b', centre: 120, width: 80 },
    { key: 'c', centre: 400, width: 80 },
  ]);
  expect(rows.get('a')).not.toBe(rows.get('b'));
  expect(rows.get('c')).toBe(0);
});

test('a curve knows how many lie over it', () => {
  const list = [
    series('a', [point('a1', 1, 100), point('a2', 2, 200)]),
    series('b', [point('b1', 1, 100.5), point('b2', 2, 199)]),
    series('c', [point('c1', 1, 100), point('c2', 2, 250)]),
  ];
  expect([0, 1, 2].map((i) => coveredBy(list, i))).toEqual([1, 0, 0]);
});

const text = {
  title: 'Scaling',
  unit: '×',
  xLabel: 'Tiles',
  xUnit: 'tiles',
  decimals: 2,
  mark: 'SIMULATED',
};
const two = input(
  [
    series('Modelled', [point('1', 1, 1), point('2', 2, 1.966, { flaw: { word: 'QoS failed' } })]),
    series('Published', [point('p', 2, 2)], { published: true }),
  ],
  { bands: [{ key: 'k', from: 1, to: 2, label: 'Knee 1 to 2, Kneedle' }] },
);

test('the table has a row a value; the mark stands over what was simulated and not over what was published', () => {
  const table = xyTable(text, two);
  expect(table.head).toEqual(['Tiles', 'Modelled (×, SIMULATED)', 'Published (×, published)']);
  expect(table.rows).toEqual([
    ['1', '1.00', ''],
    ['2', '1.97 (QoS failed)', '2.00'],
  ]);
  expect(xyTsv(table).split('\n')).toHaveLength(3);
});

test('a CSV quotes what must be quoted and runs nothing', () => {
  expect(xyCsv({ head: ['=A1', 'b,c'], rows: [['-1.5', 'say "x"']] })).toBe(
    '\'=A1,"b,c"\r\n-1.5,"say ""x"""\r\n',
  );
});

test('the summary tells every point, what failed, and the knee with its method', () => {
  expect(xySummary(text, two)).toEqual([
    'Scaling, SIMULATED, ×, against Tiles.',
    'Modelled, 2 points: 1: 1.00 ×; 2: 1.97 × (QoS failed). Greatest at 2.',
    'Published, 1 point: 2: 2.00 ×.',
    'Knee 1 to 2, Kneedle.',
  ]);
});

test('measures of two units have an axis each, and each is told in its own unit', () => {
  const rate = series('rate', [point('r2', 2, 16_000), point('r4', 4, 32_000)]);
  const latency = series('latency', [point('l2', 2, 4.1), point('l4', 4, 4.3)], { right: true });
  const both = input([rate, latency], { right: { label: 'Latency', unit: 'ms', decimals: 2 } });
  const narrow = plotBox(800, 400, 0, true);
  expect(narrow.width).toBeLessThan(box.width);
  const axes = xyAxes(both, narrow);
  expect(axes.y[1]).toBeGreaterThan(30_000);
  expect(axes.right!.y[1]).toBeLessThan(10);
  const top = (one: XySeries): number =>
    placeY(axesOf(axes, one), narrow, one.points.at(-1)!.y) - narrow.top;
  for (const one of [rate, latency]) expect(top(one)).toBeLessThan(narrow.height / 2);
  const text = { title: 'T', unit: 'IOPS', xLabel: 'VMs', xUnit: '', decimals: 0, mark: null };
  expect(xyTable(text, both)).toEqual({
    head: ['VMs', 'rate (IOPS)', 'latency (ms)'],
    rows: [
      ['2', '16000', '4.10'],
      ['4', '32000', '4.30'],
    ],
  });
  expect(xySummary(text, both)[2]).toContain('2: 4.10 ms; 4: 4.30 ms');
});
