import { useMemo } from 'react';

import type { RunOverview } from '../../../core/run/run.ts';
import { type StoredSources, useStoredSamples, useStoredSources } from './useRunLines.ts';

const none: RunOverview['series'] = [];

/** Stored CPU and watts of a run's hosts; null = no run yet. */
export function useHostSamples(overview: Pick<RunOverview, 'id' | 'series'> | null): StoredSources {
  const series = overview?.series ?? none;
  const defs = useMemo(
    () =>
      series.filter(
        ({ metric, entity }) =>
          metric === 'powerW' || (metric === 'cpuPct' && entity.kind === 'host'),
      ),
    [series],
  );
  return useStoredSources(defs, useStoredSamples(overview?.id ?? null));
}
