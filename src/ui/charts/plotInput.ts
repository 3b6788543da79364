import type { KeyboardEvent, PointerEvent } from 'react';

import type { ChartController } from './controller.ts';
import type { ChartGroup } from './group.ts';
import { spokenText } from './readout.ts';
import { extent } from './view.ts';

/** Pixels a pointer must travel before a press counts as a drag. */
const dragPx = 4;
const minZoomMs = 2_000;

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

export interface PlotInputDeps {
  controller: ChartController;
  group: ChartGroup;
  /** Shows the dragged span in pixels of the plot element; null hides it. */
  select: (fromPx: number | null, toPx: number) => void;
  announce: (text: string) => void;
  enlarge: () => void;
}

/** Pointer and keyboard on a plot: cursor, linked zoom, reset. */
export function createPlotInput({
  controller,
  group,
  select,
  announce,
  enlarge,
}: PlotInputDeps): PlotInput {
  let pressedPx: number | null = null;
  /** Where a pan began: pixel, and the time that was shown. */
  let panFrom: { px: number; x: readonly [number, number] } | null = null;
  const xOf = (event: PointerEvent<HTMLElement>): number =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  const whole = (): [number, number] => {
    const { originMs, nowMs, phases } = controller.input();
    const [first, last] = extent(controller.input().series);
    const now = nowMs === null ? last : nowMs() - originMs;
    return [
      Math.min(0, Number.isNaN(first) ? 0 : first),
      Math.max(1_000, Number.isNaN(now) ? 0 : now, ...phases.map((p) => p.toMs)),
    ];
  };
  /** Shows [from, to], kept within the run; a span as long as the run shows it all. */
  const view = (from: number, to: number): void => {
    const [first, end] = whole();
    const span = Math.max(minZoomMs, to - from);
    if (span >= end - first) {
      group.set({ zoom: null, windowMs: null });
      return;
    }
    const start = Math.max(first, Math.min(end - span, from));
    group.set({ zoom: [start, start + span] });
  };
  const zoomAt = (atMs: number, factor: number): void => {
    const { x } = controller.placement().axes;
    view(atMs - (atMs - x[0]) * factor, atMs + (x[1] - atMs) * factor);
  };
  const pan = (share: number): void => {
    const { x } = controller.placement().axes;
    view(x[0] + (x[1] - x[0]) * share, x[1] + (x[1] - x[0]) * share);
  };
  const zoomByKey = (factor: number): void => {
    const { x } = controller.placement().axes;
    const at = group.cursorMs();
    zoomAt(at >= x[0] && at <= x[1] ? at : (x[0] + x[1]) / 2, factor);
  };
  const step = (event: KeyboardEvent, direction: number): void => {
    const { axes } = controller.placement();
    const { series } = controller.input();
    const span = axes.x[1] - axes.x[0];
    const period = Math.min(...series.map((s) => s.periodMs), span);
    const stepMs =
      Math.max(period, Math.round(span / 200 / period) * period) * (event.shiftKey ? 10 : 1);
    const [first, last] = extent(series);
    const from = Math.max(axes.x[0], first);
    const to = Math.min(axes.x[1], last);
    const at = group.cursorMs();
    moveTo(
      Number.isNaN(at)
        ? direction < 0
          ? to
          : from
        : Math.min(to, Math.max(from, at + direction * stepMs)),
    );
  };
  const moveTo = (at: number): void => {
    if (Number.isNaN(at)) return;
    group.moveCursor(at, controller);
    announce(spokenText(controller.input(), group.get(), at));
  };
  const ends = (): [number, number] => {
    const { axes } = controller.placement();
    const [first, last] = extent(controller.input().series);
    return [Math.max(axes.x[0], first), Math.min(axes.x[1], last)];
  };
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
        view(panFrom.x[0] + (panFrom.px - x) * perPx, panFrom.x[1] + (panFrom.px - x) * perPx);
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
      const actions: Record<string, (() => void) | undefined> = {
        ArrowLeft: () => {
          step(event, -1);
        },
        ArrowRight: () => {
          step(event, 1);
        },
        Home: () => {
          moveTo(ends()[0]);
        },
        End: () => {
          moveTo(ends()[1]);
        },
        // A presenter's clicker and keys turn slides and set the pace: there the plot leaves them
        // alone.
        ...(event.currentTarget.closest('[data-presenter]') === null
          ? {
              '+': () => {
                zoomByKey(0.5);
              },
              '=': () => {
                zoomByKey(0.5);
              },
              '-': () => {
                zoomByKey(2);
              },
              PageUp: () => {
                pan(-0.5);
              },
              PageDown: () => {
                pan(0.5);
              },
            }
          : {}),
        Enter: enlarge,
        Escape:
          Number.isNaN(group.cursorMs()) && group.get().zoom === null
            ? undefined
            : () => {
                if (Number.isNaN(group.cursorMs())) group.set({ zoom: null });
                else group.moveCursor(NaN, controller);
              },
      };
      const action =
        event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    },
    onWheel: (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      const by = event.deltaY !== 0 ? event.deltaY : event.deltaX;
      if (event.shiftKey) pan(Math.sign(by) * 0.1);
      else
        zoomAt(
          controller.timeAt(
            event.clientX - (event.currentTarget as HTMLElement).getBoundingClientRect().left,
          ),
          by < 0 ? 0.8 : 1.25,
        );
    },
  };
}
