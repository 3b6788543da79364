import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';

import {
  columnsOf,
  deletedColumn,
  firstColumns,
  type HistoryColumn,
  moveColumn,
} from './historyColumns.tsx';

const stored = <T>(key: string, defaultValue: T) => ({
  key,
  defaultValue,
  getInitialValueInEffect: false,
});

/** Below it the table needs the place more, until somebody opens the preview. */
const roomForPreviewPx = 1_400;

/** What stands beside the table. */
export interface HistoryPanels {
  places: boolean;
  preview: boolean;
}

export interface HistoryLayout {
  /** As chosen; the time of deletion is none of them. */ columnIds: readonly string[];
  setColumnIds: (ids: string[]) => void;
  /** As shown. */ columns: readonly HistoryColumn[];
  moveColumn: (id: string, to: number) => void;
  /** In px, by column; the others have their first width. */
  widths: Readonly<Record<string, number>>;
  /** null = its first width again. */ setWidth: (id: string, px: number | null) => void;
  resetWidths: () => void;
  /** Paths of folders. */ closed: readonly string[];
  setClosed: (paths: string[]) => void;
  panels: HistoryPanels;
  setPanels: (panels: HistoryPanels) => void;
}

/** How this machine lays the history out: kept in the browser, not in the database. */
export function useHistoryLayout(inDeleted: boolean): HistoryLayout {
  const [columnIds, setColumnIds] = useLocalStorage<string[]>(
    stored('history.columns', firstColumns),
  );
  const [widths, setWidths] = useLocalStorage<Record<string, number>>(stored('history.widths', {}));
  const [closed, setClosed] = useLocalStorage<string[]>(stored('history.closed', []));
  const [panels, setPanels] = useLocalStorage<HistoryPanels>(
    stored('history.panels', { places: true, preview: window.innerWidth >= roomForPreviewPx }),
  );
  const columns = useMemo(
    () => [...columnsOf(columnIds), ...(inDeleted ? [deletedColumn] : [])],
    [columnIds, inDeleted],
  );
  return {
    columnIds,
    setColumnIds,
    columns,
    moveColumn: (id, to) => {
      if (id === deletedColumn.id) return;
      const ids = columnsOf(columnIds).map((column) => column.id);
      setColumnIds(moveColumn(ids, id, to));
    },
    widths,
    setWidth: (id, px) =>
      setWidths((now) => {
        const { [id]: _old, ...rest } = now;
        return px === null ? rest : { ...rest, [id]: px };
      }),
    resetWidths: () => setWidths({}),
    closed,
    setClosed,
    panels,
    setPanels,
  };
}
