import { formatComputed } from '../../../core/base/format.ts';
import {
  axisTitle,
  scaleOf,
  tickText,
  type XyInput,
  type XyPoint,
  type XySeries,
} from '../../../core/chart/xyModel.ts';

/** Everything a chart over a parameter says in words and cells. */
export interface XyText {
  title: string;
  unit: string;
  xLabel: string;
  xUnit: string;
  decimals: number;
  mark: string | null;
}

const xText = (input: XyInput, x: number): string =>
  input.categories?.find((c) => c.at === x)?.label ?? tickText(x);
const flawed = (point: XyPoint): string => (point.flaw === null ? '' : ` (${point.flaw.word})`);

/**
 * Sentences for screen readers and for reading aloud: what is drawn, each series from end to end,
 * knees and marks. Nothing beyond the measured points.
 */
export function xySummary(text: XyText, input: XyInput): string[] {
  const { title, unit, xLabel, xUnit, mark } = text;
  const head =
    `${title}${mark === null ? '' : `, ${mark}`}${unit === '' ? '' : `, ${unit}`}, against ` +
    `${axisTitle(xLabel, xUnit)}.`;
  const lines = input.series.map((s) => {
    const points = [...s.points].sort((a, b) => a.x - b.x);
    const own = scaleOf(input, s, text);
    const exact = (y: number): string =>
      `${formatComputed(y, own.decimals)}${own.unit === '' ? '' : ` ${own.unit}`}`;
    if (points.length === 0) return `${s.label}: no point yet.`;
    const best = points.reduce((a, b) => (b.y > a.y ? b : a));
    return (
      `${s.label}, ${points.length} ${points.length === 1 ? 'point' : 'points'}: ` +
      `${points.map((p) => `${xText(input, p.x)}: ${exact(p.y)}${flawed(p)}`).join('; ')}.` +
      (points.length > 1 ? ` Greatest at ${xText(input, best.x)}.` : '')
    );
  });
  return [
    head,
    ...lines,
    ...input.bands.map((b) => `${b.label}.`),
    ...input.marks.map((m) => `${m.label}.`),
  ];
}

export interface XyTable {
  head: string[];
  rows: string[][];
}
/**
 * One row a value of the parameter, one column a series; repeats and flaws in their own words.
 * Plain digits.
 */
export function xyTable(text: XyText, input: XyInput): XyTable {
  const { xLabel, xUnit, mark } = text;
  const xs = [...new Set(input.series.flatMap((s) => s.points.map((p) => p.x)))].sort(
    (a, b) => a - b,
  );
  const worn = mark === null ? '' : `, ${mark}`;
  const cell = (s: XySeries, x: number): string => {
    const found = s.points.filter((p) => p.x === x);
    return found
      .map((p) => `${p.y.toFixed(scaleOf(input, s, text).decimals)}${flawed(p)}`)
      .join(' | ');
  };
  return {
    head: [
      axisTitle(xLabel, xUnit),
      ...input.series.map(
        (s) =>
          `${s.label} ` +
          `(${[scaleOf(input, s, text).unit, s.published ? 'published' : null].filter(Boolean).join(', ')}${s.published ? '' : worn})`
            .replace('(, ', '(')
            .replace(' ()', ''),
      ),
    ],
    rows: xs.map((x) => [xText(input, x), ...input.series.map((s) => cell(s, x))]),
  };
}

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : /^[=+@-]/.test(cell) && Number.isNaN(Number(cell))
      ? `'${cell}`
      : cell;
/** RFC 4180 with CRLF; a cell that a spreadsheet would run as a formula is made text. */
export const xyCsv = (table: XyTable): string =>
  [table.head, ...table.rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
export const xyTsv = (table: XyTable): string =>
  [table.head, ...table.rows]
    .map((row) => row.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');
