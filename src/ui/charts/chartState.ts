import {
  type Axes,
  makeAxes,
  sameAxes,
  valueDomain,
  valueTicks,
  withinShare,
} from '../../core/chart/scale.ts';
import { type ChartTheme, type Placement, type PlotRect, widen } from './draw.ts';
import type { ChartGroup } from './group.ts';
import { type ChartInput, emptyInput } from './view.ts';

/** A chart between two drawings: what it shows, its axes, and what its canvas has already. */
export interface ChartState {
  readonly group: ChartGroup;
  readonly wallMs: () => number;
  readonly axesListeners: Set<() => void>;
  /** Values seen while the axes are placed: one object for all drawings. */
  readonly range: { low: number; high: number };
  /** How often lines were drawn: whole, and only what was new. */
  readonly counts: { full: number; appended: number };
  input: ChartInput;
  theme: ChartTheme | null;
  size: { width: number; height: number; dpr: number };
  axes: Axes;
  axesAtMs: number;
  readoutsAtMs: number;
  visible: boolean;
  /** The next drawing draws everything. */
  whole: boolean;
  /** The next drawing places the axes anew, whatever they were. */
  forceAxes: boolean;
  /** Of each series, as it was drawn last: newest sample, revision, 1 = stale. */
  drawnTo: Float64Array;
  revisions: Float64Array;
  stale: Uint8Array;
}

/** Room around the plot, in pixels: fixed, so that frame and canvas agree without measuring. */
export const margins = { left: 56, right: 24, top: 6, bottom: 22 };
/** The axes of a live chart move at most this often. */
export const axesEveryMs = 1_000;

export const createChartState = (group: ChartGroup, wallMs: () => number): ChartState => ({
  group,
  wallMs,
  axesListeners: new Set(),
  range: { low: Infinity, high: -Infinity },
  counts: { full: 0, appended: 0 },
  input: emptyInput,
  theme: null,
  size: { width: 0, height: 0, dpr: 1 },
  axes: makeAxes([0, 60_000], [0, 1], 600, 160),
  axesAtMs: -Infinity,
  readoutsAtMs: -Infinity,
  visible: true,
  whole: true,
  forceAxes: true,
  drawnTo: new Float64Array(0),
  revisions: new Float64Array(0),
  stale: new Uint8Array(0),
});

/** Shows something else from the next drawing on. Other series: nothing of them is drawn yet. */
export function setInput(state: ChartState, next: ChartInput): void {
  if (next.series !== state.input.series) {
    state.drawnTo = new Float64Array(next.series.length).fill(NaN);
    state.revisions = new Float64Array(next.series.length).fill(NaN);
    state.stale = new Uint8Array(next.series.length);
    state.forceAxes = true;
  }
  state.input = next;
  state.whole = true;
  state.readoutsAtMs = -Infinity;
}

function plotRect(width: number, height: number): PlotRect {
  return {
    left: margins.left,
    top: margins.top,
    width: Math.max(1, width - margins.left - margins.right),
    height: Math.max(1, height - margins.top - margins.bottom),
  };
}

/** Where the plot lies on the canvas, px, with its axes. */
export function placementOf({ axes, size }: ChartState): Placement {
  const plot = plotRect(size.width, size.height);
  return { axes, plot, pixelsWide: Math.max(1, Math.round(plot.width * size.dpr)) };
}

/** Places the axes for this span of time and tells who listens, where they moved. */
export function moveAxes(state: ChartState, x: readonly [number, number]): void {
  const { input, range, size, wallMs } = state;
  const plot = plotRect(size.width, size.height);
  const now = wallMs();
  const ticks = valueTicks(plot.height);
  widenToData(state, x);
  const shared = input.scale?.domain(x, input.fromZero, ticks, now);
  const next = makeAxes(
    x,
    shared ??
      (keepsValues(state, x, now)
        ? state.axes.y
        : withinShare(
            valueDomain(
              range.low,
              range.high,
              input.fromZero,
              ticks,
              state.forceAxes ? null : state.axes.y,
            ),
            input.series[0]?.unit,
            range.high,
          )),
    plot.width,
    plot.height,
  );
  state.forceAxes = false;
  if (sameAxes(next, state.axes)) return;
  state.axes = next;
  state.axesAtMs = now;
  for (const listener of state.axesListeners) listener();
}

function widenToData({ input, range }: ChartState, x: readonly [number, number]): void {
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
}

const keepsValues = (
  { forceAxes, axes, axesAtMs }: ChartState,
  x: readonly [number, number],
  now: number,
): boolean =>
  !forceAxes && now - axesAtMs < axesEveryMs && axes.x[0] === x[0] && axes.x[1] === x[1];

/** Another chart's values moved the axis that is shared. */
export function sharedMoved(
  { input, size, axes, wallMs }: ChartState,
  x: readonly [number, number],
): boolean {
  const y = input.scale?.domain(
    x,
    input.fromZero,
    valueTicks(plotRect(size.width, size.height).height),
    wallMs(),
  );
  return y !== undefined && (y[0] !== axes.y[0] || y[1] !== axes.y[1]);
}
