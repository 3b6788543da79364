import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useState,
} from 'react';

import type { HistorySort } from '../../engine/historyState.ts';
import styles from './history.module.css';
import type { HistoryColumn } from './historyColumns.tsx';
import { columnStyle } from './HistoryRow.tsx';

const narrowestPx = 48;
const widestPx = 640;
const keyStepPx = 16;

interface Props {
  columns: readonly HistoryColumn[];
  widths: Readonly<Record<string, number>>;
  minWidth: number;
  height: number;
  sort: HistorySort;
  onSort: (sort: HistorySort) => void;
  onWidth: (id: string, px: number | null) => void;
  onMove: (id: string, to: number) => void;
  /** Above the stars. */ corner: ReactNode;
  all: boolean;
  some: boolean;
  onAll: (on: boolean) => void;
}

/**
 * Heads of the columns: a click sorts, the edge resizes (arrows with the focus on it), dragging or
 * Alt with arrows moves.
 */
export function HistoryHead({
  columns,
  widths,
  minWidth,
  height,
  sort,
  onSort,
  onWidth,
  onMove,
  corner,
  all,
  some,
  onAll,
}: Props) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const sortBy = (column: HistoryColumn): void =>
    onSort({
      columnId: column.id,
      descending:
        sort.columnId === column.id
          ? !sort.descending
          : column.align === 'right' || ['started', 'created', 'deleted'].includes(column.id),
    });
  return (
    <div role="row" aria-rowindex={1} className={styles.head} style={{ minWidth, height }}>
      <div role="columnheader" className={styles.lead}>
        <input
          type="checkbox"
          className={styles.check}
          aria-label="Select all shown"
          checked={all}
          ref={(node) => {
            if (node !== null) node.indeterminate = some && !all;
          }}
          onChange={() => onAll(!all)}
        />
        {corner}
      </div>
      {columns.map((column, at) => (
        <ColumnHead
          key={column.id}
          column={column}
          widths={widths}
          sorted={
            sort.columnId !== column.id ? 'none' : sort.descending ? 'descending' : 'ascending'
          }
          over={over === column.id && dragged !== column.id}
          onSort={() => sortBy(column)}
          onStep={(by) => onMove(column.id, at + by)}
          onWidth={onWidth}
          drag={{
            onDragStart: (event) => {
              setDragged(column.id);
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', column.label);
            },
            onDragOver: (event) => {
              if (dragged !== null) {
                event.preventDefault();
                setOver(column.id);
              }
            },
            onDragEnd: () => {
              setDragged(null);
              setOver(null);
            },
            onDrop: (event) => {
              event.preventDefault();
              if (dragged !== null) onMove(dragged, at);
            },
          }}
        />
      ))}
    </div>
  );
}

function ColumnHead({
  column,
  widths,
  sorted,
  over,
  onSort,
  onStep,
  onWidth,
  drag,
}: {
  column: HistoryColumn;
  widths: Props['widths'];
  sorted: 'ascending' | 'descending' | 'none';
  /** Another column is dragged over it. */ over: boolean;
  onSort: () => void;
  /** Moves it by so many places. */ onStep: (by: 1 | -1) => void;
  onWidth: Props['onWidth'];
  drag: Pick<HTMLAttributes<HTMLElement>, 'onDragStart' | 'onDragOver' | 'onDragEnd' | 'onDrop'>;
}) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    event.stopPropagation();
    onStep(event.key === 'ArrowLeft' ? -1 : 1);
  };
  return (
    <div
      role="columnheader"
      aria-label={column.label}
      aria-sort={column.unsortable ? undefined : sorted}
      className={styles.columnHead}
      data-right={column.align}
      data-over={over || undefined}
      style={columnStyle(column, widths)}
      draggable
      {...drag}
    >
      <button
        type="button"
        className={styles.sort}
        data-unsortable={column.unsortable}
        title={`${column.unsortable ? 'Has no order.' : 'Sorts.'} Alt with an arrow moves the column.`}
        onClick={column.unsortable ? undefined : onSort}
        onKeyDown={onKeyDown}
      >
        {column.label}
        {sorted === 'descending' && <IconArrowDown size={12} aria-hidden />}
        {sorted === 'ascending' && <IconArrowUp size={12} aria-hidden />}
      </button>
      <Grip column={column} width={widths[column.id] ?? column.width} onWidth={onWidth} />
    </div>
  );
}

/**
 * The edge of a column: drawn by the pointer or by the arrows; a double click gives its first width
 * back.
 */
function Grip({
  column,
  width,
  onWidth,
}: {
  column: HistoryColumn;
  width: number;
  onWidth: Props['onWidth'];
}) {
  const set = (px: number): void =>
    onWidth(column.id, Math.round(Math.max(narrowestPx, Math.min(widestPx, px))));
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const node = event.currentTarget;
    // The name takes what is left: its width as drawn is where the edge stands.
    const from = event.clientX - (node.parentElement?.getBoundingClientRect().width ?? width);
    node.setPointerCapture(event.pointerId);
    const move = (next: globalThis.PointerEvent): void => set(next.clientX - from);
    const end = (): void => {
      node.removeEventListener('pointermove', move);
      node.removeEventListener('pointerup', end);
      node.removeEventListener('pointercancel', end);
    };
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', end);
    node.addEventListener('pointercancel', end);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    event.stopPropagation();
    set(width + (event.key === 'ArrowLeft' ? -keyStepPx : keyStepPx));
  };
  return (
    /* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a
       value is the role for an edge that moves */
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuenow={width}
      aria-valuemin={narrowestPx}
      aria-valuemax={widestPx}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above.
      tabIndex={0}
      className={styles.grip}
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={onPointerDown}
      onDoubleClick={() => onWidth(column.id, null)}
      onKeyDown={onKeyDown}
    />
  );
}
