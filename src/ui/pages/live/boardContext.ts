import { createContext } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { ChartEvent, ChartPhase } from '../../charts/draw.ts';
import type { ChartGroup } from '../../charts/group.ts';
import type { ChartFeed } from '../../charts/useChart.ts';
import type { ChartSeries } from '../../engine/series.ts';
import type { BoardPins, PinActions } from './boardPins.ts';
import type { ShownChart } from './boardTargets.ts';

/** What all charts of one board have in common. Keep its identity: every chart follows it. */
export interface BoardShared {
  /** The lines of a chart; the same array while nothing changed. */
  linesOf: (chart: ShownChart) => readonly ChartSeries[];
  pins: BoardPins;
  pinActions: PinActions;
  /** Narrows the board to a target by its key. */
  open: (key: string) => void;
  group: ChartGroup;
  phases: readonly ChartPhase[];
  events: readonly ChartEvent[];
  originMs: number;
  feed: ChartFeed | undefined;
  nowMs: (() => number) | undefined;
  defaultHighlight: string | null;
  loading: boolean;
  error: AppErrorShape | null;
  retry: () => void;
}

export const BoardContext = createContext<BoardShared | null>(null);
