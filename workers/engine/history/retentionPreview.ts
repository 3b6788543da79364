import type {
  HistoryEntry,
  RetentionPreview,
  RetentionRule,
} from '../../../src/core/history/history.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { HistoryRow } from '../db/history.ts';
import type { Database } from '../db/types.ts';
import { thinnedShare } from './thinRun.ts';

const dayMs = 86_400_000;
type Line = RetentionPreview['purge'][number];

interface Scope {
  db: Pick<Database, 'history' | 'purges' | 'samples'>;
  read: (row: HistoryRow) => HistoryEntry | null;
  /** Milliseconds. */
  now: number;
}

/** What the rule would take now, oldest first. Favourites and what cannot be read are left alone. */
export function previewOf(
  scope: Scope,
  { deletedDays, sampleDays }: RetentionRule,
): RetentionPreview {
  const entries = scope.db.history
    .rows('all')
    .filter((row) => !row.favourite)
    .flatMap((row) => {
      const entry = scope.read(row);
      return entry ? [entry] : [];
    });
  const purge = deletedDays === null ? [] : purgeLines(scope, entries, deletedDays);
  const thin =
    sampleDays === null ? [] : entries.flatMap((entry) => thinLines(scope, entry, sampleDays));
  const byAge = (a: Line, b: Line): number => a.sinceMs - b.sinceMs;
  return {
    purge: purge.sort(byAge),
    thin: thin.sort(byAge),
    bytes: [...purge, ...thin].reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}

/** What lies in Deleted long enough, without the runs that something else still needs. */
function purgeLines({ db, now }: Scope, entries: readonly HistoryEntry[], days: number): Line[] {
  const old = entries.filter(
    (entry) => entry.deletedAtMs !== null && now - entry.deletedAtMs >= days * dayMs,
  );
  const going = new Set(old.filter((entry) => entry.kind === 'study').map((entry) => entry.id));
  const needs = old.length === 0 ? null : db.purges.needs();
  const free = (entry: HistoryEntry): boolean =>
    entry.kind === 'study' ||
    (needs?.get(entry.id) ?? []).every((need) => need.kind === 'study' && going.has(need.id));
  return old.filter(free).map((entry) => lineOf(entry, entry.deletedAtMs!, entry.storageBytes));
}

/** One line where the samples of a run are old enough and have seconds to leave out. */
function thinLines({ db, now }: Scope, entry: HistoryEntry, days: number): Line[] {
  if (
    entry.kind !== 'run' ||
    entry.deletedAtMs !== null ||
    entry.importedFrom !== undefined ||
    entry.thinnedAtMs !== null ||
    entry.sampleCount === 0 ||
    !isEnd(entry.state)
  )
    return [];
  const endedMs = (entry.startedAtMs ?? entry.createdAtMs ?? now) + (entry.durationS ?? 0) * 1_000;
  if (now - endedMs < days * dayMs) return [];
  const share = thinnedShare(db, entry.id);
  if (share === 0) return [];
  const bytes = entry.storageBytes === null ? null : Math.round(entry.storageBytes * share);
  return [lineOf(entry, endedMs, bytes)];
}

const lineOf = (entry: HistoryEntry, sinceMs: number, bytes: number | null): Line => ({
  kind: entry.kind,
  id: entry.id,
  name: entry.name,
  sinceMs,
  bytes,
});
