import { useEffect, useState } from 'react';

import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import type { SeriesSource } from '../../engine/series.ts';

const every = 5;
/** A source that has not spoken this long after its third period is not on its way any more. */
const graceMs = 30_000;

/**
 * Ids of charts of which no source has told anything though it should have by now: they would be
 * empty boxes between the others.
 */
export function useQuiet(
  charts: readonly BoardChart[],
  sourceOf: (id: number) => SeriesSource,
  loading: boolean,
  nowMs: (() => number) | null,
  originMs: number,
): ReadonlySet<string> {
  const [quiet, setQuiet] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let beat = 0;
    const look = (): void => {
      if (beat++ % every !== 0 || loading) return;
      const now = nowMs?.() ?? Infinity;
      const silent = charts
        .filter((c) =>
          c.defs.every(
            (d) =>
              now - originMs > d.periodMs * 3 + d.lagMs + graceMs &&
              Number.isNaN(sourceOf(d.id).lastMs()),
          ),
        )
        .map((c) => c.id);
      setQuiet((held) =>
        held.size === silent.length && silent.every((id) => held.has(id)) ? held : new Set(silent),
      );
    };
    if (nowMs === null) {
      const once = requestAnimationFrame(look);
      return () => {
        cancelAnimationFrame(once);
      };
    }
    look();
    return onHeartbeat(look);
  }, [charts, sourceOf, loading, nowMs, originMs]);
  return quiet;
}
