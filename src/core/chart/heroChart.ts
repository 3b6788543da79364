import { isOfOneSeries, type QosHeadroom } from '../limits/index.ts';
import type { BoardChart } from './boardCharts.ts';

/**
 * The one chart of a result, that tells most of a workload: of the figure its `tightest` limit is
 * on, else its latency, else its throughput. Without a workload, the first chart with a limit, else
 * the first latency. null = nothing was recorded.
 */
export function heroChart(
  charts: readonly BoardChart[],
  workloadId: string | null,
  tightest: QosHeadroom | undefined,
): BoardChart | null {
  if (workloadId === null)
    return (
      charts.find((chart) => chart.group === 'latency' && chart.limits.length > 0) ??
      charts.find((chart) => chart.group === 'latency') ??
      charts[0] ??
      null
    );
  const own = charts.filter((chart) => chart.id.split('/')[1] === workloadId);
  const ofLimit =
    tightest === undefined || !isOfOneSeries(tightest)
      ? undefined
      : own.find((chart) => chart.id.startsWith(`${tightest.metric}/`));
  return ofLimit ?? own.find((chart) => chart.group === 'latency') ?? own[0] ?? null;
}
