import type { RunRecord } from '../../../src/core/run/run.ts';
import { badCursor } from './badCursor.ts';
import { type ParquetFile, parquetFile } from './parquet.ts';
import { seriesAPage } from './seriesPages.ts';
import type { PageWriter, Samples } from './types.ts';

/** Files in the making that are held; of more, the one that waited longest is given up. */
const openFiles = 4;

interface Making {
  /** Of the run as stored. */ id: string;
  file: ParquetFile;
  record: RunRecord;
  next: number;
}

/** A Parquet file goes by series too, and keeps between pages what its footer will say. */
export function parquetPages({ samples }: Samples): PageWriter {
  const making = new Map<string, Making>();
  let made = 0;
  function begin(id: string, record: RunRecord): string {
    const [oldest] = making.keys();
    if (making.size >= openFiles && oldest !== undefined) making.delete(oldest);
    const key = `parquet-${(made += 1)}`;
    making.set(key, { id, file: parquetFile(record), record, next: 0 });
    return key;
  }
  return (id, run, cursor) => {
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
      samples.read(
        id,
        page.map((def) => def.id),
        { maxPoints: 0 },
      ),
    );
    const last = one.next >= series.length;
    if (last) making.delete(key);
    return {
      bytes: last ? Buffer.concat([body, file.end()]) : body,
      cursor: last ? null : `${key}:${one.next}`,
      done: one.next,
      total: series.length,
    };
  };
}
