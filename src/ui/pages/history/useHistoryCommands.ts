import type { RefObject } from 'react';

import { usePageCommands } from '../../kit/pageCommands.ts';
import { keyOf } from './historyData.ts';
import { undo } from './undo.ts';
import type { HistoryPageState } from './useHistoryPage.ts';

/** Commands of the history, by key, palette and menu: about the selection, or the cursor's row. */
export function useHistoryCommands(
  { list, inDeleted, layout, selection, editing, actions }: HistoryPageState,
  searchRef: RefObject<HTMLInputElement | null>,
): void {
  const { targets, chosen, current, currentKey, select } = selection;
  const withTargets = (act: () => void) => () => {
    if (targets.length > 0 && !inDeleted) act();
  };
  const editTags = (): void => {
    const inRow = layout.columns.some((column) => column.id === 'tags');
    if (chosen.length === 0 && currentKey !== null && inRow) editing.setTagsOf(currentKey);
    else editing.setDialog('tags');
  };
  usePageCommands({
    'history.search': () => {
      searchRef.current?.focus();
      searchRef.current?.select();
    },
    'history.selectAll': () => select(list.found.map((one) => one.key)),
    'history.favourite': withTargets(() => void actions.favourite(targets)),
    'history.tags': withTargets(editTags),
    'history.folder': withTargets(() => editing.setDialog('folder')),
    'history.notes': withTargets(() => {
      if (current === undefined) return;
      layout.setPanels({ ...layout.panels, preview: true });
      editing.setNotesOf(currentKey);
    }),
    'history.compare': selection.compare,
    'history.export': withTargets(() => {
      if (chosen.length === 0 && current !== undefined) select([keyOf(current)]);
      editing.setExportOpen(true);
    }),
    'history.archive': withTargets(() => {
      const archived = targets.every((one) => one.archivedAtMs !== null);
      selection.clearAfter(actions.archive(targets, !archived));
    }),
    'history.delete': () => {
      if (targets.length === 0) return;
      if (inDeleted) {
        select(targets.map(keyOf));
        editing.setDialog('purge');
      } else selection.clearAfter(actions.remove(targets));
    },
    'history.undo': () => void undo(),
    'history.saveView': () => editing.setDialog('view'),
  });
}
