import { Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, use, useMemo, useRef, useState } from 'react';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copy from '../../kit/table.module.css';
import type { CopiedTable } from '../../kit/tableText.ts';
import type { Cell, TableColumn } from './inventoryTables.ts';
import classes from './virtualTable.module.css';

const rowPx = 30;
interface Sort {
  /** Index of the column. */ at: number;
  descending: boolean;
}

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
  const [sort, setSort] = useState<Sort>({ at: 0, descending: false });
  const shown = useMemo(() => shownRows(rows, search, sort), [rows, search, sort]);
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
      <div
        ref={scroller}
        className={classes.scroller}
        role="table"
        aria-label={label}
        aria-rowcount={shown.length + 1}
        /* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be
           reachable by keyboard. */
        tabIndex={0}
      >
        <Head
          columns={columns}
          style={{ gridTemplateColumns: template, minWidth }}
          sort={sort}
          onSort={setSort}
        />
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
                {columns.map((column, at) => (
                  <CellView
                    key={column.name}
                    column={column}
                    cell={shown[item.index]?.[at] ?? null}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function Head({
  columns,
  style,
  sort,
  onSort,
}: {
  columns: readonly TableColumn[];
  style: CSSProperties;
  sort: Sort;
  onSort: (sort: Sort) => void;
}) {
  return (
    <div className={classes.head} role="row" style={style}>
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
            onClick={() => onSort({ at, descending: sort.at === at && !sort.descending })}
          >
            {column.name}
            {sort.at === at ? (sort.descending ? ' ↓' : ' ↑') : ''}
          </button>
        </div>
      ))}
    </div>
  );
}

function CellView({ column, cell }: { column: TableColumn; cell: Cell }) {
  return (
    <div
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
}

/** The rows that hold the text in any cell, in order. */
function shownRows(
  rows: readonly (readonly Cell[])[],
  search: string,
  { at, descending }: Sort,
): readonly (readonly Cell[])[] {
  const wanted = search.trim().toLowerCase();
  const holds = (cell: Cell): boolean =>
    String(cell ?? '')
      .toLowerCase()
      .includes(wanted);
  const kept = wanted === '' ? rows : rows.filter((row) => row.some(holds));
  const sign = descending ? -1 : 1;
  return [...kept].sort((a, b) => sign * compareCells(a[at] ?? null, b[at] ?? null));
}

function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : byNaturalOrder(String(a), String(b));
}
