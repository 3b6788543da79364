import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import type { RunRecord } from '../../../../src/core/run/run.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import { migrations } from '../migrations/index.ts';

/** The last schema in which a record was stored whole. */
const wholeRecords = 6;

/** Makes a database as the version before records in parts left it, in a folder that is there. */
export function makeOldFile(dataDir: string, records: readonly RunRecord[]): void {
  const raw = new BetterSqlite(join(dataDir, 'tilebench.sqlite'));
  for (const migration of migrations.slice(0, wholeRecords)) migration(raw);
  raw.pragma(`user_version = ${wholeRecords}`);
  const put = raw.prepare(
    'INSERT INTO runs (id, state, ended, created_at_ms, summary_json, record_json) ' +
      "VALUES (?, ?, ?, ?, '{}', ?)",
  );
  for (const record of records) {
    const { id, state, createdAtMs } = record.overview;
    put.run(id, state, isEnd(state) ? 1 : 0, createdAtMs, JSON.stringify(record));
  }
  raw.close();
}
