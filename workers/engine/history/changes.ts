import { toAppError } from '../../../src/core/base/errors.ts';
import {
  type HistoryEntry,
  type HistoryItem,
  historyLimits,
  type HistoryOutcome,
  tagKey,
} from '../../../src/core/history/history.ts';
import type { ParsedInput } from '../../../src/wire/contract.ts';
import type { HistoryPatch, HistoryRow } from '../db/history.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { busyReason, createNeedReasons } from './stays.ts';
import type { Sweeper } from './sweeper.ts';

/** What every method of the history works with. */
export interface HistoryScope {
  deps: Pick<Deps, 'clock' | 'log' | 'lab'>;
  db: Database;
  /** null = it cannot be read. */
  read: (row: HistoryRow) => HistoryEntry | null;
  tell: (items: HistoryItem[]) => void;
}

/** `entry` null = it cannot be read; it can be put away all the same. */
interface Found {
  row: HistoryRow;
  entry: HistoryEntry | null;
}

/** Adds and removes tags, sets folder, favourite and notes; what has too many tags is refused. */
export function annotateItems(
  scope: HistoryScope,
  { items, patch: change }: ParsedInput<'history.annotate'>,
): HistoryOutcome {
  return changeEach(
    scope,
    items,
    ({ row }) => {
      const removed = change.removeTags.map(tagKey);
      const tags = new Set([
        ...row.tags.map(tagKey).filter((tag) => !removed.includes(tag)),
        ...change.addTags.map(tagKey),
      ]);
      return tags.size > historyLimits.tagsPerEntry
        ? `It would have ${tags.size} tags; at most ${historyLimits.tagsPerEntry} are possible.`
        : null;
    },
    () => ({
      addTags: change.addTags,
      removeTags: change.removeTags,
      ...(change.folder === undefined ? {} : { folder: change.folder }),
      ...(change.favourite === undefined ? {} : { favourite: change.favourite }),
      ...(change.notes === undefined ? {} : { notes: change.notes }),
    }),
  );
}

/** Puts entries into the archive or takes them out; what runs is not archived. */
export function archiveItems(
  scope: HistoryScope,
  { items, archived }: ParsedInput<'history.archive'>,
): HistoryOutcome {
  return changeEach(
    scope,
    items,
    (found) => (archived ? busyReason(scope.db, found) : null),
    ({ row }) => ({
      archivedAtMs: archived ? (row.archivedAtMs ?? scope.deps.clock.now()) : null,
    }),
  );
}

/** Puts entries into Deleted: not what runs, nor a run that something kept needs. */
export function deleteItems(scope: HistoryScope, items: readonly HistoryItem[]): HistoryOutcome {
  const needReasonOf = createNeedReasons(scope.db, false);
  return changeEach(
    scope,
    studiesFirst(items),
    (found) =>
      busyReason(scope.db, found) ??
      (found.row.deletedAtMs !== null ? null : needReasonOf(found.row)),
    ({ row }) => (row.deletedAtMs === null ? { deletedAtMs: scope.deps.clock.now() } : null),
  );
}

/** Takes entries out of Deleted, a study with those of its runs that lie there. */
export function restoreItems(scope: HistoryScope, items: readonly HistoryItem[]): HistoryOutcome {
  const { db } = scope;
  const runs = unique(items)
    .filter((item) => item.kind === 'study')
    .flatMap(({ id }) => db.purges.runsOf(id))
    .map((id): HistoryItem => ({ kind: 'run', id }))
    .filter((item) => (db.history.row(item)?.deletedAtMs ?? null) !== null);
  return changeEach(
    scope,
    [...items, ...runs],
    () => null,
    () => ({ deletedAtMs: null }),
  );
}

/**
 * Marks what may go for ever, studies first, and waits until their parts are removed in steps.
 * `removeStudy` throws where the study runs: that is refused.
 */
export async function purgeItems(
  scope: HistoryScope & {
    removeStudy: (id: string) => Promise<unknown>;
    sweeper: Pick<Sweeper, 'sweep'>;
  },
  items: readonly HistoryItem[],
): Promise<HistoryOutcome> {
  const { db, read, removeStudy, sweeper, tell } = scope;
  const outcome: HistoryOutcome = { done: [], refused: [] };
  const needReasonOf = createNeedReasons(db, true);
  const reasonOf = ({ row, entry }: Found): string | null =>
    row.deletedAtMs === null
      ? 'It does not lie in Deleted: delete it first.'
      : (busyReason(db, { entry }) ?? needReasonOf(row));
  for (const item of unique(studiesFirst(items))) {
    const row = db.history.row(item);
    const entry = row && read(row);
    const refuse = (reason: string): void => {
      outcome.refused.push({ ...item, name: entry?.name ?? item.id, reason });
    };
    const reason = row ? reasonOf({ row, entry }) : unknownReason(item);
    if (reason !== null) {
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

/**
 * Changes each entry that `why` does not refuse; a patch of null changes nothing and is done all the
 * same. An unknown entry is refused too, never skipped in silence.
 */
function changeEach(
  { db, deps, read, tell }: HistoryScope,
  items: readonly HistoryItem[],
  why: (found: Found) => string | null,
  patchOf: (found: Found) => HistoryPatch | null,
): HistoryOutcome {
  const outcome: HistoryOutcome = { done: [], refused: [] };
  // One wait for the disk, however many they are.
  db.history.together(() => {
    for (const item of unique(items)) {
      const row = db.history.row(item);
      const found = row && { row, entry: read(row) };
      const refuse = (reason: string): void => {
        outcome.refused.push({ ...item, name: found?.entry?.name ?? item.id, reason });
      };
      if (found === null) {
        refuse(unknownReason(item));
        continue;
      }
      const reason = why(found);
      if (reason !== null) {
        refuse(reason);
        continue;
      }
      const patch = patchOf(found);
      if (patch !== null) db.history.change(found.row, patch, deps.clock.now());
      outcome.done.push(item);
    }
  });
  tell(outcome.done);
  return outcome;
}

const unknownReason = ({ kind, id }: HistoryItem): string =>
  `There is no ${kind} ${id} in the history.`;

/** Of several with a study among them: studies first, so that their runs are free. */
const studiesFirst = (items: readonly HistoryItem[]): HistoryItem[] =>
  [...items].sort((a, b) => (a.kind === b.kind ? 0 : a.kind === 'study' ? -1 : 1));

function unique(items: readonly HistoryItem[]): HistoryItem[] {
  return [...new Map(items.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }])).values()];
}
