import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router';

import type { HistoryEntry } from '../../../core/history/history.ts';
import { studyCompareAddress } from '../../../core/study/studyCurves.ts';
import { compareAddress } from '../../addresses/compareAddress.ts';
import { selectedKeys } from '../../engine/historyState.ts';
import { useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { keyOf } from './historyData.ts';
import { compareFault } from './SelectionTray.tsx';
import { type HistoryList, useByKeys } from './useHistoryList.ts';

export interface HistorySelection {
  keys: ReadonlySet<string>;
  /** Selected, in the order of the selection. */ chosen: readonly HistoryEntry[];
  /** How many of them are not among those found. */ hidden: number;
  currentKey: string | null;
  /** The row of the cursor, where it is shown. */ current: HistoryEntry | undefined;
  /** What a command is about: the selection, without one the row of the cursor. */
  targets: readonly HistoryEntry[];
  select: (keys: readonly string[]) => void;
  deselect: (entry: HistoryEntry) => void;
  /** What was put away is selected no longer. */ clearAfter: (away: Promise<void>) => void;
  /** Goes to the comparison of the targets, where they can be compared. */ compare: () => void;
}

/** What is selected of the history, and where the cursor stands. */
export function useHistorySelection({
  entries,
  found,
}: Pick<HistoryList, 'entries' | 'found'>): HistorySelection {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const { selected, currentKey } = useAppSelector((all) => all.history);
  const chosen = useByKeys(entries, selected);
  const keys = useMemo(() => new Set(selected), [selected]);
  const shownKeys = useMemo(() => new Set(found.map((one) => one.key)), [found]);
  const current = found.find((one) => one.key === currentKey)?.entry;
  const targets = chosen.length > 0 ? chosen : current === undefined ? [] : [current];
  const select = useCallback((next: readonly string[]) => dispatch(selectedKeys(next)), [dispatch]);
  return {
    keys,
    chosen,
    hidden: chosen.filter((one) => !shownKeys.has(keyOf(one))).length,
    currentKey,
    current,
    targets,
    select,
    deselect: (entry) => select(selected.filter((key) => key !== keyOf(entry))),
    clearAfter: (away) => void away.then(() => select([])),
    compare: () => {
      if (targets.length === 0 || compareFault(targets) !== null) return;
      const ids = targets.map((one) => one.id);
      void navigate(
        targets[0]!.kind === 'study'
          ? studyCompareAddress(ids)
          : compareAddress(ids[0]!, ids.slice(1)),
      );
    },
  };
}
