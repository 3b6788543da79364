import type { Redactor } from '../redact/redactor.ts';
import type { Report, ReportChart } from './model.ts';

/**
 * A copy of the report in which every text went through the redactor; figures stay. Listings are
 * redacted where they are made.
 */
export const redactReport = (report: Report, redactor: Redactor): Report =>
  mapTexts(report, (text) => redactor.text(text));

/** A copy of one chart whose every text went through `redact`. */
export const redactChart = (chart: ReportChart, redact: (text: string) => string): ReportChart =>
  mapTexts(chart, redact);

/** All texts of a chart, once each. */
export function chartTexts(chart: ReportChart): string[] {
  const texts = new Set<string>();
  mapTexts(chart, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts];
}

/**
 * A copy of drawn data in which every text went through `change`; figures, colours and shapes stay.
 */
function mapTexts<T>(data: T, change: (text: string) => string): T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (value instanceof Float64Array || value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, verbatim.has(key) ? inner : walk(inner)]),
    );
  };
  // The shape is kept: only what strings say changes.
  return walk(data) as T;
}
/** Members that no text of the testbed is in: colours, shapes, words of the model, and listings. */
const verbatim: ReadonlySet<string> = new Set([
  'code',
  'tones',
  'tone',
  'part',
  'color',
  'letter',
  'dash',
  'shape',
  'line',
  'align',
]);
