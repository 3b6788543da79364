/**
 * Charts that share time: window, zoom, cursor, highlight. Times are relative to the run's start,
 * in milliseconds.
 */
export interface GroupState {
  /** Live window length; null = the whole run. */
  windowMs: number | null;
  /** Chosen by drag; null = the window. */
  zoom: readonly [number, number] | null;
  /** Set while paused: the moment the view stands at. */
  pausedAtMs: number | null;
  /** Clock time on the axis instead of elapsed. */
  clock: boolean;
  /** Highlighted series (`highlightKey`); null = each chart's own choice. */
  highlight: string | null;
}

export interface ChartGroup {
  readonly get: () => GroupState;
  readonly set: (change: Partial<GroupState>) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Cursor time, NaN = none. Apart from the state: it changes with every mouse move and no React
   * component reads it.
   */
  readonly cursorMs: () => number;
  /** `from` is whoever moved it: only that chart shows the full readout. */
  readonly moveCursor: (atMs: number, from: unknown) => void;
  readonly cursorOwner: () => unknown;
  readonly onCursor: (listener: () => void) => () => void;
}

export function createChartGroup(initial: Partial<GroupState> = {}): ChartGroup {
  let state: GroupState = {
    windowMs: null,
    zoom: null,
    pausedAtMs: null,
    clock: false,
    highlight: null,
    ...initial,
  };
  let cursor = NaN;
  let owner: unknown = null;
  const listeners = new Set<() => void>();
  const cursorListeners = new Set<() => void>();
  return {
    get: () => state,
    set: (change) => {
      const keys = Object.keys(change) as (keyof GroupState)[];
      if (keys.every((key) => Object.is(state[key], change[key]))) return;
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    cursorMs: () => cursor,
    cursorOwner: () => owner,
    moveCursor: (atMs, from) => {
      if (Object.is(atMs, cursor) && owner === from) return;
      cursor = atMs;
      owner = Number.isNaN(atMs) ? null : from;
      for (const listener of cursorListeners) listener();
    },
    onCursor: (listener) => {
      cursorListeners.add(listener);
      return () => {
        cursorListeners.delete(listener);
      };
    },
  };
}
