import { useEffect, useState } from 'react';

import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import type { MetricName } from '../../../core/metric/metric.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { createSeriesWindow, type SeriesSource } from '../../engine/series.ts';

const every = 5;
/** What should not happen: a chart of it is worth its place once it did. */
const errors: ReadonlySet<MetricName | undefined> = new Set<MetricName>([
  'errorRate',
  'droppedRxPerS',
  'droppedTxPerS',
  'abortedPerS',
  'busResetsPerS',
  'reservationConflictsPerS',
]);
const window = createSeriesWindow();

/** Whether any sample of a source from `fromMs` on is not zero. */
function hasErrors(source: SeriesSource, fromMs: number): boolean {
  source.read(fromMs, source.lastMs() + 1, window);
  for (let p = 0; p < window.count; p++) {
    const { v, start, end } = window.parts[p]!;
    for (let i = start; i < end; i++) if (v[i] !== 0) return true;
  }
  return false;
}

/** Says of a chart of errors whether there was none so far; a sample is read once. */
function createErrorCheck(
  sourceOf: (id: number) => SeriesSource,
): (chart: Pick<BoardChart, 'id' | 'defs'>) => boolean {
  const readTo = new Map<number, number>();
  const failed = new Set<string>();
  return ({ id, defs }) => {
    if (!errors.has(defs[0]?.metric) || failed.has(id)) return false;
    let isKnown = false;
    for (const def of defs) {
      const source = sourceOf(def.id);
      if (Number.isNaN(source.lastMs())) continue;
      isKnown = true;
      if (hasErrors(source, readTo.get(def.id) ?? -Infinity)) failed.add(id);
      readTo.set(def.id, source.lastMs());
    }
    return isKnown && !failed.has(id);
  };
}

/** Ids of the charts of errors on which there was none so far; a flat line needs no chart. */
export function useErrorFree(
  charts: readonly BoardChart[],
  sourceOf: (id: number) => SeriesSource,
  loading: boolean,
  live: boolean,
): ReadonlySet<string> {
  const [free, setFree] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isFree = createErrorCheck(sourceOf);
    let beat = 0;
    const look = (): void => {
      if (beat++ % every !== 0 || loading) return;
      const ids = charts.filter(isFree).map(({ id }) => id);
      setFree((held) =>
        held.size === ids.length && ids.every((id) => held.has(id)) ? held : new Set(ids),
      );
    };
    if (!live) {
      const once = requestAnimationFrame(look);
      return () => {
        cancelAnimationFrame(once);
      };
    }
    look();
    return onHeartbeat(look);
  }, [charts, sourceOf, loading, live]);
  return free;
}
