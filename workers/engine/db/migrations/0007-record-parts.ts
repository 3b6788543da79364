import type BetterSqlite from 'better-sqlite3';

/**
 * What is large in a record and seldom changes lies beside it, once for all runs that have it in
 * common, and events have rows of their own. Records of before stay whole until they are written
 * again.
 */
export function recordParts(db: BetterSqlite.Database): void {
  db.exec(`
    CREATE TABLE run_documents (hash TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
    CREATE TABLE run_parts (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, part TEXT NOT NULL,
      own_json TEXT NOT NULL, hash TEXT NOT NULL REFERENCES run_documents (hash),
      PRIMARY KEY (run_id, part)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX run_parts_by_hash ON run_parts (hash);
    CREATE TABLE run_events (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, place INTEGER NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (run_id, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER document_without_part AFTER DELETE ON run_parts BEGIN
      DELETE FROM run_documents WHERE hash = OLD.hash AND NOT EXISTS (SELECT 1 FROM run_parts WHERE hash = OLD.hash);
    END;
    CREATE TRIGGER document_of_changed_part AFTER UPDATE OF hash ON run_parts WHEN NEW.hash <> OLD.hash BEGIN
      DELETE FROM run_documents WHERE hash = OLD.hash AND NOT EXISTS (SELECT 1 FROM run_parts WHERE hash = OLD.hash);
    END;
  `);
}
