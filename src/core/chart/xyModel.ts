import { niceStep, ticksBetween, valueDomain, valueTicks } from './scale.ts';

export type XyShape = 'circle' | 'square' | 'triangle' | 'diamond';
export interface XyPoint {
  key: string;
  /** Position on the axis: the value itself, or the index of a category. */
  x: number;
  y: number;
  /** Spread of repeats; null = one measurement. */
  low: number | null;
  high: number | null;
  /** `bad` wears an icon and its word. */
  flaw: { word: string } | null;
  /** Lines of the readout; the first names the point. */
  lines: readonly string[];
  /** What opens it; null = nothing to open. */
  open: string | null;
}
export interface XySeries {
  key: string;
  label: string;
  color: string;
  dash: readonly number[];
  shape: XyShape;
  /** Published figures are hollow and not joined by a line. */
  published: boolean;
  /** Against the axis at the right, which has a unit of its own. */ right?: boolean;
  points: readonly XyPoint[];
}
/** An interval of the parameter axis, e.g. a knee, with the method that found it. */
export interface XyBand {
  key: string;
  from: number;
  to: number;
  label: string;
  /** A region around a knee, not the knee itself. */ faint?: boolean;
}
/** One place on the parameter axis. */
export interface XyMark {
  key: string;
  at: number;
  label: string;
}
/** Categories of the axis in their order; absent = a number axis. */
export interface XyTick {
  at: number;
  label: string;
}

export interface XyInput {
  series: readonly XySeries[];
  bands: readonly XyBand[];
  marks: readonly XyMark[];
  categories: readonly XyTick[] | null;
  fromZero: boolean;
  /** The axis at the right; absent = there is none. */
  right?: { label: string; unit: string; decimals: number };
  /**
   * Values that are planned: the axis holds them from the start, so that it stands still while
   * points come.
   */ planned?: readonly number[];
  /** Part of a number axis that was chosen by drag; null = all of it. */ zoom?:
    readonly [number, number] | null;
}
export interface XyAxes {
  x: readonly [number, number];
  y: readonly [number, number];
  xTicks: readonly XyTick[];
  yTicks: readonly number[];
  /** Of the axis at the right; null = there is none. */
  right: { y: readonly [number, number]; yTicks: readonly number[] } | null;
}
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export const xyMargins = { left: 60, right: 20, top: 14, bottom: 42 } as const;
/**
 * Room for the plot; labels of bands and marks stand in `labels` rows above it. An axis at the
 * right takes as much room as the one at the left.
 */
export function plotBox(width: number, height: number, labels = 0, hasRight = false): Box {
  const top = xyMargins.top + Math.min(5, labels) * labelRowPx;
  const right = hasRight ? xyMargins.left : xyMargins.right;
  return {
    left: xyMargins.left,
    top,
    width: Math.max(10, width - xyMargins.left - right),
    height: Math.max(10, height - top - xyMargins.bottom),
  };
}
export const labelRowPx = 14;
/** Label and unit of an axis; a unit that only repeats the label is left out. */
export const axisTitle = (label: string, unit: string): string =>
  unit === '' || unit.toLowerCase() === label.toLowerCase()
    ? label
    : label === ''
      ? unit
      : `${label} (${unit})`;

/** Axes that hold every point and every planned value, and nothing beyond. */
export function xyAxes(input: XyInput, box: Box): XyAxes {
  const zoom = input.categories === null ? (input.zoom ?? null) : null;
  const isShown = (p: XyPoint): boolean => zoom === null || (p.x >= zoom[0] && p.x <= zoom[1]);
  const values = (atRight: boolean) =>
    valueScale(
      input.series
        .filter((s) => (s.right === true) === atRight)
        .flatMap((s) => s.points.filter(isShown)),
      input.fromZero,
      box,
    );
  const scale = { ...values(false), right: input.right === undefined ? null : values(true) };
  if (input.categories !== null)
    return {
      x: [-0.5, Math.max(0.5, input.categories.length - 0.5)],
      xTicks: input.categories,
      ...scale,
    };
  const points = input.series.flatMap((s) => s.points.filter(isShown));
  const xs = [...points.map((p) => p.x), ...(input.planned ?? [])];
  if (xs.length === 0) return { x: [0, 1], xTicks: [], ...scale };
  const low = Math.min(...xs);
  const high = Math.max(...xs);
  // Half a step of air at each end; never below zero where nothing is negative.
  const pad = high > low ? (high - low) * 0.04 : Math.max(1, Math.abs(high) * 0.5);
  const from = low >= 0 && low - pad < 0 ? 0 : low - pad;
  const x: readonly [number, number] = zoom ?? [from, high + pad];
  const distinct = [...new Set(xs)].filter((v) => v >= x[0] && v <= x[1]).sort((a, b) => a - b);
  const room = Math.max(2, Math.floor(box.width / 44));
  // The values that were measured are the ticks, as far as they fit.
  const ticks =
    distinct.length <= room
      ? roomy(distinct, x, box.width)
      : ticksBetween(x[0], x[1], niceStep(x[1] - x[0], Math.min(room, 12)));
  return { x, xTicks: ticks.map((at) => ({ at, label: tickText(at) })), ...scale };
}

/** A value axis that holds these points and the spread of their repeats. */
function valueScale(
  points: readonly XyPoint[],
  fromZero: boolean,
  box: Box,
): Pick<XyAxes, 'y' | 'yTicks'> {
  const ys = points.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]).filter(Number.isFinite);
  const ticks = valueTicks(box.height);
  const y = valueDomain(
    ys.length === 0 ? NaN : Math.min(...ys),
    ys.length === 0 ? NaN : Math.max(...ys),
    fromZero,
    ticks,
    null,
  );
  return { y, yTicks: ticksBetween(y[0], y[1], niceStep(y[1] - y[0], ticks)) };
}

/** The axes that a series is drawn against. */
export const axesOf = (axes: XyAxes, { right }: Pick<XySeries, 'right'>): XyAxes =>
  right === true && axes.right !== null ? { ...axes, ...axes.right } : axes;

/** Unit and decimals of a series: its own axis's. */
export const scaleOf = <T extends { unit: string; decimals: number }>(
  input: Pick<XyInput, 'right'>,
  { right }: Pick<XySeries, 'right'>,
  left: T,
): Pick<T, 'unit' | 'decimals'> =>
  right === true && input.right !== undefined ? input.right : left;

/**
 * Of measured values those whose labels do not meet, from the highest down: doubling parameters
 * crowd at their low end.
 */
function roomy(values: readonly number[], x: readonly [number, number], width: number): number[] {
  const kept: number[] = [];
  for (const value of [...values].reverse()) {
    const next = kept[0];
    if (
      next === undefined ||
      ((next - value) / (x[1] - x[0])) * width >=
        (tickText(value).length + tickText(next).length) * 3.5 + 10
    )
      kept.unshift(value);
  }
  return kept;
}

/** A value of a parameter, in full: parameters are chosen, not measured. Round thousands as k. */
export const tickText = (value: number): string =>
  Math.abs(value) >= 1_000 && value % 100 === 0
    ? `${value / 1_000}k`
    : String(Number(value.toPrecision(6)));

export const placeX = (axes: XyAxes, box: Box, x: number): number =>
  box.left + ((x - axes.x[0]) / (axes.x[1] - axes.x[0])) * box.width;
export const placeY = (axes: XyAxes, box: Box, y: number): number =>
  box.top + box.height - ((y - axes.y[0]) / (axes.y[1] - axes.y[0])) * box.height;

/**
 * Where a point of the n-th series stands: names have their series side by side, numbers one over
 * the other.
 */
export function pointX(
  axes: XyAxes,
  box: Box,
  input: XyInput,
  seriesIndex: number,
  x: number,
): number {
  const count = input.series.length;
  const step =
    input.categories === null
      ? 0
      : Math.min(26, box.width / Math.max(1, input.categories.length) / (count + 1));
  return placeX(axes, box, x) + (seriesIndex - (count - 1) / 2) * step;
}

/**
 * How many later curves lie over this one: equal to it within a hundredth wherever both were
 * measured.
 */
export function coveredBy(series: readonly XySeries[], index: number): number {
  const own = new Map(series[index]!.points.map((p) => [p.x, p.y]));
  return series.slice(index + 1).filter((other) => {
    const both = other.points.filter((p) => own.has(p.x));
    return (
      other.right === series[index]!.right &&
      both.length > 1 &&
      both.every(
        (p) =>
          Math.abs(p.y - own.get(p.x)!) <= 0.01 * Math.max(Math.abs(p.y), Math.abs(own.get(p.x)!)),
      )
    );
  }).length;
}

/** The value at a place on the plot: `placeX` the other way round. */
export const valueAt = (axes: XyAxes, box: Box, px: number): number =>
  axes.x[0] +
  ((Math.min(box.left + box.width, Math.max(box.left, px)) - box.left) / box.width) *
    (axes.x[1] - axes.x[0]);

/**
 * Runs of points that follow each other on the axis, as one path: `M x y L x y …`; a single point
 * has no line.
 */
export function linePath(points: readonly XyPoint[], axes: XyAxes, box: Box): string {
  const ordered = [...points].sort((a, b) => a.x - b.x);
  return ordered.length < 2
    ? ''
    : ordered
        .map(
          (p, i) =>
            `${i === 0 ? 'M' : 'L'}${placeX(axes, box, p.x).toFixed(1)} ${placeY(axes, box, p.y).toFixed(1)}`,
        )
        .join(' ');
}

/** Outline of a point's shape around (0, 0); `size` is its radius. */
export function shapePath(shape: XyShape, size: number): string {
  switch (shape) {
    case 'circle':
      return `M${-size} 0A${size} ${size} 0 1 0 ${size} 0A${size} ${size} 0 1 0 ${-size} 0Z`;
    case 'square': {
      const s = size * 0.9;
      return `M${-s} ${-s}H${s}V${s}H${-s}Z`;
    }
    case 'triangle': {
      const s = size * 1.15;
      return `M0 ${-s}L${s} ${s * 0.8}H${-s}Z`;
    }
    case 'diamond': {
      const s = size * 1.25;
      return `M0 ${-s}L${s} 0L0 ${s}L${-s} 0Z`;
    }
  }
}
export const shapes: readonly XyShape[] = ['circle', 'square', 'triangle', 'diamond'];

/**
 * Points in reading order for the keyboard: along the axis within a series, series one after the
 * other.
 */
function pointOrder(series: readonly XySeries[]): { series: XySeries; point: XyPoint }[][] {
  return series
    .filter((s) => s.points.length > 0)
    .map((s) => [...s.points].sort((a, b) => a.x - b.x).map((point) => ({ series: s, point })));
}

/**
 * The point reached from one by an arrow key: along its series, or to the nearest of the next
 * series; null = none there.
 */
export function neighbour(
  series: readonly XySeries[],
  key: string,
  arrow: 'left' | 'right' | 'up' | 'down' | 'first' | 'last',
): XyPoint | null {
  const rows = pointOrder(series);
  const row = rows.findIndex((r) => r.some((e) => e.point.key === key));
  const column = rows[row]?.findIndex((e) => e.point.key === key) ?? -1;
  const here = rows[row]?.[column]?.point;
  if (here === undefined) return rows[0]?.[0]?.point ?? null;
  if (arrow === 'first') return rows[row]![0]!.point;
  if (arrow === 'last') return rows[row]!.at(-1)!.point;
  if (arrow === 'left' || arrow === 'right')
    return rows[row]![column + (arrow === 'right' ? 1 : -1)]?.point ?? null;
  const other = rows[row + (arrow === 'down' ? 1 : -1)];
  if (other === undefined) return null;
  return other.reduce(
    (best, e) => (Math.abs(e.point.x - here.x) < Math.abs(best.x - here.x) ? e.point : best),
    other[0]!.point,
  );
}

/** Rows in which labels of bands and marks stand, so that none lies over another: row by key. */
export function labelRows(
  labels: readonly { key: string; centre: number; width: number }[],
): Map<string, number> {
  const ends: number[] = [];
  const rows = new Map<string, number>();
  for (const { key, centre, width } of [...labels].sort((a, b) => a.centre - b.centre)) {
    const from = centre - width / 2;
    let row = ends.findIndex((end) => end + 8 <= from);
    if (row < 0) row = ends.length;
    ends[row] = centre + width / 2;
    rows.set(key, row);
  }
  return rows;
}
