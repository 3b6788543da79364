import { axisFormatter } from '../base/format.ts';
import { niceStep, ticksBetween, valueDomain, valueTicks } from '../chart/scale.ts';
import { axisTitle, labelRows, shapePath, tickText } from '../chart/xyModel.ts';
import type { FigurePoint, FigureSeries, ReportFigure } from './model.ts';
import { escapeXml, lightSvg, type SvgOptions } from './svg.ts';
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
const round = (n: number): number => Math.round(n * 10) / 10;

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
  const inner = width - side.left - side.right;
  const titlePx = width < 500 ? 11 : 13;
  const xs = figure.series.flatMap((s) => s.points.map((p) => p.x));
  const range = xRange(figure, xs);
  const px = (x: number): number => side.left + ((x - range[0]) / (range[1] - range[0])) * inner;
  // Labels of intervals and marks stand above the plot, in as many rows as they need.
  const labels = [
    ...figure.bands.map((b, i) => ({ key: `b${i}`, text: b.label, at: (b.from + b.to) / 2 })),
    ...figure.marks.map((m, i) => ({ key: `m${i}`, text: m.label, at: m.at })),
  ].map(({ key, text, at }) => {
    const shown = clipText(text, inner, 11),
      w = textWidth(shown, 11);
    return {
      key,
      text: shown,
      width: w,
      centre: Math.min(width - side.right - w / 2, Math.max(side.left + w / 2, px(at))),
    };
  });
  const rows = labelRows(labels);
  const top =
    side.top + (labels.length === 0 ? 0 : (Math.max(...rows.values()) + 1) * labelRow + 2);
  const plot = { top, bottom: height - side.bottom, h: Math.max(40, height - side.bottom - top) };
  const ys = figure.series
    .flatMap((s) =>
      s.points.flatMap((p) => [
        p.y,
        p.low ?? p.y,
        p.high ?? p.y,
        ...(p.box === undefined ? [] : [p.box.whiskerLow, p.box.whiskerHigh]),
      ]),
    )
    .filter(Number.isFinite);
  const domain = valueDomain(
    ys.length === 0 ? NaN : Math.min(...ys),
    ys.length === 0 ? NaN : Math.max(...ys),
    figure.fromZero,
    valueTicks(plot.h),
    null,
  );
  const y: readonly [number, number] =
    figure.percent && Math.max(...ys) <= 1
      ? [0, 1]
      : [Math.min(...ys) >= 0 ? Math.max(0, domain[0]) : domain[0], domain[1]];
  const py = (value: number): number => plot.bottom - ((value - y[0]) / (y[1] - y[0])) * plot.h;
  const step = niceStep(y[1] - y[0], valueTicks(plot.h));
  const plain = axisFormatter(Math.max(Math.abs(y[0]), Math.abs(y[1])), step);
  const valueText = figure.percent
    ? (v: number): string => `${Number((v * 100).toPrecision(6))} %`
    : plain;
  const say = (x: number, at: number, content: string, more: string): string =>
    `<text x="${round(x)}" y="${round(at)}" ${more}>${escapeXml(content)}</text>`;

  const grid = ticksBetween(y[0], y[1], step).map(
    (v) =>
      `<line x1="${side.left}" x2="${width - side.right}" y1="${round(py(v))}" ` +
      `y2="${round(py(v))}" ` +
      `stroke="${theme.grid}"/>${say(side.left - 6, py(v) + 4, valueText(v), `text-anchor="end" fill="${theme.dimmed}"`)}`,
  );
  const placed = new Map(labels.map((l) => [l.key, l]));
  const label = (key: string): string => {
    const l = placed.get(key)!;
    return say(
      l.centre,
      side.top + rows.get(key)! * labelRow + 10,
      l.text,
      `text-anchor="middle" fill="${theme.text}"`,
    );
  };
  const bands = figure.bands.map(
    (b, i) =>
      `<rect x="${round(px(b.from))}" y="${round(plot.top)}" ` +
      `width="${round(Math.max(2, px(b.to) - px(b.from)))}" height="${round(plot.h)}" ` +
      `fill="${b.faint ? theme.dimmed : knee}" ` +
      `fill-opacity="${b.faint ? 0.08 : 0.18}"/>${label(`b${i}`)}`,
  );
  const marks = figure.marks.map(
    (m, i) =>
      `<line x1="${round(px(m.at))}" x2="${round(px(m.at))}" y1="${round(plot.top)}" ` +
      `y2="${plot.bottom}" stroke="${theme.text}" stroke-dasharray="6 4"/>${label(`m${i}`)}`,
  );
  const points: PlacedPoint[] = [];
  const drawn = figure.series.map((series, i) => {
    const shift = spread(figure, i, inner, range);
    const at = (p: FigurePoint): number => px(p.x) + shift;
    for (const p of series.points)
      points.push({ series: i, x: round(at(p)), y: round(py(p.y)), text: p.text });
    return `<g data-s="${i}">${seriesSvg(series, at, py, py(Math.max(0, y[0])), theme.limit, theme.background)}</g>`;
  });
  const flawed = [
    ...new Set(
      figure.series.flatMap((s) => s.points.flatMap((p) => (p.flaw === null ? [] : [p.flaw]))),
    ),
  ];
  const entries = [...(withLegend ? figure.series.map((s) => s.label) : []), ...flawed];
  const flow = flowLegend(entries, side.left, width - side.right, 11, 24);
  const total = height + flow.rows * legendRow + (flow.rows > 0 ? 12 : 0);
  const legend = flow.places.map((place, n) => {
    const yAt = height + place.row * legendRow + 14;
    const series = withLegend ? figure.series[n] : undefined;
    return `${series === undefined ? cross(place.x + 9, yAt - 4, theme.limit) : keySvg(series, place.x, yAt - 4, theme.background)}${say(place.x + 24, yAt, place.text, `fill="${theme.text}"`)}`;
  });
  const empty =
    points.length === 0
      ? say(
          side.left + inner / 2,
          plot.top + plot.h / 2,
          'Nothing measured',
          `text-anchor="middle" fill="${theme.dimmed}"`,
        )
      : '';
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ` +
    `${width} ${total}" font-family="${escapeXml(font)}" font-size="11" role="img" ` +
    `aria-label="${escapeXml(figure.summary)}">` +
    `<rect width="${width}" height="${total}" ` +
    `fill="${theme.background}"/>${say(8, 16, `${clipText(figure.title, width - 60 - textWidth(`${figure.unit}${mark ?? ''}`, titlePx), titlePx)}${figure.unit === '' || figure.percent ? '' : ` (${figure.unit})`}${mark === null ? '' : `, ${mark}`}`, `font-weight="600" font-size="${titlePx}" fill="${theme.text}"`)}` +
    `${grid.join('')}${bands.join('')}${marks.join('')}<line x1="${side.left}" ` +
    `x2="${width - side.right}" y1="${plot.bottom}" y2="${plot.bottom}" ` +
    `stroke="${theme.dimmed}"/>${axisSvg(figure, xs, range, px, plot.bottom, inner, (x, row, content) => say(x, plot.bottom + 14 + row * 12, content, `text-anchor="middle" fill="${theme.dimmed}"`))}` +
    `${say(side.left + inner / 2, height - 4, axisTitle(figure.xLabel, figure.xUnit), `text-anchor="middle" fill="${theme.dimmed}"`)}${drawn.join('')}${empty}${legend.join('')}</svg>`;
  return { svg, width, height: total, points };
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
function spread(
  { places, series }: ReportFigure,
  index: number,
  inner: number,
  range: readonly [number, number],
): number {
  if (places === null) return 0;
  const step = Math.min(26, ((inner / (range[1] - range[0])) * 0.86) / Math.max(1, series.length));
  return (index - (series.length - 1) / 2) * step;
}

function axisSvg(
  { places, ticks }: ReportFigure,
  xs: readonly number[],
  range: readonly [number, number],
  px: (x: number) => number,
  bottom: number,
  inner: number,
  say: (x: number, row: number, text: string) => string,
): string {
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
  const known = [...new Set(ticks.length > 0 ? ticks : xs)].sort((a, b) => a - b);
  const fits = ticks.length > 0 && known.length <= inner / 40;
  const values = fits ? known : ticksBetween(range[0], range[1], niceStep(range[1] - range[0], 10));
  const text = fits
    ? tickText
    : axisFormatter(Math.max(...range.map(Math.abs)), niceStep(range[1] - range[0], 10));
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

const dashed = (dash: readonly number[]): string =>
  dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : '';
const cross = (x: number, y: number, color: string): string =>
  `<path d="M${round(x - 4)} ${round(y - 4)}l8 8m0 -8l-8 8" stroke="${color}" stroke-width="2" fill="none"/>`;
const dot = (
  { shape, color, hollow }: FigureSeries,
  x: number,
  y: number,
  paper: string,
): string =>
  shape === null
    ? ''
    : `<path transform="translate(${round(x)} ${round(y)})" ` +
      `d="${shapePath(shape, hollow ? 5.5 : 4)}" fill="${hollow ? paper : color}" ` +
      `stroke="${color}" ` +
      `stroke-width="${hollow ? 1.8 : 0.8}"${hollow ? ' fill-opacity="0.6"' : ''}/>`;
const keySvg = (series: FigureSeries, x: number, y: number, paper: string): string =>
  `${
    series.line === 'none'
      ? ''
      : `<line x1="${round(x)}" x2="${round(x + 18)}" y1="${y}" y2="${y}" stroke="${series.color}" ` +
        `stroke-width="2"${dashed(series.dash)}/>`
  }${
    series.fill || (series.line === 'none' && series.shape === null)
      ? `<rect x="${round(x)}" y="${y - 5}" width="18" height="10" fill="${series.color}" ` +
        `fill-opacity="0.3" stroke="${series.color}"/>`
      : ''
  }${dot(series, x + 9, y, paper)}`;

/** One entry of a legend by itself, for pages that make their own. */
export const legendKey = (series: FigureSeries): string =>
  `<svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">${keySvg(series, 1, 6, 'none')}</svg>`;

function seriesSvg(
  series: FigureSeries,
  at: (p: FigurePoint) => number,
  py: (y: number) => number,
  floor: number,
  bad: string,
  paper: string,
): string {
  const { points, color, dash, line, fill } = series;
  const ordered = line === 'straight' ? [...points].sort((a, b) => a.x - b.x) : points;
  const path =
    line === 'none' || ordered.length < 2
      ? ''
      : ordered
          .map((p, i) =>
            i === 0
              ? `M${round(at(p))} ${round(py(p.y))}`
              : line === 'step'
                ? `H${round(at(p))}V${round(py(p.y))}`
                : `L${round(at(p))} ${round(py(p.y))}`,
          )
          .join('');
  const area =
    fill && path !== ''
      ? `<path d="${path}V${round(floor)}H${round(at(ordered[0]!))}Z" fill="${color}" fill-opacity="0.25"/>`
      : '';
  return `${area}${path === '' ? '' : `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.8"${dashed(dash)}/>`}${points
    .map((p) => {
      const x = at(p);
      const spreadLine =
        p.low === null || p.high === null
          ? ''
          : `<path d="M${round(x)} ${round(py(p.low))}V${round(py(p.high))}m-3 ` +
            `0h6M${round(x - 3)} ${round(py(p.low))}h6" stroke="${color}" fill="none"/>`;
      return `${spreadLine}${p.box === undefined ? dot(series, x, py(p.y), paper) : boxSvg(p.box, x, py, color)}${p.flaw === null ? '' : cross(x, py(p.y), bad)}`;
    })
    .join('')}`;
}

function boxSvg(
  box: NonNullable<FigurePoint['box']>,
  x: number,
  py: (y: number) => number,
  color: string,
): string {
  const half = 7;
  return (
    `<path d="M${round(x)} ${round(py(box.whiskerLow))}V${round(py(box.q1))}M${round(x)} ` +
    `${round(py(box.q3))}V${round(py(box.whiskerHigh))}m-3 0h6M${round(x - 3)} ` +
    `${round(py(box.whiskerLow))}h6" stroke="${color}" stroke-width="1.4" fill="none"/>` +
    `<rect x="${round(x - half)}" y="${round(py(box.q3))}" width="${half * 2}" ` +
    `height="${round(Math.max(0.6, py(box.q1) - py(box.q3)))}" fill="${color}" ` +
    `fill-opacity="0.2" stroke="${color}" stroke-width="1.2"/>` +
    `<path d="M${round(x - half)} ${round(py(box.median))}h${half * 2}" stroke="${color}" ` +
    `stroke-width="2.4"/><circle cx="${round(x)}" cy="${round(py(box.mean))}" r="1.8" ` +
    `fill="${color}"/>`
  );
}
