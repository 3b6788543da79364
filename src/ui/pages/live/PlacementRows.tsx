import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';

import type { ChartGroup } from '../../charts/group.ts';
import { MoveMark } from './MoveMark.tsx';
import styles from './placement.module.css';
import { hostColor, hostLetter, type PlacementRow } from './placementModel.ts';
import { type Span, useCursorLine } from './timeView.ts';

/** A VM at a time, which is read out. */
export interface PlacementCursor {
  row: number;
  atMs: number;
  /** Chosen by key: said aloud. */
  keyboard: boolean;
}

interface Props {
  rows: readonly PlacementRow[];
  /** What is shown. */
  span: Span;
  /** How far the run is. */
  endMs: number;
  group: ChartGroup;
  /** Highlighted on the charts: rows of other tiles are muted. */
  highlight: string | null;
  current: PlacementCursor | null;
  onCurrent: (current: PlacementCursor | null) => void;
  /** Id of the text that says what the picture shows. */
  describedBy: string;
}

const rowPx = 18;
const labelPx = 156;

/** A row a VM, only the visible ones in the page; pointer or arrows move a cursor over them. */
export function PlacementRows(props: Props) {
  'use no memo';
  const { rows, span, endMs, group, highlight, current, onCurrent } = props;
  const [x0, x1] = span;
  const scroller = useRef<HTMLDivElement>(null);
  const line = useCursorLine(group, x0, x1, cursorLeft);
  const owner = useRef({}).current;
  const height = rows.length * rowPx;
  /* eslint-disable-next-line react-hooks/incompatible-library --
     the virtualizer's functions are read in this component only, which the compiler leaves alone. */
  const visible = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    initialRect: { width: 900, height: 396 },
  });
  const show = (row: number, atMs: number, keyboard: boolean): void => {
    onCurrent({ row, atMs, keyboard });
    group.moveCursor(atMs, owner);
  };
  const clear = (): void => {
    onCurrent(null);
    group.moveCursor(NaN, owner);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const wide = event.currentTarget.clientWidth - labelPx;
    const share = (event.clientX - box.left - labelPx) / wide;
    const row = Math.floor((event.clientY - box.top + event.currentTarget.scrollTop) / rowPx);
    if (share < 0 || share > 1 || row < 0 || row >= rows.length) clear();
    else show(row, x0 + share * (x1 - x0), false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      clear();
      return;
    }
    const at = current ?? { row: 0, atMs: Math.min(endMs, x1) };
    const next = cursorByKey(event, at, span, endMs);
    if (next === undefined) return;
    event.preventDefault();
    const row = Math.max(0, Math.min(rows.length - 1, next[0]));
    visible.scrollToIndex(row);
    show(row, Math.max(x0, Math.min(x1, next[1])), true);
  };
  return (
    /* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions --
       a picture that is read by keyboard: the arrows move its cursor. */
    <div
      ref={scroller}
      className={styles.scroller}
      role="group"
      aria-label="Timeline of VMs on hosts; arrow keys move the cursor"
      aria-describedby={props.describedBy}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
      tabIndex={0}
      onPointerMove={onPointerMove}
      onPointerLeave={clear}
      onKeyDown={onKeyDown}
      onBlur={clear}
      onDoubleClick={() => {
        group.set({ zoom: null });
      }}
    >
      <div style={{ height, position: 'relative' }}>
        <div ref={line} className={styles.cursor} style={{ height }} hidden />
        {visible.getVirtualItems().map((item) => (
          <Row
            key={item.key}
            row={rows[item.index]!}
            topPx={item.start}
            current={current?.row === item.index}
            highlight={highlight}
            span={span}
            endMs={endMs}
          />
        ))}
      </div>
    </div>
  );
}

const cursorLeft = (share: number): string =>
  `calc(${labelPx}px + (100% - ${labelPx}px) * ${share})`;

/** Row and time that a key goes to, past the ends as well; undefined = the key goes nowhere. */
function cursorByKey(
  event: KeyboardEvent,
  at: { row: number; atMs: number },
  [x0, x1]: Span,
  endMs: number,
): [row: number, atMs: number] | undefined {
  const step = (x1 - x0) / (event.shiftKey ? 10 : 60);
  const to: Record<string, [number, number] | undefined> = {
    ArrowLeft: [at.row, at.atMs - step],
    ArrowRight: [at.row, at.atMs + step],
    ArrowUp: [at.row - 1, at.atMs],
    ArrowDown: [at.row + 1, at.atMs],
    PageUp: [at.row - 10, at.atMs],
    PageDown: [at.row + 10, at.atMs],
    Home: [at.row, x0],
    End: [at.row, Math.min(endMs, x1)],
  };
  return to[event.key];
}

interface RowProps {
  row: PlacementRow;
  topPx: number;
  current: boolean;
  highlight: string | null;
  span: Span;
  endMs: number;
}

function Row({ row, topPx, current, highlight, span: [x0, x1], endMs }: RowProps) {
  const part = (ms: number): number => (ms - x0) / (x1 - x0);
  const muted = highlight?.startsWith('tile:') === true && highlight !== `tile:${row.tile}`;
  return (
    <div
      className={styles.row}
      data-opens={row.opens || undefined}
      data-current={current || undefined}
      data-muted={muted || undefined}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <span className={styles.tile}>
        {row.opens ? (row.tile === null ? '–' : `T${row.tile + 1}`) : ''}
      </span>
      <span className={styles.name} title={row.name}>
        {row.name}
      </span>
      <div className={styles.track}>
        {row.stays.map((stay, i) => {
          const from = Math.max(0, part(stay.fromMs));
          const to = Math.min(1, part(Math.min(stay.toMs ?? endMs, endMs)));
          if (to <= 0 || from >= 1 || to <= from) return null;
          const left = `${from * 100}%`;
          return (
            <span key={i}>
              <span
                className={styles.stay}
                data-none={stay.host === null || undefined}
                style={{
                  left,
                  width: `calc(${(to - from) * 100}% - 1px)`,
                  ...(stay.host === null ? {} : { background: hostColor(stay.host) }),
                }}
              >
                {stay.host === null ? '?' : hostLetter(stay.host)}
              </span>
              {part(stay.fromMs) >= 0 && <MoveMark by={stay.by} left={left} />}
            </span>
          );
        })}
      </div>
    </div>
  );
}
