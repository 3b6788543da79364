import { Button, Group, Menu, Stack, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconDots, IconFolders, IconLayoutSidebarRight } from '@tabler/icons-react';
import { type DragEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { cleanFolder, type HistoryEntry, type HistoryView } from '../../../core/history/history.ts';
import { studyCompareAddress } from '../../../core/study/studyCurves.ts';
import { compareAddress } from '../../addresses/compareAddress.ts';
import { noFilter } from '../../engine/historyShown.ts';
import { moved, scrolled, selectedKeys, sorted } from '../../engine/historyState.ts';
import { useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { SimulatedMark } from '../../kit/SimulatedMark.tsx';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { FolderDialog, PurgeDialog, TagDialog, ViewDialog } from './EntryDialogs.tsx';
import { EntryPreview } from './EntryPreview.tsx';
import { pathOf } from './entryWords.ts';
import { folderPaths, folderTree } from './folders.ts';
import styles from './history.module.css';
import { columnsOf, deletedColumn, firstColumns, moveColumn } from './historyColumns.tsx';
import {
  keyOf,
  useHistoryViewRemoveMutation,
  useHistoryViewSaveMutation,
  useHistoryViewsQuery,
} from './historyData.ts';
import { queryOf, shownOf } from './historyFilter.ts';
import { HistoryFilters } from './HistoryFilters.tsx';
import { HistoryTable } from './HistoryTable.tsx';
import { PanelToggle, PlacesPanel } from './PlacesPanel.tsx';
import { compareFault, SelectionTray } from './SelectionTray.tsx';
import { StorageDrawer } from './StorageDrawer.tsx';
import { TagEditor } from './TagEditor.tsx';
import { tagsInUse } from './tagsInUse.ts';
import { undo } from './undo.ts';
import { UnreadableNotice } from './UnreadableNotice.tsx';
import { useExportSelected } from './useExportSelected.tsx';
import { useFilterAddress } from './useFilterAddress.ts';
import { useHistoryActions } from './useHistoryActions.tsx';
import { useByKeys, useHistoryList } from './useHistoryList.ts';

const dragType = 'application/x-tilebench-history';
const noViews: readonly HistoryView[] = [];
type Dialog = 'tags' | 'folder' | 'view' | 'purge';
const stored = <T,>(key: string, defaultValue: T) => ({
  key,
  defaultValue,
  getInitialValueInEffect: false,
});

/** Below it the table needs the place more, until somebody opens the preview. */
const roomForPreviewPx = 1_400;

/**
 * Every run and study: search, filter, order, choose, annotate, compare, export, put away. The
 * filter lives in the address; the page comes back as it was left.
 */
export function HistoryPage() {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [params, setParams] = useSearchParams();
  const state = useAppSelector((all) => all.history);
  const list = useHistoryList();
  const { filter, onFilter, found, live } = list;
  useFilterAddress(filter, onFilter);
  const actions = useHistoryActions();
  const exporting = useExportSelected();
  const { data: views = noViews } = useHistoryViewsQuery({});
  const [saveView] = useHistoryViewSaveMutation();
  const [removeView] = useHistoryViewRemoveMutation();
  const [columnIds, setColumnIds] = useLocalStorage<string[]>(
    stored('history.columns', firstColumns),
  );
  const [widths, setWidths] = useLocalStorage<Record<string, number>>(stored('history.widths', {}));
  const [closed, setClosed] = useLocalStorage<string[]>(stored('history.closed', []));
  const [panels, setPanels] = useLocalStorage(
    stored('history.panels', { places: true, preview: window.innerWidth >= roomForPreviewPx }),
  );
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [editingTags, setEditingTags] = useState<string | null>(null);
  const [editingNotes, setEditingNotes] = useState<string | null>(null);
  const [exportOpen, setExportOpen] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);

  const inDeleted = filter.place === 'deleted';
  const columns = useMemo(
    () => [...columnsOf(columnIds), ...(inDeleted ? [deletedColumn] : [])],
    [columnIds, inDeleted],
  );
  const chosen = useByKeys(list.entries, state.selected);
  const selected = useMemo(() => new Set(state.selected), [state.selected]);
  const shownKeys = useMemo(() => new Set(found.map((one) => one.key)), [found]);
  const current = found.find((one) => one.key === state.currentKey)?.entry;
  // Without a selection a command is about the row of the cursor.
  const targets: readonly HistoryEntry[] =
    chosen.length > 0 ? chosen : current === undefined ? [] : [current];
  const tree = useMemo(() => folderTree(live), [live]);
  const folders = useMemo(() => folderPaths(tree), [tree]);
  const tags = useMemo(() => tagsInUse(live), [live]);
  const profiles = useMemo(
    () => [
      ...new Map(
        live.flatMap((one) =>
          one.kind === 'run'
            ? [[one.profileId, { id: one.profileId, name: one.profileName }] as const]
            : [],
        ),
      ).values(),
    ],
    [live],
  );

  const select = useCallback((keys: readonly string[]) => dispatch(selectedKeys(keys)), [dispatch]);
  const open = (entry: HistoryEntry): void => void navigate(pathOf(entry));
  const compare = (): void => {
    if (targets.length === 0 || compareFault(targets) !== null) return;
    const ids = targets.map((one) => one.id);
    void navigate(
      targets[0]!.kind === 'study'
        ? studyCompareAddress(ids)
        : compareAddress(ids[0]!, ids.slice(1)),
    );
  };
  const withTargets = (act: () => void) => () => {
    if (targets.length > 0 && !inDeleted) act();
  };
  const editTags = (): void => {
    if (chosen.length === 0 && state.currentKey !== null && columns.some((c) => c.id === 'tags'))
      setEditingTags(state.currentKey);
    else setDialog('tags');
  };
  const put = (away: () => Promise<void>): void => {
    void away().then(() => select([]));
  };
  usePageCommands({
    'history.search': () => {
      searchRef.current?.focus();
      searchRef.current?.select();
    },
    'history.selectAll': () => select(found.map((one) => one.key)),
    'history.favourite': withTargets(() => void actions.favourite(targets)),
    'history.tags': withTargets(editTags),
    'history.folder': withTargets(() => setDialog('folder')),
    'history.notes': withTargets(() => {
      if (current === undefined) return;
      setPanels({ ...panels, preview: true });
      setEditingNotes(state.currentKey);
    }),
    'history.compare': compare,
    'history.export': withTargets(() => {
      if (chosen.length === 0 && current !== undefined) select([keyOf(current)]);
      setExportOpen(true);
    }),
    'history.archive': withTargets(() =>
      put(() => actions.archive(targets, !targets.every((one) => one.archivedAtMs !== null))),
    ),
    'history.delete': () => {
      if (targets.length === 0) return;
      if (inDeleted) {
        select(targets.map(keyOf));
        setDialog('purge');
      } else put(() => actions.remove(targets));
    },
    'history.undo': () => void undo(),
    'history.saveView': () => setDialog('view'),
  });
  const onView = (view: HistoryView): void => {
    onFilter(shownOf(view.query));
    if (view.columns.length > 0) setColumnIds(view.columns);
    dispatch(sorted({ columnId: view.sort.by, descending: view.sort.descending }));
  };
  const keepView = async (name: string): Promise<boolean> => {
    const id = views.find((one) => one.name === name)?.id ?? crypto.randomUUID();
    const { data } = await saveView({
      id,
      name,
      query: queryOf(filter),
      columns: columnIds,
      sort: { by: state.sort.columnId, descending: state.sort.descending },
    });
    return data !== undefined;
  };
  const onDrop = (folder: string | null, event: DragEvent): void => {
    const keys = event.dataTransfer.getData(dragType).split('\n');
    void actions.move(
      live.filter((one) => keys.includes(keyOf(one))),
      folder === null ? null : cleanFolder(folder),
    );
  };
  const columnMoved = (id: string, to: number): void => {
    if (id !== deletedColumn.id)
      setColumnIds(
        moveColumn(
          columnsOf(columnIds).map((c) => c.id),
          id,
          to,
        ),
      );
  };

  if (list.entries === undefined)
    return list.error ? (
      <Failure title="The history cannot be read" error={list.error} onRetry={list.retry} />
    ) : (
      <Pending label="history" rows={12} />
    );
  const empty = live.length === 0 && !inDeleted && (list.deletedCount ?? 0) === 0;
  return (
    <div className={styles.page}>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <Title order={1}>History</Title>
          <SimulatedMark />
        </Group>
        {!empty && (
          <Group gap={6}>
            <PanelToggle
              label="Places"
              icon={IconFolders}
              shown={panels.places}
              onShown={(places) => setPanels({ ...panels, places })}
            />
            <PanelToggle
              label="Preview panel"
              icon={IconLayoutSidebarRight}
              shown={panels.preview}
              onShown={(preview) => setPanels({ ...panels, preview })}
            />
            <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
              <Menu.Target>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconDots size={14} aria-hidden />}
                >
                  More
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => setDialog('view')}>Save filters as view…</Menu.Item>
                <Menu.Item
                  onClick={() =>
                    setParams((now) => {
                      now.set('storage', '1');
                      return now;
                    })
                  }
                >
                  Storage and retention…
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        )}
      </Group>
      <UnreadableNotice />
      {empty ? (
        <Nothing
          text="No runs yet. Every run and study that starts is kept here with its score, charts and set-up."
          action={
            <Button size="xs" onClick={() => void navigate('/plans')}>
              Choose a plan
            </Button>
          }
        />
      ) : (
        <>
          <HistoryFilters
            filter={filter}
            onFilter={onFilter}
            searchRef={searchRef}
            profiles={profiles}
            tags={tags}
            shown={found.length}
            total={list.total}
            searching={list.searching}
            searchFailed={list.searchFailed}
          >
            <ColumnsMenu
              columns={columnIds}
              onColumns={setColumnIds}
              onFirstWidths={() => setWidths({})}
            />
          </HistoryFilters>
          {list.error && (
            <Failure
              title="The history may be out of date"
              error={list.error}
              onRetry={list.retry}
            />
          )}
          <div className={styles.body}>
            {panels.places && (
              <PlacesPanel
                filter={filter}
                onFilter={onFilter}
                entries={live}
                deleted={list.deletedCount}
                tree={tree}
                closed={closed}
                onClosed={setClosed}
                views={views}
                onView={onView}
                onRemoveView={(view) => void removeView({ id: view.id })}
                onDrop={onDrop}
              />
            )}
            <div className={styles.main}>
              {found.length === 0 ? (
                <NoMatch
                  inDeleted={inDeleted}
                  total={list.total}
                  inArchive={list.inArchive}
                  onClear={() => onFilter({ ...noFilter, place: filter.place })}
                  onArchive={() => onFilter({ ...filter, place: 'archived' })}
                />
              ) : (
                <HistoryTable
                  found={found}
                  columns={columns}
                  widths={widths}
                  onWidth={(id, px) =>
                    setWidths((now) => {
                      const { [id]: _old, ...rest } = now;
                      return px === null ? rest : { ...rest, [id]: px };
                    })
                  }
                  onMoveColumn={columnMoved}
                  sort={state.sort}
                  onSort={(sort) => dispatch(sorted(sort))}
                  selected={selected}
                  onSelect={select}
                  currentKey={state.currentKey}
                  anchorKey={state.anchorKey}
                  onCurrent={(key, anchor) => dispatch(moved({ key, anchor }))}
                  onOpen={open}
                  onFavourite={(entry) => void actions.favourite([entry])}
                  onTag={(tag) => onFilter({ ...filter, tag })}
                  editingTags={editingTags}
                  onEditTags={setEditingTags}
                  tagEditor={(entry) => (
                    <TagEditor entries={[entry]} known={tags} actions={actions} focused />
                  )}
                  onDragKeys={(keys, event) => {
                    event.dataTransfer.setData(dragType, keys.join('\n'));
                    event.dataTransfer.effectAllowed = 'move';
                  }}
                  scrollTop={state.scrollTop}
                  onScrolled={(top) => dispatch(scrolled(top))}
                />
              )}
            </div>
            {panels.preview && (
              <EntryPreview
                entry={current}
                editingNotes={editingNotes !== null && editingNotes === state.currentKey}
                onEditNotes={(editing) => setEditingNotes(editing ? state.currentKey : null)}
                onTags={() => {
                  select([]);
                  setDialog('tags');
                }}
                onFolder={() => {
                  select([]);
                  setDialog('folder');
                }}
              />
            )}
          </div>
          {exporting.progress}
          {exporting.dialog}
          <SelectionTray
            entries={chosen}
            hidden={chosen.filter((one) => !shownKeys.has(keyOf(one))).length}
            inDeleted={inDeleted}
            exporting={exporting.busy}
            exportOpen={exportOpen}
            onExportOpen={setExportOpen}
            actions={{
              onClear: () => select([]),
              onDrop: (entry) => select(state.selected.filter((key) => key !== keyOf(entry))),
              onCompare: compare,
              onTags: () => setDialog('tags'),
              onFolder: () => setDialog('folder'),
              onFavourite: () => void actions.favourite(chosen),
              onArchive: (archived) => put(() => actions.archive(chosen, archived)),
              onRemove: () => put(() => actions.remove(chosen)),
              onRestore: () => put(() => actions.restore(chosen)),
              onPurge: () => setDialog('purge'),
              onExport: (choice, redact) => void exporting.start(chosen, choice, redact),
            }}
          />
        </>
      )}
      {dialog === 'tags' && (
        <TagDialog
          entries={targets}
          known={tags}
          actions={actions}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'folder' && (
        <FolderDialog
          entries={targets}
          folders={folders}
          onMove={(folder) => void actions.move(targets, folder)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'view' && (
        <ViewDialog
          taken={views.map((one) => one.name)}
          onSave={keepView}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'purge' && (
        <PurgeDialog entries={targets} onPurge={actions.purge} onClose={() => setDialog(null)} />
      )}
      {params.has('storage') && (
        <StorageDrawer
          onClose={() =>
            setParams(
              (now) => {
                now.delete('storage');
                return now;
              },
              { replace: true },
            )
          }
        />
      )}
    </div>
  );
}

/** Why the table is empty, and the next step. */
function NoMatch({
  inDeleted,
  total,
  inArchive,
  onClear,
  onArchive,
}: {
  inDeleted: boolean;
  total: number;
  inArchive: number;
  onClear: () => void;
  onArchive: () => void;
}) {
  if (total === 0)
    return (
      <Nothing
        text={
          inDeleted
            ? 'Nothing lies in Deleted. What is deleted stays here until it is removed for good.'
            : 'Nothing here.'
        }
        action={
          <Button size="xs" variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  return (
    <Stack gap={0}>
      <Nothing
        text="Nothing matches the filters."
        action={
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={onClear}>
              Show everything here
            </Button>
            {inArchive > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={onArchive}
              >{`${inArchive} in the archive`}</Button>
            )}
          </Group>
        }
      />
    </Stack>
  );
}
