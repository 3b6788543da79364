import {
  forEachSample,
  type SampleBatch,
  type SeriesData,
  type SeriesDef,
} from '../../core/metric/metric.ts';
import type { SeriesSource } from './series.ts';
import { createSeriesRing, type SeriesRing } from './seriesRing.ts';

/**
 * Live samples of all open runs, outside Redux. One a client; charts read it, nothing copies it.
 */
export interface LiveSeries {
  /**
   * Makes known which series a run has; known ones are left alone. Samples of unknown series are
   * kept with a period of one second.
   */
  readonly define: (runId: string, defs: readonly SeriesDef[]) => void;
  readonly ingest: (runId: string, batch: SampleBatch) => void;
  /** Back-fill from `run.samples`: merged by time, no duplicates, live samples win. */
  readonly seed: (runId: string, data: readonly SeriesData[]) => void;
  /**
   * `periodMs`: its period, where it is known before `define` was called; it decides what counts as a gap.
   */
  readonly source: (runId: string, seriesId: number, periodMs?: number) => SeriesSource;
  /** Newest sample time of the run over all series; NaN while empty. */
  readonly lastMs: (runId: string) => number;
  /** Grows by one with each batch or back-fill: the snapshot for useSyncExternalStore. */
  readonly tick: (runId: string) => number;
  /** Calls `listener` once a batch. Returns the way to stop. */
  readonly subscribe: (runId: string, listener: () => void) => () => void;
  /** Frees a run's memory. Sources given out before stay readable and empty of news. */
  readonly drop: (runId: string) => void;
}

/** What a board reads: the live store, or a replay. */
export type LiveFeed = Pick<LiveSeries, 'source' | 'subscribe' | 'lastMs'>;

interface RunBuffers {
  rings: (SeriesRing | undefined)[];
  lastMs: number;
  tick: number;
  listeners: Set<() => void>;
}

export function createLiveSeries(): LiveSeries {
  const runs = new Map<string, RunBuffers>();
  const buffersOf = (runId: string): RunBuffers => {
    let run = runs.get(runId);
    if (run === undefined)
      runs.set(runId, (run = { rings: [], lastMs: NaN, tick: 0, listeners: new Set() }));
    return run;
  };
  const ringOf = (run: RunBuffers, seriesId: number, periodMs = 1_000): SeriesRing =>
    (run.rings[seriesId] ??= createSeriesRing(periodMs));
  const announce = (run: RunBuffers): void => {
    run.tick++;
    for (const listener of run.listeners) listener();
  };
  return {
    define: (runId, defs) => {
      const run = buffersOf(runId);
      for (const def of defs) ringOf(run, def.id, def.periodMs);
    },
    ingest: (runId, batch) => {
      const run = buffersOf(runId);
      forEachSample(batch, (seriesId, tMs, value) => {
        ringOf(run, seriesId).push(tMs, value);
        if (!(tMs <= run.lastMs)) run.lastMs = tMs;
      });
      announce(run);
    },
    seed: (runId, data) => {
      const run = buffersOf(runId);
      for (const { seriesId, tMs, value } of data) {
        const ring = ringOf(run, seriesId);
        ring.merge(tMs, value);
        const last = ring.lastMs();
        if (last > run.lastMs || Number.isNaN(run.lastMs)) run.lastMs = last;
      }
      announce(run);
    },
    source: (runId, seriesId, periodMs) => ringOf(buffersOf(runId), seriesId, periodMs),
    lastMs: (runId) => runs.get(runId)?.lastMs ?? NaN,
    tick: (runId) => runs.get(runId)?.tick ?? 0,
    subscribe: (runId, listener) => {
      const run = buffersOf(runId);
      run.listeners.add(listener);
      return () => {
        run.listeners.delete(listener);
      };
    },
    drop: (runId) => {
      runs.delete(runId);
    },
  };
}
