import type BetterSqlite from 'better-sqlite3';

/** Stories of own runs and studies, which were kept by each window for itself before. */
export function stories(db: BetterSqlite.Database): void {
  db.exec(
    'CREATE TABLE stories (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;',
  );
}
