import type BetterSqlite from 'better-sqlite3';

/**
 * Every saved state of a testbed, and the provisioning job of each, so that both outlive the
 * engine.
 */
export function testbedVersions(db: BetterSqlite.Database): void {
  db.exec(`
    CREATE TABLE testbed_versions (
      testbed_id TEXT NOT NULL, version INTEGER NOT NULL, saved_at_ms INTEGER, origin TEXT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (testbed_id, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE provision_jobs (testbed_id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
    INSERT INTO testbed_versions (testbed_id, version, saved_at_ms, origin, json)
      SELECT id, CAST(json_extract(json, '$.version') AS INTEGER), NULL, '', json FROM testbeds
      WHERE json_valid(json) AND json_type(json, '$.version') = 'integer';
  `);
}
