import { Button, Group, Menu, Title } from '@mantine/core';
import { IconDots, IconFolders, IconLayoutSidebarRight } from '@tabler/icons-react';
import { type RefObject, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

import { Failure, Nothing, Pending } from '../../kit/LoadState.tsx';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import styles from './history.module.css';
import { HistoryBody } from './HistoryBody.tsx';
import { HistoryDialogs } from './HistoryDialogs.tsx';
import { HistoryFilters } from './HistoryFilters.tsx';
import { PanelToggle } from './PlacesPanel.tsx';
import { SelectionTray } from './SelectionTray.tsx';
import { StorageDrawer } from './StorageDrawer.tsx';
import { UnreadableNotice } from './UnreadableNotice.tsx';
import { type SelectedExport, useExportSelected } from './useExportSelected.tsx';
import { useHistoryCommands } from './useHistoryCommands.ts';
import { type HistoryPageState, useHistoryPage } from './useHistoryPage.ts';

/**
 * Every run and study, those that go on among them: search, filter, order, choose, annotate,
 * compare, export, put away. The
 * filter lives in the address; the page comes back as it was left.
 */
export function HistoryPage() {
  const [params, setParams] = useSearchParams();
  const page = useHistoryPage();
  const searchRef = useRef<HTMLInputElement>(null);
  useHistoryCommands(page, searchRef);
  const { list, inDeleted } = page;
  const empty =
    list.entries !== undefined &&
    list.live.length === 0 &&
    !inDeleted &&
    (list.deletedCount ?? 0) === 0;
  return (
    <div className={styles.page}>
      <Group gap="sm" justify="space-between">
        <Title order={1}>Runs</Title>
        {list.entries !== undefined && !empty && <PageTools page={page} />}
      </Group>
      {list.entries === undefined ? (
        list.error ? (
          <Failure title="The history cannot be read" error={list.error} onRetry={list.retry} />
        ) : (
          <Pending label="history" rows={12} />
        )
      ) : empty ? (
        <NoneYet />
      ) : (
        <Kept page={page} searchRef={searchRef} />
      )}
      <HistoryDialogs page={page} />
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

function NoneYet() {
  const navigate = useNavigate();
  return (
    <>
      <UnreadableNotice />
      <Nothing
        text="No runs yet. A launched plan appears here with its phase and time left; every run and study is kept here with its score, charts and set-up."
        action={
          <Button size="xs" onClick={() => void navigate('/plans')}>
            Choose a plan
          </Button>
        }
      />
    </>
  );
}

/** What is kept: filters, the table with what stands beside it, and what is selected. */
function Kept({
  page,
  searchRef,
}: {
  page: HistoryPageState;
  searchRef: RefObject<HTMLInputElement | null>;
}) {
  const exporting = useExportSelected();
  const { list } = page;
  return (
    <>
      <UnreadableNotice />
      <Filters page={page} searchRef={searchRef} />
      {list.error && (
        <Failure title="The history may be out of date" error={list.error} onRetry={list.retry} />
      )}
      <HistoryBody page={page} />
      {exporting.progress}
      {exporting.dialog}
      <Selected page={page} exporting={exporting} />
    </>
  );
}

/** Which panels stand beside the table, and what concerns the whole history. */
function PageTools({ page: { layout, fitted, editing } }: { page: HistoryPageState }) {
  const [, setParams] = useSearchParams();
  const { panels, setPanels } = layout;
  return (
    <Group gap={6}>
      <ColumnsMenu
        columns={layout.columnIds}
        leftOut={fitted.leftOut}
        onColumns={layout.setColumnIds}
        onFirstWidths={layout.resetWidths}
      />
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
          <Button size="xs" variant="default" leftSection={<IconDots size={14} aria-hidden />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => editing.setDialog('view')}>Save filters as view…</Menu.Item>
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
  );
}

function Filters({
  page: { list, inUse },
  searchRef,
}: {
  page: HistoryPageState;
  searchRef: RefObject<HTMLInputElement | null>;
}) {
  return (
    <HistoryFilters
      filter={list.filter}
      onFilter={list.onFilter}
      searchRef={searchRef}
      profiles={inUse.profiles}
      tags={inUse.tags}
      shown={list.found.length}
      total={list.total}
      searching={list.searching}
      searchFailed={list.searchFailed}
    />
  );
}

/** The tray of what is selected. */
function Selected({ page, exporting }: { page: HistoryPageState; exporting: SelectedExport }) {
  const { inDeleted, selection, editing, actions } = page;
  const { chosen, clearAfter } = selection;
  return (
    <SelectionTray
      entries={chosen}
      hidden={selection.hidden}
      inDeleted={inDeleted}
      exporting={exporting.busy}
      exportOpen={editing.exportOpen}
      onExportOpen={editing.setExportOpen}
      actions={{
        onClear: () => selection.select([]),
        onDrop: selection.deselect,
        onCompare: selection.compare,
        onTags: () => editing.setDialog('tags'),
        onFolder: () => editing.setDialog('folder'),
        onFavourite: () => void actions.favourite(chosen),
        onArchive: (archived) => clearAfter(actions.archive(chosen, archived)),
        onRemove: () => clearAfter(actions.remove(chosen)),
        onRestore: () => clearAfter(actions.restore(chosen)),
        onPurge: () => editing.setDialog('purge'),
        onExport: (choice, redact) => void exporting.start(chosen, choice, redact),
      }}
    />
  );
}
