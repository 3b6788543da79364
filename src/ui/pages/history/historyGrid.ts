import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';

import type { HistoryEntry } from '../../../core/history/history.ts';
import type { Found } from './historyFilter.ts';
import type { RowActions } from './HistoryRow.tsx';

/** What keys and pointer do to the grid, and what that depends on. */
export interface GridInput {
  found: readonly Found[];
  selected: ReadonlySet<string>;
  onSelect: (keys: readonly string[]) => void;
  currentKey: string | null;
  anchorKey: string | null;
  onCurrent: (key: string, anchor: boolean) => void;
  onOpen: (entry: HistoryEntry) => void;
  onFavourite: (entry: HistoryEntry) => void;
  onTag: (tag: string) => void;
  onEditTags: (key: string | null) => void;
  onDragKeys: (keys: readonly string[], event: DragEvent) => void;
}

/** Keys from where the range begins up to `key`, in the order shown. */
function rangeTo({ found, anchorKey, currentKey }: GridInput, key: string): string[] {
  const at = found.findIndex((one) => one.key === key);
  const start = found.findIndex((one) => one.key === (anchorKey ?? currentKey ?? key));
  return found
    .slice(Math.min(at, Math.max(0, start)), Math.max(at, start) + 1)
    .map((one) => one.key);
}

const toggled = ({ selected }: GridInput, key: string, on: boolean): string[] =>
  on ? [...selected, key] : [...selected].filter((one) => one !== key);

/** The selection with all that is found in it, or with none of it. */
export const withAllFound = ({ found, selected }: GridInput, on: boolean): string[] =>
  on
    ? [...new Set([...selected, ...found.map((one) => one.key)])]
    : [...selected].filter((key) => !found.some((one) => one.key === key));

interface GridPlace {
  /** Of the cursor; -1 = nowhere. */ currentIndex: number;
  /** Rows that a page key moves by. */ page: number;
  reveal: (index: number) => void;
}

/** Arrows move, with Shift they choose a range; Space selects, Enter opens, Escape selects none. */
export function applyGridKey(event: KeyboardEvent, input: GridInput, place: GridPlace): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { found, selected, onSelect } = input;
  const { currentIndex, page } = place;
  const places: Partial<Record<string, number>> = {
    ArrowDown: currentIndex + 1,
    ArrowUp: currentIndex - 1,
    PageDown: currentIndex + page,
    PageUp: currentIndex - page,
    Home: 0,
    End: found.length - 1,
  };
  const target = places[event.key];
  const current = found[currentIndex];
  const own = event.target === event.currentTarget;
  if (target !== undefined) moveTo(target, event.shiftKey, input, place);
  else if (own && event.key === ' ' && current)
    onSelect(toggled(input, current.key, !selected.has(current.key)));
  else if (own && event.key === 'Enter' && current) input.onOpen(current.entry);
  else if (own && event.key === 'Escape' && selected.size > 0) onSelect([]);
  else return;
  event.preventDefault();
}

function moveTo(index: number, extend: boolean, input: GridInput, { reveal }: GridPlace): void {
  const at = Math.max(0, Math.min(input.found.length - 1, index));
  const next = input.found[at];
  if (next === undefined) return;
  if (extend) input.onSelect(rangeTo(input, next.key));
  input.onCurrent(next.key, !extend);
  reveal(at);
}

/**
 * What a row calls. The same object for good, so that rows are drawn again only when they change:
 * it reads the newest input by itself.
 */
export function useRowActions(input: GridInput, focusGrid: () => void): RowActions {
  const newest = useRef({ input, focusGrid });
  useEffect(() => {
    newest.current = { input, focusGrid };
  });
  const [actions] = useState<RowActions>(() => ({
    onClick: (key, event) => {
      const now = newest.current.input;
      if (event.shiftKey) now.onSelect(rangeTo(now, key));
      else if (event.ctrlKey || event.metaKey)
        now.onSelect(toggled(now, key, !now.selected.has(key)));
      now.onCurrent(key, !event.shiftKey);
    },
    onCheck: (key, on, extend) => {
      const now = newest.current.input;
      now.onSelect(
        extend ? [...new Set([...now.selected, ...rangeTo(now, key)])] : toggled(now, key, on),
      );
      now.onCurrent(key, !extend);
    },
    onOpen: (entry) => newest.current.input.onOpen(entry),
    onFavourite: (entry) => newest.current.input.onFavourite(entry),
    onTag: (tag) => newest.current.input.onTag(tag),
    onEditTags: (key) => {
      if (key !== null) newest.current.input.onCurrent(key, true);
      newest.current.input.onEditTags(key);
      if (key === null) newest.current.focusGrid();
    },
    onDragStart: (key, event) => {
      const { selected, onDragKeys } = newest.current.input;
      onDragKeys(selected.has(key) ? [...selected] : [key], event);
    },
  }));
  return actions;
}
