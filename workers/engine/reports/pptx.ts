import JSZip from 'jszip';
import type PptxGenJS from 'pptxgenjs';

import { printable } from '../../../src/core/base/bounds.ts';
import { drawFigure } from '../../../src/core/report/figureSvg.ts';
import {
  markWords,
  type Report,
  type ReportSection,
  type ReportTable,
  type Tone,
} from '../../../src/core/report/model.ts';
import { drawStage } from '../../../src/core/report/stageSvg.ts';
import { chartSvg } from '../../../src/core/report/svg.ts';
import { clipText } from '../../../src/core/report/svgLegend.ts';
import { type DrawPng, pngsOf } from './pictures.ts';

const slidesAtMost = 8;
/** Rows of a table that can be read from a chair. */
const mostRows = 13;
/** Inches. */
const page = { width: 13.33, height: 7.5, side: 0.6, top: 1.25, bottom: 6.85 };
const inner = page.width - page.side * 2;
/** A machine that shows slides has it, or one of the same widths. */
const font = 'Arial';
const ink = '1d2026',
  dim = '5a606b',
  hairline = 'd9dce1',
  blue = '2f62dd',
  red = 'b3261e',
  purple = '7b1fa2';
const tones: Readonly<Record<Tone, { color?: string; bold?: boolean; fill?: { color: string } }>> =
  {
    good: { color: '1b6e3c', fill: { color: 'e7f5ec' } },
    bad: { color: red, fill: { color: 'fdecea' } },
    even: { fill: { color: 'f1f3f5' } },
    strong: { bold: true },
  };
/** The mark: four tiles, one of them being added; inches. */
const tiles: readonly (readonly [x: number, y: number, isFilled: boolean])[] = [
  [0, 0.1, false],
  [0, 0.4, false],
  [0.3, 0.4, false],
  [0.3, 0.04, true],
];
/** What stands for the time of making: the same report gives the same bytes. */
const anyTime = new Date('2020-01-01T00:00:00Z');

/** XML does not have these in any form. */
const said = (text: string): string => printable(text).replace(/[\ufffe\uffff]/g, '');
/** A text that has so many lines of a width, in inches, at a size in points. */
const fitted = (text: string, width: number, size: number, lines: number): string =>
  said(clipText(text, width * 72 * lines * 0.95, size));

interface Picture {
  png: Uint8Array;
  width: number;
  height: number;
  summary: string;
}

/**
 * The two pages of a report as slides: words and tables that can be edited, charts as pictures. What
 * must be known of the whole stands on each.
 */
export async function reportPptx(report: Report, fontsDir: string): Promise<Uint8Array> {
  // Loaded when the first slides are asked for.
  const [{ default: Pptx }, draw] = await Promise.all([
    import('pptxgenjs'),
    pngsOf(report, fontsDir),
  ]);
  const deck = new Pptx();
  deck.layout = 'LAYOUT_WIDE';
  deck.title = said(report.title);
  deck.author = 'Tilebench';
  deck.company = '';
  deck.subject = '';
  const summary = report.sections.filter(({ part }) => part === 'summary');
  const mark = markWords(report).join(', ') || null;
  const words = summary.filter((section) => !isShown(section)).flatMap(({ notes }) => notes);
  titleSlide(deck, report, words);
  const shown = summary.filter(isShown).flatMap((section) => slidesOf(section, mark, draw));
  for (const one of shown.slice(0, slidesAtMost - 2)) sectionSlide(deck, report, one);
  aboutSlide(deck, report);
  return sameEachTime(await deck.write({ outputType: 'uint8array' }));
}

const isShown = ({ tables, charts, figures = [], stage }: ReportSection): boolean =>
  tables.length + charts.length + figures.length > 0 || stage !== undefined;

interface SlideOf {
  title: string;
  note: string;
  picture?: Picture;
  table?: ReportTable;
}

/** A picture or a table is a slide. */
function slidesOf(section: ReportSection, mark: string | null, draw: DrawPng): SlideOf[] {
  const { title, notes, charts, figures = [], stage, tables } = section;
  const note = notes[0] ?? '';
  const drawn: SlideOf[] = [
    ...charts.map((chart) => ({
      title,
      svg: chartSvg(chart, { width: 1_000, height: 400, mark }),
      summary: chart.summary,
    })),
    ...figures.map((figure) => ({
      title: figures.length > 1 ? figure.title : title,
      svg: drawFigure(figure, { width: 1_000, height: 420, mark }).svg,
      summary: figure.summary,
    })),
    ...(stage === undefined
      ? []
      : [{ title, svg: drawStage(stage, { width: 1_000, mark }), summary: stage.summary }]),
  ].map(({ title: head, svg, summary }) => ({
    title: head,
    note: '',
    picture: pictureOf(svg, summary, draw),
  }));
  return [
    ...drawn,
    ...tables.map((table): SlideOf => ({
      title: tables.length > 1 ? table.title : title,
      note,
      table,
    })),
  ];
}

function pictureOf(svg: string, summary: string, draw: DrawPng): Picture {
  const [, width = '1', height = '1'] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  return { png: draw(svg, 2_000), width: Number(width), height: Number(height), summary };
}

/** A slide with its title, what must be known of the whole, and the line at its foot. */
function slideOf(deck: PptxGenJS, report: Report, title: string): PptxGenJS.Slide {
  const slide = deck.addSlide();
  const marks = markWords(report).join(', ');
  slide.addText(fitted(title, inner - 3, 24, 1), {
    x: page.side,
    y: 0.45,
    w: inner - 3,
    h: 0.6,
    margin: 0,
    fontFace: font,
    fontSize: 24,
    bold: true,
    color: ink,
    valign: 'middle',
  });
  if (marks !== '')
    slide.addText(said(marks), {
      x: page.width - page.side - 3.4,
      y: 0.45,
      w: 3.4,
      h: 0.6,
      margin: 0,
      fontFace: font,
      fontSize: 14,
      bold: true,
      align: 'right',
      valign: 'middle',
      color: marks.includes('NOT COMPARABLE') ? red : purple,
    });
  slide.addText(fitted(report.footer, inner, 9, 1), {
    x: page.side,
    y: 7.05,
    w: inner,
    h: 0.25,
    margin: 0,
    fontFace: font,
    fontSize: 9,
    color: dim,
  });
  return slide;
}

function titleSlide(deck: PptxGenJS, report: Report, words: readonly string[]): void {
  const slide = slideOf(deck, report, '');
  for (const [x, y, isFilled] of tiles)
    slide.addShape('roundRect', {
      x: page.side + x,
      y: 0.42 + y,
      w: 0.22,
      h: 0.22,
      line: { color: blue, width: 1.5 },
      ...(isFilled ? { fill: { color: blue } } : {}),
    });
  const text = (
    content: string,
    y: number,
    height: number,
    size: number,
    more: PptxGenJS.TextPropsOptions = {},
  ): void => {
    slide.addText(content, {
      x: page.side,
      y,
      w: inner,
      h: height,
      margin: 0,
      fontFace: font,
      fontSize: size,
      color: ink,
      valign: 'top',
      ...more,
    });
  };
  text(fitted(report.title, inner, 36, 2), 1.4, 1.3, 36, { bold: true });
  const reasons = report.banner?.reasons ?? [];
  const sentence = reasons.length === 0 ? report.sentence : `Not comparable: ${reasons.join(' ')}`;
  text(fitted(sentence, inner, 20, 4), 2.8, 1.4, 20, reasons.length === 0 ? {} : { color: red });
  const numbers = report.numbers ?? [];
  const wide = inner / Math.max(1, numbers.length);
  numbers.forEach(({ label, figure, unit, note, tone }, i) => {
    const at = { x: page.side + i * wide, w: wide - 0.3 };
    text(said(label), 4.4, 0.3, 13, { ...at, color: dim });
    text(said(`${figure} ${unit}`.trim()), 4.7, 0.6, 30, {
      ...at,
      bold: true,
      ...(tone === undefined ? {} : { color: red }),
    });
    text(fitted(note, wide - 0.3, 12, 2), 5.35, 0.5, 12, { ...at, color: dim });
  });
  text(fitted(words.join(' '), inner, 14, 2), 6.1, 0.6, 14);
}

function sectionSlide(deck: PptxGenJS, report: Report, one: SlideOf): void {
  const slide = slideOf(deck, report, one.title);
  const { picture, table, note } = one;
  if (picture !== undefined) {
    const room = { w: inner, h: page.bottom - page.top };
    const scale = Math.min(room.w / picture.width, room.h / picture.height);
    const w = picture.width * scale;
    slide.addImage({
      data: `image/png;base64,${Buffer.from(picture.png).toString('base64')}`,
      x: page.side + (inner - w) / 2,
      y: page.top,
      w,
      h: picture.height * scale,
      altText: said(picture.summary),
    });
  }
  if (table === undefined) return;
  const lead = note === '' ? 0 : 0.75;
  if (note !== '')
    slide.addText(fitted(note, inner, 14, 2), {
      x: page.side,
      y: page.top,
      w: inner,
      h: 0.65,
      margin: 0,
      fontFace: font,
      fontSize: 14,
      color: ink,
      valign: 'top',
    });
  addTable(slide, table, page.top + lead);
}

function addTable(slide: PptxGenJS.Slide, table: ReportTable, top: number): void {
  const { columns, rows, tones: cells, empty, note = '' } = table;
  const size = columns.length > 6 ? 10 : 12;
  const shown = rows.slice(0, mostRows);
  const left = rows.length - shown.length;
  const foot = [note, left > 0 ? `${left} more rows in the report.` : '']
    .filter((text) => text !== '')
    .join(' ');
  const text = (content: string, y: number): void => {
    slide.addText(fitted(content, inner, 11, 1), {
      x: page.side,
      y,
      w: inner,
      h: 0.25,
      margin: 0,
      fontFace: font,
      fontSize: 11,
      color: dim,
    });
  };
  if (shown.length === 0) {
    text(empty, top);
    return;
  }
  const column = inner / columns.length;
  slide.addTable(
    [
      columns.map(({ label, align }) => ({
        text: fitted(label, column, size, 2),
        options: { align, bold: true, color: dim },
      })),
      ...shown.map((row, r) =>
        columns.map(({ align }, i) => {
          const tone = cells?.[r]?.[i] ?? null;
          return {
            text: fitted(row[i] ?? '', column * 1.6, size, 2),
            options: { align, ...(tone === null ? {} : tones[tone]) },
          };
        }),
      ),
    ],
    {
      x: page.side,
      y: top,
      w: inner,
      fontFace: font,
      fontSize: size,
      color: ink,
      border: { type: 'solid', pt: 0.5, color: hairline },
      margin: 0.05,
      autoPage: false,
    },
  );
  if (foot !== '') text(foot, 6.75);
}

/** What it was made of: marks with their reasons, and facts. */
function aboutSlide(deck: PptxGenJS, report: Report): void {
  const slide = slideOf(deck, report, 'About these figures');
  addTable(
    slide,
    {
      title: 'About these figures',
      columns: [
        { label: 'What', align: 'left' },
        { label: 'Value', align: 'left' },
      ],
      rows: [
        ...report.marks.map(({ word, reason }) => [word, reason]),
        ...report.facts.map(([label, value]) => [label, value]),
      ],
      empty: '',
    },
    page.top,
  );
}

/** The file without the time of its making. */
async function sameEachTime(file: unknown): Promise<Uint8Array> {
  if (!(file instanceof Uint8Array)) throw new TypeError('No slides were written.');
  const zip = await JSZip.loadAsync(file);
  const out = new JSZip();
  for (const [name, entry] of Object.entries(zip.files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (entry.dir) continue;
    const bytes = await entry.async('uint8array');
    const text = name === 'docProps/core.xml' ? new TextDecoder().decode(bytes) : null;
    out.file(
      name,
      text?.replace(/>\d{4}-\d\d-\d\dT[\d:.]+Z</g, `>${anyTime.toISOString()}<`) ?? bytes,
      { date: anyTime, createFolders: false },
    );
  }
  return out.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
}
