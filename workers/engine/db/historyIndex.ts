import type BetterSqlite from 'better-sqlite3';

import {
  type HistoryField,
  historyField,
  type HistoryItem,
  type HistoryKind,
} from '../../../src/core/history/history.ts';
import {
  type HistoryText,
  pointDetailsSql,
  textOfStoredRun,
  textOfStoredStudy,
  textVersion,
} from './historyText.ts';
import type { RecordStore } from './records.ts';

/** The full-text index of runs and studies, by the number of their entry. */
export interface HistoryIndex {
  /** Entries that match an FTS5 query. The query must be well-formed. */
  search(query: string): Set<number>;
  /** Entries in which any of these phrases stands in one field, by field. */
  searchFields(phrases: readonly string[]): Map<HistoryField, Set<number>>;
  /**
   * Text around what a query found in one field of these entries, the hits between \u0002 and
   * \u0003.
   */
  snippets(query: string, field: HistoryField, entries: readonly number[]): Map<number, string>;
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

export function createHistoryIndex(
  db: BetterSqlite.Database,
  records: Pick<RecordStore, 'whole'>,
): HistoryIndex {
  const sql = prepare(db);
  const planNames = planNamesIn(db);

  const putText = (entry: number, text: HistoryText): void => {
    const [name, hosts, findings, testbed, profile, marks, count, hostsJson] = columnsOf(text);
    sql.putText.run(name, hosts, findings, testbed, profile, marks, entry);
    sql.putFacts.run(count, hostsJson, textVersion, entry);
  };
  const storedText = (kind: HistoryKind, id: string): HistoryText | null =>
    kind === 'run'
      ? textOfStoredRun(records.whole(id, sql.recordOf.get(id)?.record_json ?? ''))
      : textOfStoredStudy(
          sql.specOf.get(id)?.json ?? '',
          sql.detailsOf.all(id).map(({ detail }) => detail),
          planNames,
        );

  return {
    search: (query) => new Set(sql.find.all(query).map(({ entry }) => entry)),
    searchFields: (phrases) =>
      new Map(
        fieldNames.map((field) => [
          field,
          new Set(sql.find.all(`${field} : (${phrases.join(' OR ')})`).map(({ entry }) => entry)),
        ]),
      ),
    // One pass over all that match: asked entry by entry, the index would read all beginnings of a
    // word anew for each.
    snippets: (query, field, entries) =>
      new Map(
        sql.snippets
          .get(field)!
          .all(JSON.stringify(entries), query)
          .flatMap(({ entry, text }) => (text?.includes('\u0002') ? [[entry, text] as const] : [])),
      ),
    index({ kind, id }, text) {
      const before = sql.indexed.get(kind, id);
      if (
        before === undefined ||
        (before.text_version === textVersion && before.facts === JSON.stringify(columnsOf(text)))
      )
        return;
      putText(before.entry, text);
    },
    fill() {
      const left = sql.stale.all(textVersion);
      const fillSome = db.transaction((some: typeof left) => {
        for (const { entry, kind, id, name } of some)
          putText(entry, storedText(kind, id) ?? { ...emptyText, name });
      });
      for (let at = 0; at < left.length; at += 100) fillSome(left.slice(at, at + 100));
      return left.length;
    },
  };
}

/** Of what cannot be read, beside its name. */
const emptyText: Omit<HistoryText, 'name'> = {
  hosts: [],
  findings: [],
  findingCount: null,
  testbed: '',
  profile: '',
  marks: [],
};

/** In the order of the columns that `indexed` gives as JSON. */
function columnsOf(text: HistoryText) {
  return [
    cut(text.name),
    cut(text.hosts.join('\n')),
    cut(text.findings.join('\n')),
    cut(text.testbed),
    cut(text.profile),
    cut(text.marks.join('\n')),
    text.findingCount,
    JSON.stringify(text.hosts),
  ] as const;
}

const cut = (text: string): string =>
  text.length > indexedLength ? text.slice(0, indexedLength) : text;

function prepare(db: BetterSqlite.Database) {
  return {
    find: db.prepare<[string], { entry: number }>(
      'SELECT rowid AS entry FROM history_text WHERE history_text MATCH ?',
    ),
    snippets: new Map(
      fieldNames.map((field, i) => [
        field,
        db.prepare<[string, string], { entry: number; text: string | null }>(
          'SELECT rowid AS entry, CASE WHEN rowid IN (SELECT value FROM json_each(?)) THEN ' +
            `snippet(history_text, ${i}, char(2), char(3), '…', 12) END AS text FROM ` +
            'history_text WHERE history_text MATCH ?',
        ),
      ]),
    ),
    putText: db.prepare<[string, string, string, string, string, string, number]>(
      'UPDATE history_text SET name = ?, hosts = ?, findings = ?, testbed = ?, profile = ?, ' +
        'marks = ? WHERE rowid = ?',
    ),
    putFacts: db.prepare<[number | null, string, number, number]>(
      'UPDATE history SET findings = ?, hosts_json = ?, text_version = ? WHERE entry = ?',
    ),
    stale: db.prepare<[number], { entry: number; kind: HistoryKind; id: string; name: string }>(
      'SELECT h.entry, h.kind, h.id, coalesce(s.name, h.id) AS name FROM history h LEFT JOIN ' +
        "studies s ON h.kind = 'study' AND s.id = h.id WHERE h.text_version < ?",
    ),
    recordOf: db.prepare<[string], { record_json: string }>(
      'SELECT record_json FROM runs WHERE id = ?',
    ),
    specOf: db.prepare<[string], { json: string }>('SELECT json FROM studies WHERE id = ?'),
    detailsOf: db.prepare<[string], { detail: string }>(pointDetailsSql),
    // What is there is read from the tables: what was written in a transaction that failed is not
    // there.
    indexed: db.prepare<[string, string], { entry: number; text_version: number; facts: string }>(
      'SELECT h.entry, h.text_version, json_array(t.name, t.hosts, t.findings, t.testbed, ' +
        't.profile, t.marks, h.findings, h.hosts_json) AS facts FROM history h ' +
        'JOIN history_text t ON t.rowid = h.entry WHERE h.kind = ? AND h.id = ?',
    ),
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
    FROM (
      SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$.testbedId') END AS testbedId,
        CASE WHEN json_valid(json) THEN json_extract(json, '$.profileId') END AS profileId
      FROM plans WHERE id = ?
    ) p
    LEFT JOIN testbeds t ON t.id = p.testbedId LEFT JOIN profiles f ON f.id = p.profileId`);
  return (planId) => {
    const row = names.get(planId);
    return row ? { testbed: row.testbed ?? '', profile: row.profile ?? '' } : null;
  };
}
