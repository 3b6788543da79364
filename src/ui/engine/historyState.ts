import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

import { type HistoryShown, noFilter } from './historyShown.ts';

export interface HistorySort {
  columnId: string;
  descending: boolean;
}
/** What the history page was like when it was left: it comes back the same. */
export interface HistoryState {
  filter: HistoryShown;
  sort: HistorySort;
  /** Keys of entries, in the order they were selected. */
  selected: readonly string[];
  /** Where the cursor stands, and where a range of Shift begins. */
  currentKey: string | null;
  anchorKey: string | null;
  scrollTop: number;
}
const firstState: HistoryState = {
  filter: noFilter,
  sort: { columnId: 'started', descending: true },
  selected: [],
  currentKey: null,
  anchorKey: null,
  scrollTop: 0,
};

export const historySlice = createSlice({
  name: 'history',
  initialState: firstState,
  reducers: {
    filtered: (state, { payload }: PayloadAction<HistoryShown>) => ({
      ...state,
      filter: payload,
      scrollTop: 0,
    }),
    sorted: (state, { payload }: PayloadAction<HistorySort>) => ({
      ...state,
      sort: payload,
      scrollTop: 0,
    }),
    selectedKeys: (state, { payload }: PayloadAction<readonly string[]>) => ({
      ...state,
      selected: payload,
    }),
    moved: (
      state,
      {
        payload,
      }: PayloadAction<{ key: string | null; /** The range begins here. */ anchor: boolean }>,
    ) => ({
      ...state,
      currentKey: payload.key,
      anchorKey: payload.anchor ? payload.key : (state.anchorKey ?? payload.key),
    }),
    scrolled: (state, { payload }: PayloadAction<number>) => ({ ...state, scrollTop: payload }),
  },
});
export const { filtered, sorted, selectedKeys, moved, scrolled } = historySlice.actions;
