import { type AppError, fail } from '../../../src/core/base/errors.ts';
import type { HistoryItem } from '../../../src/core/history/history.ts';
import type { Log } from '../deps.ts';

/**
 * Runs and studies that were met and could not be read: nothing stops for them, and people are told
 * of them by name.
 */
export interface UnreadableStore {
  /** Keeps it in mind, and logs it once. */
  note(item: HistoryItem, issue: string): void;
  /** It was read, written anew or removed. */
  clear(item: HistoryItem): void;
  list(): (HistoryItem & { issue: string })[];
}

export function createUnreadable(log: Log): UnreadableStore {
  const known = new Map<string, HistoryItem & { issue: string }>();
  const keyOf = ({ kind, id }: HistoryItem): string => `${kind} ${id}`;
  return {
    note({ kind, id }, issue) {
      if (known.get(keyOf({ kind, id }))?.issue === issue) return;
      known.set(keyOf({ kind, id }), { kind, id, issue });
      log.error('A stored record is not readable and left out', { kind, id, issue });
    },
    clear: (item) => {
      known.delete(keyOf(item));
    },
    list: () => [...known.values()],
  };
}

/** For who asked for this one by its id. */
export const unreadableError = ({ kind, id }: HistoryItem, issue: string): AppError =>
  fail(
    'internal',
    `The stored ${kind} ${id} cannot be read: ${issue}.`,
    'Everything else goes on without it. Runs exports it as it is stored, and deletes it; ' +
      `so do "tilebench runs raw ${nameOf({ kind, id })}" and "tilebench runs delete ` +
      `${nameOf({ kind, id })}".`,
  );

const nameOf = ({ kind, id }: HistoryItem): string => (kind === 'study' ? `study:${id}` : id);
