import { useCallback, useEffect, useMemo, useState } from 'react';

import { type AppErrorShape, toAppError } from '../../core/base/errors.ts';
import type { SeriesData } from '../../core/metric/metric.ts';
import type { Reader } from '../../wire/contract.ts';

export interface SampleRequest {
  runId: string;
  seriesIds: readonly number[];
}
export interface Samples {
  /** null while loading. Samples stay outside Redux. */
  get: ((runId: string, seriesId: number) => SeriesData | undefined) | null;
  error: AppErrorShape | null;
  retry: () => void;
}

/** The contract takes at most this many series a call. */
const seriesPerCall = 500;

/**
 * Stored samples of several runs, decimated by the engine to `maxPoints` a series. Asked again only
 * when the requests change.
 */
export function useSamples(
  client: Reader,
  requests: readonly SampleRequest[],
  maxPoints = 2_000,
): Samples {
  const key = JSON.stringify(requests);
  const [loaded, setLoaded] = useState<{
    key: string;
    data: Map<string, SeriesData> | null;
    error: AppErrorShape | null;
  } | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const data = new Map<string, SeriesData>();
      for (const { runId, seriesIds } of JSON.parse(key) as SampleRequest[]) {
        for (let i = 0; i < seriesIds.length; i += seriesPerCall) {
          const page = await client.call(
            'run.samples',
            { runId, seriesIds: seriesIds.slice(i, i + seriesPerCall), maxPoints },
            abort.signal,
          );
          for (const series of page) data.set(`${runId}\n${series.seriesId}`, series);
        }
      }
      if (!abort.signal.aborted) setLoaded({ key, data, error: null });
    };
    load().catch((thrown: unknown) => {
      if (!abort.signal.aborted)
        setLoaded({ key, data: null, error: toAppError(thrown).toShape() });
    });
    return () => abort.abort();
  }, [client, key, maxPoints, attempt]);
  const retry = useCallback(() => {
    setLoaded(null);
    setAttempt((n) => n + 1);
  }, []);
  return useMemo(() => {
    const current = loaded !== null && loaded.key === key ? loaded : null;
    const data = current?.data ?? null;
    return {
      get: data && ((runId, seriesId) => data.get(`${runId}\n${seriesId}`)),
      error: current?.error ?? null,
      retry,
    };
  }, [loaded, key, retry]);
}
