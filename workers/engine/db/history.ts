import type BetterSqlite from 'better-sqlite3';

import { byLooseOrder } from '../../../src/core/base/naturalOrder.ts';
import { type HistoryItem, type HistoryKind, tagKey } from '../../../src/core/history/history.ts';
import { createHistoryIndex, type HistoryIndex } from './historyIndex.ts';
import type { RecordStore } from './records.ts';

/** One entry as it lies in the tables; what its run or study says of itself is JSON still. */
export interface HistoryRow {
  entry: number;
  kind: HistoryKind;
  id: string;
  createdAtMs: number | null;
  deletedAtMs: number | null;
  archivedAtMs: number | null;
  favourite: boolean;
  folder: string | null;
  thinnedAtMs: number | null;
  storageBytes: number | null;
  findings: number | null;
  hostsJson: string;
  /** Beginning of the notes. */ noteStart: string;
  tags: string[];
  /** Of a run its summary, of a study its spec. */ json: string;
  /** Of a study. */ progressJson: string | null;
}
export interface HistoryPatch {
  addTags?: readonly string[];
  removeTags?: readonly string[];
  folder?: string | null;
  favourite?: boolean;
  notes?: string;
  archivedAtMs?: number | null;
  deletedAtMs?: number | null;
  thinnedAtMs?: number | null;
  storageBytes?: number | null;
}

/**
 * What people put beside runs and studies, and the full-text index of both. All writes of one call
 * are one transaction.
 */
export interface HistoryStore extends HistoryIndex {
  /** The same rows until something is written. */
  rows(which: 'all' | 'deleted' | 'kept'): readonly HistoryRow[];
  row(item: HistoryItem): HistoryRow | null;
  /** One transaction around several changes: all of them, or none where `work` throws. */
  together(work: () => void): void;
  /** Changes what lies beside an entry. false = there is no such entry. */
  change(item: HistoryItem, patch: HistoryPatch, nowMs: number): boolean;
  notes(item: HistoryItem): { markdown: string; changedAtMs: number | null } | null;
}

export function createHistoryStore(
  db: BetterSqlite.Database,
  records: Pick<RecordStore, 'whole'>,
): HistoryStore {
  const sql = prepare(db);
  const changeRow = db.transaction((item: HistoryItem, patch: HistoryPatch, nowMs: number) =>
    changeEntry(sql, item, patch, nowMs),
  );
  return {
    ...createHistoryIndex(db, records),
    rows: createRowReader(db, sql),
    row({ kind, id }) {
      const raw = sql.one.get(kind, id);
      return raw ? rowOf(raw, tagsOf(sql, raw.entry)) : null;
    },
    change: changeRow,
    together: (work) => {
      db.transaction(work)();
    },
    notes: ({ kind, id }) => sql.notes.get(kind, id) ?? null,
  };
}

/**
 * Reads the rows as of so many changes on this connection, the only one that writes: who types a
 * search asks many times between two of them.
 */
function createRowReader(db: BetterSqlite.Database, sql: Statements): HistoryStore['rows'] {
  let read: {
    changes: number;
    all: HistoryRow[];
    kept: HistoryRow[];
    deleted: HistoryRow[];
  } | null = null;
  return (which) => {
    const now = sql.changes.get()!.count;
    if (read?.changes === now) return read[which];
    const tags = new Map<number, string[]>();
    for (const { entry, tag } of sql.allTags.all()) {
      const mine = tags.get(entry);
      if (mine) mine.push(tag);
      else tags.set(entry, [tag]);
    }
    for (const mine of tags.values()) mine.sort(byLooseOrder);
    const rows = sql.all.all().map((raw) => rowOf(raw, tags.get(raw.entry) ?? []));
    const fresh = {
      changes: now,
      all: rows,
      kept: rows.filter((row) => row.deletedAtMs === null),
      deleted: rows.filter((row) => row.deletedAtMs !== null),
    };
    // Rows read within a transaction may be taken back with it.
    if (!db.inTransaction) read = fresh;
    return fresh[which];
  };
}

function changeEntry(
  sql: Statements,
  { kind, id }: HistoryItem,
  patch: HistoryPatch,
  nowMs: number,
): boolean {
  const entry = sql.entryOf.get(kind, id)?.entry;
  if (entry === undefined || !sql.notes.get(kind, id)) return false;
  for (const tag of patch.removeTags ?? []) sql.dropTag.run(entry, tagKey(tag));
  for (const tag of patch.addTags ?? []) sql.putTag.run(entry, tagKey(tag), tag);
  if (patch.addTags?.length || patch.removeTags?.length)
    sql.set.textTags.run(tagsOf(sql, entry).join('\n'), entry);
  if (patch.folder !== undefined) sql.set.folder.run(patch.folder, entry);
  if (patch.favourite !== undefined) sql.set.favourite.run(patch.favourite ? 1 : 0, entry);
  if (patch.notes !== undefined) {
    sql.set.notes.run(patch.notes, nowMs, entry);
    sql.set.textNotes.run(patch.notes, entry);
  }
  for (const field of ['archivedAtMs', 'deletedAtMs', 'thinnedAtMs', 'storageBytes'] as const) {
    const value = patch[field];
    if (value !== undefined) sql.set[field].run(value, entry);
  }
  return true;
}

const tagsOf = (sql: Statements, entry: number): string[] =>
  sql.tagsOf
    .all(entry)
    .map(({ tag }) => tag)
    .sort(byLooseOrder);

type Raw = Omit<HistoryRow, 'tags' | 'favourite'> & { favourite: number };

const rowOf = (raw: Raw, tags: string[]): HistoryRow => ({
  ...raw,
  favourite: raw.favourite === 1,
  tags,
});

const rowSql = `
  SELECT h.entry, h.kind, h.id, h.created_at_ms AS createdAtMs, h.deleted_at_ms AS deletedAtMs,
    h.archived_at_ms AS archivedAtMs, h.favourite, h.folder, h.thinned_at_ms AS thinnedAtMs,
    h.storage_bytes AS storageBytes, h.findings, h.hosts_json AS hostsJson,
    substr(h.notes, 1, 400) AS noteStart, coalesce(r.summary_json, s.json, '') AS json,
    p.json AS progressJson
  FROM history h
  LEFT JOIN runs r ON h.kind = 'run' AND r.id = h.id
  LEFT JOIN studies s ON h.kind = 'study' AND s.id = h.id
  LEFT JOIN study_progress p ON h.kind = 'study' AND p.study_id = h.id
  WHERE h.purging = 0`;

type Statements = ReturnType<typeof prepare>;
function prepare(db: BetterSqlite.Database) {
  const setNumber = (column: string) =>
    db.prepare<[number | null, number]>(`UPDATE history SET ${column} = ? WHERE entry = ?`);
  return {
    all: db.prepare<[], Raw>(rowSql),
    one: db.prepare<[string, string], Raw>(`${rowSql} AND h.kind = ? AND h.id = ?`),
    changes: db.prepare<[], { count: number }>('SELECT total_changes() AS count'),
    entryOf: db.prepare<[string, string], { entry: number }>(
      'SELECT entry FROM history WHERE kind = ? AND id = ?',
    ),
    allTags: db.prepare<[], { entry: number; tag: string }>(
      'SELECT entry, tag FROM history_tags ORDER BY entry',
    ),
    tagsOf: db.prepare<[number], { tag: string }>('SELECT tag FROM history_tags WHERE entry = ?'),
    putTag: db.prepare<[number, string, string]>(
      'INSERT OR IGNORE INTO history_tags (entry, tag_key, tag) VALUES (?, ?, ?)',
    ),
    dropTag: db.prepare<[number, string]>(
      'DELETE FROM history_tags WHERE entry = ? AND tag_key = ?',
    ),
    notes: db.prepare<[string, string], { markdown: string; changedAtMs: number | null }>(
      'SELECT notes AS markdown, notes_changed_at_ms AS changedAtMs FROM history ' +
        'WHERE kind = ? AND id = ? AND purging = 0',
    ),
    set: {
      folder: db.prepare<[string | null, number]>('UPDATE history SET folder = ? WHERE entry = ?'),
      favourite: db.prepare<[number, number]>('UPDATE history SET favourite = ? WHERE entry = ?'),
      notes: db.prepare<[string, number, number]>(
        'UPDATE history SET notes = ?, notes_changed_at_ms = ? WHERE entry = ?',
      ),
      archivedAtMs: setNumber('archived_at_ms'),
      deletedAtMs: setNumber('deleted_at_ms'),
      thinnedAtMs: setNumber('thinned_at_ms'),
      storageBytes: setNumber('storage_bytes'),
      textNotes: db.prepare<[string, number]>('UPDATE history_text SET notes = ? WHERE rowid = ?'),
      textTags: db.prepare<[string, number]>('UPDATE history_text SET tags = ? WHERE rowid = ?'),
    },
  };
}
