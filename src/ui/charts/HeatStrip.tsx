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
  /** There is no limit: percent of what the work is compared with. */ share?: true;
  /** What was measured against what. */ detail: string;
  /** Nothing arrives from it any more. */ lost?: true;
}
export interface HeatStripProps {
  title: string;
  /** What the cells of this grid are: headroom of limits, or work against a reference. */
  of?: 'headroom' | 'share';
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

/** Width of a column at least; below it the grid scrolls. */
const leastPx = 24;
/** Between more columns than these, heads and cells say less. */
const denseFrom = 12;
/** Width of the names beside many columns, as in the style sheet. */
const denseNamePx = 96;

const words = {
  none: 'not measured',
  lost: 'connection lost',
  over: 'over the limit',
  near: 'under 20 % left',
  ok: 'within the limit',
  even: 'as usual',
  low: 'more than 10 % below',
} as const;

/** Work below this share of what it is compared with stands out. */
const lowPct = 90;

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
  of = 'headroom',
  rows,
  columns,
  cell,
  feed,
  onPick,
  onPickRow,
  picked,
}: HeatStripProps) {
  const mark = use(ChartMarkContext);
  const isDense = columns.length > denseFrom;
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const write = (): void => {
      if (body.current !== null) writeCells(body.current, cell);
    };
    write();
    return feed === undefined ? undefined : onHeartbeat(write);
  }, [cell, feed, rows, columns]);
  return (
    <div className={styles.scroller}>
      <div className={copy.bar}>
        <CopyTable
          label={title}
          read={() => ({
            title,
            mark,
            columns: [
              { label: '' },
              ...columns.map((c) => ({ label: c.label, unit: of === 'share' ? '%' : '% left' })),
            ],
            rows: rows.map((r) => [r.label, ...columns.map((c) => copied(cell(r.id, c.id)))]),
          })}
        />
      </div>
      <table
        className={styles.table}
        data-dense={isDense || undefined}
        style={{
          maxWidth: 112 + columns.length * 96,
          minWidth: (isDense ? denseNamePx : 104) + columns.length * leastPx,
        }}
      >
        <caption className={styles.caption}>
          <div className={styles.line}>
            {title} <Key of={of} />
          </div>
        </caption>
        <thead>
          <tr>
            <td>{isDense ? 'Tile' : ''}</td>
            {columns.map((c) => (
              <th key={c.id} scope="col" title={c.label}>
                {onPick === undefined ? (
                  c.label
                ) : (
                  <Pick label={c.label} pressed={picked === c.id} onPick={() => onPick(c.id)}>
                    {c.label.replace(/^Tile /, isDense ? '' : 'T')}
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
                  <span className={styles.plain}>{r.label}</span>
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

/** What the colours say. */
const Key = ({ of }: Required<Pick<HeatStripProps, 'of'>>): ReactNode => (
  <span className={styles.key}>
    {of === 'share' ? (
      <>
        <i data-state="even" /> as usual <i data-state="low" /> more than 10 % below{' '}
      </>
    ) : (
      <>
        <i data-state="ok" /> within <i data-state="near" /> under 20 % <i data-state="over" /> ▼
        over{' '}
      </>
    )}
    <i data-state="lost" /> ✕ lost <i data-state="none" /> not measured
  </span>
);

const copied = (found: HeatCell | undefined): string | number | null =>
  found?.lost ? 'lost' : (found?.pct ?? null);

function stateOf({ lost, share, pct }: HeatCell): keyof typeof words {
  if (lost) return 'lost';
  if (share === undefined || pct === null) return headroomState(pct);
  return pct < lowPct ? 'low' : 'even';
}

/** Writes what changed of text, colour and title of every cell. */
function writeCells(body: HTMLElement, cell: HeatStripProps['cell']): void {
  for (const td of body.querySelectorAll<HTMLElement>('td[data-row]')) {
    const found = cell(td.dataset.row ?? '', td.dataset.column ?? '');
    const state = found === undefined ? 'absent' : stateOf(found);
    const text = found === undefined ? '' : found.lost ? lostText(td) : cellText(td, state, found);
    if (td.textContent !== text) td.textContent = text;
    if (td.dataset.state !== state) td.dataset.state = state;
    const detail =
      found === undefined || state === 'absent' ? 'No limit' : `${found.detail}, ${words[state]}`;
    if (td.title !== detail) td.title = detail;
  }
}

/** Between many columns the caption says the unit and the colour says the rest. */
function cellText(td: HTMLElement, state: string, { pct, share }: HeatCell): string {
  const text = share && pct !== null ? `${Math.round(pct)} %` : headroomText(pct);
  if (isNarrow(td)) return text.replace(' %', '');
  return `${state === 'over' ? '▼ ' : ''}${text}`;
}

const lostText = (td: HTMLElement): string => (isNarrow(td) ? '✕' : '✕ LOST');
const isNarrow = (td: HTMLElement): boolean => td.closest('[data-dense]') !== null;

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
