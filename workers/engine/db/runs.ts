import type BetterSqlite from 'better-sqlite3';
import * as z from 'zod';

import { aggregateRun } from '../../../src/core/compare/compare.ts';
import { meanPower } from '../../../src/core/compare/compareRows.ts';
import {
  isEnd,
  type RunRecord,
  runRecord,
  type RunSummary,
  runSummary,
} from '../../../src/core/run/run.ts';
import { workloadTotals } from '../../../src/core/score/totals.ts';
import type { Log } from '../deps.ts';
import type { HistoryStore } from './history.ts';
import { textOfRun } from './historyText.ts';
import { readShown, readStored, type Stored } from './readStored.ts';
import type { RecordStore } from './records.ts';
import type { StorageStore } from './storage.ts';
import type { JobRow, RunStore, SampleStore } from './types.ts';
import { unreadableError, type UnreadableStore } from './unreadable.ts';

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
  const put = db.prepare<[string, string, number, number, string, string]>(`
    INSERT INTO runs (id, state, ended, created_at_ms, summary_json, record_json) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended = excluded.ended, summary_json = excluded.summary_json, record_json = excluded.record_json`);
  const one = db.prepare<[string], { record_json: string }>(
    `SELECT record_json FROM runs WHERE id = ? AND ${notPurging}`,
  );
  const summaries = db.prepare<[], { id: string; summary_json: string }>(`
    SELECT runs.id, summary_json FROM runs LEFT JOIN history ON history.kind = 'run' AND history.id = runs.id
    WHERE history.deleted_at_ms IS NULL ORDER BY runs.created_at_ms DESC`);
  const allSummaries = db.prepare<[], { id: string; summary_json: string }>(
    'SELECT id, summary_json FROM runs ORDER BY created_at_ms DESC',
  );
  const oneSummary = db.prepare<[string], { summary_json: string }>(
    `SELECT summary_json FROM runs WHERE id = ? AND ${notPurging}`,
  );
  const open = db.prepare<[], { id: string }>('SELECT id FROM runs WHERE ended = 0');
  const remove = db.prepare<[string]>('DELETE FROM runs WHERE id = ?');
  const putJob = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO jobs (run_id, job_id, json) VALUES (?, ?, ?)',
  );
  const jobs = db.prepare<[string], { job_id: string; json: string }>(
    'SELECT job_id, json FROM jobs WHERE run_id = ? ORDER BY job_id',
  );
  const oneJob = db.prepare<[string, string], { json: string }>(
    'SELECT json FROM jobs WHERE run_id = ? AND job_id = ?',
  );
  const putLog = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO logs (run_id, name, text) VALUES (?, ?, ?)',
  );
  const logs = db.prepare<[string], { name: string; text: string }>(
    'SELECT name, text FROM logs WHERE run_id = ? ORDER BY name',
  );

  const read = (id: string, as = readShown): Stored<RunRecord> | null => {
    const row = one.get(id);
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
  /** A row that is not readable is logged and left out: it must not take the others with it. */
  const readable = <T>(schema: z.ZodType<T>, what: string, id: string, json: string): T[] => {
    const stored = readStored(schema, json);
    if (stored.ok) return [stored.data];
    log.error(`A stored ${what} is not readable and left out`, { id, issue: stored.issue });
    return [];
  };

  const write = db.transaction((record: RunRecord) => {
    const { overview } = record;
    const ended = isEnd(overview.state);
    put.run(
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
      const row = one.get(id);
      return row ? records.whole(id, row.record_json) : null;
    },
    summary(id) {
      const row = oneSummary.get(id);
      return (row && summaryOf(id, row.summary_json)[0]) ?? null;
    },
    list: (which = 'kept') =>
      (which === 'all' ? allSummaries : summaries)
        .all()
        .flatMap(({ id, summary_json }) => summaryOf(id, summary_json)),
    unfinished: () =>
      open.all().flatMap(({ id }) => {
        // It goes on, by the commands and names it was begun with.
        const record = read(id, readStored);
        return record?.ok === true ? [record.data] : [];
      }),
    remove: (id) => {
      unreadable.clear({ kind: 'run', id });
      samples.forget(id);
      records.lost(id);
      remove.run(id);
    },
    saveJob: (job) => {
      putJob.run(job.runId, job.jobId, JSON.stringify(job));
    },
    jobs: (runId) =>
      jobs
        .all(runId)
        .flatMap(({ job_id, json }) => readable(jobRow, 'job', `${runId}/${job_id}`, json)),
    job: (runId, jobId) => {
      const row = oneJob.get(runId, jobId);
      return (row && readable(jobRow, 'job', `${runId}/${jobId}`, row.json)[0]) ?? null;
    },
    saveLog: (runId, name, text) => {
      putLog.run(runId, name, text);
    },
    logs: (runId) => logs.all(runId),
  };
}

/** At most this many workloads stand in a summary. */
const mostTotals = 16;

/**
 * What each workload did in all tiles, for a row of the history; absent where nothing was measured.
 */
function totalsOf({ score }: RunRecord['overview']): Pick<RunSummary, 'totals'> {
  const totals = score === null ? [] : workloadTotals(score);
  return totals.length === 0
    ? {}
    : {
        totals: totals
          .filter(({ scored }) => scored)
          .slice(0, mostTotals)
          .map(({ name, unit, total }) => ({ name, unit, total })),
      };
}

function summarise(record: RunRecord, samples: SampleStore): RunSummary {
  const { overview, plan, testbed, profile } = record;
  const powerOnly = { ...overview, series: overview.series.filter((s) => s.metric === 'powerW') };
  return {
    id: overview.id,
    name: overview.name,
    state: overview.state,
    origin: overview.origin,
    profileId: profile.id,
    profileName: profile.name,
    testbedName: testbed.name,
    tiles: plan.tiles,
    startedAtMs: overview.startedAtMs,
    study: plan.study,
    durationS:
      overview.startedAtMs !== null && overview.endedAtMs !== null
        ? (overview.endedAtMs - overview.startedAtMs) / 1_000
        : null,
    // A ratio to the run itself says nothing beside other runs.
    score: overview.score?.reference === 'itself' ? null : (overview.score?.total ?? null),
    ...totalsOf(overview),
    compliant: overview.verdict?.compliant ?? null,
    resultName: profile.resultName,
    ...(record.imported ? { importedFrom: record.imported.fileName } : {}),
    sampleCount: isEnd(overview.state) ? samples.sampleCount(overview.id) : 0,
    meanPowerW: isEnd(overview.state)
      ? (meanPower(
          aggregateRun(powerOnly, (id, fromMs, toMs) =>
            samples.aggregate(overview.id, id, fromMs, toMs),
          ),
        )?.watts ?? null)
      : null,
  };
}
