import { useState } from 'react';

import type { LayoutView, SlotKey } from '../../../core/testbed/layoutModel.ts';
import { kept, nothingChosen, type Selection, targetsOf } from './selection.ts';

/** What is chosen on the boards, as far as it is still there. */
export function useSelection(view: LayoutView): {
  selection: Selection;
  targets: readonly SlotKey[];
  /** Changes when the active item is to be scrolled to. */
  reveal: number;
  choose: (next: Selection, show?: boolean) => void;
} {
  const [held, setSelection] = useState<Selection>(nothingChosen);
  const [reveal, setReveal] = useState(0);
  const selection = kept(view, held);
  return {
    selection,
    targets: targetsOf(view, selection),
    reveal,
    choose(next, show = true) {
      setSelection(next);
      if (show) setReveal((n) => n + 1);
    },
  };
}
