import { useVirtualizer } from '@tanstack/react-virtual';
import { use, useMemo, useRef } from 'react';

import { formatClock, formatElapsed, formatExact } from '../../core/base/format.ts';
import { CopyTable } from '../kit/CopyTable.tsx';
import { ChartMarkContext } from '../kit/mark.ts';
import copy from '../kit/table.module.css';
import type { CopiedTable } from '../kit/tableText.ts';
import styles from './charts.module.css';
import { tableData } from './chartText.ts';
import type { ChartInput } from './view.ts';

const rowPx = 24;

/**
 * The samples behind a chart as they were when it was opened; only visible rows are in the page.
 */
export function ChartTable({
  title,
  input,
  x,
}: {
  title: string;
  input: ChartInput;
  x: readonly [number, number];
}) {
  'use no memo';
  const data = useMemo(() => tableData(input, x), [input, x]);
  const mark = use(ChartMarkContext);
  const scroller = useRef<HTMLDivElement>(null);
  /* eslint-disable-next-line react-hooks/incompatible-library --
     the virtualizer's functions are read in this component only, which the compiler leaves alone. */
  const rows = useVirtualizer({
    count: data.timesMs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    initialRect: { width: 800, height: 480 },
  });
  const columns = `88px 88px repeat(${data.columns.length}, minmax(104px, 1fr))`;
  const read = (): CopiedTable => ({
    title,
    mark,
    columns: [
      { label: 'Elapsed', unit: 's' },
      { label: 'Clock' },
      ...data.columns.map((c) => ({ label: c.label, unit: c.unit })),
    ],
    rows: Array.from(data.timesMs, (at, row) => [
      at / 1_000,
      new Date(at + input.originMs).toISOString(),
      ...data.columns.map((_, i) => data.values[row * data.columns.length + i]!),
    ]),
  });
  return (
    <div style={{ position: 'relative' }}>
      <div className={copy.bar}>
        <CopyTable label={title} read={read} />
      </div>
      <p className={styles.note}>
        {data.timesMs.length} rows, {formatElapsed(x[0])} to {formatElapsed(x[1])}. Empty cell: no
        sample.
      </p>
      <div
        ref={scroller}
        className={styles.table}
        role="region"
        aria-label={`Samples of ${title}`}
        /* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex --
           a scrolling region must be reachable by keyboard. */
        tabIndex={0}
      >
        <div
          role="table"
          aria-label={title}
          aria-rowcount={data.timesMs.length + 1}
          style={{ minWidth: 176 + data.columns.length * 104 }}
        >
          <div role="row" className={styles.tableHead} style={{ gridTemplateColumns: columns }}>
            <span role="columnheader">Elapsed</span>
            <span role="columnheader">Clock</span>
            {data.columns.map((c) => (
              <span key={c.key} role="columnheader" className={styles.number} title={c.measuredBy}>
                {c.label} ({c.unit})
              </span>
            ))}
          </div>
          <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map((row) => (
              <div
                key={row.key}
                role="row"
                aria-rowindex={row.index + 2}
                className={styles.tableRow}
                style={{ gridTemplateColumns: columns, transform: `translateY(${row.start}px)` }}
              >
                <span role="cell">{formatElapsed(data.timesMs[row.index]!)}</span>
                <span role="cell">{formatClock(data.timesMs[row.index]! + input.originMs)}</span>
                {data.columns.map((c, i) => {
                  const value = data.values[row.index * data.columns.length + i]!;
                  return (
                    <span key={c.key} role="cell" className={styles.number}>
                      {Number.isNaN(value) ? '' : formatExact(value, c.decimals)}
                    </span>
                  );
                })}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
