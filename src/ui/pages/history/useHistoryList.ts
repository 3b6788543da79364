import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';

import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { HistoryEntry } from '../../../core/history/history.ts';
import { type HistoryShown } from '../../engine/historyShown.ts';
import { filtered } from '../../engine/historyState.ts';
import { useAppDispatch, useAppSelector } from '../../engine/store.ts';
import { sortEntries } from './historyColumns.tsx';
import {
  keyOf,
  useHistoryEntries,
  useHistoryFacetsQuery,
  useHistoryMatches,
} from './historyData.ts';
import { findEntries, type Found, indexEntries } from './historyFilter.ts';

const none: readonly HistoryEntry[] = [];
/** The engine is asked when the typing rests; the rows answer at each letter. */
const restMs = 150;
/**
 * Entry of the performance timeline that a bench or the browser's tools read: from a change of the
 * filter to the rows of its answer in the page.
 */
export const filterMeasure = 'history.filter';

export interface HistoryList {
  /** undefined while it is read. */ entries: readonly HistoryEntry[] | undefined;
  error: AppErrorShape | null;
  retry: () => void;
  /** Not deleted, whatever is shown. */ live: readonly HistoryEntry[];
  deletedCount: number | null;
  found: readonly Found[];
  /** Of the part of the history on show, without the filters. */ total: number;
  /** What the same words find in the archive; counted where nothing is shown. */ inArchive: number;
  searching: boolean;
  searchFailed: string | null;
  filter: HistoryShown;
  onFilter: (filter: HistoryShown) => void;
}

/**
 * The entries on show: filtered at each letter by what the rows say, then by what the engine finds
 * in notes and findings.
 */
export function useHistoryList(): HistoryList {
  const dispatch = useAppDispatch();
  const begun = useRef<number | null>(null);
  const { filter, sort } = useAppSelector((state) => state.history);
  const deleted = filter.place === 'deleted';
  const listed = useHistoryEntries(deleted);
  const live = useHistoryEntries(false).entries ?? none;
  const { data: facets } = useHistoryFacetsQuery({});
  const [rested] = useDebouncedValue(filter.text.trim(), restMs);
  const asked = rested === filter.text.trim() ? rested : '';
  const { matched, error: matchError } = useHistoryMatches(asked, deleted);
  const { entries } = listed;
  const indexed = useMemo(() => indexEntries(entries ?? none), [entries]);
  const found = useMemo(
    () => sortEntries(findEntries(indexed, filter, asked === '' ? null : matched), sort),
    [indexed, filter, asked, matched, sort],
  );
  const total = useMemo(
    () =>
      findEntries(
        indexed,
        {
          ...filter,
          text: '',
          kind: 'all',
          state: 'all',
          profileId: null,
          origin: 'all',
          compliance: 'all',
          tag: null,
          folder: null,
          favourite: false,
        },
        null,
      ).length,
    [indexed, filter],
  );
  const inArchive = useMemo(
    () =>
      found.length > 0 || filter.place !== 'inUse'
        ? 0
        : findEntries(indexed, { ...filter, place: 'archived' }, matched).length,
    [indexed, filter, matched, found],
  );
  useLayoutEffect(() => {
    const start = begun.current;
    begun.current = null;
    // Only a browser keeps a timeline; tests run without.
    if (start !== null && 'measure' in performance)
      performance.measure(filterMeasure, { start, detail: { shown: found.length, total } });
  }, [found, total]);
  const onFilter = useCallback(
    (next: HistoryShown): void => {
      begun.current = performance.now();
      dispatch(filtered(next));
    },
    [dispatch],
  );
  const looking = filter.text.trim() !== '';
  return {
    entries,
    error: listed.error,
    retry: listed.retry,
    live,
    deletedCount: facets?.deleted ?? null,
    found,
    total,
    inArchive,
    searching: looking && matched === null && matchError === null,
    searchFailed: looking && matchError !== null ? matchError.message : null,
    filter,
    onFilter,
  };
}

/** Entries by their keys, in the order of the keys; those that are gone are left out. */
export function useByKeys(
  entries: readonly HistoryEntry[] | undefined,
  keys: readonly string[],
): readonly HistoryEntry[] {
  const byKey = useMemo(
    () => new Map((entries ?? none).map((one) => [keyOf(one), one])),
    [entries],
  );
  return useMemo(() => keys.flatMap((key) => byKey.get(key) ?? []), [byKey, keys]);
}
