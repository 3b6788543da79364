import { ActionIcon, CloseButton, Group, Text } from '@mantine/core';
import {
  IconArchive,
  IconFilter,
  IconFolderOff,
  IconList,
  IconStack2,
  IconStar,
  IconTrash,
} from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';

import type { HistoryEntry, HistoryView } from '../../../core/history/history.ts';
import { type HistoryShown, noFilter, type Place } from '../../engine/historyShown.ts';
import { dim } from '../../kit/tones.ts';
import type { FolderNode } from './folders.ts';
import { FolderTree } from './FolderTree.tsx';
import styles from './history.module.css';

interface Props {
  filter: HistoryShown;
  onFilter: (filter: HistoryShown) => void;
  /** Not deleted. */ entries: readonly HistoryEntry[];
  deleted: number | null;
  tree: readonly FolderNode[];
  closed: readonly string[];
  onClosed: (paths: string[]) => void;
  views: readonly HistoryView[];
  onView: (view: HistoryView) => void;
  onRemoveView: (view: HistoryView) => void;
  onDrop: (folder: string | null, event: DragEvent) => void;
}
const placesShown = [
  ['inUse', 'In use', IconList],
  ['archived', 'Archived', IconArchive],
  ['all', 'Both', IconStack2],
  ['deleted', 'Deleted', IconTrash],
] as const;

/**
 * Beside the table: parts of the history, favourites, folders, saved views, each with how many lie
 * there.
 */
export function PlacesPanel({
  filter,
  onFilter,
  entries,
  deleted,
  tree,
  closed,
  onClosed,
  views,
  onView,
  onRemoveView,
  onDrop,
}: Props) {
  const inUse = entries.filter((one) => one.archivedAtMs === null);
  const counts: Readonly<Record<Place, number | null>> = {
    inUse: inUse.length,
    archived: entries.length - inUse.length,
    all: entries.length,
    deleted,
  };
  const place = (id: Place): void => onFilter({ ...noFilter, place: id, text: filter.text });
  const within =
    filter.place === 'archived'
      ? entries.filter((one) => one.archivedAtMs !== null)
      : filter.place === 'all'
        ? entries
        : inUse;
  return (
    <nav aria-label="Places" className={styles.side}>
      {placesShown.map(([id, label, Icon]) => (
        <button
          key={id}
          type="button"
          className={styles.place}
          aria-current={filter.place === id && !filter.favourite && filter.folder === null}
          onClick={() => place(id)}
        >
          <Icon size={15} aria-hidden style={{ flex: 'none' }} />
          <span className={styles.placeName}>{label}</span>
          <span className={styles.count}>{counts[id]?.toLocaleString('en') ?? ''}</span>
        </button>
      ))}
      <button
        type="button"
        className={styles.place}
        aria-current={filter.favourite}
        onClick={() =>
          onFilter({
            ...filter,
            place: filter.place === 'deleted' ? 'inUse' : filter.place,
            favourite: !filter.favourite,
          })
        }
      >
        <IconStar size={15} aria-hidden style={{ flex: 'none' }} />
        <span className={styles.placeName}>Favourites</span>
        <span className={styles.count}>
          {within.filter((one) => one.favourite).length.toLocaleString('en')}
        </span>
      </button>
      <h2 className={styles.sideTitle}>Folders</h2>
      {tree.length === 0 ? (
        <Text size="xs" c={dim} px={8}>
          No folders yet. M moves what is selected into one.
        </Text>
      ) : (
        <>
          <FolderTree
            nodes={tree}
            chosen={filter.folder}
            closed={closed}
            onClosed={onClosed}
            onDrop={onDrop}
            onChoose={(path) =>
              onFilter({
                ...filter,
                place: filter.place === 'deleted' ? 'inUse' : filter.place,
                folder: filter.folder === path ? null : path,
              })
            }
          />
          <NoFolder
            count={within.filter((one) => one.folder === null).length}
            chosen={filter.folder === ''}
            onChoose={() => onFilter({ ...filter, folder: filter.folder === '' ? null : '' })}
            onDrop={(event) => onDrop(null, event)}
          />
        </>
      )}
      <SavedViews views={views} onView={onView} onRemoveView={onRemoveView} />
    </nav>
  );
}

/** What lies in no folder; what is dropped on it is taken out of its own. */
function NoFolder({
  count,
  chosen,
  onChoose,
  onDrop,
}: {
  count: number;
  chosen: boolean;
  onChoose: () => void;
  onDrop: (event: DragEvent) => void;
}) {
  const [over, setOver] = useState(false);
  return (
    <button
      type="button"
      className={styles.place}
      aria-current={chosen}
      data-over={over || undefined}
      onClick={onChoose}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(event);
      }}
    >
      <IconFolderOff size={15} aria-hidden style={{ flex: 'none', marginLeft: 20 }} />
      <span className={styles.placeName}>In no folder</span>
      <span className={styles.count}>{count.toLocaleString('en')}</span>
    </button>
  );
}

function SavedViews({
  views,
  onView,
  onRemoveView,
}: Pick<Props, 'views' | 'onView' | 'onRemoveView'>) {
  return (
    <>
      {views.length > 0 && <h2 className={styles.sideTitle}>Views</h2>}
      {views.map((view) => (
        <Group key={view.id} gap={0} wrap="nowrap">
          <button type="button" className={styles.place} onClick={() => onView(view)}>
            <IconFilter size={15} aria-hidden style={{ flex: 'none' }} />
            <span className={styles.placeName} title={view.name}>
              {view.name}
            </span>
          </button>
          <CloseButton
            size="xs"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => onRemoveView(view)}
          />
        </Group>
      ))}
    </>
  );
}

/** Shows or hides a panel of the page. */
export function PanelToggle({
  label,
  shown,
  onShown,
  icon: Icon,
}: {
  label: string;
  shown: boolean;
  onShown: (shown: boolean) => void;
  icon: typeof IconList;
}) {
  return (
    <ActionIcon
      variant={shown ? 'light' : 'default'}
      size={30}
      aria-label={label}
      aria-pressed={shown}
      title={label}
      onClick={() => onShown(!shown)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
