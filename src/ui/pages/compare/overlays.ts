import type { MetricName, SeriesDef } from '../../../core/metric/metric.ts';
import { metricWords } from '../../../core/metric/metricWords.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { steadyWindow } from '../../../core/run/windows.ts';

/** One chart of the overlays: the same measure of every run. */
export interface OverlayChart {
  key: string;
  title: string;
  unit: string;
  /** In the order of the runs; empty = that run lacks it. */
  lines: { runIndex: number; def: SeriesDef }[];
  /** Names of runs without this series: said under the chart, never left out in silence. */
  missing: string[];
}

const shown: readonly MetricName[] = [
  'throughput',
  'latencyP95Ms',
  'latencyMeanMs',
  'powerW',
  'cpuPct',
  'iops',
  'deviceLatencyMs',
];

/**
 * Charts for runs laid over each other: a chart a workload of a tile, and one a machine, matched by
 * name, metric and unit.
 */
export function overlayCharts(overviews: readonly RunOverview[]): OverlayChart[] {
  const charts = new Map<string, OverlayChart>();
  overviews.forEach((overview, runIndex) => {
    for (const def of overview.series) {
      if (!shown.includes(def.metric)) continue;
      const who =
        def.entity.kind === 'workload' ? def.entity.id : `${def.entity.kind}:${def.entity.name}`;
      const key = `${def.metric}/${who}/${def.unit}`;
      const chart = charts.get(key) ?? {
        key,
        title: `${metricWords[def.metric]}, ${def.entity.name}`,
        unit: def.unit,
        lines: [],
        missing: [],
      };
      chart.lines.push({ runIndex, def });
      charts.set(key, chart);
    }
  });
  const order = (chart: OverlayChart): number => shown.indexOf(chart.lines[0]!.def.metric);
  return [...charts.values()]
    .sort((a, b) => order(a) - order(b))
    .map((chart) => ({
      ...chart,
      missing: overviews
        .filter((_, i) => !chart.lines.some((l) => l.runIndex === i))
        .map((o) => o.name),
    }));
}

/** Names of the measures there are, for the choice above the charts. */
export function overlayMetrics(charts: readonly OverlayChart[]): MetricName[] {
  return shown.filter((metric) => charts.some((c) => c.lines[0]?.def.metric === metric));
}

/** Longest run in milliseconds from its start: the shared time axis. */
export function sharedSpanMs(overviews: readonly RunOverview[]): number {
  return Math.max(
    0,
    ...overviews.map((o) =>
      o.startedAtMs === null ? 0 : (o.endedAtMs ?? o.nowMs) - o.startedAtMs,
    ),
  );
}

/** Steady state relative to the start, in milliseconds; null = not reached. */
export function relativeSteady(overview: RunOverview): { startMs: number; endMs: number } | null {
  const steady = steadyWindow(overview);
  return steady === null || overview.startedAtMs === null
    ? null
    : {
        startMs: steady.startMs - overview.startedAtMs,
        endMs: steady.endMs - overview.startedAtMs,
      };
}
