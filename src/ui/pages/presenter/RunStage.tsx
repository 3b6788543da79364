import { useCallback, useMemo } from 'react';

import { type BoardChart, boardCharts } from '../../../core/chart/boardCharts.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import type { ChartGroup } from '../../charts/group.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import { useSame } from '../../kit/useSame.ts';
import { RunChart } from '../live/RunChart.tsx';
import { useRunLines } from '../live/useRunLines.ts';
import type { NumberKey, NumbersRecord } from './numbers.ts';
import { runNumbers } from './numbers.ts';
import { LiveNumbers } from './Numbers.tsx';
import styles from './presenter.module.css';

/** A run that goes on, or one that is played again: the same to everything that draws it. */
export interface RunFilm {
  overview: RunOverview;
  record: NumbersRecord;
  feed: LiveFeed;
  /** It goes on now, under the engine's clock; one played again has its own. */
  paced: boolean;
  group: ChartGroup;
  nowMs: () => number;
}

/** The board's charts of a run; the same objects while its series stay. */
export function useRunCharts({
  overview,
  record,
}: Pick<RunFilm, 'overview' | 'record'>): BoardChart[] {
  const series = useSame(
    overview.series,
    (a, b) => a.length === b.length && a.every((s, i) => s.id === b[i]!.id),
  );
  const workloads = useSame(
    overview.workloads.map(({ entityId, tile, workloadId }) => ({ entityId, tile, workloadId })),
  );
  return useMemo(
    () => boardCharts({ series, workloads: workloads as RunOverview['workloads'] }, record.profile),
    [series, workloads, record.profile],
  );
}

/**
 * Numbers of a run, worked out each second. `keys`: which, in this order; absent = all it gives.
 */
export function FilmNumbers({
  film,
  keys,
}: {
  film: RunFilm;
  keys?: readonly NumberKey[] | undefined;
}) {
  const { overview, record, feed, nowMs } = film;
  const read = useCallback(
    () =>
      runNumbers({
        overview,
        record,
        sourceOf: (id) => feed.source(overview.id, id),
        nowMs: nowMs(),
      }),
    [overview, record, feed, nowMs],
  );
  return <LiveNumbers read={read} keys={keys} />;
}

/** One or two charts of a run, as large as there is room. */
export function FilmCharts({ film, charts }: { film: RunFilm; charts: readonly BoardChart[] }) {
  const { overview, feed, paced, group, nowMs } = film;
  const shown = useSame(charts, (a, b) => a.length === b.length && a.every((c, i) => c === b[i]));
  const defs = useMemo(() => shown.flatMap((c) => c.defs), [shown]);
  const lines = useRunLines(overview, defs, { live: feed, paced });
  if (shown.length === 0)
    return (
      <p className={styles.note}>No series yet. Charts appear when the first source reports.</p>
    );
  return (
    <div className={styles.charts}>
      {shown.map((c) => (
        <RunChart key={c.id} chart={c} lines={lines} group={group} nowMs={nowMs} height="fill" />
      ))}
    </div>
  );
}
