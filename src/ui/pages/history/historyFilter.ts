import type {
  HistoryEntry,
  HistoryField,
  HistoryFilter,
  HistoryMatch,
} from '../../../core/history/history.ts';
import { newestFirst } from '../../../core/run/newestFirst.ts';
import type { RunSummary } from '../../../core/run/run.ts';
import { runStateWord } from '../../../core/run/runWords.ts';
import { isEnd } from '../../../core/run/states.ts';
import { type HistoryShown, places } from '../../engine/historyShown.ts';
import { stateOf } from './entryWords.ts';
import { keyOf } from './historyData.ts';

const foldedTag = (tag: string): string => tag.toLocaleLowerCase('en');
const inFolder = (folder: string | null, wanted: string): boolean =>
  wanted === ''
    ? folder === null
    : folder !== null && (folder === wanted || folder.startsWith(`${wanted}/`));

/** Whether an entry passes every choice but the text. */
function passes(entry: HistoryEntry, filter: HistoryShown): boolean {
  if (
    filter.place === 'inUse'
      ? entry.archivedAtMs !== null
      : filter.place === 'archived' && entry.archivedAtMs === null
  )
    return false;
  if (filter.kind !== 'all' && entry.kind !== filter.kind) return false;
  if (
    filter.state !== 'all' &&
    (filter.state === 'active' ? !isActive(entry) : entry.state !== filter.state)
  )
    return false;
  if (filter.profileId !== null && (entry.kind !== 'run' || entry.profileId !== filter.profileId))
    return false;
  if (
    filter.origin === 'imported'
      ? entry.kind !== 'run' || entry.importedFrom === undefined
      : filter.origin !== 'all' && entry.origin !== filter.origin
  )
    return false;
  if (
    filter.compliance !== 'all' &&
    (entry.kind !== 'run' || entry.compliant !== (filter.compliance === 'compliant'))
  )
    return false;
  if (filter.tag !== null && !entry.tags.some((tag) => foldedTag(tag) === foldedTag(filter.tag!)))
    return false;
  if (filter.folder !== null && !inFolder(entry.folder, filter.folder)) return false;
  return !filter.favourite || entry.favourite;
}
export const isActive = (entry: HistoryEntry): boolean =>
  entry.kind === 'run'
    ? !isEnd(entry.state)
    : entry.state === 'running' || entry.state === 'pausing' || entry.state === 'waiting';

/** Where a text was found; the name is seen in the row and gives no reason of its own. */
export type Hit = HistoryMatch['hits'][number];
export type FieldText = readonly [HistoryField | 'state', string];

/** What a row says of itself, for a search that waits for nobody. */
export function fieldsOf(entry: HistoryEntry): FieldText[] {
  const own: FieldText[] = [
    ['name', entry.name],
    ['tags', entry.tags.join(' · ')],
    ['hosts', entry.hosts.join(' · ')],
    ['notes', entry.noteHead ?? ''],
  ];
  if (entry.folder !== null) own.push(['state', entry.folder]);
  return entry.kind === 'run'
    ? [
        ...own,
        ['profile', entry.profileName],
        ['testbed', entry.testbedName],
        ['state', `${stateOf(entry)}\n${entry.resultName}\n${entry.id}`],
      ]
    : [
        ...own,
        ['state', `${stateOf(entry)}\n${entry.axis}\n${entry.galleryId ?? ''}\n${entry.id}`],
      ];
}
/** Entries with their texts in lower case, made once a list. */
export interface Indexed {
  entry: HistoryEntry;
  key: string;
  fields: readonly FieldText[];
  all: string;
}
export const indexEntries = (entries: readonly HistoryEntry[]): Indexed[] =>
  entries.map((entry) => {
    const fields = fieldsOf(entry);
    return {
      entry,
      key: keyOf(entry),
      fields,
      all: fields
        .map(([, text]) => text)
        .join('\n')
        .toLocaleLowerCase('en'),
    };
  });

/** Words of a search; words in "quotes" belong together. */
export const wordsOf = (text: string): string[] =>
  [...text.toLocaleLowerCase('en').matchAll(/"([^"]*)"?|(\S+)/g)]
    .map((found) => (found[1] ?? found[2] ?? '').trim())
    .filter((word) => word !== '');

export interface Found {
  entry: HistoryEntry;
  key: string;
  /** Why a text matched, where the name alone does not say. */ hits: readonly Hit[];
}

/**
 * Entries that pass each choice and hold every word: in their rows, or where the engine found them.
 */
export function findEntries(
  indexed: readonly Indexed[],
  filter: HistoryShown,
  matched: ReadonlyMap<string, HistoryMatch> | null,
): Found[] {
  const words = wordsOf(filter.text);
  const found: Found[] = [];
  for (const { entry, key, fields, all } of indexed) {
    if (!passes(entry, filter)) continue;
    if (words.length === 0) {
      found.push({ entry, key, hits: [] });
      continue;
    }
    const told = matched?.get(key);
    if (told === undefined && !words.every((word) => all.includes(word))) continue;
    const hits = (told?.hits ?? []).filter((hit) => hit.field !== 'name');
    found.push({ entry, key, hits: hits.length > 0 ? hits : ownHits(fields, words) });
  }
  return found;
}

/** Fields of the row that hold a word, with the word marked; none where the name holds them all. */
function ownHits(fields: readonly FieldText[], words: readonly string[]): Hit[] {
  const name = fields[0]![1].toLocaleLowerCase('en');
  const open = words.filter((word) => !name.includes(word));
  return fields.flatMap(([field, text]) => {
    const at =
      field === 'name' || field === 'state'
        ? -1
        : Math.min(
            ...open.map((word) => text.toLocaleLowerCase('en').indexOf(word)).filter((i) => i >= 0),
          );
    const word = open.find((one) => text.toLocaleLowerCase('en').indexOf(one) === at);
    if (field === 'state' || at < 0 || word === undefined) return [];
    return [
      {
        field,
        snippet: [
          { text: text.slice(Math.max(0, at - 24), at), hit: false },
          { text: text.slice(at, at + word.length), hit: true },
          { text: text.slice(at + word.length, at + word.length + 48), hit: false },
        ],
      },
    ];
  });
}

/**
 * Runs that hold every word in name, profile, testbed or state; the newest first, before all those
 * that never started.
 */
export function findRuns(runs: readonly RunSummary[], text: string): RunSummary[] {
  const words = wordsOf(text);
  return newestFirst(
    runs.filter((run) => {
      const all = [
        run.name,
        run.id,
        run.profileName,
        run.testbedName,
        runStateWord(run.state, run.compliant),
        run.resultName,
      ]
        .join('\n')
        .toLocaleLowerCase('en');
      return words.every((word) => all.includes(word));
    }),
  );
}
/** The newest first; runs that never started come before all, they are being made. */
const kinds = ['run', 'study'] as const;
const origins = ['real', 'simulated', 'replay', 'imported'] as const;

/** The filter of an address; unknown words are ignored. */
export function filterFromParams(params: URLSearchParams): HistoryShown {
  const one = <T extends string>(name: string, allowed: readonly T[]): T | 'all' =>
    allowed.find((v) => v === params.get(name)) ?? 'all';
  return {
    text: params.get('q') ?? '',
    place: places.find((v) => v === params.get('place')) ?? 'inUse',
    kind: one('kind', kinds),
    state: /^[a-zA-Z]+$/.exec(params.get('state') ?? '')?.[0] ?? 'all',
    profileId: params.get('profile'),
    origin: one('origin', origins),
    compliance: one('rules', ['compliant', 'notCompliant'] as const),
    tag: params.get('tag'),
    folder: params.get('folder'),
    favourite: params.get('favourite') === '1',
  };
}

/** The address of a filter: only what is chosen. */
export function paramsFromFilter(filter: HistoryShown): URLSearchParams {
  const params = new URLSearchParams();
  if (filter.text) params.set('q', filter.text);
  if (filter.place !== 'inUse') params.set('place', filter.place);
  if (filter.kind !== 'all') params.set('kind', filter.kind);
  if (filter.state !== 'all') params.set('state', filter.state);
  if (filter.profileId !== null) params.set('profile', filter.profileId);
  if (filter.origin !== 'all') params.set('origin', filter.origin);
  if (filter.compliance !== 'all') params.set('rules', filter.compliance);
  if (filter.tag !== null) params.set('tag', filter.tag);
  if (filter.folder !== null) params.set('folder', filter.folder);
  if (filter.favourite) params.set('favourite', '1');
  return params;
}

/** A filter as the engine keeps it in a view. */
export function queryOf(filter: HistoryShown): HistoryFilter {
  return {
    archived: filter.place === 'archived' ? 'yes' : filter.place === 'inUse' ? 'no' : 'both',
    deleted: filter.place === 'deleted',
    ...(filter.text.trim() === '' ? {} : { text: filter.text }),
    ...(filter.kind === 'all' ? {} : { kind: filter.kind }),
    ...(filter.state === 'all' ? {} : { state: filter.state }),
    ...(filter.profileId === null ? {} : { profileId: filter.profileId }),
    ...(filter.origin === 'all' ? {} : { origin: filter.origin }),
    ...(filter.compliance === 'all' ? {} : { compliant: filter.compliance === 'compliant' }),
    ...(filter.tag === null ? {} : { tag: filter.tag }),
    ...(filter.folder === null ? {} : { folder: filter.folder }),
    ...(filter.favourite ? { favourite: true } : {}),
  };
}

/** A kept filter as the page has it. */
export function shownOf(query: HistoryFilter): HistoryShown {
  return {
    text: query.text ?? '',
    place: query.deleted
      ? 'deleted'
      : query.archived === 'yes'
        ? 'archived'
        : query.archived === 'both'
          ? 'all'
          : 'inUse',
    kind: query.kind ?? 'all',
    state: query.state ?? 'all',
    profileId: query.profileId ?? null,
    origin: query.origin ?? 'all',
    compliance:
      query.compliant === undefined ? 'all' : query.compliant ? 'compliant' : 'notCompliant',
    tag: query.tag ?? null,
    folder: query.folder === undefined ? null : (query.folder ?? ''),
    favourite: query.favourite ?? false,
  };
}
