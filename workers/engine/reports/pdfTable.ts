import type { Content, TableCell } from 'pdfmake/interfaces';

import type { ReportTable, Tone } from '../../../src/core/report/model.ts';
import { textWidth } from '../../../src/core/report/svgLegend.ts';
import { printable } from './pdfText.ts';

export const dim = '#5a606b';
/** A table of more rows is cut in print; HTML and CSV have all of them. */
const maxRows = 2_000;
/** Tables up to this share of a page stay on one. */
const wholeShare = 0.55;
const fontSize = 8,
  leastFont = 5.5;
/** Left and right of a cell, in points. */
const padding = 3;
const tones: Readonly<Record<Tone, { color?: string; fillColor?: string; bold?: boolean }>> = {
  good: { color: '#1b6e3c', fillColor: '#e7f5ec' },
  bad: { color: '#b3261e', fillColor: '#fdecea' },
  even: { fillColor: '#f1f3f5' },
  strong: { bold: true },
};

/**
 * A column of text keeps this width, in points, where it has that much to say: before it is
 * squeezed further, letters get smaller.
 */
const roomyColumn = 84;

export interface ColumnWidths {
  widths: number[];
  fontSize: number;
}
const slack = 1.06;

/**
 * Widths of the columns in points, so that a table fills the page and no figure is broken: columns
 * as wide as their longest line where there is room, else text columns give way down to their
 * longest word, and the letters get smaller after that.
 */
export function columnWidths(
  table: Pick<ReportTable, 'columns' | 'rows'>,
  available: number,
): ColumnWidths {
  const { columns, rows } = table;
  const shown = rows.slice(0, maxRows);
  const room = available - columns.length * padding * 2;
  const measure = (size: number): { natural: number[]; least: number[] } => {
    const width = (text: string): number => textWidth(text, size) * slack + 1;
    const word = (text: string): number =>
      Math.max(0, ...text.split(/[\s\u200b]+|(?<=[-/])/).map(width));
    const cells = columns.map((_, i) => shown.map((row) => printable(row[i] ?? '')));
    const whole = columns.map(
      (c, i) => c.align === 'right' || cells[i]!.every((text) => text.length <= 12),
    );
    // A long heading stands in two lines.
    const natural = columns.map((c, i) =>
      Math.max(
        c.label.length > 14
          ? Math.max(word(c.label), width(c.label) * 0.56)
          : width(c.label) * 1.05,
        ...cells[i]!.map(width),
      ),
    );
    return {
      natural,
      least: columns.map((c, i) =>
        Math.max(
          word(c.label) * 1.05,
          ...(whole[i]
            ? cells[i]!.map(width)
            : [
                Math.min(natural[i]!, roomyColumn, (room / columns.length) * 0.9),
                ...cells[i]!.map(word),
              ]),
        ),
      ),
    };
  };
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
  for (let size = fontSize; ; size -= 0.5) {
    const { natural, least } = measure(size);
    const wanted = sum(natural),
      needed = sum(least);
    if (wanted <= room) {
      // What is left goes to columns of text; a table of figures alone stays as wide as it is.
      const text = columns.map((c, i) =>
        c.align === 'left' && natural[i]! > 40 ? natural[i]! : 0,
      );
      const share = sum(text) === 0 ? 0 : (room - wanted) / sum(text);
      return { fontSize: size, widths: natural.map((w, i) => w + text[i]! * share) };
    }
    if (needed <= room || size <= leastFont) {
      const give = Math.max(0, room - needed) / Math.max(1e-9, wanted - needed);
      const squeeze = Math.min(1, room / needed);
      return {
        fontSize: size,
        widths: least.map((w, i) => (w + (natural[i]! - w) * give) * squeeze),
      };
    }
  }
}

/** A table with its title as a head that is repeated on each page it goes over; its note below. */
export function tableOf(
  table: ReportTable,
  options: { titled: boolean; width: number; /** Of a page, in points. */ height: number },
): Content[] {
  const { rows, empty, title, note } = table;
  const foot: Content[] =
    note === undefined || note === ''
      ? []
      : [{ text: printable(note), color: dim, fontSize: 7.5, margin: [0, 0, 0, 8] }];
  if (rows.length === 0) {
    const heading: Content = { ...titleText(title), margin: [0, 6, 0, 2], headlineLevel: 2 };
    const said: Content = { text: printable(empty), margin: [0, 0, 0, 6] };
    return [...(options.titled ? [heading] : []), said, ...foot];
  }
  const shown = rows.slice(0, maxRows);
  return [
    gridOf(table, shown, options),
    ...(rows.length > shown.length
      ? [
          {
            text:
              `${rows.length - shown.length} further rows of ${printable(title)} ` +
              'are in the HTML report.',
            color: dim,
          },
        ]
      : []),
    ...foot,
  ];
}

function gridOf(
  table: ReportTable,
  shown: readonly (readonly string[])[],
  { titled, width, height }: Parameters<typeof tableOf>[1],
): Content {
  const { widths, fontSize: size } = columnWidths(table, width);
  const heads = titled ? 2 : 1;
  const heights = rowHeights(shown, widths, size);
  const high = heights.reduce((a, b) => a + b, 30);
  return {
    margin: [0, 2, 0, table.note === undefined ? 8 : 3],
    fontSize: size,
    unbreakable: high <= height * wholeShare,
    layout: {
      hLineWidth: (line, node) =>
        line < heads || (line === node.table.body.length && line < heads)
          ? 0
          : line === heads
            ? 0.8
            : 0.4,
      vLineWidth: () => 0,
      hLineColor: (line) => (line === heads ? '#868b94' : '#d9dce1'),
      paddingLeft: () => padding,
      paddingRight: () => padding,
      paddingTop: () => 1.5,
      paddingBottom: () => 1.5,
    },
    table: {
      headerRows: heads,
      keepWithHeaderRows: Math.min(2, shown.length),
      dontBreakRows: Math.max(...heights) < height / 2,
      widths,
      body: [...(titled ? [titleRow(table)] : []), headRow(table), ...bodyRows(table, shown)],
    },
  };
}

const titleText = (title: string) => ({ text: printable(title), bold: true, fontSize: 9.5 });

const titleRow = ({ title, columns }: ReportTable): TableCell[] => [
  {
    ...titleText(title),
    colSpan: columns.length,
    margin: [0, 4, 0, 1],
    border: [false, false, false, false],
  },
  ...columns.slice(1).map(() => ({})),
];

const headRow = ({ columns }: ReportTable): TableCell[] =>
  columns.map((c) => ({ text: printable(c.label), bold: true, color: dim, alignment: c.align }));

function bodyRows(
  { columns, tones: cellTones }: ReportTable,
  shown: readonly (readonly string[])[],
): TableCell[][] {
  return shown.map((row, r) =>
    columns.map((c, i) => {
      const tone = cellTones?.[r]?.[i] ?? null;
      return {
        text: printable(row[i] ?? ''),
        alignment: c.align,
        ...(tone === null ? {} : tones[tone]),
      };
    }),
  );
}

/** Heights of rows in points, by the lines their longest cell takes in its column. */
function rowHeights(
  shown: readonly (readonly string[])[],
  widths: readonly number[],
  size: number,
): number[] {
  return shown.map((row) => {
    const lines = widths.map((width, i) =>
      Math.ceil((textWidth(printable(row[i] ?? ''), size) * slack) / Math.max(1, width)),
    );
    return Math.max(...lines) * size * 1.25 + 3;
  });
}
