import { printable } from '../base/bounds.ts';
import type { Report, ReportCode, ReportTable } from './model.ts';

/**
 * A cell that keeps to its cell and says what it says: no markup of the data becomes markup of the
 * page.
 */
const cell = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]<>#|~]/g, '\\$&')
    .replace(/\s*[\r\n]+\s*/g, ' ');

function tableText({ columns, rows, empty, note }: ReportTable): string {
  const foot = note === undefined || note === '' ? '' : `\n${cell(note)}\n`;
  if (rows.length === 0) return `${cell(empty)}\n${foot}`;
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [
    line(columns.map((c) => c.label || ' ')),
    `|${columns.map((c) => (c.align === 'right' ? '---:' : '---')).join('|')}|`,
    ...rows.map(line),
  ]
    .join('\n')
    .concat(`\n${foot}`);
}

/** Fenced with more back quotes than it holds in a row. */
function codeText({ title, text }: ReportCode): string[] {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((m) => m[0].length + 1)));
  return [`### ${cell(title)}`, '', fence, printable(text).replace(/\n$/, ''), fence, ''];
}

/** The report in Markdown: for a ticket or a wiki. Charts and figures are their summaries. */
export function reportMarkdown(report: Report): string {
  const { banner } = report;
  return [
    `# ${cell(report.title)}`,
    '',
    ...(banner === undefined || banner.reasons.length === 0
      ? []
      : [
          `> **NOT COMPARABLE: ${cell(banner.title)}**`,
          '>',
          ...banner.reasons.map((reason) => `> - ${cell(reason)}`),
          '>',
          '> The figures below stand for themselves; a difference between them proves nothing.',
          '',
        ]),
    ...report.marks.flatMap(({ word, reason }) => [`> **${cell(word)}**: ${cell(reason)}`, '']),
    cell(report.sentence),
    '',
    ...(report.numbers ?? []).map(({ label, figure, unit, note }) =>
      cell(`${label}: ${`${figure} ${unit}`.trim()}, ${note}`).replace(/^/, '- '),
    ),
    ...report.facts.map(([label, value]) => `- ${cell(label)}: ${cell(value)}`),
    '',
    ...report.sections.flatMap((section) => {
      const drawn = [
        ...(section.stage === undefined ? [] : [section.stage]),
        ...(section.figures ?? []),
        ...section.charts,
      ];
      return [
        `## ${cell(section.title)}`,
        '',
        ...section.notes.flatMap((note) => [cell(note), '']),
        ...section.tables.flatMap((t) => [
          ...(t.title === section.title ? [] : [`### ${cell(t.title)}`, '']),
          tableText(t),
        ]),
        ...(drawn.length === 0 ? [] : [...drawn.map((chart) => `- ${cell(chart.summary)}`), '']),
        ...(section.code === undefined ? [] : codeText(section.code)),
      ];
    }),
    '---',
    '',
    cell(report.footer),
    '',
  ].join('\n');
}
