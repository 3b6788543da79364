import type { HistoryView } from '../../../core/history/history.ts';
import { sorted } from '../../engine/historyState.ts';
import { useAppDispatch, useAppSelector } from '../../engine/store.ts';
import {
  useHistoryViewRemoveMutation,
  useHistoryViewSaveMutation,
  useHistoryViewsQuery,
} from './historyData.ts';
import { queryOf, shownOf } from './historyFilter.ts';
import type { HistoryLayout } from './useHistoryLayout.ts';
import type { HistoryList } from './useHistoryList.ts';

const noViews: readonly HistoryView[] = [];

export interface HistoryViews {
  views: readonly HistoryView[];
  /** Filter, columns and order of a view become those of the page. */
  show: (view: HistoryView) => void;
  /** Keeps those of the page; a view of this name is replaced. false where it was refused. */
  save: (name: string) => Promise<boolean>;
  remove: (view: HistoryView) => void;
}

/** Saved views: a filter with the columns and the order that belong to it. */
export function useHistoryViews(
  { filter, onFilter }: Pick<HistoryList, 'filter' | 'onFilter'>,
  { columnIds, setColumnIds }: Pick<HistoryLayout, 'columnIds' | 'setColumnIds'>,
): HistoryViews {
  const dispatch = useAppDispatch();
  const sort = useAppSelector((all) => all.history.sort);
  const { data: views = noViews } = useHistoryViewsQuery({});
  const [saveView] = useHistoryViewSaveMutation();
  const [removeView] = useHistoryViewRemoveMutation();
  return {
    views,
    show: (view) => {
      onFilter(shownOf(view.query));
      if (view.columns.length > 0) setColumnIds(view.columns);
      dispatch(sorted({ columnId: view.sort.by, descending: view.sort.descending }));
    },
    save: async (name) => {
      const id = views.find((one) => one.name === name)?.id ?? crypto.randomUUID();
      const { data } = await saveView({
        id,
        name,
        query: queryOf(filter),
        columns: [...columnIds],
        sort: { by: sort.columnId, descending: sort.descending },
      });
      return data !== undefined;
    },
    remove: (view) => void removeView({ id: view.id }),
  };
}
