import type { BoardChart } from '../chart/boardCharts.ts';
import type { RunEvent, RunOverview } from '../run/run.ts';
import type { FigureShape, StudyOverview, StudyPoint } from './study.ts';

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

/** The first point with these values that was run, of which a figure over time is; null = none was. */
export const pointAt = (
  { points }: Pick<StudyOverview, 'points'>,
  where: FigureShape['where'] = {},
): (StudyPoint & { runId: string }) | null =>
  points.find(
    (point): point is StudyPoint & { runId: string } =>
      point.runId !== null &&
      Object.entries(where).every(([name, list]) => list.includes(point.values[name] ?? '')),
  ) ?? null;

/** What was moved during a run: VMs by whomever, and ports of its hosts' uplinks. */
export const movesOf = ({ events }: Pick<RunOverview, 'events'>): RunEvent[] =>
  events.filter(({ kind, by }) => kind === 'vm' && by !== undefined);
