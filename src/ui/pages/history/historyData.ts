import type { BaseQueryFn } from '@reduxjs/toolkit/query/react';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useMemo } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type {
  HistoryEntry,
  HistoryItem,
  HistoryMatch,
  RetentionPreview,
  RetentionRule,
} from '../../../core/history/history.ts';
import type { Input, MethodName, Output } from '../../../wire/contract.ts';
import { api } from '../../engine/api.ts';

/** As many entries as the contract gives at once: the page holds them all and filters by itself. */
const everything = 10_000;
type Call =
  BaseQueryFn<{ method: MethodName; input: unknown }, unknown, AppErrorShape> extends (
    arg: infer A,
    ...rest: never[]
  ) => unknown
    ? A
    : never;
const ask =
  <M extends MethodName>(method: M) =>
  (input: Input<M>): Call => ({ method, input });

const historyApi = api.injectEndpoints({
  endpoints: (build) => {
    const query = <M extends MethodName>(
      method: M,
      tags: ('history' | 'historyViews' | 'runs' | 'studies')[],
    ) => build.query<Output<M>, Input<M>>({ query: ask(method), providesTags: tags });
    const mutation = <M extends MethodName>(
      method: M,
      tags: ('history' | 'historyViews' | 'runs' | 'studies')[],
    ) => build.mutation<Output<M>, Input<M>>({ query: ask(method), invalidatesTags: tags });
    return {
      historyList: query('history.list', ['history', 'runs', 'studies']),
      historyFacets: query('history.facets', ['history', 'runs', 'studies']),
      historyUnreadable: query('history.unreadable', ['history', 'runs', 'studies']),
      historyNotes: query('history.notes', ['history']),
      historyStorage: query('history.storage', ['history']),
      historyRule: query('history.retention.get', ['history']),
      historyRulePreview: query('history.retention.preview', ['history']),
      historyViews: query('history.views.list', ['historyViews']),
      historyAnnotate: mutation('history.annotate', ['history']),
      historyArchive: mutation('history.archive', ['history']),
      historyDelete: mutation('history.delete', ['history', 'runs', 'studies']),
      historyRestore: mutation('history.restore', ['history', 'runs', 'studies']),
      historyPurge: mutation('history.purge', ['history', 'runs', 'studies']),
      historyRuleSet: mutation('history.retention.set', ['history']),
      historyViewSave: mutation('history.views.save', ['historyViews']),
      historyViewRemove: mutation('history.views.remove', ['historyViews']),
    };
  },
});
export const {
  useHistoryUnreadableQuery,
  useHistoryFacetsQuery,
  useHistoryStorageQuery,
  useHistoryRuleQuery,
  useHistoryViewsQuery,
  useHistoryRuleSetMutation,
  useHistoryViewSaveMutation,
  useHistoryViewRemoveMutation,
  useHistoryAnnotateMutation,
  useHistoryArchiveMutation,
  useHistoryDeleteMutation,
  useHistoryRestoreMutation,
  useHistoryPurgeMutation,
} = historyApi;

/** Entries are told apart by kind and id: a run and a study may have the same id. */
export const keyOf = ({ kind, id }: HistoryItem): string => `${kind} ${id}`;
export const itemOf = ({ kind, id }: HistoryItem): HistoryItem => ({ kind, id });

export interface Listed {
  entries: readonly HistoryEntry[] | undefined;
  error: AppErrorShape | null;
  retry: () => void;
}

/**
 * Every run and study: what is in use, or what lies in Deleted. Asked again by itself when the
 * engine says that something changed.
 */
export function useHistoryEntries(deleted: boolean): Listed {
  const { currentData, error, refetch } = historyApi.useHistoryListQuery({
    archived: 'both',
    deleted,
    limit: everything,
  });
  return useMemo(
    () => ({
      entries: currentData?.entries,
      error: (error as AppErrorShape | undefined) ?? null,
      retry: () => void refetch(),
    }),
    [currentData, error, refetch],
  );
}

/** One entry by kind and id, from the list that the history holds. */
export function useHistoryEntry({ kind, id }: HistoryItem): HistoryEntry | undefined {
  const { entry } = historyApi.useHistoryListQuery(
    { archived: 'both', deleted: false, limit: everything },
    {
      selectFromResult: ({ data }) => ({
        entry: data?.entries.find((one) => one.kind === kind && one.id === id),
      }),
    },
  );
  return entry;
}

/**
 * Where the engine finds a text: in notes, findings and everything else that is not in the rows.
 * null while it looks.
 */
export function useHistoryMatches(
  text: string,
  deleted: boolean,
): { matched: ReadonlyMap<string, HistoryMatch> | null; error: AppErrorShape | null } {
  const asked = text.trim();
  const { currentData, error } = historyApi.useHistoryListQuery(
    asked === '' ? skipToken : { text: asked, archived: 'both', deleted, limit: everything },
  );
  return useMemo(
    () => ({
      matched:
        currentData === undefined
          ? null
          : new Map(currentData.matched.map((one) => [keyOf(one), one])),
      error: (error as AppErrorShape | undefined) ?? null,
    }),
    [currentData, error],
  );
}

export function useHistoryNotes(
  item: HistoryItem,
  skip = false,
): {
  markdown: string | undefined;
  changedAtMs: number | null;
  error: AppErrorShape | null;
  retry: () => void;
} {
  const { currentData, error, refetch } = historyApi.useHistoryNotesQuery(
    skip ? skipToken : itemOf(item),
  );
  return {
    markdown: currentData?.markdown,
    changedAtMs: currentData?.changedAtMs ?? null,
    error: (error as AppErrorShape | undefined) ?? null,
    retry: () => void refetch(),
  };
}

/** What a rule would remove now; the draft of a rule may be asked about before it is kept. */
export function useRulePreview(rule: RetentionRule | null): {
  preview: RetentionPreview | undefined;
  error: AppErrorShape | null;
  retry: () => void;
} {
  const { currentData, error, refetch } = historyApi.useHistoryRulePreviewQuery(
    rule === null ? skipToken : { rule },
  );
  return {
    preview: currentData,
    error: (error as AppErrorShape | undefined) ?? null,
    retry: () => void refetch(),
  };
}
