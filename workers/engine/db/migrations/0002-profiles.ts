import type BetterSqlite from 'better-sqlite3';

/** Benchmark profiles of the user's own; the shipped ones stay files. */
export function profiles(db: BetterSqlite.Database): void {
  db.exec(
    'CREATE TABLE profiles (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;',
  );
}
