import { maxColoredSeries } from '../../core/chart/palette.ts';
import { growingDomain, liveDomain } from '../../core/chart/scale.ts';
import { staleAfterMs } from '../../core/metric/stale.ts';
import type { ChartSeries } from '../engine/series.ts';
import type { ChartEvent, ChartLimit, ChartPeriod, ChartPhase } from './draw.ts';
import type { GroupState } from './group.ts';
import type { SharedScale } from './sharedScale.ts';

/** Everything a chart shows, as React hands it over; replaced as a whole. */
export interface ChartInput {
  series: readonly ChartSeries[];
  phases: readonly ChartPhase[];
  /** Drawn within the steady state; absent = it is one band. */
  periods?: readonly ChartPeriod[] | undefined;
  events: readonly ChartEvent[];
  limits: readonly ChartLimit[];
  /** The value axis starts at 0. */
  fromZero: boolean;
  /** `auto`: past eight series all but one are grey. `all`: each in its colour. */
  emphasis: 'auto' | 'all';
  /** Highlighted while nobody has chosen (`highlightKey`). */
  defaultHighlight: string | null;
  /** Source clock, epoch ms; null for stored data, which neither moves nor goes stale. */
  nowMs: (() => number) | null;
  /** Epoch of 0:00 on the axis. */
  originMs: number;
  /** The value axis of several charts together; absent = its own. */
  scale?: SharedScale | undefined;
}

export const emptyInput: ChartInput = {
  series: [],
  phases: [],
  events: [],
  limits: [],
  fromZero: true,
  emphasis: 'auto',
  defaultHighlight: null,
  nowMs: null,
  originMs: 0,
};

export const highlightKeyOf = (series: ChartSeries): string => series.highlightKey ?? series.key;

/** The highlighted key, or null where all lines are equal. */
export function highlightOf(input: ChartInput, state: GroupState): string | null {
  const has = (key: string | null): boolean =>
    key !== null && input.series.some((s) => highlightKeyOf(s) === key);
  if (has(state.highlight)) return state.highlight;
  if (input.emphasis === 'all' || input.series.length <= maxColoredSeries) return null;
  return has(input.defaultHighlight) ? input.defaultHighlight : highlightKeyOf(input.series[0]!);
}

/** First and last sample over all series, run-relative; NaN while there is none. */
export function extent(series: readonly ChartSeries[]): [number, number] {
  let first = NaN;
  let last = NaN;
  for (const s of series) {
    const from = s.source.firstMs() - s.originMs;
    const to = s.source.lastMs() - s.originMs;
    if (!(from >= first)) first = Number.isNaN(from) ? first : from;
    if (!(to <= last)) last = Number.isNaN(to) ? last : to;
  }
  return [first, last];
}

/** Visible time, run-relative. */
export function timeDomain(input: ChartInput, state: GroupState): readonly [number, number] {
  if (state.zoom !== null) return state.zoom;
  const [first, last] = extent(input.series);
  const start = Number.isNaN(first) ? 0 : Math.min(0, first);
  if (input.nowMs !== null) {
    const now = Math.max(0, state.pausedAtMs ?? input.nowMs() - input.originMs);
    return state.windowMs === null ? growingDomain(start, now) : liveDomain(now, state.windowMs);
  }
  if (Number.isNaN(last)) return [0, state.windowMs ?? 60_000];
  const end = Math.max(last, start + 1_000);
  return state.windowMs === null ? [start, end] : [Math.max(start, end - state.windowMs), end];
}

/**
 * Age of a live series that is stale; 0 while it is fresh, empty or stored.
 */
export function staleAgeMs(
  series: Pick<ChartSeries, 'source' | 'periodMs' | 'lagMs'>,
  nowMs: number | null,
): number {
  if (nowMs === null) return 0;
  const age = nowMs - series.source.lastMs();
  return age > staleAfterMs(series) ? age : 0;
}
