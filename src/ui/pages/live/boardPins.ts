import { useMemo, useSyncExternalStore } from 'react';

/**
 * What somebody arranged on a board: ids of charts in their order, and which of them are drawn
 * wide.
 */
export interface BoardPins {
  ids: readonly string[];
  wide: readonly string[];
}

const storeKey = 'tilebench.board';
const none: BoardPins = { ids: [], wide: [] };
const listeners = new Set<() => void>();
let read: { text: string | null; boards: Readonly<Record<string, BoardPins>> } = {
  text: null,
  boards: {},
};

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

function boards(): Readonly<Record<string, BoardPins>> {
  const text = localStorage.getItem(storeKey);
  if (text === read.text) return read.boards;
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text ?? '{}');
  } catch {
    // A damaged arrangement is worth no message: the board is as delivered.
    parsed = {};
  }
  const entries = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  read = {
    text,
    boards: Object.fromEntries(
      entries.map(([board, held]) => {
        const { ids, wide } = (held ?? {}) as Partial<Record<keyof BoardPins, unknown>>;
        return [board, { ids: strings(ids), wide: strings(wide) }];
      }),
    ),
  };
  return read.boards;
}

function subscribe(listener: () => void): () => void {
  const other = (event: StorageEvent): void => {
    if (event.key === storeKey || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', other);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', other);
  };
}

export interface PinActions {
  readonly toggle: (id: string) => void;
  readonly toggleWide: (id: string) => void;
  /** Puts a chart at a place among the pinned ones; beyond the ends is at the end. */
  readonly move: (id: string, to: number) => void;
}

/** Moves one of a list; the others keep their order. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((one) => one !== id);
  const at = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, at), id, ...rest.slice(at)];
}

/**
 * Pinned charts of a board (all runs of a profile have one board), kept by this user's browser
 * store over restarts. All windows follow a change.
 */
export function useBoardPins(board: string): [BoardPins, PinActions] {
  const pins = useSyncExternalStore(subscribe, () => boards()[board] ?? none);
  const actions = useMemo(() => pinActions(board), [board]);
  return [pins, actions];
}

function pinActions(board: string): PinActions {
  const change = (make: (now: BoardPins) => BoardPins): void => {
    const all = boards();
    localStorage.setItem(storeKey, JSON.stringify({ ...all, [board]: make(all[board] ?? none) }));
    for (const listener of listeners) listener();
  };
  return {
    toggle: (id) => {
      change(({ ids, wide }) =>
        ids.includes(id)
          ? { ids: ids.filter((one) => one !== id), wide: wide.filter((one) => one !== id) }
          : { ids: [...ids, id], wide },
      );
    },
    toggleWide: (id) => {
      change(({ ids, wide }) => ({
        ids,
        wide: wide.includes(id) ? wide.filter((one) => one !== id) : [...wide, id],
      }));
    },
    move: (id, to) => {
      change(({ ids, wide }) => ({ ids: ids.includes(id) ? moved(ids, id, to) : ids, wide }));
    },
  };
}
