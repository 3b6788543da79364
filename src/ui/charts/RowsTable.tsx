import { useVirtualizer } from '@tanstack/react-virtual';
import { use, useRef } from 'react';

import { CopyTable } from '../kit/CopyTable.tsx';
import { ChartMarkContext } from '../kit/mark.ts';
import copy from '../kit/table.module.css';
import type { CopiedTable } from '../kit/tableText.ts';
import styles from './rowsTable.module.css';

const rowPx = 24;

export interface RowsTableProps {
  title: string;
  heads: readonly string[];
  /** Widths of the columns, as of `grid-template-columns`. */
  columns: string;
  count: number;
  /** The words of a line; asked for those that are in the page. */
  row: (index: number) => readonly string[];
  /** What a copy of the table holds. */
  read: () => Omit<CopiedTable, 'title' | 'mark'>;
}

/** The lines behind a picture, however many: only visible ones are in the page. */
export function RowsTable({ title, heads, columns, count, row, read }: RowsTableProps) {
  'use no memo';
  const mark = use(ChartMarkContext);
  const scroller = useRef<HTMLDivElement>(null);
  /* eslint-disable-next-line react-hooks/incompatible-library --
     the virtualizer's functions are read in this component only, which the compiler leaves alone. */
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    initialRect: { width: 800, height: 320 },
  });
  return (
    <div className={copy.aside}>
      <div className={copy.bar}>
        <CopyTable label={title} read={() => ({ title, mark, ...read() })} />
      </div>
      <div
        ref={scroller}
        className={styles.table}
        role="region"
        aria-label={`Table of ${title}`}
        /* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex --
           a scrolling region must be reachable by keyboard. */
        tabIndex={0}
      >
        <div role="table" aria-label={title} aria-rowcount={count + 1}>
          <div
            role="row"
            className={`${styles.line} ${styles.lineHead}`}
            style={{ gridTemplateColumns: columns }}
          >
            {heads.map((head) => (
              <span key={head} role="columnheader" title={head}>
                {head}
              </span>
            ))}
          </div>
          <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={`${styles.line} ${styles.lineOf}`}
                style={{ gridTemplateColumns: columns, transform: `translateY(${start}px)` }}
              >
                {row(index).map((text, at) => (
                  <span key={heads[at]} role="cell" title={text}>
                    {text}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
