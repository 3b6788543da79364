import type { Report, ReportTable } from './model.ts';
import { chartScript } from './htmlScript.ts';
import { chartAxes, chartSvg, escapeXml } from './svg.ts';

const width = 760;
const height = 240;

const style = `
:root{color-scheme:light dark;--bg:#fff;--text:#1d2026;--dim:#5a606b;--line:#d9dce1;--warn:#8a4b00;--mark:#7b1fa2}
@media(prefers-color-scheme:dark){:root{--bg:#16181c;--text:#e6e8ec;--dim:#a3a9b4;--line:#3a3f48;--warn:#ffb74d;--mark:#ce93d8}}
body{font:14px/1.45 system-ui,sans-serif;background:var(--bg);color:var(--text);margin:0 auto;padding:24px;max-width:1000px;font-variant-numeric:tabular-nums}
h1{font-size:28px;margin:0 0 8px}h2{font-size:20px;border-bottom:1px solid var(--line);padding-bottom:4px;margin-top:32px}h3{font-size:14px;margin:16px 0 4px}
.mark{border:2px solid var(--mark);padding:8px 12px;margin:8px 0}.mark b{color:var(--mark)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px}dt{color:var(--dim)}dd{margin:0}
table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;padding:3px 8px;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}th{color:var(--dim);font-weight:600}.r{text-align:right;white-space:nowrap}
figure{margin:12px 0;background:#fff;border:1px solid var(--line)}figure svg{display:block;max-width:100%;height:auto}figcaption{font-size:12px;color:#5a606b;padding:4px 8px;min-height:18px}
footer{color:var(--dim);font-size:12px;margin-top:32px;border-top:1px solid var(--line);padding-top:8px}
@media print{body{padding:0;max-width:none;color-scheme:light;--bg:#fff;--text:#000}figure,tr{break-inside:avoid}h2,h3{break-after:avoid}details{display:block}}
`;

function tableHtml({ title, columns, rows, empty }: ReportTable): string {
  if (rows.length === 0) return `<p>${escapeXml(empty)}</p>`;
  const cls = (i: number): string => (columns[i]?.align === 'right' ? ' class="r"' : '');
  return `<table aria-label="${escapeXml(title)}"><thead><tr>${columns.map((c, i) => `<th scope="col"${cls(i)}>${escapeXml(c.label)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map((text, i) => `<td${cls(i)}>${escapeXml(text)}</td>`).join('')}</tr>`).join('')}</tbody></table>`;
}

/**
 * One file that opens offline, in any browser, and prints: no address in it leads anywhere. Charts answer the pointer and
 * the arrow keys with the values at that time. Its policy lets only its own script run, by hash; every text is escaped.
 */
export function reportHtml(report: Report, sha256Base64: (text: string) => string): string {
  const charts: unknown[] = [];
  const mark = report.marks[0]?.word ?? null;
  const figure = (chart: Report['sections'][number]['charts'][number]): string => {
    const plot = { w: width - 58 - 16, h: height - 26 - 24 };
    charts.push({ x: chartAxes(chart, plot.w, plot.h).x, left: 58 / width, right: (58 + plot.w) / width, unit: chart.unit, lines: chart.lines.map((l) => ({ label: l.label, decimals: l.decimals, gap: l.gapMs, t: [...l.tMs].map((t) => Math.round(t)), v: [...l.value].map((v) => Number(v.toFixed(l.decimals))) })) });
    return `<figure tabindex="0" data-chart="${charts.length - 1}">${chartSvg(chart, { width, height, mark })}<figcaption data-rest="${escapeXml(chart.summary)}" aria-live="off">${escapeXml(chart.summary)}</figcaption></figure>`;
  };
  const body = [
    `<h1>${escapeXml(report.title)}</h1>`,
    ...report.marks.map(({ word, reason }) => `<p class="mark"><b>${escapeXml(word)}</b> ${escapeXml(reason)}</p>`),
    `<p>${escapeXml(report.sentence)}</p>`,
    `<dl>${report.facts.map(([label, value]) => `<dt>${escapeXml(label)}</dt><dd>${escapeXml(value)}</dd>`).join('')}</dl>`,
    ...report.sections.map((section) => `<section><h2>${escapeXml(section.title)}</h2>${section.notes.map((note) => `<p>${escapeXml(note)}</p>`).join('')}${section.tables.map((t) => `${t.title === section.title ? '' : `<h3>${escapeXml(t.title)}</h3>`}${tableHtml(t)}`).join('')}${section.charts.map(figure).join('')}</section>`),
    `<footer>${escapeXml(report.footer)}</footer>`,
  ].join('\n');
  // Data for the script, as text: `<` would end it.
  const data = JSON.stringify(charts).replaceAll('<', '\\u003c');
  const policy = `default-src 'none'; style-src 'sha256-${sha256Base64(style)}'; script-src 'sha256-${sha256Base64(chartScript)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeXml(`${mark === null ? '' : `${mark}: `}${report.title}`)}</title><style>${style}</style></head>\n<body>\n${body}\n<script type="application/json" id="charts">${data}</script>\n<script>${chartScript}</script>\n</body></html>\n`;
}
