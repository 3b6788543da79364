import { FolderDialog, PurgeDialog, TagDialog, ViewDialog } from './EntryDialogs.tsx';
import type { HistoryPageState } from './useHistoryPage.ts';

/** The dialog that is open, about what is selected. */
export function HistoryDialogs({ page }: { page: HistoryPageState }) {
  const { editing, selection, inUse, actions, views } = page;
  const { targets } = selection;
  const onClose = (): void => editing.setDialog(null);
  switch (editing.dialog) {
    case 'tags':
      return <TagDialog entries={targets} known={inUse.tags} actions={actions} onClose={onClose} />;
    case 'folder':
      return (
        <FolderDialog
          entries={targets}
          folders={inUse.folders}
          onMove={(folder) => void actions.move(targets, folder)}
          onClose={onClose}
        />
      );
    case 'view':
      return (
        <ViewDialog
          taken={views.views.map((one) => one.name)}
          onSave={views.save}
          onClose={onClose}
        />
      );
    case 'purge':
      return <PurgeDialog entries={targets} onPurge={actions.purge} onClose={onClose} />;
    case null:
      return null;
  }
}
