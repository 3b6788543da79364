import { createContext } from 'react';

import type { ChartGroup } from '../../charts/group.ts';
import type { BoardPins, PinActions } from './boardPins.ts';
import type { RunLines } from './useRunLines.ts';

/** What all charts of one board have in common. Keep its identity: every chart follows it. */
export interface BoardShared {
  lines: RunLines;
  pins: BoardPins;
  pinActions: PinActions;
  /** Narrows the board to a target by its key. */
  open: (key: string) => void;
  group: ChartGroup;
  nowMs: (() => number) | undefined;
  defaultHighlight: string | null;
}

export const BoardContext = createContext<BoardShared | null>(null);
