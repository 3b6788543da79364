import { IconChevronDown, IconChevronRight, IconFolder, IconFolderOpen } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';

import { type FolderNode, type FolderRow, folderRows } from './folders.ts';
import styles from './history.module.css';

interface Props {
  nodes: readonly FolderNode[];
  chosen: string | null;
  onChoose: (path: string) => void;
  closed: readonly string[];
  onClosed: (paths: string[]) => void;
  /** What is dragged falls into a folder. */ onDrop: (path: string, event: DragEvent) => void;
}

/**
 * Folders as a tree: arrows move, open and close, Enter chooses, what is dropped on one moves
 * there.
 */
export function FolderTree({ nodes, chosen, onChoose, closed, onClosed, onDrop }: Props) {
  const [focused, setFocused] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const rows = folderRows(nodes, new Set(closed));
  const here = rows.some((row) => row.node.path === focused)
    ? focused
    : (rows.find((row) => row.node.path === chosen)?.node.path ?? rows[0]?.node.path ?? null);
  const toggle = (path: string, open: boolean): void =>
    onClosed(open ? closed.filter((one) => one !== path) : [...closed, path]);
  const go = (path: string | null | undefined): void => {
    if (path == null) return;
    setFocused(path);
    list.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rows.findIndex((row) => row.node.path === here);
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
        go(rows[at + 1]?.node.path);
        break;
      case 'ArrowUp':
        go(rows[at - 1]?.node.path);
        break;
      case 'Home':
        go(rows[0]?.node.path);
        break;
      case 'End':
        go(rows.at(-1)?.node.path);
        break;
      case 'ArrowRight':
        if (row.open) go(rows[at + 1]?.node.path);
        else if (row.node.children.length > 0) toggle(row.node.path, true);
        break;
      case 'ArrowLeft':
        if (row.open) toggle(row.node.path, false);
        else go(row.parent);
        break;
      case 'Enter':
      case ' ':
        onChoose(row.node.path);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    /* eslint-disable-next-line jsx-a11y/interactive-supports-focus -- the items hold the focus, one
       of them is in the tab order */
    <div ref={list} role="tree" aria-label="Folders" onKeyDown={onKeyDown}>
      {rows.map((row) => {
        const { path } = row.node;
        return (
          <FolderItem
            key={path}
            row={row}
            chosen={path === chosen}
            inTabOrder={path === here}
            over={over === path}
            onOver={(on) => setOver(on ? path : null)}
            onFocus={() => setFocused(path)}
            onChoose={() => onChoose(path)}
            onToggle={() => toggle(path, !row.open)}
            onDrop={(event) => onDrop(path, event)}
          />
        );
      })}
    </div>
  );
}

function FolderItem({
  row: { node, level, open },
  chosen,
  inTabOrder,
  over,
  onOver,
  onFocus,
  onChoose,
  onToggle,
  onDrop,
}: {
  row: FolderRow;
  chosen: boolean;
  inTabOrder: boolean;
  /** Something is dragged over it. */ over: boolean;
  onOver: (over: boolean) => void;
  onFocus: () => void;
  onChoose: () => void;
  onToggle: () => void;
  onDrop: (event: DragEvent) => void;
}) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const Folder = open ? IconFolderOpen : IconFolder;
  return (
    <div
      role="treeitem"
      data-path={node.path}
      aria-level={level}
      aria-selected={chosen}
      aria-expanded={node.children.length > 0 ? open : undefined}
      aria-label={`${node.name}, ${node.count}`}
      tabIndex={inTabOrder ? 0 : -1}
      className={styles.place}
      style={{ paddingLeft: 8 + (level - 1) * 14 }}
      data-over={over || undefined}
      onFocus={onFocus}
      onClick={onChoose}
      onKeyDown={() => undefined}
      onDragOver={(event) => {
        event.preventDefault();
        onOver(true);
      }}
      onDragLeave={() => onOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        onOver(false);
        onDrop(event);
      }}
    >
      {node.children.length > 0 ? (
        <Chevron
          size={14}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        />
      ) : (
        <span style={{ width: 14 }} />
      )}
      <Folder size={15} aria-hidden style={{ flex: 'none' }} />
      <span className={styles.placeName} title={node.path}>
        {node.name}
      </span>
      <span className={styles.count}>{node.count.toLocaleString('en')}</span>
    </div>
  );
}
