import { axisFormatter } from '../base/format.ts';
import { niceStep, ticksBetween, valueDomain, valueTicks } from '../chart/scale.ts';
import { axisTitle, labelRows, tickText } from '../chart/xyModel.ts';
import type { FigurePoint, ReportFigure } from './model.ts';
import { cross, keySvg, seriesSvg } from './seriesSvg.ts';
import {
  escapeXml,
  lightSvg,
  round,
  type SvgOptions,
  svgText,
  type SvgTheme,
  titleSvg,
} from './svg.ts';
import { clipText, flowLegend, textWidth, twoLines } from './svgLegend.ts';

/** A point where it stands in the picture, in its pixels, with its words. */
export interface PlacedPoint {
  series: number;
  x: number;
  y: number;
  text: string;
}
export interface DrawnFigure {
  svg: string;
  width: number;
  height: number;
  points: PlacedPoint[];
}

const side = { left: 60, right: 18, top: 26, bottom: 44 };
const labelRow = 14,
  legendRow = 16;
const knee = '#c87814';

interface Label {
  key: string;
  text: string;
  width: number;
  centre: number;
}
/** Where everything of a figure stands, in pixels of the picture. */
interface Plane {
  figure: ReportFigure;
  theme: SvgTheme;
  width: number;
  /** Before the legend, which is below it. */
  height: number;
  /** Width of the plot, its upper and lower edge, and its height, which is never nothing. */
  inner: number;
  top: number;
  bottom: number;
  plotHeight: number;
  /** Values at the ends of the axes. */
  range: readonly [number, number];
  y: readonly [number, number];
  px: (x: number) => number;
  py: (value: number) => number;
  /** The axis at the right; null = there is none. */
  right: { y: readonly [number, number]; py: (value: number) => number } | null;
  /** Labels of intervals (`b0`) and marks (`m0`), and the row each stands in. */
  labels: ReadonlyMap<string, Label>;
  rows: ReadonlyMap<string, number>;
}

/** Room at the right of the plot, px: that of an axis, where there is one. */
const roomRight = ({ right }: ReportFigure): number =>
  right === undefined ? side.right : side.left;

function planeOf(figure: ReportFigure, width: number, height: number, theme: SvgTheme): Plane {
  const inner = width - side.left - roomRight(figure);
  const range = xRange(
    figure,
    figure.series.flatMap((s) => s.points.map((p) => p.x)),
  );
  const px = (x: number): number => side.left + ((x - range[0]) / (range[1] - range[0])) * inner;
  const labels = labelsOf(figure, width, px);
  const rows = labelRows(labels);
  const top =
    side.top + (labels.length === 0 ? 0 : (Math.max(...rows.values()) + 1) * labelRow + 2);
  const bottom = height - side.bottom;
  const plotHeight = Math.max(40, bottom - top);
  const scaleOf = (atRight: boolean) => {
    const own = figure.series.filter((one) => (one.right === true) === atRight);
    const y = yRange({ ...figure, series: own }, valueTicks(plotHeight));
    return {
      y,
      py: (value: number) => bottom - ((value - y[0]) / (y[1] - y[0])) * plotHeight,
    };
  };
  return {
    figure,
    theme,
    width,
    height,
    inner,
    top,
    bottom,
    plotHeight,
    range,
    ...scaleOf(false),
    px,
    right: figure.right === undefined ? null : scaleOf(true),
    labels: new Map(labels.map((one) => [one.key, one])),
    rows,
  };
}

/** Labels of intervals and marks stand above the plot, in as many rows as they need. */
function labelsOf(figure: ReportFigure, width: number, px: (x: number) => number): Label[] {
  const right = width - roomRight(figure);
  return [
    ...figure.bands.map((b, i) => ({ key: `b${i}`, text: b.label, at: (b.from + b.to) / 2 })),
    ...figure.marks.map((m, i) => ({ key: `m${i}`, text: m.label, at: m.at })),
  ].map(({ key, text, at }) => {
    const shown = clipText(text, right - side.left, 11),
      w = textWidth(shown, 11);
    return {
      key,
      text: shown,
      width: w,
      centre: Math.min(right - w / 2, Math.max(side.left + w / 2, px(at))),
    };
  });
}

function yRange({ series, fromZero, percent }: ReportFigure, ticks: number): [number, number] {
  const ys = series
    .flatMap((s) =>
      s.points.flatMap((p) => [
        p.y,
        p.low ?? p.y,
        p.high ?? p.y,
        ...(p.box === undefined ? [] : [p.box.whiskerLow, p.box.whiskerHigh]),
      ]),
    )
    .filter(Number.isFinite);
  const [low, high] = valueDomain(
    ys.length === 0 ? NaN : Math.min(...ys),
    ys.length === 0 ? NaN : Math.max(...ys),
    fromZero,
    ticks,
    null,
  );
  return percent && Math.max(...ys) <= 1
    ? [0, 1]
    : [Math.min(...ys) >= 0 ? Math.max(0, low) : low, high];
}

/**
 * One figure as a picture that needs nothing else: axes, intervals, marks, lines, points, boxes,
 * legend; and where its points stand.
 */
export function drawFigure(figure: ReportFigure, options: SvgOptions = {}): DrawnFigure {
  const {
    width = 760,
    height = 280,
    theme = lightSvg,
    font = 'system-ui, sans-serif',
    mark = null,
    legend: withLegend = true,
  } = options;
  const plane = planeOf(figure, width, height, theme);
  const { inner, top, bottom, plotHeight } = plane;
  const { svg: drawn, points } = seriesOf(plane);
  const legend = legendOf(plane, withLegend);
  const total = height + legend.height;
  const title = titleSvg(
    figure.title,
    figure.unit,
    !figure.percent,
    mark,
    width - 60,
    width < 500 ? 11 : 13,
    theme,
  );
  const middle = `text-anchor="middle" fill="${theme.dimmed}"`;
  const xTitle = axisTitle(figure.xLabel, figure.xUnit);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ` +
      `${width} ${total}" font-family="${escapeXml(font)}" font-size="11" role="img" ` +
      `aria-label="${escapeXml(figure.summary)}">`,
    `<rect width="${width}" height="${total}" fill="${theme.background}"/>${title}`,
    gridSvg(plane),
    rightSvg(plane),
    bandsSvg(plane),
    marksSvg(plane),
    `<line x1="${side.left}" x2="${side.left + inner}" y1="${bottom}" y2="${bottom}" ` +
      `stroke="${theme.dimmed}"/>`,
    axisSvg(plane),
    svgText(side.left + inner / 2, height - 4, xTitle, middle),
    drawn,
    points.length === 0
      ? svgText(side.left + inner / 2, top + plotHeight / 2, 'Nothing measured', middle)
      : '',
    `${legend.svg}</svg>`,
  ].join('');
  return { svg, width, height: total, points };
}

/** Values of the axis at the right, and what it is of. */
function rightSvg({ figure, theme, width, inner, top, plotHeight, right }: Plane): string {
  if (right === null || figure.right === undefined) return '';
  const { y, py } = right;
  const step = niceStep(y[1] - y[0], valueTicks(plotHeight));
  const text = axisFormatter(y, step);
  const edge = side.left + inner;
  const middle = top + plotHeight / 2;
  const ticks = ticksBetween(y[0], y[1], step).map(
    (v) =>
      `<line x1="${edge}" x2="${edge + 3}" y1="${round(py(v))}" y2="${round(py(v))}" ` +
      `stroke="${theme.dimmed}"/>` +
      svgText(edge + 6, py(v) + 4, text(v), `fill="${theme.dimmed}"`),
  );
  const name = svgText(
    width - 6,
    middle,
    axisTitle(figure.right.label, figure.right.unit),
    `text-anchor="middle" transform="rotate(-90 ${width - 6} ${round(middle)})" ` +
      `fill="${theme.dimmed}"`,
  );
  return ticks.join('') + name;
}

function gridSvg({ figure, theme, inner, y, py, plotHeight }: Plane): string {
  const step = niceStep(y[1] - y[0], valueTicks(plotHeight));
  const plain = axisFormatter(y, step);
  const valueText = (v: number): string =>
    figure.percent ? `${Number((v * 100).toPrecision(6))} %` : plain(v);
  return ticksBetween(y[0], y[1], step)
    .map(
      (v) =>
        `<line x1="${side.left}" x2="${side.left + inner}" y1="${round(py(v))}" ` +
        `y2="${round(py(v))}" stroke="${theme.grid}"/>` +
        svgText(side.left - 6, py(v) + 4, valueText(v), `text-anchor="end" fill="${theme.dimmed}"`),
    )
    .join('');
}

function labelSvg({ labels, rows, theme }: Plane, key: string): string {
  const { centre, text } = labels.get(key)!;
  return svgText(
    centre,
    side.top + rows.get(key)! * labelRow + 10,
    text,
    `text-anchor="middle" fill="${theme.text}"`,
  );
}
function bandsSvg(plane: Plane): string {
  const { figure, theme, top, plotHeight, px } = plane;
  return figure.bands
    .map(
      (b, i) =>
        `<rect x="${round(px(b.from))}" y="${round(top)}" ` +
        `width="${round(Math.max(2, px(b.to) - px(b.from)))}" height="${round(plotHeight)}" ` +
        `fill="${b.faint ? theme.dimmed : knee}" ` +
        `fill-opacity="${b.faint ? 0.08 : 0.18}"/>${labelSvg(plane, `b${i}`)}`,
    )
    .join('');
}
function marksSvg(plane: Plane): string {
  const { figure, theme, top, bottom, px } = plane;
  return figure.marks
    .map(
      (m, i) =>
        `<line x1="${round(px(m.at))}" x2="${round(px(m.at))}" y1="${round(top)}" ` +
        `y2="${bottom}" stroke="${theme.text}" stroke-dasharray="6 4"/>` +
        labelSvg(plane, `m${i}`),
    )
    .join('');
}

/** The series in their groups, and where each of their points stands. */
function seriesOf(plane: Plane): { svg: string; points: PlacedPoint[] } {
  const { figure, theme, px } = plane;
  const points: PlacedPoint[] = [];
  const groups = figure.series.map((series, i) => {
    const shift = spread(plane, i);
    const at = (p: FigurePoint): number => px(p.x) + shift;
    const { y, py } = series.right === true && plane.right !== null ? plane.right : plane;
    for (const p of series.points)
      points.push({ series: i, x: round(at(p)), y: round(py(p.y)), text: p.text });
    const floor = py(Math.max(0, y[0]));
    const drawn = seriesSvg(series, at, py, floor, theme.limit, theme.background);
    return `<g data-s="${i}">${drawn}</g>`;
  });
  return { svg: groups.join(''), points };
}

/** Entries of the series, unless the page has its own, and of what is wrong with points. */
function legendOf(
  { figure, theme, width, height }: Plane,
  withSeries: boolean,
): { svg: string; height: number } {
  const flawed = figure.series.flatMap((s) => s.points.flatMap((p) => p.flaw ?? []));
  const entries = [...(withSeries ? figure.series.map((s) => s.label) : []), ...new Set(flawed)];
  const flow = flowLegend(entries, side.left, width - side.right, 11, 24);
  const svg = flow.places.map((place, n) => {
    const yAt = height + place.row * legendRow + 14;
    const series = withSeries ? figure.series[n] : undefined;
    const key =
      series === undefined
        ? cross(place.x + 9, yAt - 4, theme.limit)
        : keySvg(series, place.x, yAt - 4, theme.background);
    return key + svgText(place.x + 24, yAt, place.text, `fill="${theme.text}"`);
  });
  return { svg: svg.join(''), height: flow.rows * legendRow + (flow.rows > 0 ? 12 : 0) };
}

function xRange({ places, ticks }: ReportFigure, xs: readonly number[]): readonly [number, number] {
  if (places !== null) return [-0.5, Math.max(0.5, places.length - 0.5)];
  const all = [...xs, ...ticks];
  if (all.length === 0) return [0, 1];
  const low = Math.min(...all),
    high = Math.max(...all);
  const pad = high > low ? (high - low) * 0.04 : Math.max(1, Math.abs(high) * 0.5);
  return [low >= 0 && low - pad < 0 ? 0 : low - pad, high + pad];
}

/** Names have their series side by side, numbers one over the other. */
function spread({ figure: { places, series }, inner, range }: Plane, index: number): number {
  if (places === null) return 0;
  const step = Math.min(26, ((inner / (range[1] - range[0])) * 0.86) / Math.max(1, series.length));
  return (index - (series.length - 1) / 2) * step;
}

function axisSvg({ figure, theme, range, px, bottom, inner }: Plane): string {
  const { places, ticks } = figure;
  const say = (x: number, row: number, text: string): string =>
    svgText(x, bottom + 14 + row * 12, text, `text-anchor="middle" fill="${theme.dimmed}"`);
  if (places !== null) {
    const room = inner / Math.max(1, places.length) - 6;
    return places
      .map((name, i) =>
        twoLines(name, room, 11)
          .map((line, row) => say(px(i), row, line))
          .join(''),
      )
      .join('');
  }
  const xs = figure.series.flatMap((s) => s.points.map((p) => p.x));
  const known = [...new Set(ticks.length > 0 ? ticks : xs)].sort((a, b) => a - b);
  const fits = ticks.length > 0 && known.length <= inner / 40;
  const values = fits ? known : ticksBetween(range[0], range[1], niceStep(range[1] - range[0], 10));
  const text = fits ? tickText : axisFormatter(range, niceStep(range[1] - range[0], 10));
  let free = Infinity;
  // From the highest down: doubling parameters crowd at their low end.
  return [...values]
    .reverse()
    .map((value) => {
      const half = textWidth(text(value), 11) / 2,
        at = px(value);
      if (at + half + 6 > free) return '';
      free = at - half;
      return (
        `<line x1="${round(at)}" x2="${round(at)}" y1="${bottom}" y2="${bottom + 3}" ` +
        `stroke="#868b94"/>${say(at, 0, text(value))}`
      );
    })
    .join('');
}
