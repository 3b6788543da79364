import type { Axes } from '../../core/chart/scale.ts';
import { type ChartState, createChartState, placementOf, setInput } from './chartState.ts';
import type { ChartTheme, Pen, Placement } from './draw.ts';
import type { ChartGroup } from './group.ts';
import { redraw } from './redraw.ts';
import type { Drawable, DrawScheduler } from './scheduler.ts';
import type { ChartInput } from './view.ts';

/** The DOM side of a chart. Written to directly: no React in the path of an update. */
export interface ChartSurface {
  pen(): Pen | null;
  /**
   * The lines were drawn; values beside them may be rewritten. At most once a second, and on cursor
   * moves.
   */
  readouts(): void;
  /** The cursor moved; x in pixels of the chart, null = none or outside. */
  cursor(xPx: number | null): void;
}

export interface ChartController extends Drawable {
  readonly update: (input: ChartInput) => void;
  readonly resize: (width: number, height: number, dpr: number) => void;
  readonly setTheme: (theme: ChartTheme) => void;
  readonly setVisible: (visible: boolean) => void;
  /** Data may have changed: redraws when it did. */
  readonly poke: () => void;
  readonly input: () => ChartInput;
  readonly axes: () => Axes;
  readonly onAxes: (listener: () => void) => () => void;
  readonly placement: () => Placement;
  readonly timeAt: (xPx: number) => number;
  /** How often lines were drawn: whole, and only what was new. */
  readonly counts: () => { full: number; appended: number };
  /** Follows the group's zoom and cursor until the returned function is called. */
  readonly connect: () => () => void;
}

const readoutsEveryMs = 950;

/**
 * Decides when a chart is drawn; what of it is drawn anew decides `redraw`. `wallMs` is a clock
 * that only goes forward.
 */
export function createChartController(
  surface: ChartSurface,
  group: ChartGroup,
  scheduler: DrawScheduler,
  wallMs: () => number,
): ChartController {
  const state = createChartState(group, wallMs);
  const cursor: Drawable = {
    draw: () => {
      drawCursor(state, surface);
      return false;
    },
  };
  const requestWhole = (): void => {
    state.whole = true;
    scheduler.request(controller);
  };
  const controller: ChartController = {
    draw: () => draw(state, surface),
    update: (next) => {
      setInput(state, next);
      scheduler.request(controller);
    },
    resize: (width, height, dpr) => {
      state.size = { width, height, dpr };
      state.forceAxes = true;
      requestWhole();
    },
    setTheme: (next) => {
      state.theme = next;
      requestWhole();
    },
    setVisible: (next) => {
      state.visible = next;
      if (next) requestWhole();
    },
    poke: () => {
      if (state.visible) scheduler.request(controller);
    },
    input: () => state.input,
    axes: () => state.axes,
    onAxes: (listener) => {
      state.axesListeners.add(listener);
      return () => {
        state.axesListeners.delete(listener);
      };
    },
    placement: () => placementOf(state),
    timeAt: (xPx) => timeAt(placementOf(state), xPx),
    counts: () => ({ ...state.counts }),
    connect: () => {
      const stops = [
        group.subscribe(() => {
          state.forceAxes = true;
          state.readoutsAtMs = -Infinity;
          requestWhole();
        }),
        group.onCursor(() => {
          if (state.visible) scheduler.request(cursor);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
        scheduler.cancel(controller);
        scheduler.cancel(cursor);
      };
    },
  };
  return controller;
}

/** Draws what is due; true where the axes moved. */
function draw(state: ChartState, surface: ChartSurface): boolean {
  if (!state.visible) return false;
  const before = state.axes;
  const pen = surface.pen();
  if (pen !== null && state.theme !== null && state.size.width >= 2)
    redraw(state, pen, state.theme);
  if (state.wallMs() - state.readoutsAtMs >= readoutsEveryMs) {
    state.readoutsAtMs = state.wallMs();
    surface.readouts();
  }
  return state.axes !== before;
}

function drawCursor(state: ChartState, surface: ChartSurface): void {
  const at = state.group.cursorMs();
  const { axes, plot } = placementOf(state);
  const x = plot.left + ((at - axes.x[0]) / (axes.x[1] - axes.x[0])) * plot.width;
  surface.cursor(x >= plot.left - 0.5 && x <= plot.left + plot.width + 0.5 ? x : null);
  surface.readouts();
}

function timeAt({ axes, plot }: Placement, xPx: number): number {
  const share = Math.min(1, Math.max(0, (xPx - plot.left) / plot.width));
  return axes.x[0] + share * (axes.x[1] - axes.x[0]);
}
