import { memo, type ReactNode, use, useEffect, useRef } from 'react';

import { headroomState } from '../../core/chart/palette.ts';
import { CopyTable } from '../kit/CopyTable.tsx';
import { ChartMarkContext } from '../kit/mark.ts';
import copy from '../kit/table.module.css';
import { onHeartbeat } from './heartbeat.ts';
import styles from './heatStrip.module.css';
import type { ChartFeed } from './useChart.ts';

export interface HeatCell {
  /** Percent of the limit that is left; null = not measured. */ pct: number | null;
  /** What was measured against what. */ detail: string;
  /** Nothing arrives from it any more. */ lost?: true;
}
export interface HeatStripProps {
  title: string;
  /** Workloads. */
  rows: readonly { id: string; label: string }[];
  /** Tiles. */
  columns: readonly { id: string; label: string }[];
  /**
   * Cell of a row and column; undefined = this pair has no limit. Called once a second while live.
   */
  cell: (rowId: string, columnId: string) => HeatCell | undefined;
  /** Live data; absent = read once. */
  feed?: ChartFeed | undefined;
  /** Opens a tile. */
  onPick?: ((columnId: string) => void) | undefined;
  /** Opens a workload. */
  onPickRow?: ((rowId: string) => void) | undefined;
  picked?: string | null | undefined;
}

const words = {
  none: 'not measured',
  lost: 'connection lost',
  over: 'over the limit',
  near: 'under 20 % left',
  ok: 'within the limit',
} as const;

/**
 * Headroom in percent of its limit, as it is shown; beyond twice the limit the ratio to it: 10.7×
 * says more than −965 %, and 4.4× more than 336 % left, which cannot be. `of` follows the ratio
 * where there is room.
 */
export function headroomText(pct: number | null, of = ''): string {
  if (pct === null) return '–';
  if (pct < -100) return `${Number((1 - pct / 100).toPrecision(3))}×${of}`;
  if (pct > 100) return `${Number((1 + pct / 100).toPrecision(3))}×${of}`;
  const rounded = Math.round(pct);
  return `${rounded < 0 ? '−' : ''}${Math.abs(rounded)} %`;
}

/**
 * Headroom of every tile and workload at a glance: a number, a colour, and a mark where the limit
 * is broken. React renders the grid, not its values.
 */
export const HeatStrip = memo(function HeatStrip({
  title,
  rows,
  columns,
  cell,
  feed,
  onPick,
  onPickRow,
  picked,
}: HeatStripProps) {
  const mark = use(ChartMarkContext);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const write = (): void => {
      if (body.current !== null) writeCells(body.current, cell);
    };
    write();
    return feed === undefined ? undefined : onHeartbeat(write);
  }, [cell, feed, rows, columns]);
  return (
    <div className={`${styles.scroller} ${copy.aside}`}>
      <div className={copy.bar}>
        <CopyTable
          label={title}
          read={() => ({
            title,
            mark,
            columns: [{ label: '' }, ...columns.map((c) => ({ label: c.label, unit: '% left' }))],
            rows: rows.map((r) => [r.label, ...columns.map((c) => copied(cell(r.id, c.id)))]),
          })}
        />
      </div>
      <table
        className={styles.table}
        data-dense={columns.length > 12 || undefined}
        style={{ maxWidth: 112 + columns.length * 96 }}
      >
        <caption className={styles.caption}>
          {title}{' '}
          <span className={styles.key}>
            <i data-state="ok" /> within <i data-state="near" /> under 20 % left{' '}
            <i data-state="over" /> ▼ over <i data-state="lost" /> ✕ lost <i data-state="none" />{' '}
            not measured
          </span>
        </caption>
        <thead>
          <tr>
            <td />
            {columns.map((c) => (
              <th key={c.id} scope="col" title={c.label}>
                {onPick === undefined ? (
                  c.label
                ) : (
                  <Pick label={c.label} pressed={picked === c.id} onPick={() => onPick(c.id)}>
                    {c.label.replace(/^Tile /, 'T')}
                  </Pick>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((r) => (
            <tr key={r.id}>
              <th scope="row" title={r.label}>
                {onPickRow === undefined || r.id === '*' ? (
                  r.label
                ) : (
                  <Pick label={r.label} onPick={() => onPickRow(r.id)}>
                    {r.label}
                  </Pick>
                )}
              </th>
              {columns.map((c) => (
                <td key={c.id} data-row={r.id} data-column={c.id} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

const copied = (found: HeatCell | undefined): string | number | null =>
  found?.lost ? 'lost' : (found?.pct ?? null);

/** Writes what changed of text, colour and title of every cell. */
function writeCells(body: HTMLElement, cell: HeatStripProps['cell']): void {
  for (const td of body.querySelectorAll<HTMLElement>('td[data-row]')) {
    const found = cell(td.dataset.row ?? '', td.dataset.column ?? '');
    const state = found === undefined ? 'absent' : found.lost ? 'lost' : headroomState(found.pct);
    const text =
      found === undefined
        ? ''
        : found.lost
          ? '✕ LOST'
          : `${state === 'over' ? '▼ ' : ''}${headroomText(found.pct)}`;
    if (td.textContent !== text) td.textContent = text;
    if (td.dataset.state !== state) td.dataset.state = state;
    const detail =
      found === undefined || state === 'absent' ? 'No limit' : `${found.detail}, ${words[state]}`;
    if (td.title !== detail) td.title = detail;
  }
}

/** A head that opens what it names. */
function Pick({
  label,
  pressed,
  onPick,
  children,
}: {
  label: string;
  pressed?: boolean;
  onPick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={styles.pick}
      aria-pressed={pressed}
      aria-label={`Open ${label}`}
      onClick={onPick}
    >
      {children}
    </button>
  );
}
