import type BetterSqlite from 'better-sqlite3';
import * as z from 'zod';

import type { Log } from '../deps.ts';
import type { JournalEntry } from '../metrics/types.ts';
import type { ParserResume } from '../workloads/driver.ts';
import { aggregateSamples, collect, readSamples } from './readSamples.ts';
import { readStored } from './readStored.ts';
import { openSampleTables, readerOf, type SampleTables, seriesOf } from './sampleTables.ts';
import type { SampleStore } from './types.ts';
import { appendSamples, finishSamples, replaceSamples } from './writeSamples.ts';

/**
 * Samples: one blob a second for all series of a run (the tail), turned into chunks of 300 a
 * series. With synchronous=FULL the second that `append` returned from is on disk. A sample that is
 * not newer than the last one of its series is dropped: reading a source twice stores it once.
 */
export function createSampleStore(db: BetterSqlite.Database, log: Log): SampleStore {
  const tables = openSampleTables(db, log);
  const { sql, buffers, dropped } = tables;
  return {
    defineSeries(runId, series) {
      db.transaction(() => {
        for (const def of series) sql.putSeries.run(runId, def.id, JSON.stringify(def));
      })();
      buffers.delete(runId);
    },
    series: (runId) => seriesOf(tables, runId),
    append: (flush) => appendSamples(tables, flush),
    journal: (runId) => journalOf(tables, runId),
    dropped: (runId) => dropped.get(runId) ?? { repeated: 0, unusable: 0 },
    read: (runId, seriesIds, window) => readSamples(tables, runId, seriesIds, window),
    aggregate: (runId, seriesId, fromMs, toMs) =>
      aggregateSamples(tables, runId, seriesId, fromMs, toMs),
    replace(runId, def, tMs, value) {
      replaceSamples(tables, runId, def, tMs, value);
    },
    finish(runId) {
      finishSamples(tables, runId);
    },
    sampleCount(runId) {
      const buffer = readerOf(tables, runId);
      return (
        (buffer.key === null ? 0 : (sql.count.get(buffer.key)?.count ?? 0)) + buffer.pendingCount()
      );
    },
    *iterate(runId) {
      const buffer = readerOf(tables, runId);
      for (const { id } of seriesOf(tables, runId))
        yield collect(tables, buffer, id, -Infinity, Infinity);
    },
    forget: (runId) => {
      buffers.delete(runId);
      dropped.delete(runId);
    },
  };
}

const resumeSchema: z.ZodType<ParserResume> = z.object({
  offset: z.number(),
  state: z.string().optional(),
});

function journalOf({ sql, log }: SampleTables, runId: string): JournalEntry[] {
  return sql.journal.all(runId).flatMap((row) => {
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
  });
}
