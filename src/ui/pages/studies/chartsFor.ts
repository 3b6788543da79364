import type { BoardChart } from '../../../core/chart/boardCharts.ts';

/** Charts a run of a study shows beside the curve. */
const shownCharts = 3;

/**
 * The charts that belong to what is drawn: the metric of the measure first, then the hosts' CPU and
 * the power.
 */
export function chartsFor(charts: readonly BoardChart[], measure: string): BoardChart[] {
  const [named = '', subject = ''] = measure.split('.');
  // Uplinks are measured in KB/s; `netGbps` is the same in another unit.
  const metric = named === 'netGbps' ? 'netKbps' : named;
  const wanted: ((c: BoardChart) => boolean)[] = [
    (c) => c.id.startsWith(`${metric}/${subject}`),
    (c) => c.id.startsWith(`${metric}/`),
    (c) => c.id.startsWith('cpuPct/host'),
    (c) => c.id.startsWith('powerW/'),
    (c) => c.id.startsWith('throughput/'),
    (c) => c.id.startsWith('latency'),
  ];
  const found = wanted.flatMap((want) => charts.find(want) ?? []);
  return [...new Set(found)].slice(0, shownCharts);
}
