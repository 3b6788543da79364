import type { DragEvent } from 'react';
import { useNavigate } from 'react-router';

import { cleanFolder } from '../../../core/history/history.ts';
import { noFilter } from '../../engine/historyShown.ts';
import { moved, scrolled, sorted } from '../../engine/historyState.ts';
import { useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { EntryPreview } from './EntryPreview.tsx';
import { pathOf } from './entryWords.ts';
import styles from './history.module.css';
import { keyOf } from './historyData.ts';
import { HistoryTable } from './HistoryTable.tsx';
import { NoMatch } from './NoMatch.tsx';
import { PlacesPanel } from './PlacesPanel.tsx';
import { TagEditor } from './TagEditor.tsx';
import type { HistoryPageState } from './useHistoryPage.ts';

const dragType = 'application/x-tilebench-history';

/** Places, what is found there, and a preview of the row of the cursor. */
export function HistoryBody({ page }: { page: HistoryPageState }) {
  const { list, layout, views, inUse, actions, placeRef } = page;
  const onDrop = (folder: string | null, event: DragEvent): void => {
    const keys = event.dataTransfer.getData(dragType).split('\n');
    void actions.move(
      list.live.filter((one) => keys.includes(keyOf(one))),
      folder === null ? null : cleanFolder(folder),
    );
  };
  return (
    <div className={styles.body}>
      {layout.panels.places && (
        <PlacesPanel
          filter={list.filter}
          onFilter={list.onFilter}
          entries={list.live}
          deleted={list.deletedCount}
          tree={inUse.tree}
          closed={layout.closed}
          onClosed={layout.setClosed}
          views={views.views}
          onView={views.show}
          onRemoveView={views.remove}
          onDrop={onDrop}
        />
      )}
      <div className={styles.main} ref={placeRef}>
        <FoundEntries page={page} />
      </div>
      {layout.panels.preview && <CurrentPreview page={page} />}
    </div>
  );
}

/** What is found as a table, or why nothing is. */
function FoundEntries({ page }: { page: HistoryPageState }) {
  const { list, inDeleted, layout, fitted, selection, inUse, editing, actions } = page;
  const { filter, onFilter, found } = list;
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const { sort, currentKey, anchorKey, scrollTop } = useAppSelector((all) => all.history);
  if (found.length === 0)
    return (
      <NoMatch
        inDeleted={inDeleted}
        total={list.total}
        inArchive={list.inArchive}
        onClear={() => onFilter({ ...noFilter, place: filter.place })}
        onArchive={() => onFilter({ ...filter, place: 'archived' })}
      />
    );
  return (
    <HistoryTable
      found={found}
      columns={fitted.columns}
      widths={fitted.widths}
      copied={layout.columns}
      onWidth={layout.setWidth}
      onMoveColumn={layout.moveColumn}
      sort={sort}
      onSort={(next) => dispatch(sorted(next))}
      selected={selection.keys}
      onSelect={selection.select}
      currentKey={currentKey}
      anchorKey={anchorKey}
      onCurrent={(key, anchor) => dispatch(moved({ key, anchor }))}
      onOpen={(entry) => void navigate(pathOf(entry))}
      onFavourite={(entry) => void actions.favourite([entry])}
      onTag={(tag) => onFilter({ ...filter, tag })}
      editingTags={editing.tagsOf}
      onEditTags={editing.setTagsOf}
      tagEditor={(entry) => (
        <TagEditor entries={[entry]} known={inUse.tags} actions={actions} focused />
      )}
      onDragKeys={(keys, event) => {
        event.dataTransfer.setData(dragType, keys.join('\n'));
        event.dataTransfer.effectAllowed = 'move';
      }}
      scrollTop={scrollTop}
      onScrolled={(top) => dispatch(scrolled(top))}
    />
  );
}

function CurrentPreview({ page: { selection, editing } }: { page: HistoryPageState }) {
  const { current, currentKey, select } = selection;
  // The dialog is about the row of the preview, not about the selection.
  const openDialog = (dialog: 'tags' | 'folder'): void => {
    select([]);
    editing.setDialog(dialog);
  };
  return (
    <EntryPreview
      entry={current}
      editingNotes={editing.notesOf !== null && editing.notesOf === currentKey}
      onEditNotes={(on) => editing.setNotesOf(on ? currentKey : null)}
      onTags={() => openDialog('tags')}
      onFolder={() => openDialog('folder')}
    />
  );
}
