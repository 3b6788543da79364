import type { ChartController } from './controller.ts';
import type { ChartGroup } from './group.ts';
import { extent } from './view.ts';

/** A chart and the charts that share its time. */
export interface LinkedChart {
  controller: ChartController;
  group: ChartGroup;
}

/** The shortest time that is shown. */
export const minZoomMs = 2_000;

/** All there is to show: from the run's start to now or to its planned end, run-relative ms. */
function wholeTime({ controller }: LinkedChart): [number, number] {
  const { originMs, nowMs, phases, series } = controller.input();
  const [first, last] = extent(series);
  const now = nowMs === null ? last : nowMs() - originMs;
  return [
    Math.min(0, Number.isNaN(first) ? 0 : first),
    Math.max(1_000, Number.isNaN(now) ? 0 : now, ...phases.map((p) => p.toMs)),
  ];
}

/** Shows [from, to], kept within the run; a span as long as the run shows it all. */
export function showTime(chart: LinkedChart, from: number, to: number): void {
  const [first, end] = wholeTime(chart);
  const span = Math.max(minZoomMs, to - from);
  if (span >= end - first) {
    chart.group.set({ zoom: null, windowMs: null });
    return;
  }
  const start = Math.max(first, Math.min(end - span, from));
  chart.group.set({ zoom: [start, start + span] });
}

/** Zooms so that `atMs` stays where it is; a factor under 1 shows less. */
export function zoomAt(chart: LinkedChart, atMs: number, factor: number): void {
  const { x } = chart.controller.placement().axes;
  showTime(chart, atMs - (atMs - x[0]) * factor, atMs + (x[1] - atMs) * factor);
}

/** Zooms at the cursor, or at the middle where it is elsewhere. */
export function zoomAtCursor(chart: LinkedChart, factor: number): void {
  const { x } = chart.controller.placement().axes;
  const at = chart.group.cursorMs();
  zoomAt(chart, at >= x[0] && at <= x[1] ? at : (x[0] + x[1]) / 2, factor);
}

/** Moves on by a share of what is shown; a share under 0 goes back. */
export function pan(chart: LinkedChart, share: number): void {
  const { x } = chart.controller.placement().axes;
  showTime(chart, x[0] + (x[1] - x[0]) * share, x[1] + (x[1] - x[0]) * share);
}
