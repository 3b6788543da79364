import type { ClipboardEvent, KeyboardEvent } from 'react';

import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import type { BoardColumn } from './BoardHead.tsx';
import type { Carried, Drag } from './drag.ts';
import type { Axis, Density } from './geometry.ts';
import type { Pick, Selection } from './selection.ts';

/** What a board of tiles shows, and whom it tells. */
export interface BoardProps {
  axis: Axis;
  view: LayoutView;
  rows: readonly number[];
  columns: readonly BoardColumn[];
  density: Density;
  selection: Selection;
  lit: ReadonlySet<string>;
  hidden: ReadonlySet<string>;
  wanted: string;
  clientNames: ReadonlyMap<string, string>;
  drag: Drag;
  heightCss: string;
  /** Changes when the active item is to be scrolled to. */
  reveal: number;
  onPick: (key: string, how: Pick) => void;
  onPickColumn: (axis: Axis, ref: string) => void;
  onKey: (event: KeyboardEvent, axis: Axis) => void;
  onKeyUp: (event: KeyboardEvent) => void;
  onDragStart: (key: string) => Carried | null;
  onClipboard: (event: ClipboardEvent) => void;
  onOpen: () => void;
}
