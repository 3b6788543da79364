import type BetterSqlite from 'better-sqlite3';

import type { HistoryItem } from '../../../src/core/history/history.ts';
import type { SampleStore } from './types.ts';
import { type Need, type PurgeStore } from './types.ts';

/** Rows of samples a transaction: some hundred kilobytes. */
const rowsPerStep = 400;

/** Runs that points of studies, plans, and runs that go on need. */
const neededRuns = `
    SELECT DISTINCT CASE WHEN json_valid(p.json) THEN json_extract(p.json, '$.runId') END AS runId,
      'study' AS kind, s.id, s.name, h.deleted_at_ms IS NOT NULL AS deleted
    FROM study_points p
    JOIN studies s ON s.id = p.study_id
    LEFT JOIN history h ON h.kind = 'study' AND h.id = s.id
    WHERE coalesce(h.purging, 0) = 0
    UNION ALL
    SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$.referenceRunId') END,
      'plan', id, name, 0
    FROM plans
    UNION ALL
    SELECT CASE WHEN json_valid(record_json) THEN
        json_extract(record_json, '$.plan.referenceRunId') END,
      'run', id, coalesce(json_extract(summary_json, '$.name'), id), 0
    FROM runs WHERE ended = 0`;

export function createPurgeStore(
  db: BetterSqlite.Database,
  samples: Pick<SampleStore, 'forget'>,
): PurgeStore {
  const mark = db.prepare<[string, string]>(
    'UPDATE history SET purging = 1 WHERE kind = ? AND id = ?',
  );
  const marked = db.prepare<[], HistoryItem>('SELECT kind, id FROM history WHERE purging = 1');
  const isMarked = db.prepare<[string, string], { entry: number }>(
    'SELECT entry FROM history WHERE kind = ? AND id = ? AND purging = 1',
  );
  const keyOf = db.prepare<[string], { run_key: number }>(
    'SELECT run_key FROM run_keys WHERE run_id = ?',
  );
  const cutAt = db.prepare<[number, number], { series_id: number; from_ms: number }>(
    'SELECT series_id, from_ms FROM chunks WHERE run_key = ? ' +
      'ORDER BY series_id, from_ms LIMIT 1 OFFSET ?',
  );
  const dropBefore = db.prepare<[number, number, number]>(
    'DELETE FROM chunks WHERE run_key = ? AND (series_id, from_ms) < (?, ?)',
  );
  const dropChunks = db.prepare<[number]>('DELETE FROM chunks WHERE run_key = ?');
  const dropRollups = db.prepare<[number, number, number]>(
    'DELETE FROM rollups WHERE run_key = ? AND series_id IN (SELECT series_id FROM rollups ' +
      'WHERE run_key = ? ORDER BY series_id LIMIT ?)',
  );
  const dropTail = db.prepare<[string, number]>(
    'DELETE FROM tail WHERE id IN (SELECT id FROM tail WHERE run_id = ? ORDER BY id LIMIT ?)',
  );
  const dropRun = db.prepare<[string]>('DELETE FROM runs WHERE id = ?');
  const dropStudy = db.prepare<[string]>('DELETE FROM studies WHERE id = ?');
  const dropEntry = db.prepare<[string, string]>('DELETE FROM history WHERE kind = ? AND id = ?');
  const needed = db.prepare<
    [],
    { runId: string | null; kind: Need['kind']; id: string; name: string; deleted: number }
  >(neededRuns);
  const results = db.prepare<[string], { id: string }>(
    "SELECT DISTINCT CASE WHEN json_valid(json) THEN json_extract(json, '$.runId') END AS id " +
      'FROM study_points WHERE study_id = ? AND CASE WHEN json_valid(json) THEN ' +
      "json_extract(json, '$.runId') END IS NOT NULL",
  );

  function stepOfRun(id: string, rows: number): boolean {
    const key = keyOf.get(id)?.run_key;
    if (key !== undefined) {
      const end = cutAt.get(key, rows);
      if (end) {
        dropBefore.run(key, end.series_id, end.from_ms);
        return false;
      }
      if (dropChunks.run(key).changes > 0) return false;
      if (dropRollups.run(key, key, rows).changes > 0) return false;
    }
    if (dropTail.run(id, rows).changes > 0) return false;
    dropRun.run(id);
    return true;
  }

  return {
    begin(items) {
      db.transaction(() => {
        for (const { kind, id } of items) mark.run(kind, id);
      })();
      for (const { kind, id } of items) if (kind === 'run') samples.forget(id);
    },
    pending: () => marked.all(),
    step: db.transaction(({ kind, id }: HistoryItem, rows: number = rowsPerStep): boolean => {
      // Removed and stored anew meanwhile (a bundle opened again): that is not what was to go.
      if (!isMarked.get(kind, id)) return true;
      if (kind === 'run' && !stepOfRun(id, rows)) return false;
      if (kind === 'study') dropStudy.run(id);
      dropEntry.run(kind, id);
      return true;
    }),
    needs() {
      const needs = new Map<string, Need[]>();
      for (const { runId, kind, id, name, deleted } of needed.all())
        if (runId !== null)
          needs.set(runId, [
            ...(needs.get(runId) ?? []),
            { kind, id, name, deleted: deleted === 1 },
          ]);
      return needs;
    },
    runsOf: (studyId) => results.all(studyId).map(({ id }) => id),
  };
}
