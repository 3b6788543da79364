import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import { type HistoryEntry, tagKey } from '../../../core/history/history.ts';

/** Every tag once, by name; of several spellings the one met first. */
export function tagsInUse(entries: readonly HistoryEntry[]): string[] {
  const found = new Map<string, string>();
  for (const entry of entries)
    for (const tag of entry.tags) if (!found.has(tagKey(tag))) found.set(tagKey(tag), tag);
  return [...found.values()].sort(byNaturalOrder);
}
