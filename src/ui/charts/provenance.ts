import { formatClock, formatElapsed } from '../../core/base/format.ts';
import type { ChartSeries } from '../engine/series.ts';
import type { GroupState } from './group.ts';
import { type ChartInput, extent } from './view.ts';

/** A period in the fewest digits: `100 ms`, `1 s`, `20 s`, `5 min`. */
export function periodText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms % 60_000 === 0 && ms > 60_000
    ? `${ms / 60_000} min`
    : `${Number((ms / 1_000).toFixed(1))} s`;
}

/** Everybody who measured what the chart shows, each once. */
export const sourcesOf = (series: readonly ChartSeries[]): string[] => [
  ...new Set(series.flatMap((s) => (s.measuredBy === undefined ? [] : [s.measuredBy]))),
];

/**
 * Who measured and how often: `vCenter vc1, every 20 s`, `sysbench on client-1 and 19 more, every 1
 * s`. Empty where nobody is named.
 */
export function provenanceText(series: readonly ChartSeries[]): string {
  const sources = sourcesOf(series);
  if (sources.length === 0) return '';
  const periods = series.map((s) => s.periodMs);
  const [least, most] = [Math.min(...periods), Math.max(...periods)];
  const every = least === most ? periodText(least) : `${periodText(least)} to ${periodText(most)}`;
  return `${sources[0]!}${sources.length > 1 ? ` and ${sources.length - 1} more` : ''}, every ${every}`;
}

/** When the newest sample was measured: `last 1:31:00`; empty while there is none. */
export function lastUpdateText(input: ChartInput, state: GroupState): string {
  const last = extent(input.series)[1];
  if (Number.isNaN(last)) return '';
  return `last ${state.clock ? formatClock(last + input.originMs) : formatElapsed(last)}`;
}
