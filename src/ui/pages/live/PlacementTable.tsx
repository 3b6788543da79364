import { useVirtualizer } from '@tanstack/react-virtual';
import { use, useRef } from 'react';

import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copy from '../../kit/table.module.css';
import type { CopiedTable } from '../../kit/tableText.ts';
import styles from './placement.module.css';
import type { MoveLine } from './placementModel.ts';

const rowPx = 24;
const heads = ['Time', 'Tile', 'VM', 'From', 'To', 'By'] as const;

/** Every move behind the timeline; only visible rows are in the page. */
export function PlacementTable({
  lines,
  clock,
  originMs,
}: {
  lines: readonly MoveLine[];
  clock: boolean;
  originMs: number;
}) {
  'use no memo';
  const mark = use(ChartMarkContext);
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are read in this component only, which the compiler leaves alone.
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    initialRect: { width: 800, height: 320 },
  });
  const read = (): CopiedTable => ({
    title: 'Moves of VMs',
    mark,
    columns: [
      { label: 'Time', unit: 's' },
      { label: 'Clock' },
      ...heads.slice(1).map((label) => ({ label })),
    ],
    rows: lines.map((line) => [
      line.atMs / 1_000,
      new Date(line.atMs + originMs).toISOString(),
      line.tile,
      line.vm,
      line.from,
      line.to,
      line.by,
    ]),
  });
  return (
    <div className={copy.aside}>
      <div className={copy.bar}>
        <CopyTable label="Moves of VMs" read={read} />
      </div>
      {}
      <div
        ref={scroller}
        className={styles.table}
        role="region"
        aria-label="Moves of VMs"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        <div role="table" aria-label="Moves of VMs" aria-rowcount={lines.length + 1}>
          <div role="row" className={`${styles.line} ${styles.lineHead}`}>
            {heads.map((head) => (
              <span key={head} role="columnheader" title={head}>
                {head}
              </span>
            ))}
          </div>
          <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map((row) => {
              const line = lines[row.index]!;
              return (
                <div
                  key={row.key}
                  role="row"
                  aria-rowindex={row.index + 2}
                  className={styles.line}
                  style={{
                    position: 'absolute',
                    left: 0,
                    right: 0,
                    transform: `translateY(${row.start}px)`,
                  }}
                >
                  <span role="cell">
                    {clock ? formatClock(line.atMs + originMs) : formatElapsed(line.atMs)}
                  </span>
                  <span role="cell">{line.tile}</span>
                  <span role="cell" title={line.vm}>
                    {line.vm}
                  </span>
                  <span role="cell">{line.from}</span>
                  <span role="cell">{line.to}</span>
                  <span role="cell">{line.by}</span>
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}
