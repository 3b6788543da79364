import type { KeyboardEvent, PointerEvent } from 'react';

import { plotKey, type PlotKeysDeps } from './plotKeys.ts';
import { minZoomMs, pan, showTime, zoomAt } from './plotZoom.ts';

/** Pixels a pointer must travel before a press counts as a drag. */
const dragPx = 4;

export interface PlotInput {
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  onPointerMove(event: PointerEvent<HTMLElement>): void;
  onPointerUp(event: PointerEvent<HTMLElement>): void;
  onPointerLeave(): void;
  onDoubleClick(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  /**
   * Ctrl with the wheel zooms at the pointer, Shift pans; without them the page scrolls. To be
   * registered as not passive.
   */
  readonly onWheel: (event: WheelEvent) => void;
}

export interface PlotInputDeps extends PlotKeysDeps {
  /** Shows the dragged span in pixels of the plot element; null hides it. */
  select: (fromPx: number | null, toPx: number) => void;
}

/** Pointer and keyboard on a plot: cursor, linked zoom, reset. */
export function createPlotInput(plot: PlotInputDeps): PlotInput {
  const { controller, group, select } = plot;
  let pressedPx: number | null = null;
  /** Where a pan began: pixel, and the time that was shown. */
  let panFrom: { px: number; x: readonly [number, number] } | null = null;
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      if (event.shiftKey) panFrom = { px: xOf(event), x: controller.placement().axes.x };
      else pressedPx = xOf(event);
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const x = xOf(event);
      if (panFrom !== null) {
        const perPx = (panFrom.x[1] - panFrom.x[0]) / controller.placement().plot.width;
        const byMs = (panFrom.px - x) * perPx;
        showTime(plot, panFrom.x[0] + byMs, panFrom.x[1] + byMs);
        return;
      }
      if (pressedPx !== null && Math.abs(x - pressedPx) > dragPx) select(pressedPx, x);
      group.moveCursor(controller.timeAt(x), controller);
    },
    onPointerUp: (event) => {
      const from = pressedPx;
      pressedPx = null;
      panFrom = null;
      select(null, 0);
      if (from === null || Math.abs(xOf(event) - from) <= dragPx) return;
      const [a, b] = [controller.timeAt(from), controller.timeAt(xOf(event))].sort(
        (p, q) => p - q,
      ) as [number, number];
      group.set({ zoom: [a, Math.max(b, a + minZoomMs)] });
    },
    onPointerLeave: () => {
      if (pressedPx === null) group.moveCursor(NaN, controller);
    },
    onDoubleClick: () => {
      group.set({ zoom: null });
    },
    onKeyDown: (event) => {
      const action = plotKey(plot, event);
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    },
    onWheel: (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      const by = event.deltaY !== 0 ? event.deltaY : event.deltaX;
      if (event.shiftKey) pan(plot, Math.sign(by) * 0.1);
      else {
        const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect();
        zoomAt(plot, controller.timeAt(event.clientX - left), by < 0 ? 0.8 : 1.25);
      }
    },
  };
}

const xOf = (event: PointerEvent<HTMLElement>): number =>
  event.clientX - event.currentTarget.getBoundingClientRect().left;
