import { createPointBuffer, decimate } from '../../core/base/decimate.ts';
import type { ChartLimit } from '../../core/chart/boardCharts.ts';
import type { Axes } from '../../core/chart/scale.ts';
import type { PhaseName } from '../../core/run/states.ts';
import { type ChartSeries, createSeriesWindow } from '../engine/series.ts';

/** What drawing needs of a canvas; tests record the calls. */
export type Pen = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'stroke'
  | 'fillRect'
  | 'clearRect'
  | 'fillText'
  | 'measureText'
  | 'setLineDash'
  | 'save'
  | 'restore'
  | 'rect'
  | 'clip'
  | 'arc'
  | 'fill'
  | 'setTransform'
  | 'strokeStyle'
  | 'fillStyle'
  | 'lineWidth'
  | 'lineJoin'
  | 'globalAlpha'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'createLinearGradient'
>;

export interface PlotRect {
  left: number;
  top: number;
  width: number;
  height: number;
}
export interface ChartTheme {
  text: string;
  dimmed: string;
  grid: string;
  background: string;
  limit: string;
  muted: string;
  font: string;
  band: string;
  bandSteady: string;
  /** A measurement period in which a limit broke. */
  bandOver: string;
  /** Where the knee of a curve lies. */
  kneeBand: string;
}

export interface ChartPhase {
  name: PhaseName;
  fromMs: number;
  toMs: number;
}
/** A measurement period within the steady state. */
export interface ChartPeriod {
  /** `Period 2`; its last word alone where there is no room. */
  label: string;
  fromMs: number;
  toMs: number;
  /** A limit of what is drawn broke in it. */
  over: boolean;
}
export interface ChartEvent {
  id: number | string;
  atMs: number;
  /** It lasted till then: what lies between is shaded. */
  untilMs?: number | undefined;
  kind: string;
  text: string;
  /**
   * Of a VM's move or event: an operation of the run, DRS or HA, its host's teaming, or somebody
   * else; each has its shape.
   */ by?: 'run' | 'drs' | 'teaming' | 'other' | undefined;
  /** A flag over the whole height with its words, in place of a mark in the lane. */
  flag?: true;
}
export type { ChartLimit };

export interface Placement {
  axes: Axes;
  plot: PlotRect;
  pixelsWide: number;
}

const lineWidth = 1.25;
const fadePx = 28;
/** Height above all lines where events have their marks. */
export const eventLanePx = 10;
const window = createSeriesWindow();
const points = createPointBuffer(8_192);

export const xOf = (p: Placement, ms: number): number =>
  p.plot.left + ((ms - p.axes.x[0]) / (p.axes.x[1] - p.axes.x[0])) * p.plot.width;
export const yOf = (p: Placement, value: number): number =>
  p.plot.top + (1 - (value - p.axes.y[0]) / (p.axes.y[1] - p.axes.y[0])) * p.plot.height;

/** Smallest and largest value of a series within the visible time; `into` is widened. */
export function widen(
  series: ChartSeries,
  x: readonly [number, number],
  into: { low: number; high: number },
): void {
  const from = x[0] + series.originMs;
  const to = x[1] + series.originMs;
  series.source.read(from, to, window);
  for (let p = 0; p < window.count; p++) {
    const { t, v, start, end } = window.parts[p]!;
    for (let i = start; i < end; i++) {
      const value = v[i]!;
      if ((value < into.low || value > into.high) && t[i]! >= from && t[i]! <= to) {
        if (value < into.low) into.low = value;
        if (value > into.high) into.high = value;
      }
    }
  }
}

export type LineLook = 'normal' | 'muted' | 'highlighted';

/**
 * Draws one line from `sinceMs` (run-relative) on. Reduced to at most four points a pixel column; a
 * gap lifts the pen. Allocates nothing but the fading gradient of a stale end.
 */
export function drawLine(
  pen: Pen,
  series: ChartSeries,
  place: Placement,
  look: LineLook,
  mutedColor: string,
  stale: boolean,
  sinceMs: number,
): void {
  const { axes, plot } = place;
  const origin = series.originMs;
  const kx = plot.width / (axes.x[1] - axes.x[0]);
  const bx = plot.left - (axes.x[0] + origin) * kx;
  const ky = -plot.height / (axes.y[1] - axes.y[0]);
  const by = plot.top + plot.height - axes.y[0] * ky;
  series.source.read(Math.max(axes.x[0], sinceMs) + origin, axes.x[1] + origin, window);
  if (window.count === 0) return;
  pen.lineWidth = look === 'highlighted' ? 2 : look === 'muted' ? 1 : lineWidth;
  const color = look === 'muted' ? mutedColor : series.color;
  pen.strokeStyle = stale ? fading(pen, color, xOf(place, series.source.lastMs() - origin)) : color;
  // A highlighted line stands out among grey ones: whole, it reads better.
  const dashed = look === 'normal' && series.dash.length > 0;
  if (dashed) pen.setLineDash(series.dash as number[]);
  pen.beginPath();
  let lastT = NaN;
  for (let p = 0; p < window.count; p++) {
    const part = window.parts[p]!;
    let { t, v, start, end } = part;
    const bucketMs = Math.max(1e-3, (axes.x[1] - axes.x[0]) / place.pixelsWide);
    if (
      end - start > place.pixelsWide * 2 &&
      end - start > ((t[end - 1]! - t[start]!) / bucketMs) * 2
    ) {
      decimate(t, v, start, end, bucketMs, points);
      t = points.t;
      v = points.v;
      start = 0;
      end = points.length;
    }
    const gapMs = Math.max(part.gapMs, p > 0 ? window.parts[p - 1]!.gapMs : 0);
    let alone = false;
    for (let i = start; i < end; i++) {
      const at = t[i]!;
      const x = at * kx + bx;
      const y = v[i]! * ky + by;
      if (at - lastT <= gapMs) {
        pen.lineTo(x, y);
        alone = false;
      } else {
        if (alone) dot(pen, lastT * kx + bx, v[i - 1]! * ky + by);
        pen.moveTo(x, y);
        alone = true;
      }
      lastT = at;
    }
    if (alone && end > start) dot(pen, lastT * kx + bx, v[end - 1]! * ky + by);
  }
  pen.stroke();
  if (dashed) pen.setLineDash([]);
}

/** A sample between two gaps would be invisible as a line of no length. */
function dot(pen: Pen, x: number, y: number): void {
  pen.moveTo(x - 1, y);
  pen.lineTo(x + 1, y);
}

function fading(pen: Pen, color: string, endX: number): CanvasGradient {
  const gradient = pen.createLinearGradient(endX - fadePx, 0, endX, 0);
  gradient.addColorStop(0, color);
  gradient.addColorStop(1, `${color}30`);
  return gradient;
}

const phaseLabels = { rampUp: 'Ramp-up', steady: 'Steady', rampDown: 'Ramp-down' } as const;

/** Phases as bands behind everything. */
export function drawPhases(
  pen: Pen,
  phases: readonly ChartPhase[],
  place: Placement,
  theme: ChartTheme,
  periods: readonly ChartPeriod[] = [],
): void {
  const { left, top, width, height } = place.plot;
  for (const phase of phases) {
    const from = Math.max(left, xOf(place, phase.fromMs));
    const to = Math.min(left + width, xOf(place, phase.toMs));
    if (to <= from) continue;
    pen.fillStyle = phase.name === 'steady' ? theme.bandSteady : theme.band;
    pen.fillRect(from, top, to - from, height);
  }
  for (const period of periods) drawPeriod(pen, period, place, theme);
}

/**
 * Names of phases and periods at their upper left, over the lines and on a ground of their own:
 * under a line they could not be read.
 */
export function drawPhaseNames(
  pen: Pen,
  phases: readonly ChartPhase[],
  place: Placement,
  theme: ChartTheme,
  periods: readonly ChartPeriod[] = [],
): void {
  const { left, top, width } = place.plot;
  pen.font = theme.font;
  pen.textAlign = 'left';
  pen.textBaseline = 'top';
  const write = (fromMs: number, toMs: number, labels: readonly string[]): void => {
    const from = Math.max(left, xOf(place, fromMs));
    const room = Math.min(left + width, xOf(place, toMs)) - from;
    const label = labels.find((one) => pen.measureText(one).width + 8 <= room);
    if (label === undefined) return;
    const y = top + eventLanePx + 2;
    pen.globalAlpha = 0.75;
    pen.fillStyle = theme.background;
    pen.fillRect(from + 2, y - 1, pen.measureText(label).width + 4, 14);
    pen.globalAlpha = 1;
    pen.fillStyle = theme.dimmed;
    pen.fillText(label, from + 4, y);
  };
  // The periods of the steady state say more, and stand in the same place.
  for (const phase of phases)
    if (phase.name !== 'steady' || periods.length === 0)
      write(phase.fromMs, phase.toMs, [phaseLabels[phase.name]]);
  for (const { label, fromMs, toMs } of periods)
    write(fromMs, toMs, [label, label.split(' ').at(-1) ?? label]);
}

/** A measurement period: its bounds as hairlines, a tint where a limit broke in it. */
function drawPeriod(pen: Pen, period: ChartPeriod, place: Placement, theme: ChartTheme): void {
  const { left, top, width, height } = place.plot;
  const from = Math.max(left, xOf(place, period.fromMs));
  const to = Math.min(left + width, xOf(place, period.toMs));
  if (to <= from) return;
  if (period.over) {
    pen.fillStyle = theme.bandOver;
    pen.fillRect(from, top, to - from, height);
  }
  pen.fillStyle = theme.grid;
  pen.fillRect(from, top, 1, height);
  pen.fillRect(to, top, 1, height);
}

/**
 * QoS limits as labelled lines; one beyond the axis is named at the edge with its value, never
 * silently left out.
 */
export function drawLimits(
  pen: Pen,
  limits: readonly ChartLimit[],
  place: Placement,
  theme: ChartTheme,
): void {
  const { left, top, width, height } = place.plot;
  pen.font = theme.font;
  pen.textAlign = 'right';
  const taken: number[] = [];
  for (const limit of limits) {
    const y = yOf(place, limit.value);
    const outside = y < top || y > top + height;
    pen.strokeStyle = theme.limit;
    pen.fillStyle = theme.limit;
    if (!outside) {
      pen.lineWidth = 1;
      pen.setLineDash([5, 3]);
      pen.beginPath();
      pen.moveTo(left, Math.round(y) + 0.5);
      pen.lineTo(left + width, Math.round(y) + 0.5);
      pen.stroke();
      pen.setLineDash([]);
    }
    let labelY = outside
      ? y < top
        ? top + eventLanePx + 14
        : top + height - 2
      : y - 2 < top + 14
        ? y + 14
        : y - 2;
    while (taken.some((t) => Math.abs(t - labelY) < 12)) labelY += 13;
    taken.push(labelY);
    pen.textBaseline = 'bottom';
    const text = outside ? `${limit.label} ${y < top ? '↑' : '↓'}` : limit.label;
    const wide = pen.measureText(text).width;
    pen.globalAlpha = 0.8;
    pen.fillStyle = theme.background;
    pen.fillRect(left + width - 7 - wide, labelY - 13, wide + 6, 13);
    pen.globalAlpha = 1;
    pen.fillStyle = theme.limit;
    pen.fillText(text, left + width - 4, labelY);
  }
}

export { xOf as plotX, yOf as plotY };
