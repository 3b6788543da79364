import { Text } from '@mantine/core';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
} from 'react';

import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import { type BoardColumn, BoardHead } from './BoardHead.tsx';
import { BoardRow, type RowContext } from './BoardRow.tsx';
import classes from './designer.module.css';
import type { Drag, DropPlace } from './drag.ts';
import {
  type Axis,
  axisWords,
  columnAt,
  type Density,
  headerPx,
  headPx,
  placeOfVm,
  rowPx,
  shortName,
} from './geometry.ts';
import { isHead, type Pick, type Selection, tileOf } from './selection.ts';
import { useStable } from './useStable.ts';
import { spanned, startsOf, stepPx, useViewport } from './useViewport.ts';

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
  onDragStart: (
    key: string,
  ) => { label: string; drop: (place: DropPlace) => void; cancelled: () => void } | null;
  onClipboard: (event: ClipboardEvent) => void;
  onOpen: () => void;
}

/**
 * Tiles × hosts, or tiles × LUNs. One tab stop; the keys work on the active item. Only what is in
 * view is drawn.
 */
export function Board({
  axis,
  view,
  rows,
  columns,
  density,
  selection,
  lit,
  hidden,
  wanted,
  clientNames,
  drag,
  heightCss,
  reveal,
  onPick,
  onPickColumn,
  onKey,
  onKeyUp,
  onDragStart,
  onClipboard,
  onOpen,
}: BoardProps) {
  const gridId = useId().replaceAll(':', '');
  const { view: port, box, attach } = useViewport();
  const band = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
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
  const width = headerPx + columns.length * density.columnPx;
  const height = starts.at(-1)!;
  const context = useMemo(
    (): RowContext => ({
      axis,
      density,
      gridId,
      columnOf,
      width,
      chosen: selection.chosen,
      lit,
      hidden,
      wanted,
      clientNames,
    }),
    [axis, density, gridId, columnOf, width, selection.chosen, lit, hidden, wanted, clientNames],
  );
  const shownRows = spanned(starts, port.top - stepPx, port.top + port.height + 2 * stepPx);
  const firstColumn = Math.max(0, Math.floor((port.left - stepPx) / density.columnPx)),
    lastColumn = Math.min(
      columns.length - 1,
      Math.ceil((port.left + port.width + 2 * stepPx - headerPx) / density.columnPx),
    );
  const activeTile = selection.active === null ? -1 : tileOf(selection.active);
  const activeRow = activeTile < 0 ? -1 : rows.indexOf(activeTile);
  const indexes = Array.from(
    { length: Math.max(0, shownRows.last - shownRows.first + 1) },
    (_, i) => shownRows.first + i,
  );
  // The active item stays drawn, wherever the board was scrolled to: its id is what the grid points
  // at.
  if (activeRow >= 0 && (activeRow < shownRows.first || activeRow > shownRows.last))
    indexes.push(activeRow);

  const toActive = useEffectEvent(() => {
    if (!box || activeRow < 0 || selection.active === null) return;
    const vm = isHead(selection.active) ? undefined : view.byKey.get(selection.active);
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
      .getElementById(`${gridId}-${selection.active}`)
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  useEffect(() => {
    if (reveal > 0) toActive();
  }, [reveal]);

  const mark = useEffectEvent((place: DropPlace | null) => {
    const at = place === null ? undefined : columnOf.get(place.ref);
    if (!band.current) return;
    band.current.style.display = at === undefined ? 'none' : 'block';
    if (at !== undefined)
      band.current.style.transform = `translateX(${headerPx + at * density.columnPx}px)`;
  });
  const hit = useEffectEvent((x: number, y: number): DropPlace | null => {
    if (!box) return null;
    const at = box.getBoundingClientRect();
    if (x < at.left + headerPx || x > at.right || y < at.top || y > at.bottom) return null;
    const column = columnAt(x - at.left + box.scrollLeft, columns.length, density);
    return column === null
      ? null
      : { axis, ref: columns[column]!.ref, name: columns[column]!.name };
  });
  useEffect(() => {
    if (!box) return undefined;
    return drag.register({
      hit: (x, y) => hit(x, y),
      mark: (place) => mark(place),
      nudge(x, y) {
        const at = box.getBoundingClientRect();
        if (x < at.left || x > at.right || y < at.top || y > at.bottom) return false;
        const by = (near: number, far: number): number => (near < 36 ? -14 : far < 36 ? 14 : 0);
        const before = [box.scrollLeft, box.scrollTop];
        box.scrollLeft += by(x - at.left - headerPx, at.right - x);
        box.scrollTop += by(y - at.top - headPx, at.bottom - y);
        return box.scrollLeft !== before[0] || box.scrollTop !== before[1];
      },
    });
  }, [box, drag]);

  const keyOf = (event: PointerEvent | MouseEvent): string | null =>
    (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset['key'] ?? null;
  const press = (event: PointerEvent): void => {
    const key = keyOf(event);
    if (key === null || event.button !== 0) return;
    drag.press(event, () => onDragStart(key));
  };
  const click = (event: MouseEvent): void => {
    const key = keyOf(event);
    grid.current?.focus({ preventScroll: true });
    if (key === null || drag.dragged()) return;
    onPick(key, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
  };
  const pickColumn = useStable((ref: string) => onPickColumn(axis, ref));
  const words = axisWords[axis];
  return (
    <div className={classes.board} ref={attach} style={{ height: heightCss }}>
      <div className={classes.head} style={{ width, height: headPx }}>
        <div
          className={classes.corner}
          style={{ width: headerPx, height: headPx }}
        >{`Tiles × ${words.many}`}</div>
        <div role="list" aria-label={`Load of ${words.many}`}>
          {columns.slice(firstColumn, lastColumn + 1).map((column, i) => (
            <BoardHead
              key={column.ref}
              column={column}
              label={density.text === 'name' ? column.name : shortName(column.name, axis)}
              left={headerPx + (firstColumn + i) * density.columnPx}
              width={density.columnPx}
              lit={lit.has(column.ref)}
              onPick={pickColumn}
            />
          ))}
        </div>
      </div>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" p="md">
          No tile passes the filter.
        </Text>
      ) : (
        <div
          ref={grid}
          role="grid"
          tabIndex={0}
          aria-label={`Tiles by ${words.one}`}
          aria-rowcount={rows.length}
          aria-colcount={view.workloads.length + 1}
          aria-multiselectable
          aria-activedescendant={activeRow < 0 ? undefined : `${gridId}-${selection.active}`}
          className={classes.grid}
          style={
            {
              height,
              width,
              '--column': `${density.columnPx}px`,
              '--header': `${headerPx}px`,
            } as React.CSSProperties
          }
          onKeyDown={(event) => onKey(event, axis)}
          onKeyUp={onKeyUp}
          onPointerDown={press}
          onClick={click}
          onDoubleClick={(event) => {
            if (keyOf(event) !== null) onOpen();
          }}
          onCopy={onClipboard}
          onCut={onClipboard}
          onPaste={onClipboard}
        >
          {columns.map(({ ref }, at) =>
            lit.has(ref) ? (
              <div
                key={ref}
                aria-hidden
                className={classes.litColumn}
                style={{ left: headerPx + at * density.columnPx, width: density.columnPx }}
              />
            ) : null,
          )}
          <div
            ref={band}
            aria-hidden
            className={classes.band}
            style={{ width: density.columnPx }}
          />
          {indexes.map((row) => (
            <BoardRow
              key={rows[row]}
              tile={view.tiles[rows[row]!]!}
              row={row}
              top={starts[row]!}
              height={starts[row + 1]! - starts[row]!}
              firstColumn={firstColumn}
              lastColumn={lastColumn}
              active={activeRow === row ? selection.active : null}
              context={context}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** The least scroll that shows [from, to] in a window of this size. */
const near = (scroll: number, size: number, from: number, to: number): number =>
  from < scroll ? from : to > scroll + size ? to - size : scroll;
