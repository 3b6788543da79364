import { dirname } from 'node:path';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces';
import { fail } from '../../../src/shared/errors.ts';
import type { Report, ReportTable } from '../../../src/shared/report/model.ts';
import { chartSvg } from '../../../src/shared/report/svg.ts';

const dim = '#5a606b';
/** A table of more rows is cut in print; HTML and CSV have all of them. */
const maxRows = 2_000;

/** The report as an A4 PDF. Fonts come with the app; nothing else is read, no address is followed. */
export async function reportPdf(report: Report): Promise<Uint8Array> {
  // Loaded when the first PDF is asked for: an engine that makes none does not carry it.
  const [{ default: pdfmake }, { default: fonts }] = await Promise.all([import('pdfmake'), import('pdfmake/fonts/Roboto.js')]);
  const fontDir = dirname(fonts.Roboto.normal);
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => dirname(path) === fontDir);
  pdfmake.setFonts(fonts);
  const bytes = await pdfmake.createPdf(documentOf(report)).getBuffer();
  if (bytes.length === 0) throw fail('internal', 'The PDF is empty.', 'Export HTML and print that.');
  return new Uint8Array(bytes);
}

/** What pdfmake lays out. Exported for tests: a PDF's own text is packed. */
export function documentOf(report: Report): TDocumentDefinitions {
  const mark = report.marks.map((m) => m.word).join(', ');
  return {
    info: { title: report.title, creator: 'Tilebench' },
    pageSize: 'A4', pageMargins: [40, 48, 40, 48],
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.15 },
    header: (page) => ({ margin: [40, 20, 40, 0], columns: [{ text: printable(`${report.title}${mark === '' ? '' : `, ${mark}`}`), color: mark === '' ? dim : '#7b1fa2', bold: mark !== '', fontSize: 8 }, { text: String(page), alignment: 'right', color: dim, fontSize: 8, width: 40 }] }),
    footer: { text: printable(report.footer), color: dim, fontSize: 7, margin: [40, 12, 40, 0] },
    content: [
      { text: printable(report.title), fontSize: 20, bold: true, margin: [0, 0, 0, 6] },
      ...report.marks.map(({ word, reason }): Content => ({ table: { widths: ['*'], body: [[{ text: [{ text: `${word}  `, bold: true, color: '#7b1fa2' }, printable(reason)] }]] }, margin: [0, 0, 0, 6] })),
      { text: printable(report.sentence), fontSize: 11, margin: [0, 0, 0, 8] },
      { layout: 'noBorders', table: { widths: [90, '*'], body: report.facts.map(([label, value]) => [{ text: printable(label), color: dim }, printable(value)]) } },
      ...report.sections.flatMap((section): Content[] => [
        { text: printable(section.title), fontSize: 14, bold: true, margin: [0, 16, 0, 4], headlineLevel: 1 },
        ...section.notes.map((note): Content => ({ text: printable(note), margin: [0, 0, 0, 4] })),
        ...section.tables.map(tableOf),
        ...section.charts.map((chart): Content => ({ unbreakable: true, margin: [0, 4, 0, 8], stack: [{ svg: chartSvg(chart, { height: 200, font: 'Roboto', mark: report.marks[0]?.word ?? null }).replaceAll('font-weight="600"', 'font-weight="bold"'), width: 515 }] })),
      ]),
    ],
    // A heading does not stand alone at the end of a page.
    pageBreakBefore: (node, nodes) => node.headlineLevel === 1 && nodes.getFollowingNodesOnPage().length === 0,
  };
}

function tableOf({ columns, rows, empty, title }: ReportTable): Content {
  if (rows.length === 0) return { text: printable(empty), margin: [0, 0, 0, 6] };
  const shown = rows.slice(0, maxRows);
  // Figures and short words take the width they need, in one line; the rest is shared.
  const narrow = columns.map((c, i) => c.align === 'right' || shown.every((row) => (row[i] ?? '').length <= 14));
  return {
    margin: [0, 2, 0, 8],
    stack: [
      {
        layout: 'lightHorizontalLines',
        table: {
          headerRows: 1, dontBreakRows: true,
          widths: narrow.map((isNarrow) => (isNarrow ? 'auto' : '*')),
          body: [columns.map((c) => ({ text: printable(c.label), bold: true, color: dim, alignment: c.align })), ...shown.map((row) => columns.map((c, i) => ({ text: printable(row[i] ?? ''), alignment: c.align, noWrap: narrow[i] === true })))],
        },
      },
      ...(rows.length > shown.length ? [{ text: `${rows.length - shown.length} further rows of ${printable(title)} are in the HTML report.`, color: dim }] : []),
    ],
  };
}

/** Breaks names that are longer than a column could be, and leaves out what the font cannot print. */
const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f]/g, ' ').replace(/\S{28}(?=\S)/g, '$&​').replace(/ /g, ' ');
