import { drawFigure } from './figureSvg.ts';
import { chartScript } from './htmlScript.ts';
import { reportStyle } from './htmlStyle.ts';
import {
  markWords,
  type Report,
  type ReportChart,
  type ReportFigure,
  type ReportSection,
  type ReportStage,
  type ReportTable,
} from './model.ts';
import { legendKey } from './seriesSvg.ts';
import { drawStage } from './stageSvg.ts';
import { chartAxes, chartSvg, dashed, escapeXml, legendText, pageSvg } from './svg.ts';

const width = 760;
const height = 240;
/** Pictures follow the page. */
const font = 'inherit';

function tableHtml({ title, columns, rows, empty, tones, note }: ReportTable): string {
  const foot = note === undefined || note === '' ? '' : `<p class="note">${escapeXml(note)}</p>`;
  if (rows.length === 0) return `<p>${escapeXml(empty)}</p>${foot}`;
  const cls = (i: number, tone: string | null = null): string => {
    const names = [
      ...(columns[i]?.align === 'right' ? ['r'] : []),
      ...(tone === null ? [] : [tone]),
    ];
    return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  };
  const head = columns.map((c, i) => `<th scope="col"${cls(i)}>${escapeXml(c.label)}</th>`);
  const body = rows.map((row, r) => {
    const cells = row.map((text, i) => {
      const tone = tones?.[r]?.[i] ?? null;
      return `<td${cls(i, tone)}>${escapeXml(text)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return (
    `<div class="scroll" tabindex="0" role="region" aria-label="${escapeXml(title)}"><table ` +
    `aria-label="${escapeXml(title)}"><thead><tr>${head.join('')}</tr></thead>` +
    `<tbody>${body.join('')}</tbody></table></div>${foot}`
  );
}

function legendHtml(entries: readonly { label: string; key: string }[]): string {
  if (entries.length === 0) return '';
  const buttons = entries.map(
    ({ label, key }, i) =>
      `<li><button type="button" data-line="${i}" aria-pressed="true">` +
      `${key}${escapeXml(label)}</button></li>`,
  );
  return `<ul class="legend" aria-label="Series">${buttons.join('')}</ul>`;
}
const lineKey = (color: string, dash: readonly number[]): string =>
  '<svg width="18" height="8" viewBox="0 0 18 8" aria-hidden="true"><line x1="0" x2="18" ' +
  `y1="4" y2="4" stroke="${color}" stroke-width="3"${dashed(dash)}/></svg>`;
const frame = (index: number, svg: string, legend: string, summary: string): string =>
  `<figure tabindex="0" data-chart="${index}">${svg}${legend}<figcaption ` +
  `data-rest="${escapeXml(summary)}" ` +
  `aria-live="off">${escapeXml(summary)}</figcaption></figure>`;

/** Halves stand side by side where the page is wide enough. */
function figuresHtml(
  figures: readonly ReportFigure[],
  figure: (one: ReportFigure) => string,
): string {
  const halves = figures.filter((one) => one.half === true);
  const whole = figures.filter((one) => one.half !== true).map(figure);
  const pairs =
    halves.length === 0 ? '' : `<div class="pairs">${halves.map(figure).join('')}</div>`;
  return whole.join('') + pairs;
}

/**
 * What the script needs of a chart over time: axes, and the lines' numbers at the decimals they are
 * shown with.
 */
function chartData(chart: ReportChart): unknown {
  const plot = { w: width - 58 - 16, h: height - 26 - 24 };
  return {
    x: chartAxes(chart, plot.w, plot.h).x,
    left: 58 / width,
    right: (58 + plot.w) / width,
    bottom: 26 + plot.h,
    unit: chart.unit,
    lines: chart.lines.map((l) => ({
      label: l.label,
      decimals: l.decimals,
      gap: l.gapMs,
      t: [...l.tMs].map((t) => Math.round(t)),
      v: [...l.value].map((v) => Number(v.toFixed(l.decimals))),
    })),
  };
}

const eachOf = <T>(list: readonly T[], html: (one: T) => string): string => list.map(html).join('');
const factHtml = ([label, value]: Report['facts'][number]): string =>
  `<dt>${escapeXml(label)}</dt><dd>${escapeXml(value)}</dd>`;

/** What is asked for first, side by side. */
const numbersHtml = (numbers: NonNullable<Report['numbers']>): string =>
  numbers.length === 0
    ? ''
    : `<ul class="numbers">${eachOf(
        numbers,
        ({ label, figure, unit, note, tone }) =>
          `<li><span>${escapeXml(label)}</span><strong${tone === undefined ? '' : ` class="${tone}"`}>` +
          `${escapeXml(figure)}${unit === '' ? '' : ` <small>${escapeXml(unit)}</small>`}</strong>` +
          `<span>${escapeXml(note)}</span></li>`,
      )}</ul>`;

const bannerHtml = (banner: Report['banner']): string[] =>
  banner === undefined || banner.reasons.length === 0
    ? []
    : [
        `<div class="banner" role="alert"><h2>${escapeXml(banner.title)}</h2>` +
          `<ul>${eachOf(banner.reasons, (reason) => `<li>${escapeXml(reason)}</li>`)}</ul>` +
          '<p>The figures below stand for themselves; a difference between them proves ' +
          'nothing.</p></div>',
      ];

function sectionHtml(
  section: ReportSection,
  figure: (one: ReportFigure) => string,
  chart: (one: ReportChart) => string,
  stage: (one: ReportStage) => string,
): string {
  const { title, notes, figures = [], tables, charts, code, newPage } = section;
  return [
    `<section${newPage === true ? ' class="page"' : ''}><h2>${escapeXml(title)}</h2>`,
    eachOf(notes, (note) => `<p>${escapeXml(note)}</p>`),
    section.stage === undefined ? '' : stage(section.stage),
    figuresHtml(figures, figure),
    eachOf(
      tables,
      (one) => (one.title === title ? '' : `<h3>${escapeXml(one.title)}</h3>`) + tableHtml(one),
    ),
    eachOf(charts, chart),
    code === undefined
      ? ''
      : `<details><summary>${escapeXml(code.title)}</summary><pre ` +
        `tabindex="0">${escapeXml(code.text)}</pre></details>`,
    '</section>',
  ].join('');
}

/**
 * One file that opens offline, in any browser, and prints: no address in it leads anywhere. Charts
 * answer the pointer and the keys with their values, and show or hide a series by its legend. Its
 * policy lets only its own script run, by hash; every text is escaped. `faces`: rules of the fonts it
 * brings, of the family `Report`.
 */
export function reportHtml(
  report: Report,
  sha256Base64: (text: string) => string,
  faces = '',
): string {
  const style = `${faces}${reportStyle}`;
  const data: unknown[] = [];
  const words = markWords(report);
  const mark = words.length === 0 ? null : words.join(', ');
  const chart = (one: ReportChart): string => {
    data.push(chartData(one));
    return frame(
      data.length - 1,
      chartSvg(one, { width, height, mark, theme: pageSvg, font, legend: false }),
      legendHtml(
        one.lines.map((l) => ({ label: legendText(l, one.unit), key: lineKey(l.color, l.dash) })),
      ),
      one.summary,
    );
  };
  const figure = (one: ReportFigure): string => {
    const drawn = drawFigure(one, {
      width: one.half === true ? 470 : width,
      height: one.half === true ? 280 : 300,
      mark,
      theme: pageSvg,
      font,
      legend: false,
    });
    data.push({ points: drawn.points.map((p) => [p.series, p.x, p.y, p.text]) });
    return frame(
      data.length - 1,
      drawn.svg,
      legendHtml(one.series.map((s) => ({ label: s.label, key: legendKey(s) }))),
      one.summary,
    );
  };
  const stage = (one: ReportStage): string =>
    `<figure>${drawStage(one, { width, mark, theme: pageSvg, font })}` +
    `<figcaption>${escapeXml(one.summary)}</figcaption></figure>`;
  const body = [
    `<h1>${escapeXml(report.title)}</h1>`,
    ...bannerHtml(report.banner),
    ...report.marks.map(
      ({ word, reason }) => `<p class="mark"><b>${escapeXml(word)}</b> ${escapeXml(reason)}</p>`,
    ),
    `<p class="verdict">${escapeXml(report.sentence)}</p>`,
    numbersHtml(report.numbers ?? []),
    `<dl>${eachOf(report.facts, factHtml)}</dl>`,
    ...report.sections.map((section) => sectionHtml(section, figure, chart, stage)),
    `<footer>${escapeXml(report.footer)}</footer>`,
  ].join('\n');
  // Data for the script, as text: `<` would end it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const title = mark === null ? report.title : `${mark}: ${report.title}`;
  const policy =
    `default-src 'none'; style-src 'sha256-${sha256Base64(style)}'; font-src data:; script-src ` +
    `'sha256-${sha256Base64(chartScript)}'; base-uri 'none'; form-action 'none'`;
  return (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta ' +
    `http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" ` +
    `content="width=device-width,initial-scale=1"><title>${escapeXml(title)}</title>` +
    `<style>${style}</style></head>\n<body>\n${body}\n` +
    `<script type="application/json" id="charts">${json}</script>\n<script>${chartScript}</script>\n</body></html>\n`
  );
}
