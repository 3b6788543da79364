import type BetterSqlite from 'better-sqlite3';

import type { HistoryItem } from '../../../src/core/history/history.ts';

/** How much of the database file is taken by what. */
export interface StorageStore {
  /**
   * Bytes of content of one entry, what runs have in common in equal shares (pages and indexes come
   * on top), kept beside it. null = there is no such entry.
   */
  measure(item: HistoryItem): number | null;
  /** Ended entries without a figure: of an earlier version. At most `limit`. */
  unmeasured(limit: number): HistoryItem[];
  file(): { databaseBytes: number; freeBytes: number };
}

export function createStorageStore(db: BetterSqlite.Database): StorageStore {
  // `octet_length` of a BLOB reads its header, not its pages.
  const run = db.prepare<{ id: string }, { bytes: number }>(`
    SELECT octet_length(r.record_json) + octet_length(r.summary_json)
      + coalesce((
        SELECT sum(octet_length(d.json) /
          (SELECT count(*) FROM run_parts o WHERE o.hash = d.hash))
        FROM run_parts p JOIN run_documents d USING (hash) WHERE p.run_id = r.id), 0)
      + coalesce((SELECT sum(octet_length(json)) FROM run_events WHERE run_id = r.id), 0)
      + coalesce((SELECT sum(octet_length(data)) FROM chunks WHERE run_key = k.run_key), 0)
      + coalesce((SELECT sum(octet_length(data)) FROM rollups WHERE run_key = k.run_key), 0)
      + coalesce((SELECT sum(octet_length(batch)) FROM tail WHERE run_id = r.id), 0)
      + coalesce((SELECT sum(octet_length(text)) FROM logs WHERE run_id = r.id), 0)
      + coalesce((SELECT sum(octet_length(json)) FROM series WHERE run_id = r.id), 0)
      + coalesce((SELECT sum(octet_length(json)) FROM jobs WHERE run_id = r.id), 0) AS bytes
    FROM runs r LEFT JOIN run_keys k ON k.run_id = r.id WHERE r.id = :id`);
  const study = db.prepare<{ id: string }, { bytes: number }>(`
    SELECT octet_length(s.json)
      + coalesce((SELECT octet_length(json) FROM study_progress WHERE study_id = s.id), 0)
      + coalesce((SELECT sum(octet_length(json)) FROM study_points WHERE study_id = s.id), 0) AS bytes
    FROM studies s WHERE s.id = :id`);
  const keep = db.prepare<[number, string, string]>(
    'UPDATE history SET storage_bytes = ? WHERE kind = ? AND id = ?',
  );
  const left = db.prepare<[number], HistoryItem>(`
    SELECT h.kind, h.id FROM history h LEFT JOIN runs r ON h.kind = 'run' AND r.id = h.id
    WHERE h.storage_bytes IS NULL AND h.purging = 0 AND (h.kind = 'study' OR r.ended = 1) LIMIT ?`);
  const pragma = (name: string): number => db.pragma(name, { simple: true }) as number;
  return {
    measure({ kind, id }) {
      const bytes = (kind === 'run' ? run : study).get({ id })?.bytes ?? null;
      if (bytes !== null) keep.run(bytes, kind, id);
      return bytes;
    },
    unmeasured: (limit) => left.all(limit),
    file: () => ({
      databaseBytes: pragma('page_count') * pragma('page_size'),
      freeBytes: pragma('freelist_count') * pragma('page_size'),
    }),
  };
}
