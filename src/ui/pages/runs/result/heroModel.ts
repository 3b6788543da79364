import type { BoardChart } from '../../../../core/chart/boardCharts.ts';
import { eventGroups } from '../../../../core/run/eventGroups.ts';
import type { RunOverview } from '../../../../core/run/run.ts';
import type { ChartEvent, ChartPeriod } from '../../../charts/draw.ts';
import { actFlags, runMarks } from '../../live/boardModel.ts';

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

/** Notes, faults and what ended the run as flags; when this computer was away or a client fell behind, shaded. */
export function heroFlags(overview: RunOverview, originMs: number): ChartEvent[] {
  const endMs = overview.endedAtMs ?? overview.nowMs;
  const away = runMarks(
    {
      events: overview.events.filter(({ kind, untilMs }) => kind === 'clock' && untilMs),
      findings: overview.findings,
    },
    originMs,
  );
  const flags = eventGroups(overview)
    .filter(({ tone, atMs }) => tone !== 'info' && atMs >= originMs && atMs <= endMs)
    .map(({ key, tone, atMs, text }) => ({
      id: key,
      atMs: atMs - originMs,
      kind: tone === 'note' ? 'note' : 'fault',
      text,
      flag: true as const,
    }));
  return [...actFlags(overview, originMs), ...away, ...flags];
}
