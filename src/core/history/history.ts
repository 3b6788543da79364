import * as z from 'zod';

import { field } from '../base/field.ts';
import { runSummary } from '../run/run.ts';
import { studySummary } from '../study/study.ts';

/** Limits of what people write beside a run or a study. They are this app's choice. */
export const historyLimits = {
  tagLength: 40,
  tagsPerEntry: 20,
  folderDepth: 6,
  folderPart: 60,
  notesLength: 65_536,
  textLength: 300,
  itemsPerCall: 5_000,
  views: 100,
} as const;

const tagPattern = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._:+#@/=-]*$/u;
/** A tag as it is kept: composed characters, single spaces, none at its ends. */
export const cleanTag = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').trim();
/** Why a tag cannot be kept, or null. */
export function tagFault(text: string): string | null {
  const tag = cleanTag(text);
  if (tag === '') return 'A tag is not empty.';
  if ([...tag].length > historyLimits.tagLength)
    return `A tag has at most ${historyLimits.tagLength} characters.`;
  return tagPattern.test(tag)
    ? null
    : 'A tag begins with a letter or a digit, and holds letters, digits, spaces and . _ : + # @ / = - only.';
}
/** Tags differ by more than their case. */
export const tagKey = (tag: string): string => cleanTag(tag).toLocaleLowerCase('en');

// Control characters and those that turn or hide text.
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
/**
 * A folder path as it is kept, `A/B`: no empty parts, none of `.` and `..`, no control characters.
 * null = no folder.
 */
export function cleanFolder(path: string): string | null {
  const parts = path
    .normalize('NFC')
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.replace(unseen, ' ').replace(/\s+/gu, ' ').trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.length === 0 ? null : parts.join('/');
}
/** Why a folder cannot be kept, or null. */
export function folderFault(path: string): string | null {
  const parts = (cleanFolder(path) ?? '').split('/');
  if (parts.length > historyLimits.folderDepth)
    return `Folders lie at most ${historyLimits.folderDepth} deep.`;
  return parts.some((part) => [...part].length > historyLimits.folderPart)
    ? `The name of a folder has at most ${historyLimits.folderPart} characters.`
    : null;
}

const refusing =
  (fault: (text: string) => string | null) =>
  (text: string, context: z.RefinementCtx): void => {
    const message = fault(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  };
export const tagInput = field
  .name('tag')
  .max(1_000)
  .superRefine(refusing(tagFault))
  .transform(cleanTag);
export const folderInput = field
  .name('folder')
  .max(2_000)
  .superRefine(refusing(folderFault))
  .transform(cleanFolder);
export const notesInput = field
  .freeText()
  .max(historyLimits.notesLength, `Notes have at most ${historyLimits.notesLength} characters.`)
  .transform((text) => text.replaceAll('\u0000', ''));

const historyKind = z.enum(['run', 'study']);
export type HistoryKind = z.infer<typeof historyKind>;
export const historyItem = z.object({ kind: historyKind, id: field.id('thing').min(1).max(200) });
export type HistoryItem = z.infer<typeof historyItem>;
export const unreadableItem = historyItem.extend({
  /** Where and why. */ issue: field.freeText(),
  /** Lies in Deleted since. */ deletedAtMs: field.timeMs().nullable(),
});
export const historyItems = z.array(historyItem).min(1).max(historyLimits.itemsPerCall);

const beside = {
  tags: field.list(field.name('tag')),
  /** `A/B`; null = in none. */ folder: field.name('folder').nullable(),
  favourite: z.boolean(),
  /** First line of the notes. */ noteHead: field.freeText().nullable(),
  archivedAtMs: field.timeMs().nullable(),
  /** Lies in Deleted since. */ deletedAtMs: field.timeMs().nullable(),
  /**
   * Samples, record and logs in the database; null = not measured, or still growing. Of a study: of
   * its own rows, its runs are entries of their own.
   */
  storageBytes: field.figure().nullable(),
  /** Samples were thinned by the retention rule. */ thinnedAtMs: field.timeMs().nullable(),
  /** How many findings; null = has none by its nature. */ findings: field.count().nullable(),
  /** Names of hosts it was measured on. */ hosts: field.list(field.name('host')),
  createdAtMs: field.timeMs().nullable(),
};
/**
 * A row of the history: the row of the list of runs or of studies, with what people put beside it.
 */
export const historyEntry = z.discriminatedUnion('kind', [
  runSummary.extend({ kind: z.literal('run'), ...beside }),
  studySummary.extend({ kind: z.literal('study'), ...beside }),
]);
export type HistoryEntry = z.infer<typeof historyEntry>;

/**
 * Where a text was found. `marks` are notes on the time axis of a run, and what a study says of
 * itself and its points.
 */
export const historyField = z.enum([
  'name',
  'notes',
  'tags',
  'hosts',
  'findings',
  'testbed',
  'profile',
  'marks',
]);
export type HistoryField = z.infer<typeof historyField>;
export const historyMatch = historyItem.extend({
  hits: field.list(
    z.object({
      field: historyField,
      /** Text around the hit, in parts; empty for entries far down a page. */ snippet: field.list(
        z.object({ text: field.freeText(), hit: z.boolean() }),
      ),
    }),
  ),
});
export type HistoryMatch = z.infer<typeof historyMatch>;

export const historySort = z.enum([
  'started',
  'name',
  'kind',
  'state',
  'score',
  'tiles',
  'duration',
  'power',
  'findings',
  'storage',
  'folder',
  'testbed',
  'profile',
  'samples',
  'favourite',
]);
/**
 * What of the history is shown. Words of `text` are all looked for, each as the beginning of a
 * word; words in "quotes" together.
 */
export const historyFilter = z.object({
  text: field.freeText().max(historyLimits.textLength).optional(),
  kind: historyKind.optional(),
  /** Of runs or of studies. */ state: field.word().max(40).optional(),
  origin: z.enum(['real', 'simulated', 'replay', 'imported']).optional(),
  tag: tagInput.optional(),
  /** With the folders in it; '' = in no folder. */ folder: folderInput
    .transform((path) => path ?? '')
    .optional(),
  /** Runs only. */ profileId: field.id('profile').max(200).optional(),
  compliant: z.boolean().optional(),
  favourite: z.boolean().optional(),
  archived: z.enum(['no', 'yes', 'both']).default('no'),
  /** true: what lies in Deleted, and nothing else. */ deleted: z.boolean().default(false),
});
export type HistoryFilter = z.infer<typeof historyFilter>;
export const historyQuery = historyFilter.extend({
  sort: historySort.default('started'),
  descending: z.boolean().default(true),
  limit: z.number().int().min(1).max(10_000).default(1_000),
  offset: field.count().default(0),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

const historyRefusal = historyItem.extend({
  name: field.name('thing'),
  reason: field.freeText(),
});
/**
 * What a change of several entries came to: those it did, and those it refused, each with its
 * reason.
 */
export const historyOutcome = z.object({
  done: field.list(historyItem),
  refused: field.list(historyRefusal),
});
export type HistoryOutcome = z.infer<typeof historyOutcome>;

export const historyStorage = z.object({
  databaseBytes: field.figure(),
  /** Pages without content inside the file: the next runs fill them, the file does not shrink. */ freeBytes:
    field.figure(),
  /** Every entry once: in Deleted, else archived, else imported, else a run or study. */
  perKind: field.list(
    z.object({
      kind: z.enum(['runs', 'studies', 'imported', 'archived', 'deleted']),
      entries: field.count(),
      bytes: field.figure(),
    }),
  ),
  biggest: field.list(historyItem.extend({ name: field.name('thing'), bytes: field.figure() })),
  /** Entries that are not measured yet; asked again a moment later, there are fewer. */ unmeasured:
    field.count(),
});
export type HistoryStorage = z.infer<typeof historyStorage>;

const days = z.number().int().min(1).max(3_650);
/**
 * What is removed by itself. Nothing is while `enabled` is false. Favourites, running runs and
 * opened files are never touched by it.
 */
export const retentionRule = z.object({
  enabled: z.boolean().default(false),
  /** What lies in Deleted this long is purged; null = never. */ deletedDays: days
    .nullable()
    .default(30),
  /**
   * Samples of runs that ended this long ago are thinned to one in 20 s, scores are kept; null =
   * never.
   */ sampleDays: days.nullable().default(null),
  keepFavourites: z.literal(true).default(true),
});
export type RetentionRule = z.infer<typeof retentionRule>;
const retentionLine = historyItem.extend({
  name: field.name('thing'),
  /** In Deleted since, or ended. */ sinceMs: field.timeMs(),
  bytes: field.figure().nullable(),
});
export const retentionPreview = z.object({
  purge: field.list(retentionLine),
  /** `bytes`: about what thinning frees. */ thin: field.list(retentionLine),
  /** Together; entries that are not measured count as none. */ bytes: field.figure(),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;

export const historyColumns = z.array(field.word().min(1).max(40)).max(40);
/** A saved filter. */
export const historyView = z.object({
  id: field.id('thing').min(1).max(64),
  name: field.name('view').trim().min(1).max(80),
  query: historyFilter,
  columns: historyColumns.default([]),
  /** `by`: a column of the table. */ sort: z
    .object({ by: field.word().min(1).max(40), descending: z.boolean() })
    .default({ by: 'started', descending: true }),
});
export type HistoryView = z.infer<typeof historyView>;

export const facet = <T extends string>(name: T) =>
  z.object({ [name]: field.name('tag'), count: field.count() } as { [K in T]: z.ZodString } & {
    count: z.ZodNumber;
  });

/** Entries whose tags, notes, folder, place or figures changed; ask again. */
export const historyEvents = {
  'history.changed': z.object({ items: field.list(historyItem) }),
} as const;
