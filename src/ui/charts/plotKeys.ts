import type { KeyboardEvent } from 'react';

import { type LinkedChart, pan, zoomAtCursor } from './plotZoom.ts';
import { spokenText } from './readout.ts';
import { extent } from './view.ts';

export interface PlotKeysDeps extends LinkedChart {
  announce: (text: string) => void;
  enlarge: () => void;
}

/** What a key does on a plot; undefined = it is not the plot's. */
export function plotKey(
  plot: PlotKeysDeps,
  event: KeyboardEvent<HTMLElement>,
): (() => void) | undefined {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (key === 'ArrowLeft') return () => stepCursor(plot, event.shiftKey ? -10 : -1);
  if (key === 'ArrowRight') return () => stepCursor(plot, event.shiftKey ? 10 : 1);
  if (key === 'Home') return () => moveCursor(plot, ends(plot)[0]);
  if (key === 'End') return () => moveCursor(plot, ends(plot)[1]);
  if (key === 'Enter') return plot.enlarge;
  if (key === 'Escape') return undo(plot);
  // A presenter's clicker and keys turn slides and set the pace: there the plot leaves them alone.
  return event.currentTarget.closest('[data-presenter]') === null ? zoomKey(plot, key) : undefined;
}

function zoomKey(plot: PlotKeysDeps, key: string): (() => void) | undefined {
  if (key === '+' || key === '=') return () => zoomAtCursor(plot, 0.5);
  if (key === '-') return () => zoomAtCursor(plot, 2);
  if (key === 'PageUp') return () => pan(plot, -0.5);
  if (key === 'PageDown') return () => pan(plot, 0.5);
  return undefined;
}

/** Takes back the cursor, or without one the zoom. */
function undo({ controller, group }: PlotKeysDeps): (() => void) | undefined {
  if (!Number.isNaN(group.cursorMs())) return () => group.moveCursor(NaN, controller);
  return group.get().zoom === null ? undefined : () => group.set({ zoom: null });
}

/** Moves the cursor by steps of at least a sample; the first press takes it to an end. */
function stepCursor(plot: PlotKeysDeps, steps: number): void {
  const { axes } = plot.controller.placement();
  const { series } = plot.controller.input();
  const span = axes.x[1] - axes.x[0];
  const period = Math.min(...series.map((s) => s.periodMs), span);
  const stepMs = Math.max(period, Math.round(span / 200 / period) * period);
  const [from, to] = ends(plot);
  const at = plot.group.cursorMs();
  if (Number.isNaN(at)) moveCursor(plot, steps < 0 ? to : from);
  else moveCursor(plot, Math.min(to, Math.max(from, at + steps * stepMs)));
}

/** Moves the cursor of all linked charts and reads out what it points at. */
function moveCursor({ controller, group, announce }: PlotKeysDeps, atMs: number): void {
  if (Number.isNaN(atMs)) return;
  group.moveCursor(atMs, controller);
  announce(spokenText(controller.input(), group.get(), atMs));
}

/** First and last sample of what is shown, run-relative ms. */
function ends({ controller }: PlotKeysDeps): [number, number] {
  const { axes } = controller.placement();
  const [first, last] = extent(controller.input().series);
  return [Math.max(axes.x[0], first), Math.min(axes.x[1], last)];
}
