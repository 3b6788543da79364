import { useCallback, useEffect, useMemo, useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import type { SeriesData, SeriesDef } from '../../../core/metric/metric.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { chartLine, type FastPace, fastPace } from '../../charts/chartLine.ts';
import type { ChartEvent, ChartPhase } from '../../charts/draw.ts';
import type { ChartFeed } from '../../charts/useChart.ts';
import { useEngineRate } from '../../engine/engineTime.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import { type ChartSeries, type SeriesSource, storedSource } from '../../engine/series.ts';
import { useClient } from '../../engine/services.ts';
import { useSame } from '../../kit/useSame.ts';
import { runMarks, runOrigin, runPhases } from './boardModel.ts';
import type { ShownChart } from './boardTargets.ts';

export type LoadSeries = (seriesIds: readonly number[]) => Promise<readonly SeriesData[]>;

/** Where the samples of a run come from. Keep the identity of `live` and `load`. */
export type LinesFrom =
  /** What arrives; `paced`: now, under the engine's clock, and not played again. */
  | { live: LiveFeed; paced: boolean; load?: undefined }
  /** The store, asked once. */
  | { load: LoadSeries | undefined; live?: undefined; paced?: undefined };

type Lined = Pick<ShownChart, 'defs' | 'labels'>;

/** What every chart of one run shares, and its lines; the same object while nothing changed. */
export interface RunLines {
  /** The lines of a chart; the same array for the same chart, so that nothing is drawn anew. */
  linesOf: (chart: Lined) => readonly ChartSeries[];
  sourceOf: (seriesId: number) => SeriesSource;
  /** How late a fresh sample may be, beyond what its series says. */
  slackMs: number;
  originMs: number;
  phases: readonly ChartPhase[];
  events: readonly ChartEvent[];
  feed: ChartFeed | undefined;
  loading: boolean;
  error: AppErrorShape | null;
  retry: () => void;
}

/**
 * The lines of a run's charts, wherever they are drawn: board, detached window, presenter, study,
 * diagnosis. `defs`: all series that are drawn; keep their identity.
 */
export function useRunLines(
  overview: RunOverview,
  defs: readonly SeriesDef[],
  { live, paced = false, load }: LinesFrom,
): RunLines {
  const { id } = overview;
  const originMs = runOrigin(overview);
  const phases = useSame(runPhases(overview, originMs));
  const events = useSame(runMarks(overview, originMs));
  const {
    sourceOf: storedOf,
    loading,
    error,
    retry,
  } = useStoredSources(defs, live === undefined ? load : undefined);
  // Charts are made before the connection has told the live store which series there are.
  const periods = useMemo(() => new Map(defs.map((d) => [d.id, d.periodMs])), [defs]);
  const sourceOf = useCallback(
    (seriesId: number): SeriesSource =>
      live === undefined ? storedOf(seriesId) : live.source(id, seriesId, periods.get(seriesId)),
    [live, id, storedOf, periods],
  );
  const feed = useMemo<ChartFeed | undefined>(
    () => (live === undefined ? undefined : (listener) => live.subscribe(id, listener)),
    [live, id],
  );
  const rate = useEngineRate();
  const pace = useMemo(() => (paced ? fastPace(rate) : null), [paced, rate]);
  const slackMs = pace?.slackMs ?? 0;
  const linesOf = useMemo(() => createLines(originMs, sourceOf, pace), [originMs, sourceOf, pace]);
  return useMemo(
    () => ({ linesOf, sourceOf, slackMs, originMs, phases, events, feed, loading, error, retry }),
    [linesOf, sourceOf, slackMs, originMs, phases, events, feed, loading, error, retry],
  );
}

/** The lines of each chart, made once. */
function createLines(
  originMs: number,
  sourceOf: RunLines['sourceOf'],
  pace: FastPace | null,
): RunLines['linesOf'] {
  const held = new WeakMap<Lined, readonly ChartSeries[]>();
  return (chart) => {
    const lines =
      held.get(chart) ??
      chart.defs.map((def, place) => {
        const label = chart.labels?.[place];
        return chartLine(def, {
          source: sourceOf(def.id),
          originMs,
          place,
          pace,
          of: label === undefined ? undefined : { kind: 'measure', label },
        });
      });
    held.set(chart, lines);
    return lines;
  };
}

/** Reads series of a run from the store; null = no run yet, which has none. */
export function useStoredSamples(runId: string | null): LoadSeries {
  const client = useClient();
  return useCallback(
    async (seriesIds) =>
      runId === null || seriesIds.length === 0
        ? []
        : client.call('run.samples', { runId, seriesIds: [...seriesIds] }),
    [client, runId],
  );
}

const emptySource = storedSource({ tMs: new Float64Array(0), value: new Float64Array(0) }, 1_000);

export type StoredSources = Pick<RunLines, 'sourceOf' | 'loading' | 'error' | 'retry'>;

/** The series read from the store, once; `load` undefined = none is read. */
export function useStoredSources(
  defs: readonly SeriesDef[],
  load: LoadSeries | undefined,
): StoredSources {
  const [stored, setStored] = useState<{
    load: LoadSeries;
    defs: readonly SeriesDef[];
    sources: Map<number, SeriesSource> | null;
    error: AppErrorShape | null;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (load === undefined) return undefined;
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
  }, [load, defs, attempt]);
  const shown = stored !== null && stored.load === load && stored.defs === defs ? stored : null;
  const retry = useCallback(() => {
    setStored(null);
    setAttempt((n) => n + 1);
  }, []);
  const sources = shown?.sources ?? null;
  const sourceOf = useCallback(
    (seriesId: number) => sources?.get(seriesId) ?? emptySource,
    [sources],
  );
  return {
    sourceOf,
    loading: load !== undefined && shown === null,
    error: shown?.error ?? null,
    retry,
  };
}
