import type { KeyboardEvent } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { LayoutView, SlotKey } from '../../../core/testbed/layoutModel.ts';
import type { Commands } from './boardActions.ts';
import type { OpenDialog } from './DesignerDialogs.tsx';
import { type Axis, placeOfVm } from './geometry.ts';
import { allKeys, headKey, isHead, pick, type Selection, stepped, tileOf } from './selection.ts';
import type { Edits } from './useEdits.ts';

/** What keys, the menu and a drag work on: the boards as they are shown, and what can be done. */
export interface BoardContext {
  view: LayoutView;
  /** Tiles shown, in order. */ rows: readonly number[];
  selection: Selection;
  /** What an action works on. */ targets: readonly SlotKey[];
  edits: Edits;
  commands: Commands;
  /** Chooses; unless told otherwise the active item is scrolled to. */
  choose: (selection: Selection, show?: boolean) => void;
  open: (what: OpenDialog['what'], axis?: Axis) => void;
  zoom: number;
  zoomTo: (zoom: number) => void;
  focusSearch: () => void;
  /** Copies or cuts what is chosen without a clipboard event. */
  toClipboard: (cut: boolean) => void;
}

/** What a key does on a board of this axis; null = the key is not the board's. */
export function actOfKey(
  board: BoardContext,
  event: KeyboardEvent,
  axis: Axis,
): (() => void) | null {
  const { view, rows, selection, open } = board;
  const ctrl = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    if (event.key === 'ArrowUp') return () => shiftTiles(board, -1);
    if (event.key === 'ArrowDown') return () => shiftTiles(board, 1);
    return null;
  }
  if (event.key === ' ') return () => toggleActive(board, event, axis);
  if (ctrl && event.key.toLowerCase() === 'a')
    return () => chooseAll(board, allKeys(view, rows), 'of the tiles shown');
  const to = stepped(view, rows, selection.active, event.key, ctrl);
  if (to !== null) return () => walk(board, to, event.shiftKey);
  if (event.key === 'Enter') return () => open('move', axis);
  if (ctrl || (event.key === 'Escape' && selection.chosen.size === 0)) return null;
  const act = plainKeys.get(event.key);
  return act ? () => act(board) : null;
}

/** Keys that need no other beside them. */
const plainKeys: ReadonlyMap<string, (board: BoardContext) => void> = new Map<
  string,
  (board: BoardContext) => void
>([
  ['m', ({ open }) => open('move')],
  ['v', ({ open }) => open('vm')],
  ['l', ({ open }) => open('client')],
  ['g', ({ open }) => open('generate')],
  ['d', ({ commands, targets }) => commands.duplicate(targets)],
  ['+', ({ zoom, zoomTo }) => zoomTo(zoom + 1)],
  ['=', ({ zoom, zoomTo }) => zoomTo(zoom + 1)],
  ['-', ({ zoom, zoomTo }) => zoomTo(zoom - 1)],
  ['/', ({ focusSearch }) => focusSearch()],
  ['?', ({ open }) => open('keys')],
  ['Insert', ({ commands }) => commands.add()],
  ['Delete', ({ commands, targets }) => commands.remove(targets)],
  ['Escape', chooseNothing],
]);

function chooseNothing({ selection, choose, edits }: BoardContext): void {
  choose({ ...selection, chosen: new Set(), anchor: null });
  edits.say('Nothing is chosen.');
}

function chooseAll(
  { selection, choose, edits }: BoardContext,
  chosen: ReadonlySet<string>,
  where: string,
): void {
  choose({ ...selection, chosen, active: selection.active ?? [...chosen][0] ?? null });
  edits.say(`${counted(chosen.size, 'VM')} ${where} chosen.`);
}

/** Chooses every VM shown that stands in a column; `ref` empty = that has no place. */
export function chooseColumn(board: BoardContext, axis: Axis, ref: string): void {
  const { view, rows } = board;
  chooseAll(
    board,
    new Set(
      rows.flatMap((tile) =>
        view.tiles[tile]!.vms.filter((vm) => (placeOfVm(axis, vm)?.ref ?? '') === ref).map(
          (vm) => vm.key,
        ),
      ),
    ),
    'of the column',
  );
}

/** Space: the active item; with Shift its tile, with Ctrl its column. */
function toggleActive(board: BoardContext, event: KeyboardEvent, axis: Axis): void {
  const { view, rows, selection, choose, edits } = board;
  const { active } = selection;
  if (active === null) return;
  const vm = isHead(active) ? undefined : view.byKey.get(active);
  if (event.ctrlKey && vm) {
    chooseColumn(board, axis, placeOfVm(axis, vm)?.ref ?? '');
    return;
  }
  const next = pick(
    view,
    rows,
    selection,
    event.shiftKey ? headKey(tileOf(active)) : active,
    'toggle',
  );
  choose({ ...next, active });
  edits.say(`${counted(next.chosen.size, 'VM')} chosen.`);
}

function shiftTiles({ commands, targets, selection, choose }: BoardContext, by: -1 | 1): void {
  const to = commands.shift(targets, by);
  if (to === null) return;
  // What was chosen is chosen still, under its new numbers.
  const from = Math.min(...targets.map(tileOf));
  const moved = (key: string): string =>
    `${tileOf(key) - from + to}/${key.slice(key.indexOf('/') + 1)}`;
  choose({
    chosen: new Set([...selection.chosen].map(moved)),
    active: selection.active === null ? null : moved(selection.active),
    anchor: null,
  });
}

function walk(
  { view, rows, selection, choose, edits }: BoardContext,
  to: string,
  range: boolean,
): void {
  if (!range) {
    choose({ ...selection, active: to, anchor: null });
    return;
  }
  const next = pick(view, rows, selection, to, 'range');
  choose(next);
  edits.say(`${counted(next.chosen.size, 'VM')} chosen.`);
}
