import { boardCharts } from '../../../core/chart/boardCharts.ts';
import { storedSource } from '../../engine/series.ts';
import { runMarks, runPhases } from './boardModel.ts';
import { boardHeadroom, heatCells, meanBetween, tightest } from './headroom.ts';
import { boardLanes } from './laneModel.ts';
import { testOverview, testProfile, testStartMs } from './testing/overview.ts';

const at = (s: number): number => testStartMs + s * 1_000;
const flat = (value: number, from = 0, to = 120) => {
  const seconds = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return storedSource(
    { tMs: Float64Array.from(seconds, at), value: Float64Array.from(seconds, () => value) },
    1_000,
  );
};

test('one chart a workload and metric with a line a tile, one a machine metric', () => {
  const charts = boardCharts(testOverview(), testProfile);
  expect(charts.map((c) => [c.group, c.title, c.unit, c.defs.length])).toEqual([
    ['throughput', 'Database throughput', 'tps', 2],
    ['latency', 'Database latency, 95th percentile', 'ms', 2],
    ['hosts', 'Host CPU', '%', 1],
    ['power', 'Power', 'W', 1],
  ]);
  expect(charts[1]!.limits).toEqual([{ value: 20, kind: 'max', label: 'QoS ≤ 20 ms' }]);
});

test('two units of one metric never share an axis', () => {
  const overview = testOverview();
  const series = overview.series.map((s) => (s.id === 1 ? { ...s, unit: 'qps' } : s));
  expect(
    boardCharts({ ...overview, series }, null)
      .filter((c) => c.group === 'throughput')
      .map((c) => c.unit),
  ).toEqual(['tps', 'qps']);
});

test('uplinks have a chart of their own beside the hosts, a line each, in Gb/s', () => {
  const overview = testOverview();
  const net = (id: number, kind: 'host' | 'uplink', entityId: string, name: string) => ({
    ...overview.series[4]!,
    id,
    metric: 'netKbps' as const,
    unit: 'KB/s',
    decimals: 0,
    entity: { kind, id: entityId, name },
  });
  const series = [
    ...overview.series,
    net(6, 'host', 'h1', 'esx-01'),
    net(7, 'uplink', 'h1/vmnic0', 'esx-01 vmnic0'),
    net(8, 'uplink', 'h1/vmnic2', 'esx-01 vmnic2'),
  ];
  const charts = boardCharts({ ...overview, series }, null).filter((c) =>
    c.title.includes('network'),
  );
  expect(charts.map((c) => [c.group, c.title, c.unit, c.defs.map((d) => d.entity.name)])).toEqual([
    ['hosts', 'Host network', 'KB/s', ['esx-01']],
    ['hosts', 'Uplink network', 'Gb/s', ['esx-01 vmnic0', 'esx-01 vmnic2']],
  ]);
});

test('infrastructure operations have charts of their own, a line an operation', () => {
  const overview = testOverview();
  const operation = (id: number, metric: 'throughput' | 'latencyMeanMs', name: string) => ({
    ...overview.series[0]!,
    id,
    metric,
    unit: metric === 'throughput' ? 'operations/h' : 'ms',
    entity: { kind: 'operation' as const, id: `infra.${name}`, name },
  });
  const charts = boardCharts(
    {
      ...overview,
      series: [
        operation(10, 'throughput', 'vMotion'),
        operation(11, 'latencyMeanMs', 'vMotion'),
        operation(12, 'throughput', 'Deploy'),
      ],
    },
    testProfile,
  );
  expect(charts.map((c) => [c.group, c.title, c.unit, c.defs.map((d) => d.entity.name)])).toEqual([
    ['operations', 'Infrastructure operations', 'operations/h', ['vMotion', 'Deploy']],
    ['operations', 'Infrastructure operations, duration', 'ms', ['vMotion']],
  ]);
});

test('a limit on the share of failures is no line on the chart of errors a second', () => {
  const [first, ...rest] = testProfile.workloads;
  const profile = {
    ...testProfile,
    workloads: [
      {
        ...first!,
        qos: [
          {
            metric: 'throughput' as const,
            measure: 'failurePct' as const,
            max: 0.5,
            unit: '%',
            source: 'test',
          },
        ],
      },
      ...rest,
    ],
  };
  expect(boardCharts(testOverview(), profile)[0]!.limits).toEqual([]);
});

test('without a profile a workload goes by its id', () => {
  expect(boardCharts(testOverview(), null)[0]!.title).toBe('Database throughput');
});

test('phases and marks are relative to the start; changes of state are no marks', () => {
  expect(runPhases(testOverview(), testStartMs)).toEqual([
    { name: 'rampUp', fromMs: 0, toMs: 60_000 },
    { name: 'steady', fromMs: 60_000, toMs: 360_000 },
  ]);
  expect(runMarks(testOverview(), testStartMs)).toEqual([
    { id: 2, atMs: 70_000, kind: 'note', text: 'Fan checked' },
  ]);
});

test('the time in which a client fell behind its load is shaded, with the words of its finding', () => {
  const finding = {
    id: 'saturated.c1',
    severity: 'warn' as const,
    text: 'client1 could not offer the load',
    tMs: at(80),
    spans: [{ fromMs: at(80), untilMs: at(90) }],
  };
  const overview = { ...testOverview(), findings: [finding] };
  expect(runMarks(overview, testStartMs).at(-1)).toEqual({
    id: 'behind 0',
    atMs: 80_000,
    untilMs: 90_000,
    kind: 'behind',
    text: finding.text,
  });
  expect(boardLanes(overview, testStartMs).find(({ id }) => id === 'clients')).toMatchObject({
    title: 'Clients',
    spans: [{ fromMs: 80_000, toMs: 90_000, label: 'Client behind' }],
  });
});

test('the mean takes samples inside the window only', () => {
  expect(
    meanBetween(
      storedSource(
        { tMs: Float64Array.of(0, 1_000, 2_000, 3_000), value: Float64Array.of(100, 1, 3, 100) },
        1_000,
      ),
      1_000,
      3_000,
    ),
  ).toBe(2);
  expect(meanBetween(flat(1), at(500), at(600))).toBeNaN();
});

test('headroom is the mean of the period so far against the limit, worst tile first', () => {
  const sources = [flat(100), flat(100), flat(10), flat(18), flat(5), flat(200)];
  const list = boardHeadroom(testOverview(), testProfile, (id) => sources[id]!, at(120));
  expect(list.map((h) => [h.tile, h.value, h.headroom])).toEqual([
    [1, 18, expect.closeTo(0.1)],
    [0, 10, 0.5],
  ]);
  expect([...tightest(list).keys()]).toEqual(['database/1', '*/1', 'database/0', '*/0']);
});

test('a workload without samples has no headroom, and no profile gives none at all', () => {
  const empty = flat(1, 0, -1);
  expect(
    boardHeadroom(testOverview(), testProfile, () => empty, at(120)).map((h) => h.headroom),
  ).toEqual([null, null]);
  expect(boardHeadroom(testOverview(), null, () => empty, at(120))).toEqual([]);
});

test('cells of the strip are worked out once for one look', () => {
  let looks = 0;
  let wall = 0;
  const sources = [flat(100), flat(100), flat(10), flat(25), flat(5), flat(200)];
  const cell = heatCells(
    () => {
      looks++;
      return boardHeadroom(testOverview(), testProfile, (id) => sources[id]!, at(120));
    },
    () => wall,
  );
  expect(cell('database', 'tile:0')).toEqual({
    pct: 50,
    detail: 'Tile 1 Database: 10.00 ms of at most 20.00 ms',
  });
  expect(cell('database', 'tile:1')?.pct).toBeCloseTo(-25);
  expect(cell('java', 'tile:0')).toBeUndefined();
  expect(looks).toBe(1);
  wall = 1_000;
  cell('database', 'tile:0');
  expect(looks).toBe(2);
});
