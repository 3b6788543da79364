import { type ReactNode, use, useMemo } from 'react';

import type { HistoryEntry } from '../../../core/history/history.ts';
import { totalsText } from '../../../core/score/totals.ts';
import type { HistorySort } from '../../engine/historyState.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import type { CopiedTable } from '../../kit/tableText.ts';
import { leadPx } from './fitColumns.ts';
import styles from './history.module.css';
import type { HistoryColumn } from './historyColumns.tsx';
import type { Found } from './historyFilter.ts';
import { applyGridKey, type GridInput, useRowActions, withAllFound } from './historyGrid.ts';
import { HistoryHead } from './HistoryHead.tsx';
import { HistoryRow } from './HistoryRow.tsx';
import { useRowsInView } from './useRowsInView.ts';

const linePx = 34;
/** With a line that says why it was found. */
const foundPx = 50;
const headPx = 34;

interface Props extends GridInput {
  columns: readonly HistoryColumn[];
  /** Columns of a copy: the chosen ones, whether they fit or not. */
  copied: readonly HistoryColumn[];
  widths: Readonly<Record<string, number>>;
  onWidth: (id: string, px: number | null) => void;
  onMoveColumn: (id: string, to: number) => void;
  sort: HistorySort;
  onSort: (sort: HistorySort) => void;
  editingTags: string | null;
  tagEditor: (entry: HistoryEntry) => ReactNode;
  scrollTop: number;
  onScrolled: (top: number) => void;
}

/**
 * Runs and studies as a grid that draws only the rows in view. Arrows move, Shift chooses a range,
 * Space selects, Enter opens.
 */
export function HistoryTable(props: Props) {
  const { found, columns, copied, widths, selected, currentKey, editingTags, tagEditor } = props;
  const rowPx = found.some((one) => one.hits.length > 0) ? foundPx : linePx;
  const { scroller, onScroll, from, to, page, reveal } = useRowsInView({
    count: found.length,
    rowPx,
    headPx,
    firstTop: props.scrollTop,
    onLeft: props.onScrolled,
  });
  const currentIndex = useMemo(
    () => found.findIndex((one) => one.key === currentKey),
    [found, currentKey],
  );
  const actions = useRowActions(props, () => scroller.current?.focus());
  const mark = use(ChartMarkContext);
  const minWidth = leadPx + columns.reduce((sum, c) => sum + (widths[c.id] ?? c.width), 0);
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label="Runs and studies"
      aria-rowcount={found.length + 1}
      aria-multiselectable
      tabIndex={0}
      onKeyDown={(event) => applyGridKey(event, props, { currentIndex, page, reveal })}
      aria-activedescendant={
        currentIndex >= from && currentIndex < to ? `history-row-${currentIndex}` : undefined
      }
      onScroll={onScroll}
    >
      <HistoryHead
        corner={
          <CopyTable label="Runs and studies" read={() => copiedTable(found, copied, mark)} />
        }
        columns={columns}
        widths={widths}
        minWidth={minWidth}
        height={headPx}
        sort={props.sort}
        onSort={props.onSort}
        onWidth={props.onWidth}
        onMove={props.onMoveColumn}
        all={found.length > 0 && found.every((one) => selected.has(one.key))}
        some={found.some((one) => selected.has(one.key))}
        onAll={(on) => props.onSelect(withAllFound(props, on))}
      />
      <div role="rowgroup" style={{ height: found.length * rowPx, position: 'relative', minWidth }}>
        {found.slice(from, to).map((one, i) => (
          <HistoryRow
            key={one.key}
            found={one}
            index={from + i}
            columns={columns}
            widths={widths}
            top={(from + i) * rowPx}
            height={rowPx}
            selected={selected.has(one.key)}
            current={one.key === currentKey}
            tagEditor={editingTags === one.key ? tagEditor(one.entry) : null}
            actions={actions}
          />
        ))}
      </div>
    </div>
  );
}

/** In copies: units of the figures, and columns that are times. */
const copiedUnits: Readonly<Record<string, string>> = {
  duration: 's',
  power: 'W',
  storage: 'bytes',
};
const times: ReadonlySet<string> = new Set(['started', 'created', 'deleted']);

const copiedTable = (
  found: readonly Found[],
  columns: readonly HistoryColumn[],
  mark: string | null,
): CopiedTable => ({
  title: 'Runs and studies',
  mark,
  columns: columns.map(({ id, label }) => ({
    label,
    ...(copiedUnits[id] === undefined ? {} : { unit: copiedUnits[id] }),
  })),
  rows: found.map(({ entry }) => columns.map(({ id, key }) => copiedCell(entry, id, key(entry)))),
});

/** Sort keys are what is copied: unrounded; but words as they are written, and times as dates. */
function copiedCell(
  entry: HistoryEntry,
  id: string,
  key: string | number | null,
): string | number | null {
  if (id === 'name') return entry.name;
  if (id === 'totals') return entry.kind === 'run' ? totalsText(entry.totals) : null;
  if (id === 'tags') return entry.tags.join(', ');
  return typeof key === 'number' && times.has(id) ? new Date(key).toISOString() : key;
}
