import { fail } from '../../../src/shared/errors.ts';
import type { RunRecord } from '../../../src/shared/run.ts';
import type { Output } from '../../../src/shared/contract.ts';
import type { Database } from '../db/types.ts';
import { csvHeaderOf, csvOfSeries } from './csv.ts';
import { csvWideHeader, csvWideRows, secondsAPage } from './csvWide.ts';
import { jsonHead, jsonOfSeries } from './json.ts';

type Page = Output<'run.export'>;

/** Series a page: small enough for a message, large enough to be quick. */
const seriesAPage = 8;

/**
 * One page of a run's export. The cursor is the number of series already given; text of all pages, joined, is the file.
 * Throws invalidInput for a cursor that is none of ours.
 */
export function exportPage(db: Pick<Database, 'samples'>, record: RunRecord, format: 'csv' | 'csv-wide' | 'json', cursor: string | null): Page {
  if (format === 'csv-wide') return widePage(db, record, cursor);
  const { series, id } = record.overview;
  const from = cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0 || from > series.length) throw fail('invalidInput', `The export cursor ${cursor} is not valid.`, 'Start the export again.');
  const page = series.slice(from, from + seriesAPage);
  const data = db.samples.read(id, page.map((def) => def.id), { maxPoints: 0 });
  const next = from + page.length;
  const last = next >= series.length;
  const body = format === 'csv'
    ? (from === 0 ? csvHeaderOf(record) : '') + page.map((def, i) => csvOfSeries(record, def, data[i]!).toString('utf8')).join('')
    : (from === 0 ? jsonHead(record) : '') + page.map((def, i) => (from + i === 0 ? '' : ',') + jsonOfSeries(def, data[i]!)).join('') + (last ? '\n]}\n' : '');
  return { fileName: exportName(record, format), text: body, cursor: last ? null : String(next), done: next, total: series.length };
}

/** The wide form goes by time: the cursor is the second the next page begins with. */
function widePage(db: Pick<Database, 'samples'>, record: RunRecord, cursor: string | null): Page {
  const { overview } = record;
  const { startedAtMs, createdAtMs, endedAtMs, nowMs, series } = overview;
  const startMs = Math.floor((startedAtMs ?? createdAtMs) / 1_000) * 1_000;
  // Counters of the last period arrive after the end.
  const totalS = Math.max(1, Math.ceil(((endedAtMs ?? nowMs) - startMs) / 1_000) + secondsAPage);
  const fromS = cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(fromS) || fromS < 0 || fromS > totalS) throw fail('invalidInput', `The export cursor ${cursor} is not valid.`, 'Start the export again.');
  const toS = Math.min(totalS, fromS + secondsAPage);
  const data = db.samples.read(overview.id, series.map((def) => def.id), { fromMs: startMs + fromS * 1_000, toMs: startMs + toS * 1_000 - 1, maxPoints: 0 });
  const text = (fromS === 0 ? csvWideHeader(record) : '') + csvWideRows(record, data, startMs, fromS, toS);
  return { fileName: exportName(record, 'wide.csv'), text, cursor: toS >= totalS ? null : String(toS), done: toS, total: totalS };
}

/** Name of a run's file: what is not measured on the real lab says so. */
export const exportName = ({ overview }: RunRecord, suffix: string): string => `${safeName(overview.name)}${overview.origin === 'real' ? '' : `-${overview.origin.toUpperCase()}`}.${suffix}`;

/** A file name on every system: letters, digits, dots, dashes. */
function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 80) || 'run';
}
