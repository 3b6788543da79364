import type { Report, ReportTable } from './model.ts';

/** A cell that keeps to its cell and says what it says: no markup of the data becomes markup of the page. */
const cell = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&').replace(/\s*[\r\n]+\s*/g, ' ');

function tableText({ columns, rows, empty }: ReportTable): string {
  if (rows.length === 0) return `${cell(empty)}\n`;
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(columns.map((c) => c.label || ' ')), `|${columns.map((c) => (c.align === 'right' ? '---:' : '---')).join('|')}|`, ...rows.map(line)].join('\n').concat('\n');
}

/** The report in Markdown: for a ticket or a wiki. Charts are their summaries. */
export function reportMarkdown(report: Report): string {
  return [
    `# ${cell(report.title)}`, '',
    ...report.marks.flatMap(({ word, reason }) => [`> **${cell(word)}**: ${cell(reason)}`, '']),
    cell(report.sentence), '',
    ...report.facts.map(([label, value]) => `- ${cell(label)}: ${cell(value)}`), '',
    ...report.sections.flatMap((section) => [
      `## ${cell(section.title)}`, '',
      ...section.notes.flatMap((note) => [cell(note), '']),
      ...section.tables.flatMap((t) => [...(t.title === section.title ? [] : [`### ${cell(t.title)}`, '']), tableText(t)]),
      ...(section.charts.length === 0 ? [] : [...section.charts.map((chart) => `- ${cell(chart.summary)}`), '']),
    ]),
    '---', '', cell(report.footer), '',
  ].join('\n');
}
