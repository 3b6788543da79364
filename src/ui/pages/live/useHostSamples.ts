import { useCallback, useMemo } from 'react';

import type { RunOverview } from '../../../core/run/run.ts';
import { useClient } from '../../engine/services.ts';
import { type BoardData, useBoardData } from './useBoardData.ts';

const none: RunOverview['series'] = [];

/** Stored CPU and watts of a run's hosts; null = no run yet. */
export function useHostSamples(overview: Pick<RunOverview, 'id' | 'series'> | null): BoardData {
  const client = useClient();
  const id = overview?.id ?? null;
  const series = overview?.series ?? none;
  const defs = useMemo(
    () =>
      series.filter(
        ({ metric, entity }) =>
          metric === 'powerW' || (metric === 'cpuPct' && entity.kind === 'host'),
      ),
    [series],
  );
  const load = useCallback(
    (seriesIds: readonly number[]) =>
      id === null || seriesIds.length === 0
        ? Promise.resolve([])
        : client.call('run.samples', { runId: id, seriesIds: [...seriesIds] }),
    [client, id],
  );
  return useBoardData(id ?? '', defs, null, load);
}
