import type { GalleryEntry, StudyView } from './types.ts';

/** A study of which nothing is measured: its lines are there, without values. */
const nothing: StudyView = { points: [], value: () => null, series: () => null };

/** Entries whose constants know how many published lines of all of them rest on each. */
export function withServes(entries: readonly GalleryEntry[]): GalleryEntry[] {
  const served = new Map<string, number>();
  for (const entry of entries) {
    const lines = entry.expectations(nothing).length;
    for (const { what } of entry.basis) served.set(what, (served.get(what) ?? 0) + lines);
  }
  return entries.map((entry) => ({
    ...entry,
    basis: entry.basis.map((row) => ({ ...row, serves: served.get(row.what) ?? 0 })),
  }));
}
