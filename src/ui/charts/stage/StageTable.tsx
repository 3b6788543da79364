import { useVirtualizer } from '@tanstack/react-virtual';
import { use, useRef } from 'react';

import { noValue } from '../../../core/base/format.ts';
import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { StageScene } from '../../../core/chart/stage/scene.ts';
import { figureWords, vmStateWords } from '../../../core/chart/stage/words.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import copy from '../../kit/table.module.css';
import type { CopiedTable } from '../../kit/tableText.ts';
import styles from './stage.module.css';

const rowPx = 24;
const heads = ['Host', 'CPU', 'Power', 'VM', 'Tile', 'Workload', 'Load'] as const;
type Line = readonly string[];

/** A line a VM, by host; a host without VMs has a line as well, and so has a VM without a host. */
function linesOf({ hosts, vms, roles }: StageScene): Line[] {
  const lineOf = (at: number | null): Line[] => {
    const host = at === null ? undefined : hosts[at]!;
    const head =
      host === undefined
        ? [noValue, noValue, noValue]
        : [host.name, figureWords(host.cpuPct, '%'), figureWords(host.watts, 'W')];
    const own = vms
      .filter((vm) => vm.host === at)
      .sort((a, b) => (a.tile ?? Infinity) - (b.tile ?? Infinity) || a.role - b.role);
    if (own.length === 0 && host !== undefined)
      return [[...head, noValue, noValue, noValue, noValue]];
    return own.map((vm) => [
      ...head,
      vm.name,
      vm.tile === null ? noValue : String(vm.tile + 1),
      roles[vm.role]!.name,
      vmStateWords(vm),
    ]);
  };
  const order = hosts
    .map((host, at) => ({ name: host.name, at }))
    .sort((a, b) => byNaturalOrder(a.name, b.name));
  return [...order.flatMap(({ at }) => lineOf(at)), ...lineOf(null)];
}

/** The stage as a table; only visible rows are in the page. */
export function StageTable({ scene }: { scene: StageScene }) {
  'use no memo';
  const mark = use(ChartMarkContext);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = linesOf(scene);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's functions are read in this component only, which the compiler leaves alone.
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    initialRect: { width: 800, height: 320 },
  });
  const read = (): CopiedTable => ({
    title: 'Hosts and their VMs',
    mark,
    columns: heads.map((label) => ({ label })),
    rows: linesOf(scene),
  });
  return (
    <div className={copy.aside}>
      <div className={copy.bar}>
        <CopyTable label="Hosts and their VMs" read={read} />
      </div>
      <div
        ref={scroller}
        className={styles.table}
        role="region"
        aria-label="Table of hosts and their VMs"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        <div role="table" aria-label="Hosts and their VMs" aria-rowcount={lines.length + 1}>
          <div role="row" className={`${styles.line} ${styles.lineHead}`}>
            {heads.map((head) => (
              <span key={head} role="columnheader" title={head}>
                {head}
              </span>
            ))}
          </div>
          <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
            {rows.getVirtualItems().map((row) => (
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
                {lines[row.index]!.map((text, at) => (
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
