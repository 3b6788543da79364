import type BetterSqlite from 'better-sqlite3';

/**
 * Studies, how far each is, and its points: a row a point, so that one that ends rewrites only
 * itself.
 */
export function studies(db: BetterSqlite.Database): void {
  db.exec(`
    CREATE TABLE studies (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE TABLE study_progress (
      study_id TEXT PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE, json TEXT NOT NULL
    ) STRICT;
    CREATE TABLE study_points (
      study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE, place INTEGER NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (study_id, place)
    ) STRICT, WITHOUT ROWID;
  `);
}
