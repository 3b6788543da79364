import { useEffect, useEffectEvent, useMemo } from 'react';

import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import type { BoardColumn } from './BoardHead.tsx';
import { type Axis, type Density, headerPx, headPx, placeOfVm, rowPx } from './geometry.ts';
import { isHead, tileOf } from './selection.ts';
import { spanned, startsOf, stepPx, type Viewport } from './useViewport.ts';

/** Where everything of a board lies, and what of it is drawn. */
export interface BoardWindow {
  /** Size of the whole board, in pixels. */ width: number;
  height: number;
  /** Where each row begins, and where the last one ends. */ starts: readonly number[];
  columnOf: ReadonlyMap<string, number>;
  firstColumn: number;
  lastColumn: number;
  /** Rows that are drawn, as indexes of the tiles shown. */ drawnRows: readonly number[];
  /** Row of the active item, −1 = none. */ activeRow: number;
}
interface Input {
  axis: Axis;
  view: LayoutView;
  rows: readonly number[];
  columns: readonly BoardColumn[];
  density: Density;
  active: string | null;
}

/** Lays the board out, and says what of it is in view of its scrolled box. */
export function useBoardWindow(
  { axis, view, rows, columns, density, active }: Input,
  port: Viewport,
): BoardWindow {
  const starts = useMemo(
    () => startsOf(rows.map((tile) => rowPx(view.tiles[tile]!, axis, density))),
    [rows, view.tiles, axis, density],
  );
  // An edit changes what columns say, seldom which there are: as long as those stay, so does this,
  // and with it the rows that use it.
  const refs = columns.map(({ ref }) => `${ref}\n`).join('');
  const columnOf = useMemo(
    () =>
      new Map(
        refs
          .split('\n')
          .slice(0, -1)
          .map((ref, at) => [ref, at] as const),
      ),
    [refs],
  );
  const shownRows = spanned(starts, port.top - stepPx, port.top + port.height + 2 * stepPx);
  const activeTile = active === null ? -1 : tileOf(active);
  const activeRow = activeTile < 0 ? -1 : rows.indexOf(activeTile);
  const drawnRows = Array.from(
    { length: Math.max(0, shownRows.last - shownRows.first + 1) },
    (_, i) => shownRows.first + i,
  );
  // The active item stays drawn, wherever the board was scrolled to: its id is what the grid points
  // at.
  if (activeRow >= 0 && (activeRow < shownRows.first || activeRow > shownRows.last))
    drawnRows.push(activeRow);
  return {
    width: headerPx + columns.length * density.columnPx,
    height: starts.at(-1)!,
    starts,
    columnOf,
    firstColumn: Math.max(0, Math.floor((port.left - stepPx) / density.columnPx)),
    lastColumn: Math.min(
      columns.length - 1,
      Math.ceil((port.left + port.width + 2 * stepPx - headerPx) / density.columnPx),
    ),
    drawnRows,
    activeRow,
  };
}

/** Scrolls the box to the active item each time `reveal` changes. */
export function useReveal(
  reveal: number,
  box: HTMLElement | null,
  gridId: string,
  { axis, view, density, active }: Pick<Input, 'axis' | 'view' | 'density' | 'active'>,
  { starts, columnOf, activeRow }: BoardWindow,
): void {
  const toActive = useEffectEvent(() => {
    if (!box || activeRow < 0 || active === null) return;
    const vm = isHead(active) ? undefined : view.byKey.get(active);
    const at = vm ? columnOf.get(placeOfVm(axis, vm)?.ref ?? '') : undefined;
    box.scrollTo({
      top: near(
        box.scrollTop,
        box.clientHeight - headPx,
        starts[activeRow]!,
        starts[activeRow + 1]!,
      ),
      left:
        at === undefined
          ? box.scrollLeft
          : near(
              box.scrollLeft,
              box.clientWidth - headerPx,
              at * density.columnPx,
              (at + 1) * density.columnPx,
            ),
    });
    // The board itself may lie below what the page shows, its focus and all.
    document
      .getElementById(`${gridId}-${active}`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  useEffect(() => {
    if (reveal > 0) toActive();
  }, [reveal]);
}

/** The least scroll that shows [from, to] in a window of this size. */
const near = (scroll: number, size: number, from: number, to: number): number =>
  from < scroll ? from : to > scroll + size ? to - size : scroll;
