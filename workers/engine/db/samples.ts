import type BetterSqlite from 'better-sqlite3';
import * as z from 'zod';

import { createPointBuffer, decimate } from '../../../src/core/base/decimate.ts';
import type { AppError } from '../../../src/core/base/errors.ts';
import { fail } from '../../../src/core/base/errors.ts';
import {
  forEachSample,
  type SeriesData,
  type SeriesDef,
  seriesDefSchema,
} from '../../../src/core/metric/metric.ts';
import type { Log } from '../deps.ts';
import type { ParserResume } from '../workloads/driver.ts';
import { decodeChunk, encodeChunk, powers } from './codec.ts';
import { decodeChunkInto } from './codec.ts';
import { readStored } from './readStored.ts';
import { createRunBuffer, type RunBuffer } from './runBuffer.ts';
import { packTail, unpackTail } from './tail.ts';
import type { SampleStore } from './types.ts';

/** Samples of a series that lie in the tail before all of a run's tail becomes chunks. */
const chunkSize = 300;
/** Runs whose series are longer than this get a rollup when they end. */
const rollupFrom = 5_000;
const resumeSchema: z.ZodType<ParserResume> = z.object({
  offset: z.number(),
  state: z.string().optional(),
});
/** Points of a rollup: 500 buckets of minimum and maximum. */
const rollupPoints = 1_000;

/**
 * Samples: one blob a second for all series of a run (the tail), turned into chunks of 300 a
 * series. With synchronous=FULL the second that `append` returned from is on disk. A sample that is
 * not newer than the last one of its series is dropped: reading a source twice stores it once.
 */
export function createSampleStore(db: BetterSqlite.Database, log: Log): SampleStore {
  const sql = prepare(db);
  const runs = new Map<string, RunBuffer>();

  const dropped = new Map<string, { repeated: number; unusable: number }>();

  const seriesOf = (runId: string): SeriesDef[] =>
    sql.series.all(runId).map(({ series_id, json }) => {
      const stored = readStored(seriesDefSchema, json);
      if (!stored.ok)
        throw fail(
          'internal',
          `Series ${series_id} of run ${runId} is not readable at ${stored.issue}`,
          'Restore a backup of the database.',
        );
      return stored.data;
    });

  function bufferOf(runId: string): RunBuffer {
    const known = runs.get(runId);
    if (known) return known;
    const key = sql.key.get(runId)?.run_key ?? null;
    const buffer = createRunBuffer(key, seriesOf(runId));
    if (key !== null)
      for (const row of sql.lastTimes.all(key)) buffer.raise(row.series_id, row.last_ms);
    for (const { batch } of sql.tail.all(runId))
      unpackTail(batch, (id, tMs, value) => buffer.add(id, tMs, value));
    runs.set(runId, buffer);
    return buffer;
  }

  /**
   * A run as a reader needs it. One without a tail, as every run that ended, is read without the
   * places its next samples would take.
   */
  function readerOf(runId: string): Pick<RunBuffer, 'key' | 'pending' | 'pendingCount'> {
    if (runs.has(runId) || sql.anyTail.get(runId) !== undefined) return bufferOf(runId);
    return { key: sql.key.get(runId)?.run_key ?? null, pending: () => null, pendingCount: () => 0 };
  }

  function compact(runId: string, buffer: RunBuffer): void {
    const key = keyOf(runId, buffer);
    buffer.forEachPending((seriesId, tMs, value, count, decimals) => {
      sql.putChunk.run(
        key,
        seriesId,
        tMs[0]!,
        tMs[count - 1]!,
        count,
        encodeChunk(tMs, value, count, decimals),
      );
    });
    sql.clearTail.run(runId);
  }

  function keyOf(runId: string, buffer: RunBuffer): number {
    if (buffer.key === null) buffer.key = Number(sql.newKey.run(runId).lastInsertRowid);
    return buffer.key;
  }

  function countDropped(runId: string, batch: Float64Array, acceptedLength: number): void {
    let unusable = 0;
    forEachSample(batch, (_id, tMs, value) => {
      if (!Number.isFinite(tMs) || !Number.isFinite(value)) unusable += 1;
    });
    const known = dropped.get(runId) ?? { repeated: 0, unusable: 0 };
    if (unusable > 0 && known.unusable === 0)
      log.warn('Samples without a number were left out', { run: runId, count: unusable });
    dropped.set(runId, {
      repeated: known.repeated + (batch.length - acceptedLength) / 3 - unusable,
      unusable: known.unusable + unusable,
    });
  }

  /**
   * All samples of one series within [fromMs, toMs], chunks first, then what is still in the tail.
   */
  function collect(
    buffer: Pick<RunBuffer, 'key' | 'pending'>,
    seriesId: number,
    fromMs: number,
    toMs: number,
  ): SeriesData {
    const rows = buffer.key === null ? [] : sql.chunks.all(buffer.key, seriesId, toMs, fromMs);
    const pending = buffer.pending(seriesId);
    const length = rows.reduce((sum, { count }) => sum + count, pending?.tMs.length ?? 0);
    const tMs = new Float64Array(length),
      value = new Float64Array(length);
    let at = 0;
    for (const { count, data } of rows) {
      decodeChunkInto(data, tMs.subarray(at, at + count), value.subarray(at, at + count));
      at += count;
    }
    if (pending) {
      tMs.set(pending.tMs, at);
      value.set(pending.value, at);
    }
    return { seriesId, ...cut({ tMs, value }, fromMs, toMs) };
  }

  const store: SampleStore = {
    defineSeries(runId, series) {
      db.transaction(() => {
        for (const def of series) sql.putSeries.run(runId, def.id, JSON.stringify(def));
      })();
      runs.delete(runId);
    },
    series: seriesOf,
    append({ runId, batch, journal }) {
      const buffer = bufferOf(runId);
      const accepted = buffer.accept(batch);
      try {
        db.transaction(() => {
          if (accepted.length > 0)
            sql.putTail.run(
              runId,
              packTail(accepted, (id) => buffer.decimalsOf(id)),
            );
          for (const { key, resume, lastTMs } of journal)
            sql.putJournal.run(
              runId,
              key,
              JSON.stringify(resume),
              Number.isFinite(lastTMs) ? lastTMs : null,
            );
        })();
      } catch (error) {
        throw storeError(error);
      }
      // Only what is on disk counts as taken.
      buffer.commit(accepted);
      if (accepted.length < batch.length) countDropped(runId, batch, accepted.length);
      if (buffer.longest() < chunkSize) return accepted;
      try {
        db.transaction(() => {
          compact(runId, buffer);
        })();
      } catch (error) {
        // The samples are safe in the tail, and were taken: the next second tries again to make
        // chunks of them.
        buffer.key = sql.key.get(runId)?.run_key ?? null;
        log.error('The tail of a run could not be made chunks', {
          run: runId,
          error: storeError(error).message,
        });
        return accepted;
      }
      buffer.clear();
      return accepted;
    },
    journal: (runId) =>
      sql.journal.all(runId).flatMap((row) => {
        const stored = readStored(resumeSchema, row.resume_json);
        if (stored.ok)
          return [{ key: row.key, resume: stored.data, lastTMs: row.last_ms ?? -Infinity }];
        // Read from its start again, the source gives what is known: that is dropped as repeated.
        log.error('A journal entry is not readable and left out', {
          run: runId,
          key: row.key,
          issue: stored.issue,
        });
        return [];
      }),
    dropped: (runId) => dropped.get(runId) ?? { repeated: 0, unusable: 0 },
    read(runId, seriesIds, { fromMs = -Infinity, toMs = Infinity, maxPoints = 0 }) {
      const buffer = readerOf(runId);
      const whole = fromMs === -Infinity && toMs === Infinity;
      return seriesIds.map((seriesId) => {
        if (whole && maxPoints > 0 && maxPoints <= rollupPoints && buffer.key !== null) {
          const rollup = sql.rollup.get(buffer.key, seriesId);
          if (rollup) return thin({ seriesId, ...decodeChunk(rollup.data) }, maxPoints);
        }
        return thin(collect(buffer, seriesId, fromMs, toMs), maxPoints);
      });
    },
    aggregate(runId, seriesId, fromMs, toMs) {
      const { tMs, value } = collect(readerOf(runId), seriesId, fromMs, toMs);
      let count = 0,
        sum = 0,
        min = Infinity,
        max = -Infinity;
      for (let i = 0; i < tMs.length; i += 1) {
        if (tMs[i]! >= toMs) continue;
        const one = value[i]!;
        count += 1;
        sum += one;
        if (one < min) min = one;
        if (one > max) max = one;
      }
      return count === 0
        ? { count, mean: NaN, min: NaN, max: NaN }
        : { count, mean: sum / count, min, max };
    },
    replace(runId, def, tMs, value) {
      const buffer = bufferOf(runId);
      runs.delete(runId);
      const scale = powers[def.decimals] ?? 1;
      const rounded = value.map((one) => Math.round(one * scale) / scale);
      db.transaction(() => {
        if (buffer.pendingCount() > 0) compact(runId, buffer);
        const key = keyOf(runId, buffer);
        sql.clearChunks.run(key, def.id);
        sql.clearRollup.run(key, def.id);
        for (let from = 0; from < tMs.length; from += chunkSize) {
          const to = Math.min(tMs.length, from + chunkSize);
          sql.putChunk.run(
            key,
            def.id,
            tMs[from]!,
            tMs[to - 1]!,
            to - from,
            encodeChunk(
              tMs.subarray(from, to),
              rounded.subarray(from, to),
              to - from,
              def.decimals,
            ),
          );
        }
        sql.putSeries.run(runId, def.id, JSON.stringify(def));
      })();
    },
    finish(runId) {
      const buffer = bufferOf(runId);
      // Whatever happens, the next reader builds the buffer from what is on disk.
      runs.delete(runId);
      db.transaction(() => {
        compact(runId, buffer);
        const key = keyOf(runId, buffer);
        for (const { id, decimals } of seriesOf(runId)) {
          if ((sql.countOf.get(key, id)?.count ?? 0) < rollupFrom) continue;
          const { tMs, value } = thin(
            collect({ ...buffer, pending: () => null }, id, -Infinity, Infinity),
            rollupPoints,
          );
          sql.putRollup.run(key, id, encodeChunk(tMs, value, tMs.length, decimals));
        }
      })();
    },
    sampleCount(runId) {
      const buffer = readerOf(runId);
      return (
        (buffer.key === null ? 0 : (sql.count.get(buffer.key)?.count ?? 0)) + buffer.pendingCount()
      );
    },
    *iterate(runId) {
      const buffer = readerOf(runId);
      for (const { id } of seriesOf(runId)) yield collect(buffer, id, -Infinity, Infinity);
    },
    forget: (runId) => {
      runs.delete(runId);
      dropped.delete(runId);
    },
  };
  return store;
}

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
    anyTail: db.prepare<[string], unknown>('SELECT 1 FROM tail WHERE run_id = ? LIMIT 1'),
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

function storeError(error: unknown): AppError {
  const code = (error as { code?: string }).code ?? '';
  if (code.startsWith('SQLITE_FULL') || code.startsWith('SQLITE_IOERR')) {
    return fail(
      'internal',
      `The disk of the data folder is full or failing (${code}).`,
      'Free space in the data folder: nothing acknowledged is lost.',
      { code },
    );
  }
  return fail(
    'internal',
    `The samples could not be stored: ${error instanceof Error ? error.message : String(error)}`,
    undefined,
    { code },
  );
}

/**
 * The part of ascending samples within [fromMs, toMs]: the same arrays where that is all of them,
 * else copies.
 */
function cut(
  { tMs, value }: { tMs: Float64Array; value: Float64Array },
  fromMs: number,
  toMs: number,
): { tMs: Float64Array; value: Float64Array } {
  const start = lowerBound(tMs, fromMs);
  let end = lowerBound(tMs, toMs);
  while (end < tMs.length && tMs[end]! <= toMs) end += 1;
  if (start === 0 && end === tMs.length) return { tMs, value };
  return { tMs: tMs.slice(start, end), value: value.slice(start, end) };
}

function lowerBound(ascending: Float64Array, wanted: number): number {
  let low = 0,
    high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** At most `maxPoints` points, first, minimum, maximum and last kept a bucket; 0 = all. */
function thin(series: SeriesData, maxPoints: number): SeriesData {
  const { tMs, value, seriesId } = series;
  if (maxPoints <= 0 || tMs.length <= maxPoints) return series;
  const buckets = Math.max(1, Math.floor(maxPoints / 4) - 1);
  const out = createPointBuffer(maxPoints);
  decimate(
    tMs,
    value,
    0,
    tMs.length,
    Math.max(1, Math.ceil((tMs.at(-1)! - tMs[0]!) / buckets)),
    out,
  );
  return { seriesId, tMs: out.t.slice(0, out.length), value: out.v.slice(0, out.length) };
}
