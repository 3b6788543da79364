import type BetterSqlite from 'better-sqlite3';

/** The last preparation of each testbed's guests: what undo and the next engine go by. */
export function guestJobs(db: BetterSqlite.Database): void {
  db.exec('CREATE TABLE guest_jobs (testbed_id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;');
}
