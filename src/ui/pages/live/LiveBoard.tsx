import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import {
  boardCharts,
  boardGroups,
  groupTitles,
  workloadName,
} from '../../../core/chart/boardCharts.ts';
import type { SeriesDef } from '../../../core/metric/metric.ts';
import { planDurationS } from '../../../core/plan/plan.ts';
import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { createEngineClock } from '../../charts/engineClock.ts';
import { fastPace } from '../../charts/fastPace.ts';
import { type ChartGroup, createChartGroup } from '../../charts/group.ts';
import { HeatStrip } from '../../charts/HeatStrip.tsx';
import { useEngineRate } from '../../engine/engineTime.ts';
import type { LiveFeed } from '../../engine/liveSeries.ts';
import type { ChartSeries } from '../../engine/series.ts';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { useSame } from '../../kit/useSame.ts';
import { BoardChartView } from './BoardChartView.tsx';
import { BoardContext, type BoardShared } from './boardContext.ts';
import { BoardControls, type Shown } from './BoardControls.tsx';
import { runMarks, runOrigin, runPhases } from './boardModel.ts';
import { useBoardPins } from './boardPins.ts';
import { toggleFollow } from './BoardStatus.tsx';
import { BoardSummary } from './BoardSummary.tsx';
import { createCatalog } from './boardTargets.ts';
import { createLines } from './chartLine.ts';
import { EarlyWarnings } from './EarlyWarnings.tsx';
import { FocusPanel } from './FocusPanel.tsx';
import { boardHeadroom, boardWarnings, everyWorkload, heatCells, meanBetween } from './headroom.ts';
import { boardLanes } from './laneModel.ts';
import styles from './live.module.css';
import { MarkLanes } from './MarkLanes.tsx';
import { LatestEvents, Overview } from './Overview.tsx';
import { PinnedCharts } from './PinnedCharts.tsx';
import { PlacementTimeline } from './PlacementTimeline.tsx';
import { type LoadSeries, useBoardData } from './useBoardData.ts';
import { useQuiet } from './useQuiet.ts';
import { useTileOrder } from './useTileOrder.ts';

export type LiveBoardProps = BoardProps &
  (
    | {
        source: 'live';
        /** The samples so far, and those to come. */
        live: LiveFeed;
        /** What was measured before is still under way: no source is called silent yet. */
        reading?: boolean;
        load?: undefined;
      }
    | {
        source: 'stored';
        live?: undefined;
        reading?: undefined;
        /** Asked once; keep its identity. */
        load: LoadSeries;
      }
  );

interface BoardProps {
  overview: RunOverview;
  runId: string;
  /** Gives QoS limits and workload names. */
  profile?: Profile | null | undefined;
  /**
   * A stored run played again: its clock, and the charts' shared time so that the player reads
   * ahead of it.
   */
  playback?: { now: () => number; group: ChartGroup } | undefined;
  /** State and times stand above the board already. */
  headed?: boolean;
  /** Asks for a note; epoch ms of the cursor, or null for now. */
  onAddNote?: ((atMs: number | null) => void) | undefined;
}

/** A run on one page, while it lasts and after: figures, headroom, charts. */
export function LiveBoard({
  overview,
  runId,
  source,
  load,
  profile = null,
  live,
  reading = false,
  playback,
  headed = false,
  onAddNote,
}: LiveBoardProps) {
  const isLive = source === 'live';
  const rate = useEngineRate();
  // Five minutes pass in half a second of a fast clock, and a short run would leave most of them
  // empty: there the whole run is the window.
  const [ownGroup] = useState<ChartGroup>(() =>
    createChartGroup({
      windowMs:
        isLive && rate === 1 && planDurationS(overview.phasesPlanned) > 600 ? 300_000 : null,
    }),
  );
  const group = playback?.group ?? ownGroup;
  const [shown, setShown] = useState<Shown>('all');
  const [clock] = useState(() =>
    createEngineClock(overview.nowMs, undefined, () => live?.lastMs(runId) ?? NaN),
  );
  useEffect(() => {
    clock.sync(overview.nowMs, rate);
  }, [clock, overview.nowMs, rate]);
  const nowMs = playback?.now ?? clock.now;
  const series = useSame(overview.series, sameSeries);
  const workloads = useSame(
    overview.workloads.map(({ entityId, tile, workloadId }) => ({ entityId, tile, workloadId })),
  );
  const originMs = runOrigin(overview);
  const phases = useSame(runPhases(overview, originMs));
  const events = useSame(runMarks(overview, originMs));
  const placement = useSame(overview.placement);
  const runEvents = useSame(overview.events);
  const data = useBoardData(runId, series, live ?? null, load);
  const { sourceOf } = data;

  const charts = useMemo(
    () => boardCharts({ series, workloads: workloads as RunOverview['workloads'] }, profile),
    [series, workloads, profile],
  );
  const catalog = useMemo(
    () => createCatalog(charts, workloads as RunOverview['workloads'], profile),
    [charts, workloads, profile],
  );
  const pace = useMemo(
    () => (isLive && playback === undefined ? fastPace(rate) : null),
    [isLive, playback, rate],
  );
  const linesOf = useMemo(() => createLines(originMs, sourceOf, pace), [originMs, sourceOf, pace]);
  const headroom = useCallback(
    () =>
      boardHeadroom(
        overview,
        profile,
        sourceOf,
        isLive ? nowMs() : (overview.endedAtMs ?? overview.nowMs),
      ),
    [overview, profile, sourceOf, isLive, nowMs],
  );
  const warnings = useCallback(
    () => boardWarnings(overview, profile, sourceOf, nowMs()),
    [overview, profile, sourceOf, nowMs],
  );
  const tiles = useMemo(
    () => [...new Set(workloads.map((w) => w.tile))].sort((a, b) => a - b),
    [workloads],
  );
  const strip = useRef<HTMLDivElement>(null);
  const stripHeld = useCallback(
    () =>
      strip.current?.matches(':hover') === true ||
      strip.current?.contains(document.activeElement) === true,
    [],
  );
  const { order, worst: worstTile } = useTileOrder(headroom, tiles, isLive, stripHeld);
  const limited = useMemo(
    () =>
      [...new Set(workloads.map((w) => w.workloadId))].filter(
        (id) =>
          profile === null || (profile.workloads.find((w) => w.id === id)?.qos.length ?? 0) > 0,
      ),
    [workloads, profile],
  );
  const rows = useMemo(
    () => [
      ...(limited.length > 1 ? [{ id: everyWorkload, label: 'Tile' }] : []),
      ...limited.map((id) => ({ id, label: workloadName(profile, id) })),
    ],
    [limited, profile],
  );
  const columns = useMemo(
    () => order.map((t) => ({ id: `tile:${t}`, label: `Tile ${t + 1}` })),
    [order],
  );
  const cell = useMemo(() => heatCells(headroom), [headroom]);
  const [target, setTarget] = useState<string | null>(null);
  const open = useCallback(
    (key: string) => {
      setTarget(key);
      group.set({ highlight: key });
    },
    [group],
  );
  const openRow = useCallback((id: string) => {
    setTarget(`workloads:${id}`);
  }, []);
  const close = useCallback(() => {
    setTarget(null);
    group.set({ highlight: null });
  }, [group]);
  const [pins, pinActions] = useBoardPins(profile?.id ?? 'any');
  const liveNow = isLive ? nowMs : undefined;
  const shared = useMemo<BoardShared>(
    () => ({
      linesOf,
      pins,
      pinActions,
      open,
      group,
      phases,
      events,
      originMs,
      feed: data.feed,
      nowMs: liveNow,
      loading: data.loading,
      error: data.error,
      retry: data.retry,
      defaultHighlight: worstTile === null ? null : `tile:${worstTile}`,
    }),
    [
      linesOf,
      pins,
      pinActions,
      open,
      group,
      phases,
      events,
      originMs,
      data.feed,
      liveNow,
      data.loading,
      data.error,
      data.retry,
      worstTile,
    ],
  );
  const search = useRef<HTMLInputElement>(null);
  usePageCommands({
    'board.find': () => {
      search.current?.focus();
    },
    ...(isLive
      ? {
          'board.follow': () => {
            toggleFollow(group, nowMs() - originMs);
          },
        }
      : {}),
  });
  const quiet = useQuiet(
    charts,
    sourceOf,
    reading || data.loading || data.error !== null,
    isLive ? nowMs : null,
    originMs,
  );
  const lanes = useSame(boardLanes(overview, originMs));
  const measured =
    overview.periods.length > 0
      ? { fromMs: overview.periods[0]!.startMs, toMs: overview.periods.at(-1)!.endMs }
      : null;
  const [fromMs, toMs] = [
    measured?.fromMs ?? originMs,
    measured?.toMs ?? overview.endedAtMs ?? overview.nowMs,
  ];
  const read = useCallback(
    (line: ChartSeries) =>
      isLive ? line.source.lastValue() : meanBetween(line.source, fromMs, toMs),
    [isLive, fromMs, toMs],
  );
  const available = boardGroups.filter((g) => charts.some((c) => c.group === g));
  const visible = shown === 'all' || !available.includes(shown) ? available : [shown];
  const hasLimits = rows.length > 0 && (profile !== null || overview.score !== null);
  const endMs = isLive ? 0 : (overview.endedAtMs ?? overview.nowMs) - originMs;
  return (
    <BoardContext value={shared}>
      <div className={styles.board}>
        <h2 className={styles.hidden}>Overview</h2>
        <BoardSummary
          pace={pace}
          headed={headed}
          overview={overview}
          live={isLive}
          nowMs={nowMs}
          originMs={originMs}
          sourceOf={sourceOf}
          headroom={headroom}
          unlimited={profile !== null && profile.workloads.every(({ qos }) => qos.length === 0)}
        />
        {isLive && hasLimits && <EarlyWarnings warnings={warnings} />}
        {hasLimits && (
          <div ref={strip}>
            <HeatStrip
              title={
                isLive
                  ? 'QoS headroom now, worst tile first'
                  : 'QoS headroom, worst period, worst tile first'
              }
              rows={rows}
              columns={columns}
              cell={cell}
              feed={data.feed}
              onPick={open}
              onPickRow={openRow}
              picked={target}
            />
          </div>
        )}
        {charts.length > 0 && (
          <Overview
            charts={charts}
            linesOf={linesOf}
            read={read}
            when={isLive ? 'now' : measured === null ? 'mean of the run' : 'mean of the periods'}
            nowMs={isLive ? nowMs : null}
            reading={reading || data.loading}
            group={group}
            originMs={originMs}
            onOpen={open}
          />
        )}
        <div className={styles.happened}>
          <MarkLanes
            lanes={lanes}
            group={group}
            originMs={originMs}
            endMs={endMs}
            nowMs={isLive ? nowMs : undefined}
          />
          <LatestEvents events={runEvents} group={group} originMs={originMs} />
        </div>
        <BoardControls
          group={group}
          live={isLive && playback === undefined}
          nowMs={nowMs}
          originMs={originMs}
          available={available}
          shown={shown}
          onShow={setShown}
          tiles={tiles}
          worstTile={worstTile}
          targets={catalog.targets}
          onOpen={open}
          search={search}
          onAddNote={onAddNote}
        />
        {charts.length === 0 && (
          <p className={styles.empty}>
            No series yet. Charts appear here when the first source reports; sources report after
            the run has started.
          </p>
        )}
        {target !== null && (
          <FocusPanel catalog={catalog} target={target} onOpen={open} onClose={close} />
        )}
        {pins.ids.length > 0 && charts.length > 0 && (
          <PinnedCharts pins={pins} actions={pinActions} catalog={catalog} />
        )}
        {visible.map((name) => (
          <ChartSection
            key={name}
            title={groupTitles[name]}
            charts={charts.filter((c) => c.group === name)}
            quiet={quiet}
          />
        ))}
        {visible.includes('hosts') && (
          <section aria-label="Placement">
            <h2 className={styles.heading}>Placement</h2>
            <PlacementTimeline
              placement={placement}
              group={group}
              originMs={originMs}
              endMs={endMs}
              nowMs={isLive ? nowMs : undefined}
              expected={isLive && playback === undefined}
            />
          </section>
        )}
      </div>
    </BoardContext>
  );
}

/** Charts of one group; those whose sources say nothing are named and folded away. */
function ChartSection({
  title,
  charts,
  quiet,
}: {
  title: string;
  charts: readonly BoardChart[];
  quiet: ReadonlySet<string>;
}) {
  const silent = charts.filter((c) => quiet.has(c.id));
  const [unfolded, setUnfolded] = useState(false);
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <div className={styles.grid}>
        {charts
          .filter((c) => !quiet.has(c.id))
          .map((c) => (
            <BoardChartView key={c.id} chart={c} />
          ))}
      </div>
      {silent.length > 0 && (
        <details
          className={styles.quiet}
          onToggle={(event) => {
            setUnfolded(event.currentTarget.open);
          }}
        >
          <summary>{`Without samples: ${silent.map((c) => c.title).join(', ')}`}</summary>
          {unfolded && (
            <div className={styles.grid}>
              {silent.map((c) => (
                <BoardChartView key={c.id} chart={c} />
              ))}
            </div>
          )}
        </details>
      )}
    </section>
  );
}

/** Series are only ever added, and each keeps what it is. */
const sameSeries = (a: readonly SeriesDef[], b: readonly SeriesDef[]): boolean =>
  a.length === b.length &&
  a.every(
    (s, i) => s.id === b[i]!.id && s.entity.id === b[i]!.entity.id && s.metric === b[i]!.metric,
  );
