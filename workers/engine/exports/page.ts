import { fail } from '../../../src/core/base/errors.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Input, Output } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import { csvHeaderOf, csvOfAll } from './csv.ts';
import { csvWideHeader, csvWideRows, secondsAPage } from './csvWide.ts';
import { safeName } from './fileName.ts';
import { jsonHead, jsonOfSeries } from './json.ts';
import { type ParquetFile, parquetFile } from './parquet.ts';

type Page = Output<'run.export'>;
type Format = Input<'run.export'>['format'];
type Samples = Pick<Database, 'samples'>;

/** Series a page: small enough for a message, large enough to be quick. */
const seriesAPage = 8;
/** Parquet files in the making that are held; of more, the one that waited longest is given up. */
const openFiles = 4;

interface Making {
  /** Of the run as stored. */ id: string;
  file: ParquetFile;
  record: RunRecord;
  next: number;
}
export interface Exporter {
  /**
   * One page of a run's export, written as `shown` where that is given (the record redacted): the
   * bytes of all pages, joined, are the file. The cursor of the first is null, of each other the
   * one the page before it gave. Throws invalidInput for a cursor that is none of ours.
   */
  page(record: RunRecord, format: Format, cursor: string | null, shown?: RunRecord): Page;
}

/**
 * Pages of exports. CSV and JSON keep nothing between pages; a Parquet file keeps what its footer
 * will say.
 */
export function createExporter(db: Samples): Exporter {
  const making = new Map<string, Making>();
  let made = 0;
  function begin(id: string, record: RunRecord): string {
    const [oldest] = making.keys();
    if (making.size >= openFiles && oldest !== undefined) making.delete(oldest);
    const key = `parquet-${(made += 1)}`;
    making.set(key, { id, file: parquetFile(record), record, next: 0 });
    return key;
  }
  function parquetPage(id: string, run: RunRecord, cursor: string | null): Page {
    const [key = '', at = '0'] = (cursor ?? `${begin(id, run)}:0`).split(':');
    const one = making.get(key);
    // A page cannot be had twice: its row group is already in the footer.
    if (one === undefined || one.id !== id || Number(at) !== one.next) throw badCursor(cursor);
    const { file, record } = one;
    const { series } = record.overview;
    const page = series.slice(one.next, one.next + seriesAPage);
    one.next += page.length;
    const body = file.add(
      page,
      db.samples.read(
        id,
        page.map((def) => def.id),
        { maxPoints: 0 },
      ),
    );
    const last = one.next >= series.length;
    if (last) making.delete(key);
    const bytes = last ? Buffer.concat([body, file.end()]) : body;
    return {
      fileName: exportName(record, 'parquet'),
      bytes,
      cursor: last ? null : `${key}:${one.next}`,
      done: one.next,
      total: series.length,
    };
  }
  return {
    page: (stored, format, cursor, record = stored) => {
      const { id } = stored.overview;
      switch (format) {
        case 'parquet':
          return parquetPage(id, record, cursor);
        case 'csv-wide':
          return widePage(db, id, record, cursor);
        case 'csv':
        case 'json':
          return seriesPage(db, id, record, format, cursor);
      }
    },
  };
}

const badCursor = (cursor: string | null) =>
  fail('invalidInput', `The export cursor ${cursor} is not valid.`, 'Start the export again.');

/** The long forms go by series: the cursor is the number of series already given. */
function seriesPage(
  db: Samples,
  id: string,
  record: RunRecord,
  format: 'csv' | 'json',
  cursor: string | null,
): Page {
  const { series } = record.overview;
  const from = cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(from) || from < 0 || from > series.length) throw badCursor(cursor);
  const page = series.slice(from, from + seriesAPage);
  const data = db.samples.read(
    id,
    page.map((def) => def.id),
    { maxPoints: 0 },
  );
  const next = from + page.length;
  const last = next >= series.length;
  const bytes =
    format === 'csv'
      ? csvOfAll(record, page, data, from === 0 ? csvHeaderOf(record) : '')
      : Buffer.from(
          (from === 0 ? jsonHead(record) : '') +
            page
              .map((def, i) => (from + i === 0 ? '' : ',') + jsonOfSeries(def, data[i]!))
              .join('') +
            (last ? '\n]}\n' : ''),
        );
  return {
    fileName: exportName(record, format),
    bytes,
    cursor: last ? null : String(next),
    done: next,
    total: series.length,
  };
}

/** The wide form goes by time: the cursor is the second the next page begins with. */
function widePage(db: Samples, id: string, record: RunRecord, cursor: string | null): Page {
  const { overview } = record;
  const { startedAtMs, createdAtMs, endedAtMs, nowMs, series } = overview;
  const startMs = Math.floor((startedAtMs ?? createdAtMs) / 1_000) * 1_000;
  // Counters of the last period arrive after the end.
  const totalS = Math.max(1, Math.ceil(((endedAtMs ?? nowMs) - startMs) / 1_000) + secondsAPage);
  const fromS = cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(fromS) || fromS < 0 || fromS > totalS) throw badCursor(cursor);
  const toS = Math.min(totalS, fromS + secondsAPage);
  const data = db.samples.read(
    id,
    series.map((def) => def.id),
    { fromMs: startMs + fromS * 1_000, toMs: startMs + toS * 1_000 - 1, maxPoints: 0 },
  );
  const bytes = Buffer.from(
    (fromS === 0 ? csvWideHeader(record) : '') + csvWideRows(record, data, startMs, fromS, toS),
  );
  return {
    fileName: exportName(record, 'wide.csv'),
    bytes,
    cursor: toS >= totalS ? null : String(toS),
    done: toS,
    total: totalS,
  };
}

/** Name of a run's file: what is not measured on the real lab says so. */
export const exportName = ({ overview }: RunRecord, suffix: string): string =>
  `${safeName(overview.name)}${overview.origin === 'real' ? '' : `-${overview.origin.toUpperCase()}`}.${suffix}`;
