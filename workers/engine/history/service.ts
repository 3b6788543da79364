import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import {
  type HistoryEntry,
  type HistoryItem,
  historyLimits,
  type HistoryOutcome,
  type HistoryStorage,
  tagKey,
} from '../../../src/core/history/history.ts';
import { isEnd } from '../../../src/core/run/run.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { HistoryPatch, HistoryRow } from '../db/history.ts';
import type { Need } from '../db/types.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { isDriven } from '../studies/liveStudy.ts';
import { createEntryReader, queryEntries } from './entries.ts';
import { createRetention } from './retention.ts';
import { createSweeper } from './sweeper.ts';

type Methods = Pick<Handlers, Extract<keyof Handlers, `history.${string}`>>;
export interface HistoryService {
  methods: Methods;
  /**
   * Finishes what an earlier engine left half purged, measures what has no figure yet, applies the
   * retention rule.
   */
  recover(): void;
  close(): Promise<void>;
}

const biggestShown = 10;

/** `entry` null = it cannot be read; it can be put away all the same. */
interface Found {
  row: HistoryRow;
  entry: HistoryEntry | null;
}

/**
 * Everything `history.*`: what people put beside runs and studies, search, archive, Deleted, purge,
 * retention.
 */
export function createHistoryService(options: {
  deps: Pick<Deps, 'clock' | 'log' | 'lab'>;
  db: Database;
  emit: Emit;
  /** Ends what lives of a study outside the database; throws where it is running. */ removeStudy: (
    id: string,
  ) => Promise<unknown>;
}): HistoryService {
  const { deps, db, emit, removeStudy } = options;
  const closing = new AbortController();
  const read = createEntryReader({
    db,
    origin: deps.lab === null ? 'real' : 'simulated',
  });
  const tell = (items: HistoryItem[]): void => {
    if (items.length === 0) return;
    emit('history.changed', { items });
    if (items.some((item) => item.kind === 'run')) emit('list.changed', { list: 'runs' });
    if (items.some((item) => item.kind === 'study')) emit('list.changed', { list: 'studies' });
  };
  const sweeper = createSweeper({ db, log: deps.log, closing: closing.signal, tell });
  const entryOf = (item: HistoryItem): Found | null => {
    const row = db.history.row(item);
    return row && { row, entry: read(row) };
  };

  /**
   * Does `change` for each entry that `why` does not refuse. An unknown entry is refused too, never
   * skipped in silence.
   */
  function each(
    items: readonly HistoryItem[],
    why: (found: Found) => string | null,
    change: (found: Found) => void,
  ): HistoryOutcome {
    const outcome: HistoryOutcome = { done: [], refused: [] };
    // One wait for the disk, however many they are.
    db.history.together(() => {
      for (const { kind, id } of unique(items)) {
        const found = entryOf({ kind, id });
        if (found === null) {
          outcome.refused.push({
            kind,
            id,
            name: id,
            reason: `There is no ${kind} ${id} in the history.`,
          });
          continue;
        }
        const reason = why(found);
        if (reason !== null) {
          outcome.refused.push({ kind, id, name: found.entry?.name ?? id, reason });
          continue;
        }
        change(found);
        outcome.done.push({ kind, id });
      }
    });
    tell(outcome.done);
    return outcome;
  }
  const patch = (item: HistoryItem, change: HistoryPatch): void => {
    db.history.change(item, change, deps.clock.now());
  };
  /** Of several with a study among them: studies first, so that their runs are free. */
  const studiesFirst = (items: readonly HistoryItem[]): HistoryItem[] =>
    [...items].sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'study' ? -1 : 1));

  const busy = ({ entry }: Pick<Found, 'entry'>): string | null => {
    // Nothing goes on with a record that cannot be read.
    if (entry === null) return null;
    if (entry.kind === 'study')
      return isDriven(entry.state) ? 'It is running: pause it first.' : null;
    if (!isEnd(entry.state)) return 'It is running: abort it or wait for its end.';
    return entry.importedFrom !== undefined && db.runs.find(entry.id)?.imported?.complete === false
      ? 'It is being imported.'
      : null;
  };
  /**
   * Why a run must stay, of one call: read when the first run is asked for, after the studies of
   * that call.
   */
  const createNeeded = (deletedToo: boolean): ((item: HistoryItem) => string | null) => {
    let all: Map<string, Need[]> | null = null;
    return (item) => {
      if (item.kind === 'study') return null;
      all ??= db.purges.needs();
      const needs = (all.get(item.id) ?? []).filter((need) => deletedToo || !need.deleted);
      const [plan] = needs.filter((need) => need.kind === 'plan');
      if (plan)
        return `It is the reference run of the plan ${plan.name}: choose another reference first.`;
      if (needs.length === 0) return null;
      const names = `${needs
        .slice(0, 3)
        .map((study) => study.name)
        .join(', ')}${needs.length > 3 ? ` and ${needs.length - 3} more` : ''}`;
      return needs.some((study) => !study.deleted)
        ? `It is a result of the study ${names}: delete the study, or run that point again.`
        : `It is a result of the study ${names} in Deleted: purge the study too, or restore it.`;
    };
  };

  function deleteItems(items: readonly HistoryItem[]): HistoryOutcome {
    const needed = createNeeded(false);
    return each(
      studiesFirst(items),
      (found) => busy(found) ?? (found.row.deletedAtMs !== null ? null : needed(found.row)),
      ({ row }) => {
        if (row.deletedAtMs === null) patch(row, { deletedAtMs: deps.clock.now() });
      },
    );
  }

  /** Marks what may go, studies first; the parts are removed in steps. */
  async function purge(items: readonly HistoryItem[]): Promise<HistoryOutcome> {
    const outcome: HistoryOutcome = { done: [], refused: [] };
    const needed = createNeeded(true);
    for (const item of unique(studiesFirst(items))) {
      const row = db.history.row(item);
      const entry = row && read(row);
      const refuse = (reason: string): void => {
        outcome.refused.push({ ...item, name: entry?.name ?? item.id, reason });
      };
      if (!row) {
        refuse(`There is no ${item.kind} ${item.id} in the history.`);
        continue;
      }
      if (row.deletedAtMs === null) {
        refuse('It does not lie in Deleted: delete it first.');
        continue;
      }
      const reason = busy({ entry }) ?? needed(row);
      if (reason) {
        refuse(reason);
        continue;
      }
      try {
        if (item.kind === 'study') await removeStudy(item.id);
        else db.purges.begin([item]);
        outcome.done.push(item);
      } catch (thrown) {
        refuse(toAppError(thrown).message);
      }
    }
    tell(outcome.done);
    await sweeper.sweep();
    return outcome;
  }

  const retention = createRetention({ deps, db, emit, read, purge, tell, closing: closing.signal });

  const methods: Methods = {
    'history.list': async (query) => queryEntries(db, read, query),
    'history.facets': async () => {
      const rows = db.history.rows('all');
      const kept = rows.filter((row) => row.deletedAtMs === null);
      const tags = new Map<string, { tag: string; count: number }>();
      for (const tag of kept.flatMap((row) => row.tags)) {
        const one = tags.get(tagKey(tag));
        if (one) one.count += 1;
        else tags.set(tagKey(tag), { tag, count: 1 });
      }
      const folders = new Map<string, number>();
      // A folder that holds only folders is one too.
      for (const row of kept)
        for (
          let path = row.folder ?? '';
          path !== '';
          path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
        )
          folders.set(path, (folders.get(path) ?? 0) + 1);
      return {
        tags: [...tags.values()].sort((a, b) => b.count - a.count || byNaturalOrder(a.tag, b.tag)),
        folders: [...folders]
          .map(([folder, count]) => ({ folder, count }))
          .sort((a, b) => byNaturalOrder(a.folder, b.folder)),
        active: kept.filter((row) => row.archivedAtMs === null).length,
        archived: kept.filter((row) => row.archivedAtMs !== null).length,
        deleted: rows.length - kept.length,
        favourites: kept.filter((row) => row.favourite).length,
      };
    },
    'history.annotate': async ({ items, patch: change }) =>
      each(
        items,
        ({ row }) => {
          const tags = new Set([
            ...row.tags.map(tagKey).filter((tag) => !change.removeTags.map(tagKey).includes(tag)),
            ...change.addTags.map(tagKey),
          ]);
          return tags.size > historyLimits.tagsPerEntry
            ? `It would have ${tags.size} tags; at most ${historyLimits.tagsPerEntry} are possible.`
            : null;
        },
        ({ row }) =>
          patch(row, {
            addTags: change.addTags,
            removeTags: change.removeTags,
            ...(change.folder === undefined ? {} : { folder: change.folder }),
            ...(change.favourite === undefined ? {} : { favourite: change.favourite }),
            ...(change.notes === undefined ? {} : { notes: change.notes }),
          }),
      ),
    'history.notes': async (item) => {
      const notes = db.history.notes(item);
      if (!notes)
        throw fail(
          'notFound',
          `There is no ${item.kind} ${item.id} in the history.`,
          'Refresh the history.',
        );
      return notes;
    },
    'history.archive': async ({ items, archived }) =>
      each(
        items,
        (found) => (archived ? busy(found) : null),
        ({ row }) =>
          patch(row, { archivedAtMs: archived ? (row.archivedAtMs ?? deps.clock.now()) : null }),
      ),
    'history.delete': async ({ items }) => deleteItems(items),
    'history.restore': async ({ items }) => {
      const runs = unique(items)
        .filter((item) => item.kind === 'study')
        .flatMap(({ id }) => db.purges.runsOf(id))
        .map((id): HistoryItem => ({ kind: 'run', id }))
        .filter((item) => (db.history.row(item)?.deletedAtMs ?? null) !== null);
      return each(
        [...items, ...runs],
        () => null,
        ({ row }) => patch(row, { deletedAtMs: null }),
      );
    },
    'history.purge': ({ items }) => purge(items),
    'history.unreadable': async () => {
      for (const row of db.history.rows('all')) read(row);
      return {
        file: db.file,
        items: db.unreadable.list().flatMap(({ kind, id, issue }) => {
          const row = db.history.row({ kind, id });
          return row === null ? [] : [{ kind, id, issue, deletedAtMs: row.deletedAtMs }];
        }),
      };
    },
    'history.raw': async ({ kind, id }) => {
      const text = kind === 'run' ? db.runs.raw(id) : db.studies.raw(id);
      if (text === null)
        throw fail('notFound', `There is no ${kind} ${id} in the history.`, 'Refresh the history.');
      return { text };
    },
    'history.storage': async () => storageOf(db, read),
    ...retention.methods,
    'history.views.list': async () => db.settings.views(),
    'history.views.save': async (view) => {
      const views = db.settings.views();
      if (!views.some((one) => one.id === view.id) && views.length >= historyLimits.views)
        throw fail(
          'conflict',
          `There are ${views.length} saved filters; more are not kept.`,
          'Remove one first.',
        );
      if (
        views.some(
          (one) => one.id !== view.id && one.name.toLowerCase() === view.name.toLowerCase(),
        )
      )
        throw fail('conflict', `A filter is called ${view.name} already.`, 'Choose another name.');
      db.settings.saveView(view);
      emit('history.changed', { items: [] });
      return view;
    },
    'history.views.remove': async ({ id }) => {
      db.settings.removeView(id);
      emit('history.changed', { items: [] });
      return {};
    },
  };

  return {
    methods,
    recover() {
      void sweeper.sweep().then(() => sweeper.measure());
      retention.start();
    },
    async close() {
      closing.abort();
      await retention.idle();
      await sweeper.idle();
    },
  };
}

function unique(items: readonly HistoryItem[]): HistoryItem[] {
  return [...new Map(items.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).values()];
}

/** Every entry is counted once, in the class in which it would be looked for. */
function storageOf(db: Database, read: (row: HistoryRow) => HistoryEntry | null): HistoryStorage {
  const kinds = new Map<
    HistoryStorage['perKind'][number]['kind'],
    { entries: number; bytes: number }
  >(
    (['runs', 'studies', 'imported', 'archived', 'deleted'] as const).map((kind) => [
      kind,
      { entries: 0, bytes: 0 },
    ]),
  );
  const entries = db.history.rows('all').flatMap((row) => {
    const entry = read(row);
    return entry ? [entry] : [];
  });
  for (const entry of entries) {
    const kind =
      entry.deletedAtMs !== null
        ? 'deleted'
        : entry.archivedAtMs !== null
          ? 'archived'
          : entry.kind === 'study'
            ? 'studies'
            : entry.importedFrom === undefined
              ? 'runs'
              : 'imported';
    const sum = kinds.get(kind)!;
    sum.entries += 1;
    sum.bytes += entry.storageBytes ?? 0;
  }
  return {
    ...db.storage.file(),
    perKind: [...kinds].map(([kind, sum]) => ({ kind, ...sum })),
    biggest: entries
      .filter((entry) => entry.storageBytes !== null)
      .sort((a, b) => b.storageBytes! - a.storageBytes!)
      .slice(0, biggestShown)
      .map((entry) => ({
        kind: entry.kind,
        id: entry.id,
        name: entry.name,
        bytes: entry.storageBytes!,
      })),
    unmeasured: db.storage.unmeasured(1_000_000).length,
  };
}
