import { fail } from '../../../../core/base/errors.ts';
import {
  type HistoryEntry,
  type HistoryItem,
  type HistoryOutcome,
  type HistoryView,
  type RetentionRule,
  retentionRule,
  tagKey,
} from '../../../../core/history/history.ts';
import type { RunSummary } from '../../../../core/run/run.ts';
import type { Input, MethodName, Output } from '../../../../wire/contract.ts';

type Answers = {
  [M in MethodName as M extends `history.${string}` ? M : never]: (input: Input<M>) => Output<M>;
};
const bare = {
  tags: [],
  folder: null,
  favourite: false,
  noteHead: null,
  archivedAtMs: null,
  deletedAtMs: null,
  storageBytes: 2_400_000,
  thinnedAtMs: null,
  findings: 1,
  hosts: ['esx1.lab', 'esx2.lab'],
  createdAtMs: Date.UTC(2026, 10, 20),
};

/** A row of the history of a run's row, with what is put beside it. */
export const entryOf = (run: RunSummary, beside: Partial<HistoryEntry> = {}): HistoryEntry =>
  ({ ...run, kind: 'run', ...bare, ...beside }) as HistoryEntry;
export const studyEntry = (
  id: string,
  name: string,
  beside: Partial<HistoryEntry> = {},
): HistoryEntry =>
  ({
    kind: 'study',
    id,
    name,
    state: 'done',
    origin: 'real',
    axis: 'Tiles',
    done: 9,
    total: 9,
    startedAtMs: Date.UTC(2026, 10, 19),
    galleryId: null,
    ...bare,
    ...beside,
  }) as HistoryEntry;

/**
 * The history as the engine answers it, kept in memory: what a screen changes, the next list says.
 */
export function historyAnswers(
  runs: readonly RunSummary[],
  {
    entries = runs.map((run) => entryOf(run)),
    notes = {},
    views = [],
    refuse = {},
  }: {
    entries?: readonly HistoryEntry[];
    notes?: Record<string, string>;
    views?: readonly HistoryView[];
    /** Reasons by id. */ refuse?: Record<string, string>;
  } = {},
): Answers {
  let rows = [...entries];
  let kept = [...views];
  let rule: RetentionRule = retentionRule.parse({});
  const texts = new Map(Object.entries(notes));
  const same = (a: HistoryItem, b: HistoryItem): boolean => a.kind === b.kind && a.id === b.id;
  const change = (
    items: readonly HistoryItem[],
    to: (row: HistoryEntry) => HistoryEntry | null,
  ): HistoryOutcome => {
    const refused = items.flatMap((item) =>
      refuse[item.id] === undefined
        ? []
        : [
            {
              ...item,
              name: rows.find((row) => same(row, item))?.name ?? item.id,
              reason: refuse[item.id]!,
            },
          ],
    );
    const done = items.filter((item) => !refused.some((one) => same(one, item)));
    rows = rows.flatMap((row) => (done.some((item) => same(item, row)) ? (to(row) ?? []) : [row]));
    return { done, refused };
  };
  return {
    'history.list': ({ text, deleted = false }) => {
      const there = rows.filter((row) => (row.deletedAtMs !== null) === deleted);
      const matched =
        text === undefined
          ? []
          : there.flatMap((row) => {
              const note = texts.get(row.id) ?? '';
              const at = note.toLowerCase().indexOf(text.toLowerCase());
              return at < 0
                ? []
                : [
                    {
                      kind: row.kind,
                      id: row.id,
                      hits: [
                        {
                          field: 'notes' as const,
                          snippet: [
                            { text: note.slice(0, at), hit: false },
                            { text: note.slice(at, at + text.length), hit: true },
                            { text: note.slice(at + text.length), hit: false },
                          ],
                        },
                      ],
                    },
                  ];
            });
      return { entries: text === undefined ? there : [], total: there.length, matched };
    },
    'history.unreadable': () => ({ file: '/data/tilebench.sqlite', items: [] }),
    'history.raw': () => ({ text: '{' }),
    'history.facets': () => ({
      tags: [],
      folders: [],
      active: rows.filter((r) => r.deletedAtMs === null && r.archivedAtMs === null).length,
      archived: rows.filter((r) => r.archivedAtMs !== null).length,
      deleted: rows.filter((r) => r.deletedAtMs !== null).length,
      favourites: rows.filter((r) => r.favourite).length,
    }),
    'history.annotate': ({ items, patch }) =>
      change(items, (row) => {
        if (patch.notes !== undefined) texts.set(row.id, patch.notes);
        const tags = [
          ...row.tags.filter(
            (tag) => !(patch.removeTags ?? []).some((one) => tagKey(one) === tagKey(tag)),
          ),
          ...(patch.addTags ?? []).filter(
            (tag) => !row.tags.some((one) => tagKey(one) === tagKey(tag)),
          ),
        ];
        return {
          ...row,
          tags,
          favourite: patch.favourite ?? row.favourite,
          folder: patch.folder === undefined ? row.folder : patch.folder,
          noteHead: patch.notes === undefined ? row.noteHead : patch.notes.split('\n')[0] || null,
        };
      }),
    'history.notes': ({ id }) => ({
      markdown: texts.get(id) ?? '',
      changedAtMs: texts.has(id) ? Date.UTC(2026, 10, 21) : null,
    }),
    'history.archive': ({ items, archived }) =>
      change(items, (row) => ({ ...row, archivedAtMs: archived ? 1 : null })),
    'history.delete': ({ items }) =>
      change(items, (row) => ({ ...row, deletedAtMs: Date.UTC(2026, 10, 21) })),
    'history.restore': ({ items }) => change(items, (row) => ({ ...row, deletedAtMs: null })),
    'history.purge': ({ items }) => change(items, () => null),
    'history.storage': () => ({
      databaseBytes: 48_000_000,
      freeBytes: 4_000_000,
      perKind: [{ kind: 'runs', entries: rows.length, bytes: 40_000_000 }],
      biggest: rows.slice(0, 2).map(({ kind, id, name }) => ({ kind, id, name, bytes: 2_400_000 })),
      unmeasured: 0,
    }),
    'history.retention.get': () => rule,
    'history.retention.set': (next) => {
      rule = retentionRule.parse(next);
      return rule;
    },
    'history.retention.preview': () => ({
      purge: rows
        .filter((r) => r.deletedAtMs !== null)
        .map(({ kind, id, name }) => ({ kind, id, name, sinceMs: 0, bytes: 2_400_000 })),
      thin: [],
      bytes: 2_400_000 * rows.filter((r) => r.deletedAtMs !== null).length,
    }),
    'history.views.list': () => kept,
    'history.views.save': (view) => {
      const whole = view as HistoryView;
      if (whole.name === 'refused') throw fail('invalidInput', 'The view cannot be kept.');
      kept = [...kept.filter((one) => one.id !== whole.id), whole];
      return whole;
    },
    'history.views.remove': ({ id }) => {
      kept = kept.filter((one) => one.id !== id);
      return {};
    },
  };
}
