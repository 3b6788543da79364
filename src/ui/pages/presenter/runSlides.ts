import { type BoardChart, groupTitles } from '../../../core/chart/boardCharts.ts';
import type { MetricName } from '../../../core/metric/metric.ts';

/** One screen of a run: numbers above one or two charts, or charts alone. */
export interface RunSlide {
  title: string;
  numbers: boolean;
  charts: readonly BoardChart[];
}

const first = (
  charts: readonly BoardChart[],
  metrics: readonly MetricName[],
): BoardChart | undefined =>
  metrics.flatMap((m) => charts.find((c) => c.id.startsWith(`${m}/`)) ?? [])[0];

/** The charts that metrics ask for: of each list the first the run has, each chart once. */
export function chartsOf(
  charts: readonly BoardChart[],
  wanted: readonly (readonly MetricName[])[],
): BoardChart[] {
  return [...new Set(wanted.flatMap((metrics) => first(charts, metrics) ?? []))];
}

/**
 * Slides of a run: the numbers with throughput and power (or host CPU) first, then every group of
 * the board, two charts a screen.
 */
export function runSlides(charts: readonly BoardChart[]): RunSlide[] {
  const top: RunSlide = {
    title: 'Overview',
    numbers: true,
    charts: chartsOf(charts, [
      ['throughput'],
      ['powerW', 'cpuPct', 'latencyP95Ms', 'latencyMeanMs'],
    ]),
  };
  const groups = [...new Set(charts.map((c) => c.group))];
  const rest = groups.flatMap((group) => {
    const own = charts.filter((c) => c.group === group);
    return Array.from({ length: Math.ceil(own.length / 2) }, (_, i): RunSlide => ({
      title: `${groupTitles[group]}${own.length > 2 ? ` ${i + 1} of ${Math.ceil(own.length / 2)}` : ''}`,
      numbers: false,
      charts: own.slice(i * 2, i * 2 + 2),
    }));
  });
  return [top, ...rest];
}
