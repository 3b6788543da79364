import { useState } from 'react';

import type { SlotKey } from '../../../core/testbed/layoutModel.ts';
import type { OpenDialog } from './DesignerDialogs.tsx';
import type { Axis } from './geometry.ts';
import type { Edits } from './useEdits.ts';

/** Which dialog is open. One that needs something chosen says so instead of opening. */
export function useOpenDialog(
  edits: Edits,
  targets: readonly SlotKey[],
  axis: Axis,
): {
  dialog: OpenDialog | null;
  open: (what: OpenDialog['what'], from?: Axis) => void;
  close: () => void;
} {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  return {
    dialog,
    open(what, from = axis) {
      if ((what === 'move' || what === 'client' || what === 'vm') && targets.length === 0) {
        edits.say('Nothing is chosen.');
        return;
      }
      if (what === 'vm' && targets.length !== 1) {
        edits.say('A VM is assigned to one workload at a time; choose one.');
        return;
      }
      setDialog({ what, axis: from, keys: targets, from: document.activeElement });
    },
    close: () => setDialog(null),
  };
}
