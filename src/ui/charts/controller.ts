import { type Axes, makeAxes, sameAxes, valueDomain, valueTicks } from '../../core/chart/scale.ts';
import {
  type ChartTheme,
  drawEvents,
  drawLimits,
  drawLine,
  drawPhases,
  type Pen,
  type Placement,
  type PlotRect,
  widen,
} from './draw.ts';
import type { ChartGroup } from './group.ts';
import type { Drawable, DrawScheduler } from './scheduler.ts';
import {
  type ChartInput,
  emptyInput,
  highlightKeyOf,
  highlightOf,
  staleAgeMs,
  timeDomain,
} from './view.ts';

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

/** Room around the plot, in pixels: fixed, so that frame and canvas agree without measuring. */
export const margins = { left: 56, right: 24, top: 6, bottom: 22 };
const axesEveryMs = 1_000;
const readoutsEveryMs = 950;

function plotRect(width: number, height: number): PlotRect {
  return {
    left: margins.left,
    top: margins.top,
    width: Math.max(1, width - margins.left - margins.right),
    height: Math.max(1, height - margins.top - margins.bottom),
  };
}

/**
 * Decides what to draw when. A redraw that finds only newer samples draws just those onto what is
 * there: the axes of a live chart stand still for a tenth of the window, so this is the common
 * case.
 */
export function createChartController(
  surface: ChartSurface,
  group: ChartGroup,
  scheduler: DrawScheduler,
  wallMs: () => number,
): ChartController {
  let input = emptyInput;
  let theme: ChartTheme | null = null;
  let size = { width: 0, height: 0, dpr: 1 };
  let axes: Axes = makeAxes([0, 60_000], [0, 1], 600, 160);
  let axesAtMs = -Infinity;
  let readoutsAtMs = -Infinity;
  let visible = true;
  let whole = true;
  let forceAxes = true;
  let drawnTo = new Float64Array(0);
  let revisions = new Float64Array(0);
  let stale = new Uint8Array(0);
  const counts = { full: 0, appended: 0 };
  const listeners = new Set<() => void>();
  const range = { low: Infinity, high: -Infinity };

  const placement = (): Placement => ({
    axes,
    plot: plotRect(size.width, size.height),
    pixelsWide: Math.max(1, Math.round(plotRect(size.width, size.height).width * size.dpr)),
  });
  const isDashed = (): boolean => input.series.some((s) => s.dash.length > 0);

  /** What changed since the last drawing: nothing, only newer samples, or more than that. */
  const inspect = (now: number | null): 'same' | 'appended' | 'whole' => {
    let appended = false;
    for (let i = 0; i < input.series.length; i++) {
      const s = input.series[i]!;
      const isStale = staleAgeMs(s, now) > 0 ? 1 : 0;
      if (s.source.revision() !== revisions[i] || isStale !== stale[i]) return 'whole';
      if (!Object.is(s.source.lastMs(), drawnTo[i])) {
        if (Number.isNaN(drawnTo[i])) return 'whole';
        appended = true;
      }
    }
    return appended ? 'appended' : 'same';
  };
  const remember = (now: number | null): void => {
    input.series.forEach((s, i) => {
      drawnTo[i] = s.source.lastMs();
      revisions[i] = s.source.revision();
      stale[i] = staleAgeMs(s, now) > 0 ? 1 : 0;
    });
  };
  const moveAxes = (x: readonly [number, number]): void => {
    range.low = Infinity;
    range.high = -Infinity;
    for (const s of input.series) widen(s, x, range);
    const dataHigh = range.high;
    for (const limit of input.limits) {
      // A limit far beyond the data would flatten it: it is named at the edge instead.
      if (dataHigh === -Infinity || limit.value > dataHigh * 4) continue;
      range.low = Math.min(range.low, limit.value);
      range.high = Math.max(range.high, limit.value);
    }
    const plot = plotRect(size.width, size.height);
    const now = wallMs();
    const settled = !forceAxes && now - axesAtMs < axesEveryMs;
    const keepY = settled && axes.x[0] === x[0] && axes.x[1] === x[1];
    const shared = input.scale?.domain(x, input.fromZero, valueTicks(plot.height), now);
    const y =
      shared ??
      (keepY
        ? axes.y
        : valueDomain(
            range.low,
            range.high,
            input.fromZero,
            valueTicks(plot.height),
            forceAxes ? null : axes.y,
          ));
    const next = makeAxes(x, y, plot.width, plot.height);
    forceAxes = false;
    if (sameAxes(next, axes)) return;
    axes = next;
    axesAtMs = now;
    for (const listener of listeners) listener();
  };
  /** Another chart's values moved the axis that is shared. */
  const sharedMoved = (x: readonly [number, number]): boolean => {
    const y = input.scale?.domain(
      x,
      input.fromZero,
      valueTicks(plotRect(size.width, size.height).height),
      wallMs(),
    );
    return y !== undefined && (y[0] !== axes.y[0] || y[1] !== axes.y[1]);
  };
  const lines = (pen: Pen, place: Placement, sinceOf: (index: number) => number): void => {
    const chosen = highlightOf(input, group.get());
    const muted = theme!.muted;
    for (const wanted of [false, true]) {
      input.series.forEach((s, i) => {
        const highlighted = chosen !== null && highlightKeyOf(s) === chosen;
        if (highlighted === wanted)
          drawLine(
            pen,
            s,
            place,
            chosen === null ? 'normal' : highlighted ? 'highlighted' : 'muted',
            muted,
            stale[i] === 1,
            sinceOf(i),
          );
      });
    }
  };
  const prepare = (pen: Pen, place: Placement): void => {
    pen.setTransform(size.dpr, 0, 0, size.dpr, 0, 0);
    pen.save();
    pen.lineJoin = 'round';
    pen.beginPath();
    pen.rect(place.plot.left, place.plot.top - 1, place.plot.width, place.plot.height + 2);
    pen.clip();
  };
  const drawWhole = (pen: Pen, x: readonly [number, number], now: number | null): void => {
    moveAxes(x);
    remember(now);
    const place = placement();
    prepare(pen, place);
    pen.clearRect(0, 0, size.width, size.height);
    drawPhases(pen, input.phases, place, theme!);
    lines(pen, place, () => -Infinity);
    drawLimits(pen, input.limits, place, theme!);
    drawEvents(pen, input.events, place, theme!);
    pen.restore();
    counts.full++;
  };
  /** False where the new samples do not fit the axes. */
  const drawAppended = (pen: Pen, now: number | null): boolean => {
    range.low = Infinity;
    range.high = -Infinity;
    input.series.forEach((s, i) => widen(s, [drawnTo[i]! - s.originMs, axes.x[1]], range));
    const grows = range.low < axes.y[0] || range.high > axes.y[1];
    if (grows && wallMs() - axesAtMs >= axesEveryMs) return false;
    const place = placement();
    prepare(pen, place);
    lines(pen, place, (i) => drawnTo[i]! - input.series[i]!.originMs);
    pen.restore();
    remember(now);
    // Clipped for now: the axes may move once a second.
    if (grows) whole = true;
    counts.appended++;
    return true;
  };
  const paint = (pen: Pen): void => {
    const now = input.nowMs === null ? null : input.nowMs();
    const x = timeDomain(input, group.get());
    const change =
      whole || sharedMoved(x) || x[0] !== axes.x[0] || x[1] !== axes.x[1] ? 'whole' : inspect(now);
    // Paused stands still; what arrives meanwhile is drawn when it follows again.
    if (change === 'same' || (change === 'appended' && group.get().pausedAtMs !== null)) return;
    whole = false;
    if (change === 'whole' || isDashed() || !drawAppended(pen, now)) drawWhole(pen, x, now);
  };
  const cursorDrawable: Drawable = {
    draw: () => {
      const at = group.cursorMs();
      const { plot } = placement();
      const x = plot.left + ((at - axes.x[0]) / (axes.x[1] - axes.x[0])) * plot.width;
      surface.cursor(x >= plot.left - 0.5 && x <= plot.left + plot.width + 0.5 ? x : null);
      surface.readouts();
      return false;
    },
  };

  const controller: ChartController = {
    draw: () => {
      if (!visible) return false;
      const before = axes;
      const pen = surface.pen();
      if (pen !== null && theme !== null && size.width >= 2) paint(pen);
      if (wallMs() - readoutsAtMs >= readoutsEveryMs) {
        readoutsAtMs = wallMs();
        surface.readouts();
      }
      return axes !== before;
    },
    update: (next) => {
      const otherSeries = next.series !== input.series;
      if (otherSeries) {
        drawnTo = new Float64Array(next.series.length).fill(NaN);
        revisions = new Float64Array(next.series.length).fill(NaN);
        stale = new Uint8Array(next.series.length);
        forceAxes = true;
      }
      input = next;
      whole = true;
      readoutsAtMs = -Infinity;
      scheduler.request(controller);
    },
    resize: (width, height, dpr) => {
      size = { width, height, dpr };
      whole = true;
      forceAxes = true;
      scheduler.request(controller);
    },
    setTheme: (next) => {
      theme = next;
      whole = true;
      scheduler.request(controller);
    },
    setVisible: (next) => {
      visible = next;
      if (visible) {
        whole = true;
        scheduler.request(controller);
      }
    },
    poke: () => {
      if (visible) scheduler.request(controller);
    },
    input: () => input,
    axes: () => axes,
    onAxes: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    placement,
    timeAt: (xPx) => {
      const { plot } = placement();
      const share = Math.min(1, Math.max(0, (xPx - plot.left) / plot.width));
      return axes.x[0] + share * (axes.x[1] - axes.x[0]);
    },
    counts: () => ({ ...counts }),
    connect: () => {
      const stops = [
        group.subscribe(() => {
          whole = true;
          forceAxes = true;
          readoutsAtMs = -Infinity;
          scheduler.request(controller);
        }),
        group.onCursor(() => {
          if (visible) scheduler.request(cursorDrawable);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
        scheduler.cancel(controller);
        scheduler.cancel(cursorDrawable);
      };
    },
  };
  return controller;
}
