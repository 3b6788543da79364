import { Text } from '@mantine/core';
import { useId, useMemo } from 'react';

import classes from './board.module.css';
import { BoardGrid } from './BoardGrid.tsx';
import { BoardHead } from './BoardHead.tsx';
import type { BoardProps } from './boardProps.ts';
import type { RowContext } from './BoardRow.tsx';
import { axisWords, headerPx, headPx, shortName } from './geometry.ts';
import { type BoardWindow, useBoardWindow, useReveal } from './useBoardWindow.ts';
import { useDropSurface } from './useDropSurface.ts';
import { useStable } from './useStable.ts';
import { useViewport } from './useViewport.ts';

/**
 * Tiles × hosts, or tiles × LUNs. One tab stop; the keys work on the active item. Only what is in
 * view is drawn.
 */
export function Board(props: BoardProps) {
  const { axis, view, rows, columns, density, selection } = props;
  const { lit, hidden, wanted, clientNames, drag, heightCss, reveal } = props;
  const gridId = useId().replaceAll(':', '');
  const { view: port, box, attach } = useViewport();
  const layout = { axis, view, rows, columns, density, active: selection.active };
  const drawn = useBoardWindow(layout, port);
  const { columnOf, width } = drawn;
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
  useReveal(reveal, box, gridId, layout, drawn);
  const band = useDropSurface({ box, drag, axis, columns, columnOf, density });
  return (
    <div className={classes.board} ref={attach} style={{ height: heightCss }}>
      <Heads board={props} drawn={drawn} />
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" p="md">
          No tile passes the filter.
        </Text>
      ) : (
        <BoardGrid board={props} drawn={drawn} context={context} band={band} />
      )}
    </div>
  );
}

/** The heads of the columns in view, each with its load. */
function Heads({
  board: { axis, columns, density, lit, onPickColumn },
  drawn: { width, firstColumn, lastColumn },
}: {
  board: BoardProps;
  drawn: BoardWindow;
}) {
  const pickColumn = useStable((ref: string) => onPickColumn(axis, ref));
  const words = axisWords[axis];
  return (
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
  );
}
