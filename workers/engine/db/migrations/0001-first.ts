import type BetterSqlite from 'better-sqlite3';

/** Documents, runs, and samples as one blob a second (tail) that becomes one chunk a series. */
export function first(db: BetterSqlite.Database): void {
  db.exec(`
    CREATE TABLE connections (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE TABLE testbeds (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE TABLE plans (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE TABLE inventories (vcenter_id TEXT PRIMARY KEY, taken_at_ms INTEGER NOT NULL, json TEXT NOT NULL) STRICT;

    CREATE TABLE runs (
      id TEXT PRIMARY KEY, state TEXT NOT NULL, ended INTEGER NOT NULL, created_at_ms INTEGER NOT NULL,
      summary_json TEXT NOT NULL, record_json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX runs_by_created ON runs (created_at_ms DESC);
    CREATE INDEX runs_unfinished ON runs (id) WHERE ended = 0;
    CREATE TABLE jobs (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, job_id TEXT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (run_id, job_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE logs (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, name TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (run_id, name)
    ) STRICT;

    CREATE TABLE series (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, series_id INTEGER NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (run_id, series_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE tail (
      id INTEGER PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, batch BLOB NOT NULL
    ) STRICT;
    CREATE INDEX tail_by_run ON tail (run_id, id);
    CREATE TABLE run_keys (run_key INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE) STRICT;
    CREATE TABLE chunks (
      run_key INTEGER NOT NULL REFERENCES run_keys (run_key) ON DELETE CASCADE, series_id INTEGER NOT NULL,
      from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (run_key, series_id, from_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE rollups (
      run_key INTEGER NOT NULL REFERENCES run_keys (run_key) ON DELETE CASCADE, series_id INTEGER NOT NULL, data BLOB NOT NULL,
      PRIMARY KEY (run_key, series_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE journal (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, key TEXT NOT NULL, resume_json TEXT NOT NULL, last_ms REAL,
      PRIMARY KEY (run_id, key)
    ) STRICT, WITHOUT ROWID;
  `);
}
