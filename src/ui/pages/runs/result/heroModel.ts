import type { BoardChart } from '../../../../core/chart/boardCharts.ts';
import { isOfOneSeries, type QosHeadroom, scoreHeadroom } from '../../../../core/limits/index.ts';
import { eventGroups } from '../../../../core/run/eventGroups.ts';
import type { RunOverview } from '../../../../core/run/run.ts';
import type { Score } from '../../../../core/run/scoreTypes.ts';
import { resultTable, worstTilesFirst } from '../../../../core/score/resultCells.ts';
import type { ChartEvent, ChartPeriod } from '../../../charts/draw.ts';

/** A cell of the table of tiles and workloads. */
export interface Cell {
  tile: number;
  workloadId: string;
}

/**
 * What the chart of a result shows until somebody chooses: the workload with the least headroom, or
 * where there is no limit the one furthest behind. null = no score tells.
 */
export function worstCell(score: Score | null): Cell | null {
  if (score === null) return null;
  const limited = scoreHeadroom(score).find(({ headroom }) => headroom !== null);
  if (limited !== undefined) return limited;
  const { rows } = resultTable(score);
  const cells = worstTilesFirst(rows)[0]?.cells ?? [];
  return [...cells].sort((a, b) => (a.ratio ?? Infinity) - (b.ratio ?? Infinity))[0] ?? null;
}

/** Its limit that is nearest to breaking, or broken furthest. */
const tightestOf = (score: Score | null, cell: Cell): QosHeadroom | undefined =>
  score === null
    ? undefined
    : scoreHeadroom(score).find(
        (entry) => entry.tile === cell.tile && entry.workloadId === cell.workloadId,
      );

/**
 * The chart that tells most of a cell: of the figure its tightest limit is on, else its latency,
 * else its throughput. Without a cell, the first chart with a limit, else the first latency. null =
 * nothing was recorded.
 */
export function heroChart(
  charts: readonly BoardChart[],
  score: Score | null,
  cell: Cell | null,
): BoardChart | null {
  if (cell === null)
    return (
      charts.find((chart) => chart.group === 'latency' && chart.limits.length > 0) ??
      charts.find((chart) => chart.group === 'latency') ??
      charts[0] ??
      null
    );
  const own = charts.filter((chart) => chart.id.split('/')[1] === cell.workloadId);
  const limit = tightestOf(score, cell);
  const ofLimit =
    limit === undefined || !isOfOneSeries(limit)
      ? undefined
      : own.find((chart) => chart.id.startsWith(`${limit.metric}/`));
  return ofLimit ?? own.find((chart) => chart.group === 'latency') ?? own[0] ?? null;
}

/** Measurement periods as bands; one is `over` where a limit of the chart's figure broke in it. */
export function heroPeriods(
  overview: RunOverview,
  chart: BoardChart,
  originMs: number,
): ChartPeriod[] {
  const [metric, workloadId] = chart.id.split('/');
  return overview.periods.map(({ index, startMs, endMs }) => ({
    label: `Period ${index + 1}`,
    fromMs: startMs - originMs,
    toMs: endMs - originMs,
    over: (overview.score?.periods ?? [])
      .filter((period) => period.index === index)
      .some(({ tiles }) =>
        tiles.some(({ workloads }) =>
          workloads.some(
            (w) =>
              w.workloadId === workloadId &&
              w.qos.some((q) => q.metric === metric && q.passed === false),
          ),
        ),
      ),
  }));
}

/** Notes, faults and what ended the run as flags. */
export function heroFlags(overview: RunOverview, originMs: number): ChartEvent[] {
  const endMs = overview.endedAtMs ?? overview.nowMs;
  return eventGroups(overview)
    .filter(({ tone, atMs }) => tone !== 'info' && atMs >= originMs && atMs <= endMs)
    .map(({ key, tone, atMs, text }) => ({
      id: key,
      atMs: atMs - originMs,
      kind: tone === 'note' ? 'note' : 'fault',
      text,
      flag: true,
    }));
}
