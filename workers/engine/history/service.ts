import { fail } from '../../../src/core/base/errors.ts';
import type { HistoryItem } from '../../../src/core/history/history.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import {
  annotateItems,
  archiveItems,
  deleteItems,
  type HistoryScope,
  purgeItems,
  restoreItems,
} from './changes.ts';
import { createEntryReader, queryEntries } from './entries.ts';
import { createRetention } from './retention.ts';
import { createSweeper } from './sweeper.ts';
import { facetsOf, storageOf } from './totals.ts';
import { viewMethods } from './views.ts';

type Methods = Pick<Handlers, Extract<keyof Handlers, `history.${string}`>>;
export interface HistoryService {
  methods: Methods;
  /**
   * Finishes what an earlier engine left half purged, measures what has no figure yet, parts
   * records of an earlier version, applies the
   * retention rule.
   */
  recover(): void;
  close(): Promise<void>;
}

/**
 * Everything `history.*`: what people put beside runs and studies, search, archive, Deleted, purge,
 * retention.
 */
export function createHistoryService(options: {
  deps: Pick<Deps, 'clock' | 'log' | 'lab'>;
  db: Database;
  emit: Emit;
  /** Ends what lives of a study outside the database; throws where it is running. */
  removeStudy: (id: string) => Promise<unknown>;
}): HistoryService {
  const { deps, db, emit, removeStudy } = options;
  const closing = new AbortController();
  const read = createEntryReader({ db, origin: deps.lab === null ? 'real' : 'simulated' });
  const tell = (items: HistoryItem[]): void => {
    tellChanged(emit, items);
  };
  const sweeper = createSweeper({
    db,
    clock: deps.clock,
    log: deps.log,
    closing: closing.signal,
    tell,
  });
  const scope: HistoryScope = { deps, db, read, tell };
  const purge = (items: readonly HistoryItem[]) =>
    purgeItems({ ...scope, removeStudy, sweeper }, items);
  const retention = createRetention({ deps, db, emit, read, purge, tell, closing: closing.signal });

  return {
    methods: {
      ...readMethods(scope),
      'history.annotate': async (input) => annotateItems(scope, input),
      'history.archive': async (input) => archiveItems(scope, input),
      'history.delete': async ({ items }) => deleteItems(scope, items),
      'history.restore': async ({ items }) => restoreItems(scope, items),
      'history.purge': ({ items }) => purge(items),
      ...retention.methods,
      ...viewMethods({ db, emit }),
    },
    recover() {
      void sweeper
        .sweep()
        .then(() => sweeper.measure())
        .then(() => sweeper.part());
      retention.start();
    },
    async close() {
      closing.abort();
      await retention.idle();
      await sweeper.idle();
    },
  };
}

function tellChanged(emit: Emit, items: HistoryItem[]): void {
  if (items.length === 0) return;
  emit('history.changed', { items });
  if (items.some((item) => item.kind === 'run')) emit('list.changed', { list: 'runs' });
  if (items.some((item) => item.kind === 'study')) emit('list.changed', { list: 'studies' });
}

function readMethods({
  db,
  read,
}: HistoryScope): Pick<
  Methods,
  | 'history.list'
  | 'history.facets'
  | 'history.notes'
  | 'history.unreadable'
  | 'history.raw'
  | 'history.storage'
> {
  return {
    'history.list': async (query) => queryEntries(db, read, query),
    'history.facets': async () => facetsOf(db.history.rows('all')),
    'history.notes': async (item) => db.history.notes(item) ?? failUnknown(item),
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
    'history.raw': async ({ kind, id }) => ({
      text: (kind === 'run' ? db.runs.raw(id) : db.studies.raw(id)) ?? failUnknown({ kind, id }),
    }),
    'history.storage': async () => storageOf(db, read),
  };
}

function failUnknown({ kind, id }: HistoryItem): never {
  throw fail('notFound', `There is no ${kind} ${id} in the history.`, 'Refresh the history.');
}
