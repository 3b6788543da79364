import { Popover } from '@mantine/core';
import { IconStar, IconStarFilled, IconTags } from '@tabler/icons-react';
import {
  type CSSProperties,
  type DragEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
} from 'react';

import type { HistoryEntry } from '../../../core/history/history.ts';
import { fieldWords } from './entryWords.ts';
import styles from './history.module.css';
import type { HistoryColumn } from './historyColumns.tsx';
import type { Found, Hit } from './historyFilter.ts';

export interface RowActions {
  onClick: (key: string, event: MouseEvent) => void;
  onOpen: (entry: HistoryEntry) => void;
  onCheck: (key: string, on: boolean, range: boolean) => void;
  onFavourite: (entry: HistoryEntry) => void;
  onTag: (tag: string) => void;
  /** Opens or closes the tags of a row for editing; null = closed. */
  onEditTags: (key: string | null) => void;
  onDragStart: (key: string, event: DragEvent) => void;
}
interface Props {
  found: Found;
  index: number;
  columns: readonly HistoryColumn[];
  widths: Readonly<Record<string, number>>;
  top: number;
  height: number;
  selected: boolean;
  current: boolean;
  /** The editor of tags, where this row's are open. */ tagEditor: ReactNode;
  actions: RowActions;
}

/** Width of a column: the name takes what is left. */
export const columnStyle = (
  column: HistoryColumn,
  widths: Readonly<Record<string, number>>,
): CSSProperties => ({
  flex: `${column.id === 'name' ? 1 : 0} 0 ${widths[column.id] ?? column.width}px`,
  textAlign: column.align ?? 'left',
});

/** One run or study. Its controls are out of the tab order: the grid has the keys for each. */
export const HistoryRow = memo(function HistoryRow({
  found,
  index,
  columns,
  widths,
  top,
  height,
  selected,
  current,
  tagEditor,
  actions,
}: Props) {
  const { entry, key, hits } = found;
  const Star = entry.favourite ? IconStarFilled : IconStar;
  return (
    /* eslint-disable-next-line jsx-a11y/click-events-have-key-events,
       jsx-a11y/interactive-supports-focus -- keys belong to the grid, which holds the focus; a click
       is the pointer's way to the same */
    <div
      id={`history-row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-current={current || undefined}
      className={styles.row}
      style={{ top, height }}
      draggable
      onDragStart={(event) => actions.onDragStart(key, event)}
      onClick={(event) => actions.onClick(key, event)}
      onDoubleClick={() => actions.onOpen(entry)}
    >
      <div className={styles.cells} role="presentation">
        <div role="gridcell" className={styles.lead}>
          <input
            type="checkbox"
            tabIndex={-1}
            className={styles.check}
            aria-label={`Select ${entry.name}`}
            checked={selected}
            onClick={(event) => {
              event.stopPropagation();
              actions.onCheck(key, event.currentTarget.checked, event.shiftKey);
            }}
            onChange={() => undefined}
          />
          <button
            type="button"
            tabIndex={-1}
            className={styles.star}
            aria-pressed={entry.favourite}
            aria-label={`Favourite ${entry.name}`}
            onClick={(event) => {
              event.stopPropagation();
              actions.onFavourite(entry);
            }}
          >
            <Star size={15} aria-hidden />
          </button>
        </div>
        {columns.map((column) => (
          <div
            key={column.id}
            role="gridcell"
            className={styles.cell}
            style={columnStyle(column, widths)}
          >
            {column.id === 'tags' ? (
              <TagsCell entry={entry} rowKey={key} editor={tagEditor} actions={actions} />
            ) : (
              column.cell(entry)
            )}
          </div>
        ))}
      </div>
      {hits.length > 0 && (
        <div role="presentation" className={styles.hits}>
          {hits.map((hit) => (
            <HitText key={hit.field} hit={hit} />
          ))}
        </div>
      )}
    </div>
  );
});

/** Where a search was found, and what stands there. */
function HitText({ hit }: { hit: Hit }) {
  return (
    <span style={{ marginRight: 12 }}>
      {`${fieldWords[hit.field]}: `}
      {hit.snippet.map((part, i) =>
        part.hit ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
      )}
    </span>
  );
}

function TagsCell({
  entry,
  rowKey,
  editor,
  actions,
}: {
  entry: HistoryEntry;
  rowKey: string;
  editor: ReactNode;
  actions: RowActions;
}) {
  const open = editor !== null;
  const edge = useRef<HTMLButtonElement>(null);
  // The column may lie beyond the edge of the table: where its field opens has to be seen.
  useEffect(() => {
    if (open) edge.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  const button = (
    <button
      ref={edge}
      type="button"
      tabIndex={-1}
      className={styles.editTags}
      aria-label={`Edit tags of ${entry.name}`}
      aria-expanded={open}
      onClick={(event) => {
        event.stopPropagation();
        actions.onEditTags(open ? null : rowKey);
      }}
    >
      <IconTags size={14} aria-hidden />
    </button>
  );
  return (
    <div className={styles.tagsCell}>
      <div className={styles.tags} title={entry.tags.join(', ')}>
        {entry.tags.map((tag) => (
          <button
            key={tag}
            type="button"
            tabIndex={-1}
            className={styles.tag}
            aria-label={`Show what is tagged ${tag}`}
            onClick={(event) => {
              event.stopPropagation();
              actions.onTag(tag);
            }}
          >
            {tag}
          </button>
        ))}
      </div>
      {open ? (
        <Popover
          opened
          hideDetached={false}
          onDismiss={() => actions.onEditTags(null)}
          position="bottom-start"
          width={300}
          trapFocus
          returnFocus={false}
          shadow="md"
          transitionProps={{ duration: 0 }}
        >
          <Popover.Target>{button}</Popover.Target>
          <Popover.Dropdown
            aria-label={`Tags of ${entry.name}`}
            onClick={(event) => event.stopPropagation()}
          >
            {editor}
          </Popover.Dropdown>
        </Popover>
      ) : (
        button
      )}
    </div>
  );
}
