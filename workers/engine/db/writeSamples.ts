import { type AppError, fail } from '../../../src/core/base/errors.ts';
import {
  forEachSample,
  type SampleBatch,
  type SeriesDef,
} from '../../../src/core/metric/metric.ts';
import type { SampleFlush } from '../metrics/types.ts';
import { encodeChunk, powers } from './codec.ts';
import { collect, rollupPoints, thin } from './readSamples.ts';
import type { RunBuffer } from './runBuffer.ts';
import { bufferOf, keyOf, type SampleTables, seriesOf } from './sampleTables.ts';
import { packTail } from './tail.ts';

/** Samples of a series that lie in the tail before all of a run's tail becomes chunks. */
const chunkSize = 300;
/** Runs whose series are longer than this get a rollup when they end. */
const rollupFrom = 5_000;

/** Puts what of a batch is new on disk, with the journal, in one transaction; gives what was new. */
export function appendSamples(
  tables: SampleTables,
  { runId, batch, journal }: SampleFlush,
): SampleBatch {
  const { db, sql, log } = tables;
  const buffer = bufferOf(tables, runId);
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
  if (accepted.length < batch.length) countDropped(tables, runId, batch, accepted.length);
  if (buffer.longest() < chunkSize) return accepted;
  try {
    db.transaction(() => {
      compact(tables, runId, buffer);
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
}

/**
 * Puts other samples in the place of a series', and its definition, in one transaction. Values are
 * rounded to `def.decimals`.
 */
export function replaceSamples(
  tables: SampleTables,
  runId: string,
  def: SeriesDef,
  tMs: Float64Array,
  value: Float64Array,
): void {
  const { db, sql, buffers } = tables;
  const buffer = bufferOf(tables, runId);
  buffers.delete(runId);
  const scale = powers[def.decimals] ?? 1;
  const rounded = value.map((one) => Math.round(one * scale) / scale);
  db.transaction(() => {
    if (buffer.pendingCount() > 0) compact(tables, runId, buffer);
    const key = keyOf(tables, runId, buffer);
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
        encodeChunk(tMs.subarray(from, to), rounded.subarray(from, to), to - from, def.decimals),
      );
    }
    sql.putSeries.run(runId, def.id, JSON.stringify(def));
  })();
}

/** Turns the tail of a run into chunks and writes the rollups of its long series. */
export function finishSamples(tables: SampleTables, runId: string): void {
  const { db, sql, buffers } = tables;
  const buffer = bufferOf(tables, runId);
  // Whatever happens, the next reader builds the buffer from what is on disk.
  buffers.delete(runId);
  db.transaction(() => {
    compact(tables, runId, buffer);
    const key = keyOf(tables, runId, buffer);
    for (const { id, decimals } of seriesOf(tables, runId)) {
      if ((sql.countOf.get(key, id)?.count ?? 0) < rollupFrom) continue;
      const { tMs, value } = thin(
        collect(tables, { ...buffer, pending: () => null }, id, -Infinity, Infinity),
        rollupPoints,
      );
      sql.putRollup.run(key, id, encodeChunk(tMs, value, tMs.length, decimals));
    }
  })();
}

/** Turns all that lies in the tail of a run into chunks. Within a transaction. */
function compact(tables: SampleTables, runId: string, buffer: RunBuffer): void {
  const { sql } = tables;
  const key = keyOf(tables, runId, buffer);
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

function countDropped(
  { log, dropped }: SampleTables,
  runId: string,
  batch: Float64Array,
  acceptedLength: number,
): void {
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
