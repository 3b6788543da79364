import type BetterSqlite from 'better-sqlite3';

/**
 * What people put beside runs and studies (tags, folders, notes, archive, Deleted), a full-text
 * index of both, saved filters and settings. Triggers keep an entry and its row of the index for
 * every run and study, whatever writes them; the texts of those that are there already are filled
 * in when the store opens (`text_version` 0).
 */
export function history(db: BetterSqlite.Database): void {
  db.exec(`
    CREATE TABLE history (
      entry INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('run', 'study')), id TEXT NOT NULL, created_at_ms INTEGER,
      text_version INTEGER NOT NULL DEFAULT 0, purging INTEGER NOT NULL DEFAULT 0, deleted_at_ms INTEGER, archived_at_ms INTEGER,
      favourite INTEGER NOT NULL DEFAULT 0, folder TEXT, thinned_at_ms INTEGER, storage_bytes INTEGER, findings INTEGER,
      hosts_json TEXT NOT NULL DEFAULT '[]', notes_changed_at_ms INTEGER, notes TEXT NOT NULL DEFAULT '',
      UNIQUE (kind, id)
    ) STRICT;
    CREATE TABLE history_tags (
      entry INTEGER NOT NULL REFERENCES history (entry) ON DELETE CASCADE, tag_key TEXT NOT NULL, tag TEXT NOT NULL,
      PRIMARY KEY (entry, tag_key)
    ) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE history_text USING fts5 (
      name, notes, tags, hosts, findings, testbed, profile, marks, tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TABLE history_views (id TEXT PRIMARY KEY, name TEXT NOT NULL, json TEXT NOT NULL) STRICT;
    CREATE TABLE settings (name TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;

    CREATE TRIGGER history_of_run AFTER INSERT ON runs BEGIN
      INSERT OR IGNORE INTO history (kind, id, created_at_ms) VALUES ('run', NEW.id, NEW.created_at_ms);
    END;
    CREATE TRIGGER history_without_run AFTER DELETE ON runs BEGIN
      DELETE FROM history WHERE kind = 'run' AND id = OLD.id;
    END;
    CREATE TRIGGER history_of_study AFTER INSERT ON studies BEGIN
      INSERT OR IGNORE INTO history (kind, id) VALUES ('study', NEW.id);
    END;
    CREATE TRIGGER history_without_study AFTER DELETE ON studies BEGIN
      DELETE FROM history WHERE kind = 'study' AND id = OLD.id;
    END;
    CREATE TRIGGER text_of_history AFTER INSERT ON history BEGIN
      INSERT INTO history_text (rowid, name, notes, tags, hosts, findings, testbed, profile, marks) VALUES (NEW.entry, '', '', '', '', '', '', '', '');
    END;
    CREATE TRIGGER text_without_history AFTER DELETE ON history BEGIN
      DELETE FROM history_text WHERE rowid = OLD.entry;
    END;
    INSERT INTO history (kind, id, created_at_ms) SELECT 'run', id, created_at_ms FROM runs ORDER BY created_at_ms;
    INSERT INTO history (kind, id) SELECT 'study', id FROM studies ORDER BY id;
  `);
}
