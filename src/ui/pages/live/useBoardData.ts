import { useCallback, useEffect, useMemo, useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { SeriesData, SeriesDef } from '../../../core/metric/metric.ts';
import type { ChartFeed } from '../../charts/useChart.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import { type SeriesSource, storedSource } from '../../engine/series.ts';

export type LoadSeries = (seriesIds: readonly number[]) => Promise<readonly SeriesData[]>;
export interface BoardData {
  sourceOf: (seriesId: number) => SeriesSource;
  feed: ChartFeed | undefined;
  loading: boolean;
  error: AppErrorShape | null;
  retry: () => void;
}

const emptySource = storedSource({ tMs: new Float64Array(0), value: new Float64Array(0) }, 1_000);

/** Where the board's lines come from: the live store, or `load` once. */
export function useBoardData(
  runId: string,
  defs: readonly SeriesDef[],
  live: LiveFeed | null,
  load: LoadSeries | undefined,
): BoardData {
  const [stored, setStored] = useState<{
    load: LoadSeries;
    defs: readonly SeriesDef[];
    sources: Map<number, SeriesSource> | null;
    error: AppErrorShape | null;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (live !== null || load === undefined) return undefined;
    let current = true;
    load(defs.map((d) => d.id)).then(
      (list) => {
        const periods = new Map(defs.map((d) => [d.id, d.periodMs]));
        if (current)
          setStored({
            load,
            defs,
            sources: new Map(
              list.map((s) => [s.seriesId, storedSource(s, periods.get(s.seriesId) ?? 1_000)]),
            ),
            error: null,
          });
      },
      (thrown: unknown) => {
        if (current) setStored({ load, defs, sources: null, error: toAppError(thrown).toShape() });
      },
    );
    return () => {
      current = false;
    };
  }, [live, load, defs, attempt]);
  const feed = useMemo<ChartFeed | undefined>(
    () => (live === null ? undefined : (listener) => live.subscribe(runId, listener)),
    [live, runId],
  );
  const shown = stored !== null && stored.load === load && stored.defs === defs ? stored : null;
  const sources = shown?.sources ?? null;
  // Charts are made before the connection has told the live store which series there are.
  const periods = useMemo(() => new Map(defs.map((d) => [d.id, d.periodMs])), [defs]);
  const sourceOf = useCallback(
    (id: number): SeriesSource =>
      live === null ? (sources?.get(id) ?? emptySource) : live.source(runId, id, periods.get(id)),
    [live, runId, sources, periods],
  );
  const retry = useCallback(() => {
    setStored(null);
    setAttempt((n) => n + 1);
  }, []);
  return {
    sourceOf,
    feed,
    loading: live === null && load !== undefined && shown === null,
    error: shown?.error ?? null,
    retry,
  };
}
