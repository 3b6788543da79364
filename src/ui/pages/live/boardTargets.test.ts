import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import { matchesWords } from './BoardSearch.tsx';
import { createCatalog } from './boardTargets.ts';
import { shortTitle } from './FocusPanel.tsx';
import { testOverview, testProfile } from './testing/overview.ts';

const more = (
  id: number,
  metric: SeriesDef['metric'],
  entity: SeriesDef['entity'],
  unit: string,
): SeriesDef => ({
  id,
  metric,
  entity,
  unit,
  source: 'test',
  periodMs: 1_000,
  decimals: 1,
  lagMs: 0,
});
const lun = { kind: 'datastore' as const, id: 'ds-1', name: 'lun-1' };
const tile1 = { kind: 'workload' as const, id: 't0.database', name: 'Tile 1 database', tile: 0 };
const overview = testOverview({
  series: [
    ...testOverview().series,
    more(6, 'latencyMeanMs', tile1, 'ms'),
    more(7, 'latencyP99Ms', tile1, 'ms'),
    more(8, 'netKbps', { kind: 'uplink', id: 'h1/vmnic0', name: 'esx-01 vmnic0' }, 'KB/s'),
    more(9, 'netKbps', { kind: 'uplink', id: 'h1/vmnic1', name: 'esx-01 vmnic1' }, 'KB/s'),
    more(10, 'readIops', lun, 'IOPS'),
    more(11, 'writeIops', lun, 'IOPS'),
    more(12, 'queueDepth', lun, ''),
    more(13, 'cpuPct', { kind: 'vm', id: 'vm/vm-1', name: 't1-db', tile: 0 }, '%'),
    more(14, 'readyPct', { kind: 'vm', id: 'vm/vm-1', name: 't1-db', tile: 0 }, '% of each vCPU'),
    more(15, 'cpuPct', { kind: 'vm', id: 'vm/vm-2', name: 't2-db', tile: 1 }, '%'),
  ],
});
const catalog = createCatalog(boardCharts(overview, testProfile), overview.workloads, testProfile);
const shape = (key: string) =>
  catalog
    .sections(key)
    .map((s) => [
      s.title,
      s.alike,
      s.charts.map(
        (c) => `${c.title}: ${(c.labels ?? c.defs.map((d) => d.entity.name)).join(', ')}`,
      ),
    ]);

test('every tile, workload, host, LUN, uplink and meter can be found by its name', () => {
  expect(catalog.targets.filter((t) => t.kind !== 'chart').map((t) => t.label)).toEqual([
    'Tile 1',
    'Tile 2',
    'Database',
    'esx-01',
    'lun-1',
    'esx-01 vmnic0',
    'esx-01 vmnic1',
    't1-db',
    't2-db',
    'esx-01',
    'Tile 1 Database',
    'Tile 2 Database',
  ]);
  expect(matchesWords('Tile 12 Database', 'data 12')).toBe(true);
  expect(matchesWords('Tile 12 Database', 'data 13')).toBe(false);
});

test('a tile shows its workloads, latency as mean, 95th and 99th percentile on one chart where the driver gives them', () => {
  expect(shape('tile:0')).toEqual([
    ['Throughput', false, ['Tile 1 Database throughput: Tile 1 database']],
    ['Latency', false, ['Tile 1 Database latency: Mean, 95th percentile, 99th percentile']],
    ['Virtual machines', false, ['t1-db: VM CPU: t1-db', 't1-db: VM CPU ready time: t1-db']],
  ]);
  expect(shape('tile:1')[1]).toEqual([
    'Latency',
    false,
    ['Tile 2 Database latency, 95th percentile: Tile 2 database'],
  ]);
  expect(catalog.sections('tile:0')[1]!.charts[0]!.limits.map((l) => [l.value, l.label])).toEqual([
    [20, 'QoS ≤ 20 ms, 95th percentile'],
  ]);
});

test('a workload is one chart a tile, alike; a host has its uplinks and its meter with it; a LUN its reads and writes together', () => {
  expect(shape('workloads:database')[0]).toEqual([
    'Throughput',
    true,
    ['Tile 1 Database throughput: Tile 1 database', 'Tile 2 Database throughput: Tile 2 database'],
  ]);
  expect(shape('host:h1').map(([title, alike]) => [title, alike])).toEqual([
    ['Host', false],
    ['Uplinks', true],
    ['Power', false],
  ]);
  expect(shape('datastore:ds-1')).toEqual([
    ['', false, ['lun-1: I/O: Reads, Writes', 'lun-1: Datastore active commands: lun-1']],
  ]);
  expect(shape('host:gone')).toEqual([]);
});

test('each line of a chart on its own: alike, named by what it is', () => {
  const key = catalog.targets.find(
    (t) => t.kind === 'chart' && t.label.startsWith('Database throughput'),
  )!.key;
  const [section] = catalog.sections(key);
  expect(section).toMatchObject({ alike: true });
  expect(
    section!.charts.map((c) => shortTitle(c, 'Database throughput, each on its own', true)),
  ).toEqual(['Tile 1', 'Tile 2']);
  expect(shortTitle(catalog.sections('tile:0')[0]!.charts[0]!, 'Tile 1', false)).toBe(
    'Database throughput',
  );
  expect(shortTitle(catalog.sections('datastore:ds-1')[0]!.charts[0]!, 'lun-1', false)).toBe('I/O');
});

test('a pinned chart is found again by its id, the same object each time; one of another testbed is not', () => {
  for (const key of ['tile:0', 'datastore:ds-1', 'host:h1'])
    for (const section of catalog.sections(key))
      for (const chart of section.charts) expect(catalog.chart(chart.id)).toBe(chart);
  const part = catalog.sections(catalog.targets.find((t) => t.kind === 'chart')!.key)[0]!
    .charts[0]!;
  expect(catalog.chart(part.id)).toMatchObject({ id: part.id, title: part.title });
  expect(catalog.chart('cpuPct/host/%')?.title).toBe('Host CPU');
  expect([catalog.chart('nothing'), catalog.chart('cpuPct/host/%@host:gone')]).toEqual([
    undefined,
    undefined,
  ]);
});
