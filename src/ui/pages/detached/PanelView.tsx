import { useCallback, useMemo, useState } from 'react';

import { workloadName } from '../../../core/chart/boardCharts.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import type { DetachedPanel } from '../../../wire/detached.ts';
import { useEngineClock } from '../../charts/engineClock.ts';
import { type ChartGroup, createChartGroup } from '../../charts/group.ts';
import { HeatStrip } from '../../charts/HeatStrip.tsx';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import { useLiveRun } from '../../engine/useLiveRun.ts';
import { LiveRunFault } from '../../kit/LiveRunFault.tsx';
import { Nothing } from '../../kit/LoadState.tsx';
import { useSame } from '../../kit/useSame.ts';
import { runOrigin } from '../live/boardModel.ts';
import { boardHeadroom, heatCells } from '../live/headroom.ts';
import { PlacementTimeline } from '../live/PlacementTimeline.tsx';
import { RunChart } from '../live/RunChart.tsx';
import { useRunLines } from '../live/useRunLines.ts';
import { FilmNumbers, type RunFilm, useRunCharts } from '../presenter/RunStage.tsx';
import { EventList } from '../runs/EventList.tsx';
import styles from './detached.module.css';

const none: readonly SeriesDef[] = [];

interface PartProps {
  overview: RunOverview;
  record: RunRecord;
}

const chartIdOf = (panel: DetachedPanel): string | null =>
  panel.startsWith('chart:') ? panel.slice('chart:'.length) : null;

/**
 * The title of the chart a panel names; undefined for other panels, and as long as it has no
 * series.
 */
export function useChartTitle(
  overview: RunOverview,
  record: RunRecord,
  panel: DetachedPanel,
): string | undefined {
  const charts = useRunCharts({ overview, record });
  const id = chartIdOf(panel);
  return charts.find((chart) => chart.id === id)?.title;
}

/** One panel of the board, as large as its window. */
export function PanelView({
  overview,
  record,
  panel,
}: PartProps & { panel: Exclude<DetachedPanel, 'board'> }) {
  const { id } = overview;
  const over = isEnd(overview.state);
  // Events and placement come with the overview: no sample is read for them.
  const needsSamples = panel !== 'events' && panel !== 'placement';
  const followed = useLiveRun(needsSamples ? id : null);
  const { series } = followed;
  const [group] = useState(() => createChartGroup());
  const clock = useEngineClock(overview, series);
  const endMs = overview.endedAtMs ?? overview.nowMs;
  const nowMs = useCallback(() => (over ? endMs : clock.now()), [over, endMs, clock]);
  const film = useMemo<RunFilm>(
    () => ({ overview, record, feed: series, paced: !over, group, nowMs }),
    [overview, record, series, over, group, nowMs],
  );
  switch (panel) {
    case 'events':
      return <EventList overview={overview} />;
    case 'placement':
      return (
        <Placement overview={overview} group={group} nowMs={nowMs} over={over} endMs={endMs} />
      );
    case 'numbers':
      return (
        <>
          <LiveRunFault run={followed} />
          <div className={styles.big}>
            <FilmNumbers film={film} />
          </div>
        </>
      );
    case 'heat':
      return (
        <>
          <LiveRunFault run={followed} />
          <Heat overview={overview} record={record} feed={series} nowMs={nowMs} over={over} />
        </>
      );
    default:
      return (
        <>
          <LiveRunFault run={followed} />
          <Chart film={film} chartId={panel.slice('chart:'.length)} over={over} />
        </>
      );
  }
}

function Heat({
  overview,
  record: { profile },
  feed,
  nowMs,
  over,
}: PartProps & { feed: LiveFeed; nowMs: () => number; over: boolean }) {
  const { id } = overview;
  const sourceOf = useCallback((seriesId: number) => feed.source(id, seriesId), [feed, id]);
  const cell = useMemo(
    () => heatCells(() => boardHeadroom(overview, profile, sourceOf, nowMs())),
    [overview, profile, sourceOf, nowMs],
  );
  const workloads = useSame(
    overview.workloads.map(({ tile, workloadId }) => ({ tile, workloadId })),
  );
  const limited = [...new Set(workloads.map((w) => w.workloadId))].filter(
    (one) => (profile.workloads.find((w) => w.id === one)?.qos.length ?? 0) > 0,
  );
  const rows = useSame(limited.map((one) => ({ id: one, label: workloadName(profile, one) })));
  const columns = useSame(
    [...new Set(workloads.map((w) => w.tile))]
      .sort((a, b) => a - b)
      .map((tile) => ({ id: `tile:${tile}`, label: `Tile ${tile + 1}` })),
  );
  const follow = useCallback((listener: () => void) => feed.subscribe(id, listener), [feed, id]);
  if (rows.length === 0) return <Nothing text="The profile of this run has no QoS limit." />;
  return (
    <HeatStrip
      title={over ? 'QoS headroom, worst period' : 'QoS headroom now'}
      rows={rows}
      columns={columns}
      cell={cell}
      feed={follow}
    />
  );
}

function Placement({
  overview,
  group,
  nowMs,
  over,
  endMs,
}: {
  overview: RunOverview;
  group: ChartGroup;
  nowMs: () => number;
  over: boolean;
  endMs: number;
}) {
  const originMs = runOrigin(overview);
  const placement = useSame(overview.placement);
  return (
    <PlacementTimeline
      placement={placement}
      group={group}
      originMs={originMs}
      endMs={over ? endMs - originMs : 0}
      nowMs={over ? undefined : nowMs}
      expected={!over}
    />
  );
}

function Chart({ film, chartId, over }: { film: RunFilm; chartId: string; over: boolean }) {
  const { overview, feed, paced, group, nowMs } = film;
  const charts = useRunCharts(film);
  const chart = charts.find((one) => one.id === chartId);
  const lines = useRunLines(overview, chart?.defs ?? none, { live: feed, paced });
  if (chart === undefined)
    return (
      <Nothing
        text={
          over
            ? 'This run has no such chart.'
            : 'This chart has no series yet. It appears when its source reports.'
        }
      />
    );
  return (
    <div className={styles.fill}>
      <RunChart
        chart={chart}
        lines={lines}
        group={group}
        nowMs={over ? undefined : nowMs}
        height="fill"
      />
    </div>
  );
}
