import { dirname } from 'node:path';

import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces';

import { fail } from '../../../src/core/base/errors.ts';
import { drawFigure } from '../../../src/core/report/figureSvg.ts';
import {
  markWords,
  type Report,
  type ReportCode,
  type ReportFigure,
  type ReportSection,
} from '../../../src/core/report/model.ts';
import { drawStage } from '../../../src/core/report/stageSvg.ts';
import { chartSvg } from '../../../src/core/report/svg.ts';
import { clipText, textWidth } from '../../../src/core/report/svgLegend.ts';
import { charsOf } from './fonts/charsOf.ts';
import { mainFace, openFaces } from './fonts/faces.ts';
import { documentInFaces, withFontFiles } from './fonts/pdfFaces.ts';
import { dim, tableOf } from './pdfTable.ts';
import { printable } from './pdfText.ts';

const red = '#b3261e',
  purple = '#7b1fa2';
const margin = 40;
/**
 * Share of a page below which no heading begins: its table's heads and first rows would not fit.
 */
const lastHeading = 0.9;
/** More lines of a listing are cut in print; HTML and Markdown have all of them. */
const codeLines = { portrait: 164, landscape: 104 };
/**
 * A note of a section leads to what follows it: alone with its heading it does not stand at the end
 * of a page.
 */
const noteStyle = 'sectionNote';

/**
 * The report as an A4 PDF, its fonts embedded with the letters it has. `fontsDir` holds the packages
 * of the fonts; nothing else is read, no address is followed.
 */
export async function reportPdf(report: Report, fontsDir: string): Promise<Uint8Array> {
  // Loaded when the first PDF is asked for: an engine that makes none does not carry it.
  const { default: pdfmake } = await import('pdfmake');
  const chars = charsOf(report);
  const book = openFaces(fontsDir, [...chars].join(''));
  const bytes = await withFontFiles(book, chars, async ({ files, dir, fontOf }) => {
    pdfmake.setUrlAccessPolicy(() => false);
    pdfmake.setLocalAccessPolicy((path) => dirname(path) === dir);
    pdfmake.setFonts(files);
    return pdfmake.createPdf(documentInFaces(documentOf(report), book, fontOf)).getBuffer();
  });
  if (bytes.length === 0)
    throw fail('internal', 'The PDF is empty.', 'Export HTML and print that.');
  return new Uint8Array(bytes);
}

/** What pdfmake lays out. Exported for tests: a PDF's own text is packed. */
export function documentOf(report: Report): TDocumentDefinitions {
  const words = markWords(report);
  const mark = words.join(', ');
  const width = (report.landscape === true ? 841.89 : 595.28) - 2 * margin;
  const reasons = report.banner?.reasons ?? [];
  return {
    info: { title: printable(report.title), creator: 'Tilebench' },
    pageSize: 'A4',
    pageOrientation: report.landscape === true ? 'landscape' : 'portrait',
    pageMargins: [margin, reasons.length > 0 ? 58 : 48, margin, 44],
    defaultStyle: { font: mainFace, fontSize: 9, lineHeight: 1.15 },
    header: (page, pages) => headerOf(report, mark, width, page, pages),
    footer: {
      text: printable(clipText(report.footer, width * 1.9, 7)),
      color: dim,
      fontSize: 7,
      margin: [margin, 12, margin, 0],
    },
    content: [
      ...frontOf(report),
      ...report.sections.flatMap((section) =>
        sectionOf(section, width, words.length === 0 ? null : mark),
      ),
    ],
    // A heading does not stand alone at the end of a page. A table whose first rows do not fit
    // counts as on the page, though it begins on the next.
    pageBreakBefore: (node, nodes) =>
      node.headlineLevel !== undefined &&
      (node.startPosition.verticalRatio > lastHeading ||
        nodes
          .getFollowingNodesOnPage()
          .every((next) => next.style === noteStyle || next.headlineLevel !== undefined)),
  };
}

/** The head of every page: title and marks, the page's number, and why the report proves nothing. */
function headerOf(
  report: Report,
  mark: string,
  width: number,
  page: number,
  pages: number,
): Content {
  const reasons = report.banner?.reasons ?? [];
  const color = reasons.length > 0 ? red : mark === '' ? dim : purple;
  const title = clipText(report.title, width - 80 - textWidth(mark, 8), 8);
  const others = reasons.length > 1 ? ` And ${reasons.length - 1} more.` : '';
  return {
    margin: [margin, 20, margin, 0],
    stack: [
      {
        columns: [
          {
            text: printable(`${title}${mark === '' ? '' : `, ${mark}`}`),
            color,
            bold: mark !== '',
            fontSize: 8,
          },
          { text: `${page} of ${pages}`, alignment: 'right', color: dim, fontSize: 8, width: 50 },
        ],
      },
      ...(reasons.length === 0
        ? []
        : [
            {
              text: printable(clipText(`Not comparable: ${reasons[0]!}${others}`, width - 10, 7.5)),
              color: red,
              fontSize: 7.5,
            },
          ]),
    ],
  };
}

/** What stands before the sections: title, why it proves nothing, marks, sentence, facts. */
function frontOf(report: Report): Content[] {
  const { banner } = report;
  return [
    {
      text: printable(report.title),
      fontSize: 20,
      bold: true,
      margin: [0, 0, 0, 6],
      lineHeight: 1.1,
    },
    ...(banner === undefined || banner.reasons.length === 0
      ? []
      : [
          framed(
            red,
            [
              { text: banner.title, bold: true, color: red, fontSize: 11, margin: [0, 0, 0, 2] },
              { ul: banner.reasons.map(printable) },
              {
                text:
                  'The figures below stand for themselves; a difference between them proves ' +
                  'nothing.',
                margin: [0, 3, 0, 0],
              },
            ],
            '#fdecea',
          ),
        ]),
    ...report.marks.map(({ word, reason }): Content =>
      framed(purple, [
        { text: [{ text: `${word}  `, bold: true, color: purple }, printable(reason)] },
      ]),
    ),
    {
      text: printable(report.sentence),
      fontSize: report.sentence.length > 300 ? 9.5 : 11,
      bold: report.sentence.length <= 300,
      margin: [0, 4, 0, 8],
    },
    ...numbersOf(report.numbers ?? []),
    {
      layout: 'noBorders',
      table: {
        widths: [90, '*'],
        body: report.facts.map(([label, value]) => [
          { text: printable(label), color: dim },
          printable(value),
        ]),
      },
    },
  ];
}

/** What is asked for first, side by side. */
const numbersOf = (numbers: NonNullable<Report['numbers']>): Content[] =>
  numbers.length === 0
    ? []
    : [
        {
          margin: [0, 0, 0, 8],
          columnGap: 12,
          columns: numbers.map(({ label, figure, unit, note, tone }) => ({
            stack: [
              { text: printable(label), color: dim, fontSize: 8 },
              {
                text: [
                  { text: printable(figure), fontSize: 20, bold: true },
                  { text: unit === '' ? '' : ` ${printable(unit)}`, fontSize: 10 },
                ],
                ...(tone === undefined ? {} : { color: red }),
              },
              { text: printable(note), color: dim, fontSize: 8 },
            ],
          })),
        },
      ];

const framed = (color: string, stack: Content[], fillColor?: string): Content => ({
  unbreakable: true,
  margin: [0, 0, 0, 6],
  layout: {
    hLineColor: () => color,
    vLineColor: () => color,
    paddingLeft: () => 8,
    paddingRight: () => 8,
    paddingTop: () => 5,
    paddingBottom: () => 5,
  },
  table: { widths: ['*'], body: [[{ stack, ...(fillColor === undefined ? {} : { fillColor }) }]] },
});

function sectionOf(section: ReportSection, width: number, mark: string | null): Content[] {
  const figures = section.figures ?? [];
  const halves = figures.filter((one) => one.half === true);
  const svgText = (svg: string): string =>
    svg.replaceAll('font-weight="600"', 'font-weight="bold"').replaceAll('\u202f', '\u00a0');
  const drawn = (one: ReportFigure, w: number, drawnAt: number, height: number): Content => ({
    svg: svgText(drawFigure(one, { width: drawnAt, height, font: mainFace, mark }).svg),
    width: w,
  });
  const wide = width > 600 ? 960 : 720;
  const heading = {
    text: printable(section.title),
    fontSize: 14,
    bold: true,
    margin: [0, section.newPage === true ? 0 : 14, 0, 4] as [number, number, number, number],
  };
  const head: Content[] = [
    { ...heading, headlineLevel: 1 },
    ...section.notes.map((note): Content => ({
      text: printable(note),
      margin: [0, 0, 0, 4],
      style: noteStyle,
    })),
  ];
  const blocks: Content[] = [
    ...(section.stage === undefined
      ? []
      : [
          {
            unbreakable: true,
            margin: [0, 4, 0, 8] as [number, number, number, number],
            stack: [
              {
                svg: svgText(drawStage(section.stage, { width: wide, font: mainFace, mark })),
                width,
              },
            ],
          },
        ]),
    ...figures
      .filter((one) => one.half !== true)
      .map((one): Content => ({
        unbreakable: true,
        margin: [0, 4, 0, 8],
        stack: [drawn(one, width, wide, 300)],
      })),
    ...pairs(halves).map((pair): Content => ({
      unbreakable: true,
      margin: [0, 4, 0, 6],
      columnGap: 12,
      columns: pair.map((one) => ({
        width: (width - 12) / 2,
        stack: [drawn(one, (width - 12) / 2, wide * 0.55, 270)],
      })),
    })),
    ...section.tables.flatMap((table) =>
      tableOf(table, {
        titled: table.title !== section.title,
        width,
        height: width > 600 ? 480 : 730,
      }),
    ),
    ...section.charts.map((chart): Content => ({
      unbreakable: true,
      margin: [0, 4, 0, 8],
      stack: [
        {
          svg: svgText(
            chartSvg(chart, {
              width: wide,
              height: chart.tall === true ? 280 : 168,
              font: mainFace,
              mark,
            }),
          ),
          width,
        },
      ],
    })),
    ...(section.code === undefined ? [] : codeOf(section.code, width)),
  ];
  const [first, ...rest] = blocks;
  const start = section.newPage === true ? { pageBreak: 'before' as const } : {};
  // What moves to the next page as a whole takes its heading along. No page begins inside of it: one
  // that did left an empty page, and the table was lost.
  return typeof first === 'object' && 'unbreakable' in first && first.unbreakable === true
    ? [{ unbreakable: true, stack: [heading, ...head.slice(1), first], ...start }, ...rest]
    : [...(section.newPage === true ? [{ stack: head, ...start }] : head), ...blocks];
}

const pairs = <T>(list: readonly T[]): T[][] =>
  list.flatMap((one, i) => (i % 2 === 0 ? [[one, ...list.slice(i + 1, i + 2)]] : []));

function codeOf({ title, text }: ReportCode, width: number): Content[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const most = width > 600 ? codeLines.landscape : codeLines.portrait;
  const shown = lines.slice(0, most),
    half = Math.ceil(shown.length / 2);
  const column = (from: number, to: number): Content => ({
    text: shown.slice(from, to).map(printable).join('\n'),
    fontSize: 6.5,
    lineHeight: 1.05,
    preserveLeadingSpaces: true,
  });
  return [
    {
      unbreakable: true,
      margin: [0, 6, 0, 4],
      stack: [
        { text: printable(title), bold: true, fontSize: 9.5, margin: [0, 0, 0, 4] },
        shown.length < 40
          ? column(0, shown.length)
          : { columnGap: 12, columns: [column(0, half), column(half, shown.length)] },
      ],
    },
    ...(lines.length > most
      ? [
          {
            text: `${lines.length - most} further lines are in the HTML and Markdown reports.`,
            color: dim,
            fontSize: 7.5,
          },
        ]
      : []),
  ];
}
