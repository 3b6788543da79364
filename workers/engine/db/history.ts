import type BetterSqlite from 'better-sqlite3';

import {
  type HistoryField,
  historyField,
  type HistoryItem,
  type HistoryKind,
  tagKey,
} from '../../../src/core/history/history.ts';
import {
  type HistoryText,
  pointDetailsSql,
  textOfStoredRun,
  textOfStoredStudy,
  textVersion,
} from './historyText.ts';
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
export interface HistoryStore {
  /** The same rows until something is written. */
  rows(which: 'all' | 'deleted' | 'kept'): readonly HistoryRow[];
  row(item: HistoryItem): HistoryRow | null;
  /** Entries that match an FTS5 query. The query must be well-formed. */
  search(query: string): Set<number>;
  /** Entries in which any of these phrases stands in one field, by field. */
  searchFields(phrases: readonly string[]): Map<HistoryField, Set<number>>;
  /**
   * Text around what a query found in one field of these entries, the hits between \u0002 and
   * \u0003.
   */
  snippets(query: string, field: HistoryField, entries: readonly number[]): Map<number, string>;
  /** One transaction around several changes: all of them, or none where `work` throws. */
  together(work: () => void): void;
  /** Changes what lies beside an entry. false = there is no such entry. */
  change(item: HistoryItem, patch: HistoryPatch, nowMs: number): boolean;
  notes(item: HistoryItem): { markdown: string; changedAtMs: number | null } | null;
  /**
   * What a run or study says of itself, as it is now. Written only where it differs from the last
   * time.
   */
  index(item: HistoryItem, text: HistoryText): void;
  /** Fills the index for entries that an earlier version left, or a new one indexes anew. */
  fill(): number;
}

const fieldNames = historyField.options;
/** Texts longer than this are cut in the index. */
const indexedLength = 100_000;
const cut = (text: string): string =>
  text.length > indexedLength ? text.slice(0, indexedLength) : text;

export function createHistoryStore(
  db: BetterSqlite.Database,
  records: Pick<RecordStore, 'whole'>,
): HistoryStore {
  const columns = `h.entry, h.kind, h.id, h.created_at_ms AS createdAtMs, h.deleted_at_ms AS deletedAtMs, h.archived_at_ms AS archivedAtMs, h.favourite, h.folder, h.thinned_at_ms AS thinnedAtMs,
    h.storage_bytes AS storageBytes, h.findings, h.hosts_json AS hostsJson, substr(h.notes, 1, 400) AS noteStart, coalesce(r.summary_json, s.json, '') AS json, p.json AS progressJson`;
  const from =
    "FROM history h LEFT JOIN runs r ON h.kind = 'run' AND r.id = h.id LEFT JOIN studies s ON " +
    "h.kind = 'study' AND s.id = h.id LEFT JOIN study_progress p ON h.kind = 'study' AND " +
    'p.study_id = h.id';
  type Raw = Omit<HistoryRow, 'tags' | 'favourite'> & { favourite: number };
  const all = db.prepare<[], Raw>(`SELECT ${columns} ${from} WHERE h.purging = 0`);
  const changes = db.prepare<[], { count: number }>('SELECT total_changes() AS count');
  /**
   * As of so many changes on this connection, the only one that writes: who types a search asks
   * many times between two of them.
   */
  let read: {
    changes: number;
    all: HistoryRow[];
    kept: HistoryRow[];
    deleted: HistoryRow[];
  } | null = null;
  const one = db.prepare<[string, string], Raw>(
    `SELECT ${columns} ${from} WHERE h.kind = ? AND h.id = ? AND h.purging = 0`,
  );
  const allTags = db.prepare<[], { entry: number; tag: string }>(
    'SELECT entry, tag FROM history_tags ORDER BY entry, tag_key',
  );
  const tagsOf = db.prepare<[number], { tag: string }>(
    'SELECT tag FROM history_tags WHERE entry = ? ORDER BY tag_key',
  );
  const putTag = db.prepare<[number, string, string]>(
    'INSERT OR IGNORE INTO history_tags (entry, tag_key, tag) VALUES (?, ?, ?)',
  );
  const dropTag = db.prepare<[number, string]>(
    'DELETE FROM history_tags WHERE entry = ? AND tag_key = ?',
  );
  const find = db.prepare<[string], { entry: number }>(
    'SELECT rowid AS entry FROM history_text WHERE history_text MATCH ?',
  );
  const snippets = new Map(
    fieldNames.map((field, i) => [
      field,
      db.prepare<[string, string], { entry: number; text: string | null }>(
        'SELECT rowid AS entry, CASE WHEN rowid IN (SELECT value FROM json_each(?)) THEN ' +
          `snippet(history_text, ${i}, char(2), char(3), '…', 12) END AS text FROM ` +
          'history_text WHERE history_text MATCH ?',
      ),
    ]),
  );
  const notes = db.prepare<[string, string], { markdown: string; changedAtMs: number | null }>(
    'SELECT notes AS markdown, notes_changed_at_ms AS changedAtMs FROM history WHERE kind = ' +
      '? AND id = ? AND purging = 0',
  );
  const set = {
    folder: db.prepare<[string | null, number]>('UPDATE history SET folder = ? WHERE entry = ?'),
    favourite: db.prepare<[number, number]>('UPDATE history SET favourite = ? WHERE entry = ?'),
    notes: db.prepare<[string, number, number]>(
      'UPDATE history SET notes = ?, notes_changed_at_ms = ? WHERE entry = ?',
    ),
    archivedAtMs: db.prepare<[number | null, number]>(
      'UPDATE history SET archived_at_ms = ? WHERE entry = ?',
    ),
    deletedAtMs: db.prepare<[number | null, number]>(
      'UPDATE history SET deleted_at_ms = ? WHERE entry = ?',
    ),
    thinnedAtMs: db.prepare<[number | null, number]>(
      'UPDATE history SET thinned_at_ms = ? WHERE entry = ?',
    ),
    storageBytes: db.prepare<[number | null, number]>(
      'UPDATE history SET storage_bytes = ? WHERE entry = ?',
    ),
    textNotes: db.prepare<[string, number]>('UPDATE history_text SET notes = ? WHERE rowid = ?'),
    textTags: db.prepare<[string, number]>('UPDATE history_text SET tags = ? WHERE rowid = ?'),
    text: db.prepare<[string, string, string, string, string, string, number]>(
      'UPDATE history_text SET name = ?, hosts = ?, findings = ?, testbed = ?, profile = ?, marks = ? WHERE rowid = ?',
    ),
    facts: db.prepare<[number | null, string, number, number]>(
      'UPDATE history SET findings = ?, hosts_json = ?, text_version = ? WHERE entry = ?',
    ),
  };
  const entryOf = db.prepare<[string, string], { entry: number }>(
    'SELECT entry FROM history WHERE kind = ? AND id = ?',
  );
  const stale = db.prepare<
    [number],
    { entry: number; kind: HistoryKind; id: string; name: string }
  >(
    'SELECT h.entry, h.kind, h.id, coalesce(s.name, h.id) AS name FROM history h LEFT JOIN ' +
      "studies s ON h.kind = 'study' AND s.id = h.id WHERE h.text_version < ?",
  );
  const recordOf = db.prepare<[string], { record_json: string }>(
    'SELECT record_json FROM runs WHERE id = ?',
  );
  const specOf = db.prepare<[string], { json: string }>('SELECT json FROM studies WHERE id = ?');
  const detailsOf = db.prepare<[string], { detail: string }>(pointDetailsSql);
  const planNames = planNamesIn(db);
  // What is there is read from the tables: what was written in a transaction that failed is not
  // there.
  const indexed = db.prepare<
    [string, string],
    { entry: number; text_version: number; facts: string }
  >(`
    SELECT h.entry, h.text_version, json_array(t.name, t.hosts, t.findings, t.testbed, t.profile, t.marks, h.findings, h.hosts_json) AS facts
    FROM history h JOIN history_text t ON t.rowid = h.entry WHERE h.kind = ? AND h.id = ?`);

  const make = (raw: Raw, tags: string[]): HistoryRow => ({
    ...raw,
    favourite: raw.favourite === 1,
    tags,
  });
  const factsOf = (text: HistoryText) =>
    [
      cut(text.name),
      cut(text.hosts.join('\n')),
      cut(text.findings.join('\n')),
      cut(text.testbed),
      cut(text.profile),
      cut(text.marks.join('\n')),
      text.findingCount,
      JSON.stringify(text.hosts),
    ] as const;
  const putText = (entry: number, text: HistoryText): void => {
    const [name, hosts, findings, testbed, profile, marks, count, hostsJson] = factsOf(text);
    set.text.run(name, hosts, findings, testbed, profile, marks, entry);
    set.facts.run(count, hostsJson, textVersion, entry);
  };

  return {
    rows(which) {
      const now = changes.get()!.count;
      if (read?.changes === now) return read[which];
      const tags = new Map<number, string[]>();
      for (const { entry, tag } of allTags.all()) {
        const mine = tags.get(entry);
        if (mine) mine.push(tag);
        else tags.set(entry, [tag]);
      }
      const rows = all.all().map((raw) => make(raw, tags.get(raw.entry) ?? []));
      // Rows read within a transaction may be taken back with it.
      const fresh = {
        changes: now,
        all: rows,
        kept: rows.filter((row) => row.deletedAtMs === null),
        deleted: rows.filter((row) => row.deletedAtMs !== null),
      };
      if (!db.inTransaction) read = fresh;
      return fresh[which];
    },
    row({ kind, id }) {
      const raw = one.get(kind, id);
      return raw
        ? make(
            raw,
            tagsOf.all(raw.entry).map(({ tag }) => tag),
          )
        : null;
    },
    search: (query) => new Set(find.all(query).map(({ entry }) => entry)),
    searchFields: (phrases) =>
      new Map(
        fieldNames.map((field) => [
          field,
          new Set(find.all(`${field} : (${phrases.join(' OR ')})`).map(({ entry }) => entry)),
        ]),
      ),
    // One pass over all that match: asked entry by entry, the index would read all beginnings of a
    // word anew for each.
    snippets: (query, field, entries) =>
      new Map(
        snippets
          .get(field)!
          .all(JSON.stringify(entries), query)
          .flatMap(({ entry, text }) => (text?.includes('\u0002') ? [[entry, text] as const] : [])),
      ),
    change: db.transaction(
      ({ kind, id }: HistoryItem, patch: HistoryPatch, nowMs: number): boolean => {
        const entry = entryOf.get(kind, id)?.entry;
        if (entry === undefined || !notes.get(kind, id)) return false;
        for (const tag of patch.removeTags ?? []) dropTag.run(entry, tagKey(tag));
        for (const tag of patch.addTags ?? []) putTag.run(entry, tagKey(tag), tag);
        if (patch.addTags?.length || patch.removeTags?.length)
          set.textTags.run(
            tagsOf
              .all(entry)
              .map(({ tag }) => tag)
              .join('\n'),
            entry,
          );
        if (patch.folder !== undefined) set.folder.run(patch.folder, entry);
        if (patch.favourite !== undefined) set.favourite.run(patch.favourite ? 1 : 0, entry);
        if (patch.notes !== undefined) {
          set.notes.run(patch.notes, nowMs, entry);
          set.textNotes.run(patch.notes, entry);
        }
        for (const field of [
          'archivedAtMs',
          'deletedAtMs',
          'thinnedAtMs',
          'storageBytes',
        ] as const) {
          const value = patch[field];
          if (value !== undefined) set[field].run(value, entry);
        }
        return true;
      },
    ),
    together: (work) => {
      db.transaction(work)();
    },
    notes: ({ kind, id }) => notes.get(kind, id) ?? null,
    index({ kind, id }, text) {
      const before = indexed.get(kind, id);
      if (
        before === undefined ||
        (before.text_version === textVersion && before.facts === JSON.stringify(factsOf(text)))
      )
        return;
      putText(before.entry, text);
    },
    fill() {
      const left = stale.all(textVersion);
      const fillSome = db.transaction((some: typeof left) => {
        for (const { entry, kind, id, name } of some) {
          const text =
            kind === 'run'
              ? textOfStoredRun(records.whole(id, recordOf.get(id)?.record_json ?? ''))
              : textOfStoredStudy(
                  specOf.get(id)?.json ?? '',
                  detailsOf.all(id).map(({ detail }) => detail),
                  planNames,
                );
          putText(
            entry,
            text ?? {
              name,
              hosts: [],
              findings: [],
              findingCount: null,
              testbed: '',
              profile: '',
              marks: [],
            },
          );
        }
      });
      for (let at = 0; at < left.length; at += 100) fillSome(left.slice(at, at + 100));
      return left.length;
    },
  };
}

/**
 * Names of the testbed and profile of a plan; a shipped profile is a file, so its id stands for it.
 */
export function planNamesIn(
  db: BetterSqlite.Database,
): (planId: string) => { testbed: string; profile: string } | null {
  const names = db.prepare<[string], { testbed: string | null; profile: string | null }>(`
    SELECT t.name AS testbed, coalesce(f.name, p.profileId) AS profile
    FROM (SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$.testbedId') END AS testbedId, CASE WHEN json_valid(json) THEN json_extract(json, '$.profileId') END AS profileId FROM plans WHERE id = ?) p
    LEFT JOIN testbeds t ON t.id = p.testbedId LEFT JOIN profiles f ON f.id = p.profileId`);
  return (planId) => {
    const row = names.get(planId);
    return row ? { testbed: row.testbed ?? '', profile: row.profile ?? '' } : null;
  };
}
