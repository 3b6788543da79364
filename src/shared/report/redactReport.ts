import type { Redactor } from '../redact/redactor.ts';
import type { Report } from './model.ts';

/** A copy of the report in which every text went through the redactor; figures stay. Listings are redacted where they are made. */
export function redactReport(report: Report, redactor: Redactor): Report {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return redactor.text(value);
    if (value instanceof Float64Array || value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, verbatim.has(key) ? inner : walk(inner)]),
    );
  };
  // The shape is kept: only what strings say changes.
  return walk(report) as Report;
}
/** Members that no text of the testbed is in: colours, shapes, words of the model, and listings. */
const verbatim: ReadonlySet<string> = new Set([
  'code',
  'tones',
  'color',
  'dash',
  'shape',
  'line',
  'align',
]);
