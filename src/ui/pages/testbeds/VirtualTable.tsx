import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { use, useMemo, useRef, useState } from 'react';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copy from '../../kit/table.module.css';
import type { CopiedTable } from '../../kit/tableText.ts';
import type { Cell, TableColumn } from './inventoryTables.ts';
import classes from './virtualTable.module.css';

const rowPx = 30;

/**
 * A table that draws only the rows in view; sorts by a click on its head, filters by text over all
 * cells.
 */
export function VirtualTable({
  label,
  columns,
  rows,
  search,
}: {
  label: string;
  columns: readonly TableColumn[];
  rows: readonly (readonly Cell[])[];
  search: string;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const mark = use(ChartMarkContext);
  const [sort, setSort] = useState({ at: 0, descending: false });
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const kept =
      wanted === ''
        ? rows
        : rows.filter((row) =>
            row.some((cell) =>
              String(cell ?? '')
                .toLowerCase()
                .includes(wanted),
            ),
          );
    const sign = sort.descending ? -1 : 1;
    return [...kept].sort((a, b) => sign * compareCells(a[sort.at] ?? null, b[sort.at] ?? null));
  }, [rows, search, sort]);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualiser keeps its own state by design
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  const template = columns
    .map((c) => `minmax(${Math.round(c.width * 0.7)}px, ${c.width}fr)`)
    .join(' ');
  const minWidth = columns.reduce((sum, c) => sum + c.width * 0.7, 0);
  const read = (): CopiedTable => ({
    title: label,
    mark,
    columns: columns.map(({ name }) => ({ label: name })),
    rows: shown,
  });
  return (
    <div className={copy.aside}>
      <div className={copy.bar}>
        <CopyTable label={label} read={read} />
      </div>
      {}
      <div
        ref={scroller}
        className={classes.scroller}
        role="table"
        aria-label={label}
        aria-rowcount={shown.length + 1}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        <div
          className={classes.head}
          role="row"
          style={{ gridTemplateColumns: template, minWidth }}
        >
          {columns.map((column, at) => (
            <div
              key={column.name}
              role="columnheader"
              aria-sort={sort.at === at ? (sort.descending ? 'descending' : 'ascending') : 'none'}
              style={{ textAlign: column.align ?? 'left' }}
            >
              <button
                type="button"
                className={classes.sort}
                onClick={() => setSort({ at, descending: sort.at === at && !sort.descending })}
              >
                {column.name}
                {sort.at === at ? (sort.descending ? ' ↓' : ' ↑') : ''}
              </button>
            </div>
          ))}
        </div>
        {shown.length === 0 ? (
          <Text size="sm" c="dimmed" p="sm">
            {rows.length === 0 ? 'None.' : 'Nothing matches the search.'}
          </Text>
        ) : (
          <div
            role="rowgroup"
            style={{ height: virtual.getTotalSize(), position: 'relative', minWidth }}
          >
            {virtual.getVirtualItems().map((item) => (
              <div
                key={item.key}
                className={classes.row}
                role="row"
                aria-rowindex={item.index + 2}
                style={{ gridTemplateColumns: template, transform: `translateY(${item.start}px)` }}
              >
                {columns.map((column, at) => {
                  const cell = shown[item.index]?.[at] ?? null;
                  return (
                    <div
                      key={column.name}
                      role="cell"
                      className={classes.cell}
                      style={{ textAlign: column.align ?? 'left' }}
                      title={cell === null ? undefined : String(cell)}
                    >
                      {cell === null || cell === ''
                        ? '–'
                        : typeof cell === 'number'
                          ? cell.toLocaleString('en')
                          : cell}
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : byNaturalOrder(String(a), String(b));
}
