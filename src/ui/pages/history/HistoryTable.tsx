import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import type { HistoryEntry } from '../../../core/history/history.ts';
import type { HistorySort } from '../../engine/historyState.ts';
import { CopyTable } from '../../kit/CopyTable.tsx';
import { ChartMarkContext } from '../../kit/mark.ts';
import type { CopiedTable } from '../../kit/tableText.ts';
import styles from './history.module.css';
import type { HistoryColumn } from './historyColumns.tsx';
import type { Found } from './historyFilter.ts';
import { HistoryHead } from './HistoryHead.tsx';
import { HistoryRow, type RowActions } from './HistoryRow.tsx';

const linePx = 34;
/** With a line that says why it was found. */
const foundPx = 50;
const headPx = 34;
const leadPx = 60;
/** Rows beyond either edge, so that a quick scroll shows no hole. */
const overscan = 12;
/** Height before the first measurement. */
const firstHeightPx = 600;
/** In copies: units of the figures, and columns that are times. */
const copiedUnits: Readonly<Record<string, string>> = {
  duration: 's',
  power: 'W',
  storage: 'bytes',
};
const times: ReadonlySet<string> = new Set(['started', 'created', 'deleted']);

/** Sort keys are what is copied: unrounded; but words as they are written, and times as dates. */
function copiedCell(
  entry: HistoryEntry,
  id: string,
  key: string | number | null,
): string | number | null {
  if (id === 'name') return entry.name;
  if (id === 'tags') return entry.tags.join(', ');
  return typeof key === 'number' && times.has(id) ? new Date(key).toISOString() : key;
}

interface Props {
  found: readonly Found[];
  columns: readonly HistoryColumn[];
  widths: Readonly<Record<string, number>>;
  onWidth: (id: string, px: number | null) => void;
  onMoveColumn: (id: string, to: number) => void;
  sort: HistorySort;
  onSort: (sort: HistorySort) => void;
  selected: ReadonlySet<string>;
  onSelect: (keys: readonly string[]) => void;
  currentKey: string | null;
  anchorKey: string | null;
  onCurrent: (key: string, anchor: boolean) => void;
  onOpen: (entry: HistoryEntry) => void;
  onFavourite: (entry: HistoryEntry) => void;
  onTag: (tag: string) => void;
  editingTags: string | null;
  onEditTags: (key: string | null) => void;
  tagEditor: (entry: HistoryEntry) => ReactNode;
  onDragKeys: (keys: readonly string[], event: DragEvent) => void;
  scrollTop: number;
  onScrolled: (top: number) => void;
}

/**
 * Runs and studies as a grid that draws only the rows in view. Arrows move, Shift chooses a range,
 * Space selects, Enter opens.
 */
export function HistoryTable(props: Props) {
  const {
    found,
    columns,
    widths,
    sort,
    selected,
    onSelect,
    currentKey,
    anchorKey,
    onCurrent,
    editingTags,
    tagEditor,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: props.scrollTop, height: firstHeightPx });
  const rowPx = found.some((one) => one.hits.length > 0) ? foundPx : linePx;
  const firstTop = useRef(props.scrollTop);
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = firstTop.current;
  }, []);
  useEffect(() => {
    const node = scroller.current;
    if (node === null) return;
    const measure = (): void =>
      setView((now) =>
        node.clientHeight > 0 && node.clientHeight !== now.height
          ? { ...now, height: node.clientHeight }
          : now,
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  // What is left on going away: told once, not at every step of a scroll.
  const told = useRef({ top: view.top, tell: props.onScrolled });
  useEffect(() => {
    told.current = { top: view.top, tell: props.onScrolled };
  });
  useEffect(() => () => told.current.tell(told.current.top), []);

  const top = Math.min(view.top, Math.max(0, found.length * rowPx - view.height + headPx));
  const from = Math.max(0, Math.floor(top / rowPx) - overscan);
  const to = Math.min(found.length, Math.ceil((top + view.height) / rowPx) + overscan);
  const currentIndex = useMemo(
    () => found.findIndex((one) => one.key === currentKey),
    [found, currentKey],
  );

  const range = (key: string): string[] => {
    const at = found.findIndex((one) => one.key === key);
    const start = found.findIndex((one) => one.key === (anchorKey ?? currentKey ?? key));
    return found
      .slice(Math.min(at, Math.max(0, start)), Math.max(at, start) + 1)
      .map((one) => one.key);
  };
  const toggled = (key: string, on: boolean): string[] =>
    on ? [...selected, key] : [...selected].filter((one) => one !== key);
  const moveTo = (index: number, extend: boolean): void => {
    const at = Math.max(0, Math.min(found.length - 1, index));
    const next = found[at];
    if (next === undefined) return;
    if (extend) onSelect(range(next.key));
    onCurrent(next.key, !extend);
    const node = scroller.current;
    if (node === null) return;
    if (at * rowPx < node.scrollTop) node.scrollTop = at * rowPx;
    else if (at * rowPx + rowPx + headPx > node.scrollTop + view.height)
      node.scrollTop = at * rowPx + rowPx + headPx - view.height;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(view.height / rowPx) - 2);
    const places: Partial<Record<string, number>> = {
      ArrowDown: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      PageDown: currentIndex + page,
      PageUp: currentIndex - page,
      Home: 0,
      End: found.length - 1,
    };
    const target = places[event.key];
    const current = found[currentIndex];
    const own = event.target === event.currentTarget;
    if (target !== undefined) moveTo(target, event.shiftKey);
    else if (own && event.key === ' ' && current)
      onSelect(toggled(current.key, !selected.has(current.key)));
    else if (own && event.key === 'Enter' && current) props.onOpen(current.entry);
    else if (own && event.key === 'Escape' && selected.size > 0) onSelect([]);
    else return;
    event.preventDefault();
  };
  // Rows are drawn again only when they change: what they call reads the newest of all this by
  // itself.
  const newest = useRef({ props, range, toggled });
  useEffect(() => {
    newest.current = { props, range, toggled };
  });
  const [actions] = useState<RowActions>(() => ({
    onClick: (key: string, event: MouseEvent) => {
      const now = newest.current;
      if (event.shiftKey) now.props.onSelect(now.range(key));
      else if (event.ctrlKey || event.metaKey)
        now.props.onSelect(now.toggled(key, !now.props.selected.has(key)));
      now.props.onCurrent(key, !event.shiftKey);
    },
    onCheck: (key, on, extend) => {
      const now = newest.current;
      now.props.onSelect(
        extend ? [...new Set([...now.props.selected, ...now.range(key)])] : now.toggled(key, on),
      );
      now.props.onCurrent(key, !extend);
    },
    onOpen: (entry) => newest.current.props.onOpen(entry),
    onFavourite: (entry) => newest.current.props.onFavourite(entry),
    onTag: (tag) => newest.current.props.onTag(tag),
    onEditTags: (key) => {
      if (key !== null) newest.current.props.onCurrent(key, true);
      newest.current.props.onEditTags(key);
      if (key === null) scroller.current?.focus();
    },
    onDragStart: (key, event) => {
      const { selected: chosen, onDragKeys } = newest.current.props;
      onDragKeys(chosen.has(key) ? [...chosen] : [key], event);
    },
  }));
  const mark = use(ChartMarkContext);
  const all = found.length > 0 && found.every((one) => selected.has(one.key));
  const some = found.some((one) => selected.has(one.key));
  const minWidth = leadPx + columns.reduce((sum, c) => sum + (widths[c.id] ?? c.width), 0);
  const read = (): CopiedTable => ({
    title: 'Runs and studies',
    mark,
    columns: columns.map(({ id, label }) => ({
      label,
      ...(copiedUnits[id] === undefined ? {} : { unit: copiedUnits[id] }),
    })),
    rows: found.map(({ entry }) => columns.map(({ id, key }) => copiedCell(entry, id, key(entry)))),
  });
  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label="Runs and studies"
      aria-rowcount={found.length + 1}
      aria-multiselectable
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-activedescendant={
        currentIndex >= from && currentIndex < to ? `history-row-${currentIndex}` : undefined
      }
      onScroll={(event) => {
        const now = event.currentTarget.scrollTop;
        setView((before) => ({ ...before, top: now }));
      }}
    >
      <HistoryHead
        corner={<CopyTable label="Runs and studies" read={read} />}
        columns={columns}
        widths={widths}
        minWidth={minWidth}
        height={headPx}
        sort={sort}
        onSort={props.onSort}
        onWidth={props.onWidth}
        onMove={props.onMoveColumn}
        all={all}
        some={some}
        onAll={(on) =>
          onSelect(
            on
              ? [...new Set([...selected, ...found.map((one) => one.key)])]
              : [...selected].filter((key) => !found.some((one) => one.key === key)),
          )
        }
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
