import { type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react';

import classes from './board.module.css';
import type { BoardProps } from './boardProps.ts';
import { BoardRow, type RowContext } from './BoardRow.tsx';
import { axisWords, headerPx } from './geometry.ts';
import type { BoardWindow } from './useBoardWindow.ts';

interface Props {
  board: BoardProps;
  drawn: BoardWindow;
  context: RowContext;
  /** Put on the element that marks where a drop would land. */
  band: RefObject<HTMLDivElement | null>;
}

/** The rows of tiles. One element hears every pointer and key; it tells by `data-key` of what. */
export function BoardGrid({ board, drawn, context, band }: Props) {
  const { axis, view, rows, columns, density, selection, lit, drag } = board;
  const { starts, firstColumn, lastColumn, activeRow } = drawn;
  const grid = useRef<HTMLDivElement>(null);
  const press = (event: PointerEvent): void => {
    const key = keyOf(event);
    if (key === null || event.button !== 0) return;
    drag.press(event, () => board.onDragStart(key));
  };
  const click = (event: MouseEvent): void => {
    const key = keyOf(event);
    grid.current?.focus({ preventScroll: true });
    if (key === null || drag.dragged()) return;
    board.onPick(
      key,
      event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only',
    );
  };
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={`Tiles by ${axisWords[axis].one}`}
      aria-rowcount={rows.length}
      aria-colcount={view.workloads.length + 1}
      aria-multiselectable
      aria-activedescendant={activeRow < 0 ? undefined : `${context.gridId}-${selection.active}`}
      className={classes.grid}
      style={
        {
          height: drawn.height,
          width: drawn.width,
          '--column': `${density.columnPx}px`,
          '--header': `${headerPx}px`,
        } as React.CSSProperties
      }
      onKeyDown={(event) => board.onKey(event, axis)}
      onKeyUp={board.onKeyUp}
      onPointerDown={press}
      onClick={click}
      onDoubleClick={(event) => {
        if (keyOf(event) !== null) board.onOpen();
      }}
      onCopy={board.onClipboard}
      onCut={board.onClipboard}
      onPaste={board.onClipboard}
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
      <div ref={band} aria-hidden className={classes.band} style={{ width: density.columnPx }} />
      {drawn.drawnRows.map((row) => (
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
  );
}

/** Key of the VM or tile head under the pointer. */
const keyOf = (event: PointerEvent | MouseEvent): string | null =>
  (event.target as HTMLElement).closest<HTMLElement>('[data-key]')?.dataset['key'] ?? null;
