import { printable } from '../base/bounds.ts';
import {
  formatElapsed,
  formatSi,
  hasLargerUnits,
  quantityText,
  valueAxis,
} from '../base/format.ts';
import { neutralColor } from '../chart/palette.ts';
import { type Axes, makeAxes, valueDomain, valueTicks, withinShare } from '../chart/scale.ts';
import type { ReportChart, ReportLine } from './model.ts';
import { clipText, flowLegend, textWidth } from './svgLegend.ts';

export interface SvgTheme {
  text: string;
  dimmed: string;
  grid: string;
  background: string;
  limit: string;
  steady: string;
}
export const lightSvg: SvgTheme = {
  text: '#1d2026',
  dimmed: '#5a606b',
  grid: '#d9dce1',
  background: '#ffffff',
  limit: '#b3261e',
  steady: '#eef2f7',
};
export const darkSvg: SvgTheme = {
  text: '#e6e8ec',
  dimmed: '#a3a9b4',
  grid: '#3a3f48',
  background: '#16181c',
  limit: '#ff8a80',
  steady: '#22262d',
};

export const escapeXml = (text: string): string =>
  printable(text)
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    // Characters that XML does not have, in no form.
    .replace(/[\ufffe\uffff]/g, '�');

/** Pixels to a tenth. */
export const round = (n: number): number => Math.round(n * 10) / 10;
/** The attribute of a dashed line; none where it is not. */
export const dashed = (dash: readonly number[]): string =>
  dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : '';
/** A text at a place; `more`: its other attributes. */
export const svgText = (x: number, y: number, content: string, more: string): string =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escapeXml(content)}</text>`;

/** The title of a picture with its unit and the page's marks, set in `px`, in `room` pixels. */
export function titleSvg(
  title: string,
  unit: string,
  withUnit: boolean,
  mark: string | null,
  room: number,
  px: number,
  theme: SvgTheme,
): string {
  const shown = clipText(title, room - textWidth(`${unit}${mark ?? ''}`, px), px);
  const words = (withUnit && unit !== '' ? ` (${unit})` : '') + (mark === null ? '' : `, ${mark}`);
  return svgText(
    8,
    16,
    `${shown}${words}`,
    `font-weight="600" font-size="${px}" fill="${theme.text}"`,
  );
}

const margin = { left: 58, right: 16, top: 26, bottom: 24 };
const legendRow = 16;

/** The theme of a page that has these colours as custom properties: the picture follows it. */
export const pageSvg: SvgTheme = {
  text: 'var(--text)',
  dimmed: 'var(--dim)',
  grid: 'var(--grid)',
  background: 'var(--paper)',
  limit: 'var(--limit)',
  steady: 'var(--steady)',
};

export interface SvgOptions {
  width?: number;
  height?: number;
  theme?: SvgTheme;
  font?: string;
  mark?: string | null;
  /** false: the page has its own. */ legend?: boolean;
}

/**
 * Axes of a report chart: what `chartSvg` draws with, and what a reader of its numbers needs to
 * place them.
 */
export function chartAxes(chart: ReportChart, width: number, height: number): Axes {
  let low = Infinity,
    high = -Infinity,
    from = Infinity,
    to = -Infinity;
  for (const { tMs, value } of chart.lines) {
    for (const v of value) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    if (tMs.length > 0) {
      from = Math.min(from, tMs[0]!);
      to = Math.max(to, tMs.at(-1)!);
    }
  }
  for (const phase of chart.phases) {
    from = Math.min(from, phase.fromMs);
    to = Math.max(to, phase.toMs);
  }
  for (const limit of chart.limits)
    if (limit.value <= high * 4) {
      low = Math.min(low, limit.value);
      high = Math.max(high, limit.value);
    }
  if (!(from < to)) {
    from = 0;
    to = 60_000;
  }
  return makeAxes(
    [from, to],
    withinShare(valueDomain(low, high, true, valueTicks(height), null), chart.unit, high),
    width,
    height,
  );
}

/**
 * One chart as a picture that needs nothing else: axes, unit, phases, limits, lines with gaps,
 * legend. Sizes in pixels.
 */
export function chartSvg(chart: ReportChart, options: SvgOptions = {}): string {
  const {
    width = 760,
    height = 240,
    theme = lightSvg,
    font = 'system-ui, sans-serif',
    mark = null,
    legend: withLegend = true,
  } = options;
  const plot = {
    x: margin.left,
    y: margin.top,
    w: Math.max(10, width - margin.left - margin.right),
    h: Math.max(10, height - margin.top - margin.bottom),
  };
  const axes = chartAxes(chart, plot.w, plot.h);
  const px = (ms: number): number => plot.x + ((ms - axes.x[0]) / (axes.x[1] - axes.x[0])) * plot.w;
  const py = (value: number): number =>
    plot.y + plot.h - ((value - axes.y[0]) / (axes.y[1] - axes.y[0])) * plot.h;
  const keys = legendKeys(chart);
  const flow = flowLegend(
    withLegend ? keys.map(({ text }) => text) : [],
    plot.x,
    plot.x + plot.w,
    11,
    21,
  );
  const total = height + flow.rows * legendRow + (withLegend ? 6 : 0);
  const { text: valueText, unit } = valueAxis(axes, chart.unit);
  const { dimmed } = theme;
  const steady = chart.phases
    .filter((p) => p.name === 'steady')
    .map(
      (p) =>
        `<rect x="${round(px(p.fromMs))}" y="${plot.y}" ` +
        `width="${round(Math.max(0, px(p.toMs) - px(p.fromMs)))}" height="${plot.h}" ` +
        `fill="${theme.steady}"/>`,
    );
  const grid = axes.yTicks.map(
    (y) =>
      `<line x1="${plot.x}" x2="${plot.x + plot.w}" y1="${round(py(y))}" ` +
      `y2="${round(py(y))}" ` +
      `stroke="${theme.grid}"/>` +
      svgText(plot.x - 6, py(y) + 4, valueText(y), `text-anchor="end" fill="${dimmed}"`),
  );
  const times = axes.xTicks.map((t) =>
    svgText(px(t), plot.y + plot.h + 16, formatElapsed(t), `text-anchor="middle" fill="${dimmed}"`),
  );
  const marks = marksSvg(chart, px, plot.y, plot.y + plot.h, theme);
  const path = (line: ReportLine, i: number, strokeWidth: number): string =>
    `<path data-s="${i}" d="${linePath(line, px, py)}" fill="none" stroke="${line.color}" ` +
    `stroke-width="${strokeWidth}"${dashed(line.dash)}/>`;
  const { highlight } = chart;
  const lines = chart.lines.map((line, i) =>
    i === highlight ? '' : path(line, i, highlight === undefined ? 1.4 : 1),
  );
  // Over all others.
  if (highlight !== undefined) lines.push(path(chart.lines[highlight]!, highlight, 2.2));
  const limits = chart.limits
    .filter((l) => l.value <= axes.y[1])
    .map(
      (l) =>
        `<line x1="${plot.x}" x2="${plot.x + plot.w}" y1="${round(py(l.value))}" ` +
        `y2="${round(py(l.value))}" stroke="${theme.limit}" stroke-dasharray="5 3"/>` +
        svgText(
          plot.x + plot.w - 4,
          py(l.value) - 4,
          l.label,
          `text-anchor="end" fill="${theme.limit}"`,
        ),
    );
  const legend = flow.places.map(({ x, row, text: label }, i) => {
    const { color, dash } = keys[i]!;
    const y = height + row * legendRow + 8;
    return (
      `<line x1="${round(x)}" x2="${round(x + 16)}" y1="${y - 4}" y2="${y - 4}" ` +
      `stroke="${color}" stroke-width="2.5"${dashed(dash)}/>` +
      svgText(x + 21, y, label, `fill="${theme.text}"`)
    );
  });
  const empty = chart.lines.every((line) => line.value.length === 0)
    ? svgText(
        plot.x + plot.w / 2,
        plot.y + plot.h / 2,
        'No samples',
        `text-anchor="middle" fill="${dimmed}"`,
      )
    : '';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ` +
    `${width} ${total}" font-family="${escapeXml(font)}" font-size="11" role="img" ` +
    `aria-label="${escapeXml(chart.summary)}">` +
    `<rect width="${width}" height="${total}" fill="${theme.background}"/>` +
    titleSvg(chart.title, unit, true, mark, width - 80, 13, theme) +
    `${steady.join('')}${grid.join('')}${times.join('')}<line x1="${plot.x}" ` +
    `x2="${plot.x + plot.w}" y1="${plot.y + plot.h}" y2="${plot.y + plot.h}" ` +
    `stroke="${theme.dimmed}"/>${lines.join('')}${limits.join('')}${marks}${empty}${legend.join('')}</svg>`
  );
}

/** What happened, as numbered lines from the upper edge of the plot to the lower. */
const marksSvg = (
  { marks = [] }: ReportChart,
  px: (ms: number) => number,
  top: number,
  bottom: number,
  theme: SvgTheme,
): string =>
  marks
    .map(({ atMs, label }) => {
      const x = round(px(atMs));
      return (
        `<line x1="${x}" x2="${x}" y1="${top + 12}" y2="${bottom}" ` +
        `stroke="${theme.text}" stroke-dasharray="4 3"/>` +
        svgText(x, top + 9, label, `text-anchor="middle" fill="${theme.text}"`)
      );
    })
    .join('');

/**
 * A figure beside a chart. Where its unit has larger ones the figure says which it is in: the axis may
 * have chosen another, seconds say, for what is kept in milliseconds.
 */
export const figureText = (value: number, unit: string): string =>
  hasLargerUnits(unit) ? quantityText(value, unit) : formatSi(value);

/** Label of a line with the mean of its steady state; where nobody asked for that, its last value. */
export const legendText = (
  { label, value, steady }: Pick<ReportLine, 'label' | 'value' | 'steady'>,
  unit: string,
): string => {
  const last = value.at(-1);
  if (last === undefined) return `${label}, no samples`;
  const told = steady === undefined ? last : steady;
  return told === null ? label : `${label} ${figureText(told, unit)}`;
};

/** Entries of a legend: a line each, or the one that stands out and all others together. */
function legendKeys({
  lines,
  highlight,
  unit,
}: ReportChart): { text: string; color: string; dash: readonly number[] }[] {
  const own = lines.map((line) => ({
    text: legendText(line, unit),
    color: line.color,
    dash: line.dash,
  }));
  if (highlight === undefined) return own;
  const told = lines.flatMap(({ steady }, i) =>
    i === highlight || typeof steady !== 'number' ? [] : [steady],
  );
  const range =
    told.length === 0
      ? ''
      : `, ${figureText(Math.min(...told), unit)} to ${figureText(Math.max(...told), unit)}`;
  const others = lines.length - 1;
  return [own[highlight]!, { text: `${others} others${range}`, color: neutralColor, dash: [] }];
}

function linePath(
  { tMs, value, gapMs }: ReportLine,
  px: (ms: number) => number,
  py: (value: number) => number,
): string {
  let path = '';
  for (let i = 0; i < tMs.length; i += 1) {
    const broken = i === 0 || tMs[i]! - tMs[i - 1]! > gapMs;
    const alone = broken && (i + 1 === tMs.length || tMs[i + 1]! - tMs[i]! > gapMs);
    path += `${broken ? 'M' : 'L'}${round(px(tMs[i]!))} ${round(py(value[i]!))}`;
    // A lone sample is a dot, not nothing.
    if (alone) path += 'h0.8';
  }
  return path;
}
