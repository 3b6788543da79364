import * as z from 'zod';

import { printable } from '../../../src/core/base/bounds.ts';
import { byLooseOrder, byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import type {
  HistoryEntry,
  HistoryMatch,
  HistoryQuery,
} from '../../../src/core/history/history.ts';
import { runSummary } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { studySpecSchema, type StudySummary } from '../../../src/core/study/study.ts';
import type { HistoryRow } from '../db/history.ts';
import { readShown } from '../db/readStored.ts';
import type { Database } from '../db/types.ts';
import { summaryOf } from '../studies/overview.ts';
import { matchQuery, phrasesOf } from './query.ts';

const hostNames = z.array(z.string()).catch([]);
const hostsOf = (json: string): string[] => {
  const stored = readShown(hostNames, json);
  return stored.ok ? stored.data : [];
};
const headLength = 120;

/** Marks of Markdown at the beginning of a line say nothing in a table cell. */
export function headOf(notes: string): string | null {
  const line = notes
    .split('\n')
    .map((one) =>
      one
        .replace(/^[\s>#*+-]+/u, '')
        .replace(/[*_`]{1,3}/gu, '')
        .trim(),
    )
    .find((one) => one !== '');
  return line === undefined ? null : line.slice(0, headLength);
}

type Own =
  { kind: 'run'; summary: z.infer<typeof runSummary> } | { kind: 'study'; summary: StudySummary };

/** Reads entries of the history; what was read before and did not change is not parsed again. */
export function createEntryReader({
  db,
  origin,
}: {
  db: Pick<Database, 'history' | 'runs' | 'studies' | 'unreadable'>;
  origin: 'real' | 'simulated';
}): (row: HistoryRow) => HistoryEntry | null {
  const known = new Map<number, { json: string; progressJson: string | null; own: Own | null }>();
  const made = new WeakMap<HistoryRow, HistoryEntry | null>();

  function own(row: HistoryRow): Own | null {
    const before = known.get(row.entry);
    if (before && before.json === row.json && before.progressJson === row.progressJson)
      return before.own;
    const read = (): Own | null => {
      const stored =
        row.kind === 'run' ? readShown(runSummary, row.json) : readShown(studySpecSchema, row.json);
      if (!stored.ok) {
        // Made anew of the record, or noted with it.
        if (row.kind === 'run') {
          const summary = db.runs.summary(row.id);
          return summary && { kind: 'run', summary };
        }
        db.unreadable.note(row, stored.issue);
        return null;
      }
      if (row.kind === 'run')
        return { kind: 'run', summary: stored.data as z.infer<typeof runSummary> };
      const spec = stored.data as z.infer<typeof studySpecSchema>;
      const progress = row.progressJson === null ? null : db.studies.findProgress(row.id);
      return {
        kind: 'study',
        summary: summaryOf(
          spec,
          progress && { ...progress.progress, points: progress.points },
          origin,
        ),
      };
    };
    const parsed = read();
    known.set(row.entry, { json: row.json, progressJson: row.progressJson, own: parsed });
    return parsed;
  }

  const make = (row: HistoryRow): HistoryEntry | null => {
    const mine = own(row);
    if (mine === null) return null;
    const beside = {
      tags: row.tags,
      folder: row.folder,
      favourite: row.favourite,
      noteHead: headOf(row.noteStart),
      archivedAtMs: row.archivedAtMs,
      deletedAtMs: row.deletedAtMs,
      storageBytes: row.storageBytes,
      thinnedAtMs: row.thinnedAtMs,
      findings: row.findings,
      hosts: row.hostsJson === '[]' ? [] : hostsOf(row.hostsJson),
      createdAtMs: row.createdAtMs,
    };
    return mine.kind === 'run'
      ? { kind: 'run', ...mine.summary, ...beside }
      : { kind: 'study', ...mine.summary, ...beside };
  };
  return (row) => {
    const before = made.get(row);
    if (before !== undefined) return before;
    const entry = make(row);
    made.set(row, entry);
    return entry;
  };
}

/** What of the history a query shows, in its order, with the reasons why where it has a text. */
export function queryEntries(
  db: Pick<Database, 'history'>,
  read: (row: HistoryRow) => HistoryEntry | null,
  query: HistoryQuery,
): { entries: HistoryEntry[]; total: number; matched: HistoryMatch[] } {
  const text = query.text?.trim() ?? '';
  const phrases = phrasesOf(text);
  const match = matchQuery(phrases);
  const found = match === null ? null : db.history.search(match);
  const literal = text !== '' && match === null ? text.toLowerCase() : null;
  const tag = query.tag?.toLowerCase();
  const chosen: { row: HistoryRow; entry: HistoryEntry }[] = [];
  for (const row of db.history.rows(query.deleted ? 'deleted' : 'kept')) {
    if (found !== null && !found.has(row.entry)) continue;
    if (query.kind !== undefined && row.kind !== query.kind) continue;
    if (query.favourite !== undefined && row.favourite !== query.favourite) continue;
    // In Deleted all of it is shown: an entry keeps being archived there.
    if (
      !query.deleted &&
      query.archived !== 'both' &&
      (row.archivedAtMs !== null) !== (query.archived === 'yes')
    )
      continue;
    if (query.folder !== undefined && !within(row.folder, query.folder)) continue;
    if (tag !== undefined && !row.tags.some((one) => one.toLowerCase() === tag)) continue;
    const entry = read(row);
    if (entry === null) continue;
    if (query.state !== undefined && entry.state !== query.state) continue;
    if (query.origin !== undefined && originOf(entry) !== query.origin) continue;
    if (
      query.profileId !== undefined &&
      (entry.kind !== 'run' || entry.profileId !== query.profileId)
    )
      continue;
    if (
      query.compliant !== undefined &&
      (entry.kind !== 'run' || entry.compliant !== query.compliant)
    )
      continue;
    if (literal !== null && !entry.name.toLowerCase().includes(literal)) continue;
    chosen.push({ row, entry });
  }
  chosen.sort((a, b) => compareBy(query, a.entry, b.entry));
  const page = chosen.slice(query.offset, query.offset + query.limit);
  return {
    entries: page.map(({ entry }) => entry),
    total: chosen.length,
    matched:
      match === null
        ? []
        : matchesOf(
            db,
            match,
            phrases,
            page.map(({ row }) => row),
          ),
  };
}

/** '' = in no folder. */
function within(folder: string | null, wanted: string): boolean {
  return wanted === ''
    ? folder === null
    : folder !== null && (folder === wanted || folder.startsWith(`${wanted}/`));
}

const originOf = (entry: HistoryEntry): string =>
  entry.kind === 'run' && entry.importedFrom !== undefined ? 'imported' : entry.origin;

/**
 * Texts around the hits are made for so many entries of a page; of those behind, only the fields
 * are told.
 */
const snippetsAtMost = 100;

function matchesOf(
  db: Pick<Database, 'history'>,
  match: string,
  phrases: readonly string[],
  rows: readonly HistoryRow[],
): HistoryMatch[] {
  const byField = db.history.searchFields(phrases);
  const first = rows.slice(0, snippetsAtMost).map(({ entry }) => entry);
  const fields = [...byField].map(([field, entries]) => {
    const wanted = first.filter((entry) => entries.has(entry));
    return {
      field,
      entries,
      snippets:
        wanted.length === 0 ? new Map<number, string>() : db.history.snippets(match, field, wanted),
    };
  });
  return rows.map(({ kind, id, entry }) => ({
    kind,
    id,
    hits: fields
      .filter(({ entries }) => entries.has(entry))
      .map(({ field, snippets }) => ({ field, snippet: partsOf(snippets.get(entry) ?? '') })),
  }));
}

/** `a \u0002b\u0003 c` → parts, in order. */
function partsOf(snippet: string): { text: string; hit: boolean }[] {
  return snippet.split('\u0002').flatMap((piece, i) => {
    const [hit, rest] =
      i === 0
        ? ['', piece]
        : [
            piece.slice(0, Math.max(0, piece.indexOf('\u0003'))),
            piece.slice(piece.indexOf('\u0003') + 1),
          ];
    return [
      { text: hit, hit: true },
      { text: rest.replaceAll('\u0003', ''), hit: false },
    ]
      .map(({ text, hit }) => ({ text: printable(text), hit }))
      .filter((part) => part.text !== '');
  });
}

type Sorted = string | number | null;
function keyOf(sort: HistoryQuery['sort'], entry: HistoryEntry): Sorted {
  const run = entry.kind === 'run' ? entry : null;
  switch (sort) {
    case 'started':
      // A run that ended without a start stands with what has no value.
      return entry.startedAtMs ?? (run && isEnd(run.state) ? null : entry.createdAtMs);
    case 'name':
      return entry.name;
    case 'kind':
      return entry.kind;
    case 'state':
      return entry.state;
    case 'score':
      return run?.score ?? null;
    case 'tiles':
      return run?.tiles ?? null;
    case 'duration':
      return run?.durationS ?? null;
    case 'power':
      return run?.meanPowerW ?? null;
    case 'samples':
      return run?.sampleCount ?? null;
    case 'findings':
      return entry.findings;
    case 'storage':
      return entry.storageBytes;
    case 'folder':
      return entry.folder;
    case 'testbed':
      return run?.testbedName ?? null;
    case 'profile':
      return run?.profileName ?? null;
    case 'favourite':
      return entry.favourite ? 1 : 0;
  }
}

/** What has no value comes last either way; equals go by start, newest first, then by id. */
function compareBy({ sort, descending }: HistoryQuery, a: HistoryEntry, b: HistoryEntry): number {
  const x = keyOf(sort, a),
    y = keyOf(sort, b);
  if (x === null || y === null) return x === y ? tie(a, b) : x === null ? 1 : -1;
  const order = typeof x === 'string' ? byLooseOrder(x, String(y)) : x - Number(y);
  return order === 0 ? tie(a, b) : descending ? -order : order;
}
function tie(a: HistoryEntry, b: HistoryEntry): number {
  return (
    (b.startedAtMs ?? b.createdAtMs ?? 0) - (a.startedAtMs ?? a.createdAtMs ?? 0) ||
    byNaturalOrder(a.id, b.id)
  );
}
