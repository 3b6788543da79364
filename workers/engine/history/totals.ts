import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import {
  type HistoryEntry,
  type HistoryStorage,
  tagKey,
} from '../../../src/core/history/history.ts';
import type { Output } from '../../../src/wire/contract.ts';
import type { HistoryRow } from '../db/history.ts';
import type { Database } from '../db/types.ts';

const biggestShown = 10;

/** Tags, most used first, and folders of what is not deleted, with how many entries each has. */
export function facetsOf(rows: readonly HistoryRow[]): Output<'history.facets'> {
  const kept = rows.filter((row) => row.deletedAtMs === null);
  return {
    tags: tagCounts(kept),
    folders: folderCounts(kept),
    active: kept.filter((row) => row.archivedAtMs === null).length,
    archived: kept.filter((row) => row.archivedAtMs !== null).length,
    deleted: rows.length - kept.length,
    favourites: kept.filter((row) => row.favourite).length,
  };
}

function tagCounts(rows: readonly HistoryRow[]): { tag: string; count: number }[] {
  const tags = new Map<string, { tag: string; count: number }>();
  for (const tag of rows.flatMap((row) => row.tags)) {
    const one = tags.get(tagKey(tag));
    if (one) one.count += 1;
    else tags.set(tagKey(tag), { tag, count: 1 });
  }
  return [...tags.values()].sort((a, b) => b.count - a.count || byNaturalOrder(a.tag, b.tag));
}

/** A folder that holds only folders is one too. */
function folderCounts(rows: readonly HistoryRow[]): { folder: string; count: number }[] {
  const folders = new Map<string, number>();
  for (const row of rows)
    for (
      let path = row.folder ?? '';
      path !== '';
      path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    )
      folders.set(path, (folders.get(path) ?? 0) + 1);
  return [...folders]
    .map(([folder, count]) => ({ folder, count }))
    .sort((a, b) => byNaturalOrder(a.folder, b.folder));
}

/**
 * What lies on disk, in bytes: of the file, and of the entries by class. Every entry is counted once,
 * in the class in which it would be looked for.
 */
export function storageOf(
  db: Database,
  read: (row: HistoryRow) => HistoryEntry | null,
): HistoryStorage {
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
