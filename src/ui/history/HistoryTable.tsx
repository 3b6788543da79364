import { Box, Checkbox, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import type { RunSummary } from '../../shared/run.ts';
import type { HistoryColumn, HistorySort } from './historyColumns.tsx';

const rowPx = 34;
const headPx = 34;
/** Rows beyond either edge, so that a quick scroll shows no hole. */
const overscan = 12;
/** Height before the first measurement. */
const firstHeightPx = 600;
const checkPx = 38;

interface Props {
  runs: readonly RunSummary[]; columns: readonly HistoryColumn[];
  sort: HistorySort; onSort: (sort: HistorySort) => void;
  selected: ReadonlySet<string>; onSelect: (ids: readonly string[], selected: boolean) => void;
  currentId: string | null; onCurrent: (id: string) => void; onOpen: (id: string) => void;
}

const cellStyle = (column: HistoryColumn): CSSProperties => ({ flex: `${column.id === 'name' ? 1 : 0} 0 ${column.width}px`, boxSizing: 'border-box', padding: '0 8px', textAlign: column.align ?? 'left', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' });

/** Runs as a grid that draws only the rows in view. Arrows move, Space selects, Enter opens. */
export function HistoryTable({ runs, columns, sort, onSort, selected, onSelect, currentId, onCurrent, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: firstHeightPx });
  useEffect(() => {
    const node = scroller.current;
    if (node === null) return;
    const measure = (): void => setView((now) => (node.clientHeight > 0 && node.clientHeight !== now.height ? { ...now, height: node.clientHeight } : now));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  const from = Math.max(0, Math.floor(view.top / rowPx) - overscan);
  const to = Math.min(runs.length, Math.ceil((view.top + view.height) / rowPx) + overscan);
  const currentIndex = runs.findIndex((r) => r.id === currentId);
  const moveTo = (index: number): void => {
    const run = runs[Math.max(0, Math.min(runs.length - 1, index))];
    if (run === undefined) return;
    onCurrent(run.id);
    const top = runs.indexOf(run) * rowPx;
    const node = scroller.current;
    if (node === null) return;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top + rowPx + headPx > node.scrollTop + view.height) node.scrollTop = top + rowPx + headPx - view.height;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.height / rowPx) - 2);
    const to_: Partial<Record<string, number>> = { ArrowDown: currentIndex + 1, ArrowUp: currentIndex - 1, PageDown: currentIndex + page, PageUp: currentIndex - page, Home: 0, End: runs.length - 1 };
    const target = to_[event.key];
    const current = runs[currentIndex];
    if (target !== undefined) moveTo(target);
    else if (event.target === event.currentTarget && event.key === ' ' && current) onSelect([current.id], !selected.has(current.id));
    else if (event.target === event.currentTarget && event.key === 'Enter' && current) onOpen(current.id);
    else return;
    event.preventDefault();
  };
  const all = runs.length > 0 && runs.every((r) => selected.has(r.id));
  const some = runs.some((r) => selected.has(r.id));
  const minWidth = checkPx + columns.reduce((sum, c) => sum + c.width, 0);
  return (
    <Box ref={scroller} role="grid" aria-label="Runs" aria-rowcount={runs.length + 1} aria-multiselectable tabIndex={0} onKeyDown={onKeyDown}
      aria-activedescendant={currentIndex >= from && currentIndex < to ? `history-row-${currentIndex}` : undefined}
      onScroll={(e) => { const top = e.currentTarget.scrollTop; setView((now) => ({ ...now, top })); }}
      style={{ overflow: 'auto', height: '100%', minHeight: 200, border: '1px solid var(--mantine-color-default-border)', borderRadius: 4, fontSize: 13 }}>
      <div role="row" aria-rowindex={1} style={{ display: 'flex', alignItems: 'center', height: headPx, minWidth, position: 'sticky', top: 0, zIndex: 1, background: 'var(--mantine-color-body)', borderBottom: '1px solid var(--mantine-color-default-border)' }}>
        <div role="columnheader" style={{ width: checkPx, boxSizing: 'border-box', flex: 'none', paddingLeft: 10 }}><Checkbox size="xs" aria-label="Select all shown" checked={all} indeterminate={some && !all} onChange={() => onSelect(runs.map((r) => r.id), !all)} /></div>
        {columns.map((column) => {
          const active = sort.columnId === column.id;
          return (
            <div key={column.id} role="columnheader" aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : 'none'} style={cellStyle(column)}>
              <UnstyledButton fz={13} fw={600} onClick={() => onSort({ columnId: column.id, descending: active ? !sort.descending : column.align === 'right' || column.id === 'started' })}>
                {column.label}{active && (sort.descending ? <IconArrowDown size={12} aria-hidden /> : <IconArrowUp size={12} aria-hidden />)}
              </UnstyledButton>
            </div>
          );
        })}
      </div>
      <div style={{ height: runs.length * rowPx, position: 'relative', minWidth }}>
        {runs.slice(from, to).map((run, i) => (
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keys belong to the grid, which holds the focus; a click is the pointer's way to the same
          <div key={run.id} id={`history-row-${from + i}`} role="row" aria-rowindex={from + i + 2} aria-selected={selected.has(run.id)} data-current={run.id === currentId || undefined}
            onClick={() => onCurrent(run.id)} onDoubleClick={() => onOpen(run.id)}
            style={{ position: 'absolute', top: (from + i) * rowPx, left: 0, right: 0, height: rowPx, display: 'flex', alignItems: 'center', cursor: 'default', borderBottom: '1px solid var(--mantine-color-default-border)', background: run.id === currentId ? 'var(--mantine-primary-color-light)' : undefined }}>
            <div role="gridcell" style={{ width: checkPx, boxSizing: 'border-box', flex: 'none', paddingLeft: 10 }}><Checkbox size="xs" aria-label={`Select ${run.name}`} checked={selected.has(run.id)} onChange={(e) => onSelect([run.id], e.currentTarget.checked)} /></div>
            {columns.map((column) => <div key={column.id} role="gridcell" style={cellStyle(column)}>{column.cell(run)}</div>)}
          </div>
        ))}
      </div>
    </Box>
  );
}
