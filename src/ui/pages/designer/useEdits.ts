import { useCallback, useMemo, useState } from 'react';

import {
  createHistory,
  edit,
  type LayoutChange,
  type LayoutHistory,
  redo,
  redoLabel,
  saved,
  undo,
  undoLabel,
} from '../../../core/layout/layoutHistory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';

export interface Edits {
  testbed: Testbed;
  /** What undo would take back and redo make again, in words; null = nothing. */
  undoes: string | null;
  redoes: string | null;
  /** What was done last, in words; '' = nothing yet. */
  said: string;
  apply: (change: LayoutChange) => void;
  undo: () => void;
  redo: () => void;
  /** Says something that changed nothing. */
  say: (text: string) => void;
  /** After a save: the engine's version in every step. */
  stamp: (saved: Testbed) => void;
  /** Begins again with another testbed: nothing of before can be undone. */
  replace: (testbed: Testbed) => void;
}

interface State {
  history: LayoutHistory;
  said: string;
}

/** A testbed with edits that can be taken back, each in words. */
export function useEdits(start: Testbed): Edits {
  const [{ history, said }, setState] = useState<State>(() => ({
    history: createHistory(start),
    said: '',
  }));
  const apply = useCallback(
    (change: LayoutChange) =>
      setState((state) => {
        const history = edit(state.history, change);
        return {
          history,
          said:
            history === state.history ? `${change.label}: nothing to change.` : `${change.label}.`,
        };
      }),
    [],
  );
  const back = useCallback(
    () =>
      setState((state) => {
        const label = undoLabel(state.history);
        return label === null
          ? { ...state, said: 'Nothing to undo.' }
          : { history: undo(state.history), said: `Undone: ${label}.` };
      }),
    [],
  );
  const again = useCallback(
    () =>
      setState((state) => {
        const label = redoLabel(state.history);
        return label === null
          ? { ...state, said: 'Nothing to redo.' }
          : { history: redo(state.history), said: `Done again: ${label}.` };
      }),
    [],
  );
  const say = useCallback((text: string) => setState((state) => ({ ...state, said: text })), []);
  const stamp = useCallback(
    (testbed: Testbed) =>
      setState((state) => ({ ...state, history: saved(state.history, testbed) })),
    [],
  );
  const replace = useCallback(
    (testbed: Testbed) => setState({ history: createHistory(testbed), said: '' }),
    [],
  );
  return useMemo(
    () => ({
      testbed: history.present,
      undoes: undoLabel(history),
      redoes: redoLabel(history),
      said,
      apply,
      undo: back,
      redo: again,
      say,
      stamp,
      replace,
    }),
    [history, said, apply, back, again, say, stamp, replace],
  );
}
