import { useElementSize } from '@mantine/hooks';
import { type RefCallback, useMemo, useState } from 'react';

import type { HistoryEntry } from '../../../core/history/history.ts';
import { fitColumns, type FittedColumns } from './fitColumns.ts';
import { type FolderNode, folderPaths, folderTree } from './folders.ts';
import { tagsInUse } from './tagsInUse.ts';
import { useFilterAddress } from './useFilterAddress.ts';
import { type HistoryActions, useHistoryActions } from './useHistoryActions.tsx';
import { type HistoryLayout, useHistoryLayout } from './useHistoryLayout.ts';
import { type HistoryList, useHistoryList } from './useHistoryList.ts';
import { type HistorySelection, useHistorySelection } from './useHistorySelection.ts';
import { type HistoryViews, useHistoryViews } from './useHistoryViews.ts';

/** Folders, tags and profiles that occur in the history. */
export interface InUse {
  tree: readonly FolderNode[];
  /** Paths. */ folders: readonly string[];
  tags: readonly string[];
  profiles: readonly { id: string; name: string }[];
}

/** What is open for editing: a dialog about the targets, a field of one row, the menu of exports. */
export interface HistoryEditing {
  dialog: 'tags' | 'folder' | 'view' | 'purge' | null;
  setDialog: (dialog: HistoryEditing['dialog']) => void;
  /** Key of the row. */ tagsOf: string | null;
  setTagsOf: (key: string | null) => void;
  /** Key of the row. */ notesOf: string | null;
  setNotesOf: (key: string | null) => void;
  exportOpen: boolean;
  setExportOpen: (open: boolean) => void;
}

/** What the parts of the page share. */
export interface HistoryPageState {
  list: HistoryList;
  inDeleted: boolean;
  layout: HistoryLayout;
  /** The chosen columns as they fit beside what else stands there. */ fitted: FittedColumns;
  /** On what holds the table. */ placeRef: RefCallback<HTMLDivElement | null>;
  views: HistoryViews;
  selection: HistorySelection;
  inUse: InUse;
  editing: HistoryEditing;
  actions: HistoryActions;
}

const none: readonly HistoryEntry[] = [];
/** The border of the table and its bar for scrolling. */
const besideRowsPx = 17;

export function useHistoryPage(): HistoryPageState {
  const list = useHistoryList();
  useFilterAddress(list.filter, list.onFilter);
  const actions = useHistoryActions();
  const inDeleted = list.filter.place === 'deleted';
  const layout = useHistoryLayout(inDeleted);
  const { ref: placeRef, width: placePx } = useElementSize<HTMLDivElement>();
  const { columns, widths } = layout;
  const fitted = useMemo(
    () => fitColumns(columns, widths, list.entries ?? none, placePx - besideRowsPx),
    [columns, widths, list.entries, placePx],
  );
  const views = useHistoryViews(list, layout);
  const selection = useHistorySelection(list);
  const inUse = useInUse(list.live);
  const editing = useHistoryEditing();
  return {
    list,
    inDeleted,
    layout,
    fitted,
    placeRef,
    views,
    selection,
    inUse,
    editing,
    actions,
  };
}

function useInUse(live: readonly HistoryEntry[]): InUse {
  const tree = useMemo(() => folderTree(live), [live]);
  const folders = useMemo(() => folderPaths(tree), [tree]);
  const tags = useMemo(() => tagsInUse(live), [live]);
  const profiles = useMemo(() => {
    const byId = new Map<string, { id: string; name: string }>();
    for (const one of live)
      if (one.kind === 'run') byId.set(one.profileId, { id: one.profileId, name: one.profileName });
    return [...byId.values()];
  }, [live]);
  return { tree, folders, tags, profiles };
}

function useHistoryEditing(): HistoryEditing {
  const [dialog, setDialog] = useState<HistoryEditing['dialog']>(null);
  const [tagsOf, setTagsOf] = useState<string | null>(null);
  const [notesOf, setNotesOf] = useState<string | null>(null);
  const [exportOpen, setExportOpen] = useState(false);
  return {
    dialog,
    setDialog,
    tagsOf,
    setTagsOf,
    notesOf,
    setNotesOf,
    exportOpen,
    setExportOpen,
  };
}
