import {
  formatAge,
  formatClock,
  formatElapsed,
  formatExact,
  formatQuantity,
  hasLargerUnits,
} from '../../core/base/format.ts';
import { maxColoredSeries, neutralColor } from '../../core/chart/palette.ts';
import { isLongStale } from '../../core/metric/stale.ts';
import { median } from '../../core/stats/summary.ts';
import { type ChartSeries, nearest } from '../engine/series.ts';
import type { GroupState } from './group.ts';
import { type ChartInput, highlightKeyOf, highlightOf, staleAgeMs } from './view.ts';

/** The value of one series at the cursor, or its last one. */
export interface Reading {
  series: ChartSeries;
  value: number;
  atCursor: boolean;
  /** Age of the last sample past what is usual; 0 = fresh. */ staleMs: number;
}

/**
 * Values at the cursor (nearest sample; none in a gap), or the last ones where there is no cursor.
 */
export function readings(input: ChartInput, cursorMs: number): Reading[] {
  const now = input.nowMs === null ? null : input.nowMs();
  return input.series.map((series) => ({
    series,
    staleMs: staleAgeMs(series, now),
    atCursor: !Number.isNaN(cursorMs),
    value: Number.isNaN(cursorMs)
      ? series.source.lastValue()
      : (nearest(series.source, cursorMs + series.originMs)?.value ?? NaN),
  }));
}

/** The unit stands with a figure where the title's may be another one: `1.97 s` among ms. */
function shownFigure(value: number, of: string): string {
  const { figure, unit } = formatQuantity(value, of);
  return hasLargerUnits(of) && Number.isFinite(value) ? `${figure} ${unit}` : figure;
}

export const legendText = (r: Reading): string =>
  `${shownFigure(r.value, r.series.unit)}${r.staleMs > 0 && !r.atCursor ? ` stale ${formatAge(r.staleMs)}` : ''}`;

export const timeText = (input: ChartInput, state: GroupState, atMs: number): string =>
  state.clock ? formatClock(atMs + input.originMs) : formatElapsed(atMs);

/** Lowest, median and highest of many series, as one line. */
export function spreadText(list: readonly Reading[]): string {
  const values = list.map((r) => r.value).filter(Number.isFinite);
  if (values.length === 0) return 'no value';
  const shown = (value: number): string => shownFigure(value, list[0]?.series.unit ?? '');
  return (
    `min ${shown(Math.min(...values))} · median ${shown(median(values))} · max ` +
    shown(Math.max(...values))
  );
}

export interface ReadoutLine {
  label: string;
  color: string;
  text: string;
}

/**
 * Lines of the box beside the cursor: every series up to eight, else the highlighted, highest and
 * lowest. Exact values.
 */
export function readoutLines(
  input: ChartInput,
  state: GroupState,
  list: readonly Reading[],
): ReadoutLine[] {
  const exact = (r: Reading, prefix = ''): ReadoutLine => ({
    label: prefix + r.series.label,
    color: r.series.color,
    text: Number.isFinite(r.value)
      ? `${formatExact(r.value, r.series.decimals)} ${r.series.unit}`
      : 'no sample',
  });
  if (list.length <= maxColoredSeries) return list.map((r) => exact(r));
  const chosen = highlightOf(input, state);
  const known = list.filter((r) => Number.isFinite(r.value)).sort((a, b) => b.value - a.value);
  const lines = list.filter((r) => highlightKeyOf(r.series) === chosen).map((r) => exact(r));
  // Their lines are grey.
  const other = (r: Reading, prefix: string): ReadoutLine => ({
    ...exact(r, prefix),
    ...(highlightKeyOf(r.series) !== chosen && { color: neutralColor }),
  });
  if (known.length > 0) lines.push(other(known[0]!, 'max: '), other(known.at(-1)!, 'min: '));
  return lines;
}

/** Events within `reachMs` of the cursor. */
export const eventsNear = (input: ChartInput, atMs: number, reachMs: number): string[] =>
  input.events
    .filter((e) => Math.abs(e.atMs - atMs) <= reachMs)
    .slice(0, 4)
    .map((e) => e.text);

/** What a screen reader says after the cursor moved by keyboard. */
export function spokenText(input: ChartInput, state: GroupState, atMs: number): string {
  const lines = readoutLines(input, state, readings(input, atMs));
  return `${timeText(input, state, atMs)}. ${lines.map((l) => `${l.label} ${l.text}`).join('. ')}`;
}

/** Whether a stale series has been so for long: the badge is grey until then. */
export const isLongStatus = (list: readonly Reading[]): boolean =>
  list.some((r) => isLongStale(r.staleMs, r.series));

/** Badge of the chart: stale series, by count. */
export function statusText(list: readonly Reading[]): string {
  const stale = list.filter((r) => r.staleMs > 0);
  if (stale.length === 0) return '';
  return stale.length === list.length
    ? `Stale ${formatAge(Math.min(...stale.map((r) => r.staleMs)))}`
    : `${stale.length} of ${list.length} stale`;
}
