import { testOverview } from '../../ui/pages/live/testing/overview.ts';
import { boardCharts } from '../chart/boardCharts.ts';
import type { SeriesDef } from '../metric/metric.ts';
import { chartsFor } from './figureRun.ts';

const uplink = (id: number, nic: string): SeriesDef => ({
  id,
  metric: 'netKbps',
  entity: { kind: 'uplink', id: `esx1/${nic}`, name: `esx1 ${nic}` },
  unit: 'KB/s',
  source: 'test',
  periodMs: 20_000,
  decimals: 0,
  lagMs: 0,
});
const overview = testOverview({
  series: [...testOverview().series, uplink(98, 'vmnic0'), uplink(99, 'vmnic1')],
});
const first = (measure: string): string[] =>
  chartsFor(boardCharts(overview, null), measure)[0]!.defs.map((def) => def.entity.name);

test.each(['netGbps', 'netKbps'])(
  'a study of %s of an uplink charts the uplinks of its run before all else',
  (metric) =>
    expect(first(`${metric}.uplink.esx1/vmnic0.mean`)).toEqual(['esx1 vmnic0', 'esx1 vmnic1']),
);
