import type BetterSqlite from 'better-sqlite3';
import * as z from 'zod';

import { byName } from '../../../src/core/base/naturalOrder.ts';
import {
  type RunRecord,
  runRecord,
  type RunSummary,
  runSummary,
} from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Log } from '../deps.ts';
import type { HistoryStore } from './history.ts';
import { textOfRun } from './historyText.ts';
import { readShown, readStored, type Stored } from './readStored.ts';
import type { RecordStore } from './records.ts';
import { summarise } from './runSummary.ts';
import type { StorageStore } from './storage.ts';
import type { JobRow, RunStore, SampleStore } from './types.ts';
import { unreadableError, type UnreadableStore } from './unreadable.ts';

/** A run that is being purged is gone for every reader. */
const notPurging =
  "NOT EXISTS (SELECT 1 FROM history WHERE kind = 'run' AND history.id = runs.id AND purging = 1)";

/**
 * Runs, their jobs and logs. The summary is kept beside the record, so that a history of thousands
 * is one short scan.
 */
export function createRunStore(
  db: BetterSqlite.Database,
  samples: SampleStore,
  history: HistoryStore,
  records: RecordStore,
  storage: Pick<StorageStore, 'measure'>,
  unreadable: UnreadableStore,
  log: Log,
): RunStore {
  const sql = prepare(db);

  const read = (id: string, as = readShown): Stored<RunRecord> | null => {
    const row = sql.one.get(id);
    if (!row) return null;
    const stored = as(runRecord, records.whole(id, row.record_json));
    if (stored.ok) unreadable.clear({ kind: 'run', id });
    else unreadable.note({ kind: 'run', id }, stored.issue);
    return stored;
  };
  const get = (id: string): RunRecord | null => {
    const stored = read(id);
    if (stored?.ok === false) throw unreadableError({ kind: 'run', id }, stored.issue);
    return stored?.data ?? null;
  };
  const find = (id: string): RunRecord | null => {
    const stored = read(id);
    return stored?.ok === true ? stored.data : null;
  };
  /** Of a row: as it is stored, or made anew where only that is damaged. */
  const summaryOf = (id: string, json: string): RunSummary[] => {
    const stored = readShown(runSummary, json);
    if (stored.ok) return [stored.data];
    const record = find(id);
    return record === null ? [] : [summarise(record, samples)];
  };

  const write = db.transaction((record: RunRecord) => {
    const { overview } = record;
    const ended = isEnd(overview.state);
    sql.put.run(
      overview.id,
      overview.state,
      ended ? 1 : 0,
      Math.round(overview.createdAtMs),
      JSON.stringify(summarise(record, samples)),
      records.head(record),
    );
    records.putParts(record);
    unreadable.clear({ kind: 'run', id: overview.id });
    history.index({ kind: 'run', id: overview.id }, textOfRun(record));
    if (ended) storage.measure({ kind: 'run', id: overview.id });
  });

  return {
    save(record) {
      const { id, state } = record.overview;
      try {
        write(record);
      } catch (thrown) {
        records.lost(id);
        throw thrown;
      }
      // A transaction around this one may still be rolled back.
      if (isEnd(state) || db.inTransaction) records.lost(id);
      else records.kept(record);
    },
    get,
    find,
    raw(id) {
      const row = sql.one.get(id);
      return row ? records.whole(id, row.record_json) : null;
    },
    summary(id) {
      const row = sql.oneSummary.get(id);
      return (row && summaryOf(id, row.summary_json)[0]) ?? null;
    },
    list: (which = 'kept') =>
      (which === 'all' ? sql.allSummaries : sql.summaries)
        .all()
        .flatMap(({ id, summary_json }) => summaryOf(id, summary_json)),
    idsOfPlan: (planId) => new Set(sql.ofPlan.all(planId).map(({ id }) => id)),
    unfinished: () =>
      sql.open.all().flatMap(({ id }) => {
        // It goes on, by the commands and names it was begun with.
        const record = read(id, readStored);
        return record?.ok === true ? [record.data] : [];
      }),
    remove: (id) => {
      unreadable.clear({ kind: 'run', id });
      samples.forget(id);
      records.lost(id);
      sql.remove.run(id);
    },
    ...createJobStore(db, log),
  };
}

function prepare(db: BetterSqlite.Database) {
  return {
    put: db.prepare<[string, string, number, number, string, string]>(`
    INSERT INTO runs (id, state, ended, created_at_ms, summary_json, record_json)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended = excluded.ended,
      summary_json = excluded.summary_json, record_json = excluded.record_json`),
    one: db.prepare<[string], { record_json: string }>(
      `SELECT record_json FROM runs WHERE id = ? AND ${notPurging}`,
    ),
    summaries: db.prepare<[], { id: string; summary_json: string }>(`
    SELECT runs.id, summary_json FROM runs
    LEFT JOIN history ON history.kind = 'run' AND history.id = runs.id
    WHERE history.deleted_at_ms IS NULL ORDER BY runs.created_at_ms DESC`),
    allSummaries: db.prepare<[], { id: string; summary_json: string }>(
      'SELECT id, summary_json FROM runs ORDER BY created_at_ms DESC',
    ),
    oneSummary: db.prepare<[string], { summary_json: string }>(
      `SELECT summary_json FROM runs WHERE id = ? AND ${notPurging}`,
    ),
    open: db.prepare<[], { id: string }>('SELECT id FROM runs WHERE ended = 0'),
    ofPlan: db.prepare<[string], { id: string }>(
      'SELECT id FROM runs WHERE CASE WHEN json_valid(record_json) THEN ' +
        "json_extract(record_json, '$.plan.id') END = ?",
    ),
    remove: db.prepare<[string]>('DELETE FROM runs WHERE id = ?'),
  };
}

const jobRow: z.ZodType<JobRow> = z.object({
  runId: z.string(),
  jobId: z.string(),
  clientId: z.string(),
  entityId: z.string(),
  offsetMs: z.number(),
  durationS: z.number().optional(),
  ended: z.boolean(),
  handle: z.object({
    runId: z.string(),
    jobId: z.string(),
    dir: z.string(),
    pgid: z.number(),
    startMs: z.number(),
  }),
});

/**
 * Jobs and logs of runs. A job that is not readable is logged and left out: it must not take the
 * others with it.
 */
function createJobStore(
  db: BetterSqlite.Database,
  log: Log,
): Pick<RunStore, 'saveJob' | 'jobs' | 'job' | 'saveLog' | 'logs'> {
  const sql = prepareJobs(db);
  const readable = (runId: string, jobId: string, json: string): JobRow[] => {
    const stored = readStored(jobRow, json);
    if (stored.ok) return [stored.data];
    log.error('A stored job is not readable and left out', {
      id: `${runId}/${jobId}`,
      issue: stored.issue,
    });
    return [];
  };
  return {
    saveJob: (job) => {
      sql.putJob.run(job.runId, job.jobId, JSON.stringify(job));
    },
    jobs: (runId) =>
      sql.jobs.all(runId).flatMap(({ job_id, json }) => readable(runId, job_id, json)),
    job: (runId, jobId) => {
      const row = sql.oneJob.get(runId, jobId);
      return (row && readable(runId, jobId, row.json)[0]) ?? null;
    },
    saveLog: (runId, name, text) => {
      sql.putLog.run(runId, name, text);
    },
    logs: (runId) => sql.logs.all(runId).sort(byName),
  };
}

function prepareJobs(db: BetterSqlite.Database) {
  return {
    putJob: db.prepare<[string, string, string]>(
      'INSERT OR REPLACE INTO jobs (run_id, job_id, json) VALUES (?, ?, ?)',
    ),
    jobs: db.prepare<[string], { job_id: string; json: string }>(
      'SELECT job_id, json FROM jobs WHERE run_id = ? ORDER BY job_id',
    ),
    oneJob: db.prepare<[string, string], { json: string }>(
      'SELECT json FROM jobs WHERE run_id = ? AND job_id = ?',
    ),
    putLog: db.prepare<[string, string, string]>(
      'INSERT OR REPLACE INTO logs (run_id, name, text) VALUES (?, ?, ?)',
    ),
    logs: db.prepare<[string], { name: string; text: string }>(
      'SELECT name, text FROM logs WHERE run_id = ?',
    ),
  };
}
