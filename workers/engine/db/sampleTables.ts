import type BetterSqlite from 'better-sqlite3';

import { fail } from '../../../src/core/base/errors.ts';
import { type SeriesDef, seriesDefSchema } from '../../../src/core/metric/metric.ts';
import type { Log } from '../deps.ts';
import { readStored } from './readStored.ts';
import { createRunBuffer, type RunBuffer } from './runBuffer.ts';
import { unpackTail } from './tail.ts';

/** The tables of samples, with what is kept in memory of the runs at hand. */
export interface SampleTables {
  db: BetterSqlite.Database;
  log: Log;
  sql: SampleStatements;
  /** By run: what lies in its tail. */
  buffers: Map<string, RunBuffer>;
  /** By run: samples that were not stored since the store was opened. */
  dropped: Map<string, { repeated: number; unusable: number }>;
}

export function openSampleTables(db: BetterSqlite.Database, log: Log): SampleTables {
  return { db, log, sql: prepare(db), buffers: new Map(), dropped: new Map() };
}

/** Series of a run as they are stored; throws internal for one that cannot be read. */
export function seriesOf({ sql }: SampleTables, runId: string): SeriesDef[] {
  return sql.series.all(runId).map(({ series_id, json }) => {
    const stored = readStored(seriesDefSchema, json);
    if (!stored.ok)
      throw fail(
        'internal',
        `Series ${series_id} of run ${runId} is not readable at ${stored.issue}`,
        'Restore a backup of the database.',
      );
    return stored.data;
  });
}

/** The buffer of a run, read from the tables where it is not in memory. */
export function bufferOf(tables: SampleTables, runId: string): RunBuffer {
  const { sql, buffers } = tables;
  const known = buffers.get(runId);
  if (known) return known;
  const key = sql.key.get(runId)?.run_key ?? null;
  const buffer = createRunBuffer(key, seriesOf(tables, runId));
  if (key !== null)
    for (const row of sql.lastTimes.all(key)) buffer.raise(row.series_id, row.last_ms);
  for (const { batch } of sql.tail.all(runId))
    unpackTail(batch, (id, tMs, value) => buffer.add(id, tMs, value));
  buffers.set(runId, buffer);
  return buffer;
}

/**
 * A run as a reader needs it. One without a tail, as every run that ended, is read without the
 * places its next samples would take.
 */
export function readerOf(
  tables: SampleTables,
  runId: string,
): Pick<RunBuffer, 'key' | 'pending' | 'pendingCount'> {
  const { sql, buffers } = tables;
  if (buffers.has(runId) || sql.anyTail.get(runId) !== undefined) return bufferOf(tables, runId);
  return { key: sql.key.get(runId)?.run_key ?? null, pending: () => null, pendingCount: () => 0 };
}

/** The run's key in the chunk tables, made where it has none. */
export function keyOf({ sql }: SampleTables, runId: string, buffer: RunBuffer): number {
  if (buffer.key === null) buffer.key = Number(sql.newKey.run(runId).lastInsertRowid);
  return buffer.key;
}

type SampleStatements = ReturnType<typeof prepare>;
function prepare(db: BetterSqlite.Database) {
  return {
    key: db.prepare<[string], { run_key: number }>('SELECT run_key FROM run_keys WHERE run_id = ?'),
    newKey: db.prepare<[string]>('INSERT INTO run_keys (run_id) VALUES (?)'),
    series: db.prepare<[string], { series_id: number; json: string }>(
      'SELECT series_id, json FROM series WHERE run_id = ? ORDER BY series_id',
    ),
    putSeries: db.prepare<[string, number, string]>(
      'INSERT OR REPLACE INTO series (run_id, series_id, json) VALUES (?, ?, ?)',
    ),
    tail: db.prepare<[string], { batch: Buffer }>(
      'SELECT batch FROM tail WHERE run_id = ? ORDER BY id',
    ),
    anyTail: db.prepare<[string]>('SELECT 1 FROM tail WHERE run_id = ? LIMIT 1'),
    putTail: db.prepare<[string, Uint8Array]>('INSERT INTO tail (run_id, batch) VALUES (?, ?)'),
    clearTail: db.prepare<[string]>('DELETE FROM tail WHERE run_id = ?'),
    lastTimes: db.prepare<[number], { series_id: number; last_ms: number }>(
      'SELECT series_id, max(to_ms) AS last_ms FROM chunks WHERE run_key = ? GROUP BY series_id',
    ),
    chunks: db.prepare<[number, number, number, number], { count: number; data: Buffer }>(
      'SELECT count, data FROM chunks WHERE run_key = ? AND series_id = ? AND from_ms <= ? ' +
        'AND to_ms >= ? ORDER BY from_ms',
    ),
    putChunk: db.prepare<[number, number, number, number, number, Uint8Array]>(
      'INSERT INTO chunks (run_key, series_id, from_ms, to_ms, count, data) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    clearChunks: db.prepare<[number, number]>(
      'DELETE FROM chunks WHERE run_key = ? AND series_id = ?',
    ),
    clearRollup: db.prepare<[number, number]>(
      'DELETE FROM rollups WHERE run_key = ? AND series_id = ?',
    ),
    countOf: db.prepare<[number, number], { count: number | null }>(
      'SELECT sum(count) AS count FROM chunks WHERE run_key = ? AND series_id = ?',
    ),
    count: db.prepare<[number], { count: number | null }>(
      'SELECT sum(count) AS count FROM chunks WHERE run_key = ?',
    ),
    rollup: db.prepare<[number, number], { data: Buffer }>(
      'SELECT data FROM rollups WHERE run_key = ? AND series_id = ?',
    ),
    putRollup: db.prepare<[number, number, Uint8Array]>(
      'INSERT OR REPLACE INTO rollups (run_key, series_id, data) VALUES (?, ?, ?)',
    ),
    journal: db.prepare<[string], { key: string; resume_json: string; last_ms: number | null }>(
      'SELECT key, resume_json, last_ms FROM journal WHERE run_id = ?',
    ),
    putJournal: db.prepare<[string, string, string, number | null]>(
      'INSERT OR REPLACE INTO journal (run_id, key, resume_json, last_ms) VALUES (?, ?, ?, ?)',
    ),
  };
}
