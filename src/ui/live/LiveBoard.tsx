import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SeriesDef } from '../../shared/metric.ts';
import type { Profile } from '../../shared/profile.ts';
import { planDurationS } from '../../shared/plan.ts';
import type { RunOverview } from '../../shared/run.ts';
import { useEngineRate } from '../main/engineTime.ts';
import { liveSeries, type LiveFeed } from '../main/liveSeries.ts';
import { createChartGroup, type ChartGroup } from '../charts/group.ts';
import { HeatStrip } from '../charts/HeatStrip.tsx';
import { onHeartbeat } from '../charts/heartbeat.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import { BoardControls, type Shown } from './BoardControls.tsx';
import { BoardSummary } from './BoardSummary.tsx';
import { boardCharts, boardGroups, groupTitles, runMarks, runOrigin, runPhases, workloadName } from './boardModel.ts';
import { chartLine } from './chartLine.ts';
import { createEngineClock } from './engineClock.ts';
import { fastPace } from './fastPace.ts';
import { EarlyWarnings } from './EarlyWarnings.tsx';
import { boardHeadroom, boardWarnings, heatCells } from './headroom.ts';
import { PlacementTimeline } from './PlacementTimeline.tsx';
import { useBoardData, type LoadSeries } from './useBoardData.ts';
import { useSame } from './useSame.ts';
import styles from './live.module.css';

export interface LiveBoardProps {
  overview: RunOverview;
  runId: string;
  /** `live` reads the live store, `stored` asks `load` once. */
  source: 'live' | 'stored';
  /** Needed for `stored`; keep its identity. */
  load?: LoadSeries | undefined;
  /** Gives QoS limits and workload names. */
  profile?: Profile | null | undefined;
  live?: LiveFeed | undefined;
  /** A stored run played again: its clock, and the charts' shared time so that the player reads ahead of it. */
  playback?: { now: () => number; group: ChartGroup } | undefined;
  /** Asks for a note; epoch ms of the cursor, or null for now. */
  onAddNote?: ((atMs: number | null) => void) | undefined;
}

/** A run on one page, while it lasts and after: figures, headroom, charts. */
export function LiveBoard({ overview, runId, source, load, profile = null, live = liveSeries, playback, onAddNote }: LiveBoardProps) {
  const isLive = source === 'live';
  const rate = useEngineRate();
  // Five minutes pass in half a second of a fast clock, and a short run would leave most of them empty: there the whole run is the window.
  const [ownGroup] = useState<ChartGroup>(() => createChartGroup({ windowMs: isLive && rate === 1 && planDurationS(overview.phasesPlanned) > 600 ? 300_000 : null }));
  const group = playback?.group ?? ownGroup;
  const [shown, setShown] = useState<Shown>('all');
  const [clock] = useState(() => createEngineClock(overview.nowMs, undefined, () => live.lastMs(runId)));
  useEffect(() => { clock.sync(overview.nowMs, rate); }, [clock, overview.nowMs, rate]);
  const nowMs = playback?.now ?? clock.now;
  const series = useSame(overview.series, sameSeries);
  const workloads = useSame(overview.workloads.map(({ entityId, tile, workloadId }) => ({ entityId, tile, workloadId })));
  const originMs = runOrigin(overview);
  const phases = useSame(runPhases(overview, originMs));
  const events = useSame(runMarks(overview, originMs));
  const placement = useSame(overview.placement);
  const data = useBoardData(runId, series, isLive ? live : null, load);
  const { sourceOf } = data;

  const charts = useMemo(() => boardCharts({ series, workloads: workloads as RunOverview['workloads'] }, profile), [series, workloads, profile]);
  const pace = useMemo(() => (isLive && playback === undefined ? fastPace(rate) : null), [isLive, playback, rate]);
  const lines = useMemo(() => new Map(charts.map((c) => [c.id, c.defs.map((def, i) => chartLine(def, i, originMs, sourceOf, pace))])), [charts, originMs, sourceOf, pace]);
  const headroom = useCallback(() => boardHeadroom(overview, profile, sourceOf, isLive ? nowMs() : (overview.endedAtMs ?? overview.nowMs)), [overview, profile, sourceOf, isLive, nowMs]);
  const warnings = useCallback(() => boardWarnings(overview, profile, sourceOf, nowMs()), [overview, profile, sourceOf, nowMs]);
  const worstTile = useWorstTile(headroom, isLive);
  const tiles = useMemo(() => [...new Set(workloads.map((w) => w.tile))].sort((a, b) => a - b), [workloads]);
  const limited = useMemo(() => [...new Set(workloads.map((w) => w.workloadId))].filter((id) => profile === null || (profile.workloads.find((w) => w.id === id)?.qos.length ?? 0) > 0), [workloads, profile]);
  const rows = useMemo(() => limited.map((id) => ({ id, label: workloadName(profile, id) })), [limited, profile]);
  const columns = useMemo(() => tiles.map((t) => ({ id: `tile:${t}`, label: `Tile ${t + 1}` })), [tiles]);
  const cell = useMemo(() => heatCells(headroom), [headroom]);
  const pick = useCallback((key: string) => { group.set({ highlight: group.get().highlight === key ? null : key }); }, [group]);
  const available = boardGroups.filter((g) => charts.some((c) => c.group === g));
  const visible = shown === 'all' || !available.includes(shown) ? available : [shown];
  const hasLimits = rows.length > 0 && (profile !== null || overview.score !== null);
  return (
    <div className={styles.board}>
      <BoardSummary pace={pace} overview={overview} live={isLive} nowMs={nowMs} originMs={originMs} sourceOf={sourceOf} headroom={headroom} />
      {isLive && hasLimits && <EarlyWarnings warnings={warnings} />}
      {hasLimits && <HeatStrip title={isLive ? 'QoS headroom now' : 'QoS headroom, worst period'} rows={rows} columns={columns} cell={cell} feed={data.feed} onPick={pick} />}
      <BoardControls group={group} live={isLive && playback === undefined} nowMs={nowMs} originMs={originMs} available={available} shown={shown} onShow={setShown} tiles={tiles} worstTile={worstTile} onAddNote={onAddNote} />
      {charts.length === 0 && <p className={styles.empty}>No series yet. Charts appear here when the first source reports; sources report after the run has started.</p>}
      {visible.map((name) => (
        <section key={name} aria-label={groupTitles[name]}>
          <h2 className={styles.heading}>{groupTitles[name]}</h2>
          <div className={styles.grid}>
            {charts.filter((c) => c.group === name).map((c) => (
              <TimeChart key={c.id} title={c.title} unit={c.unit} series={lines.get(c.id) ?? []} limits={c.limits} group={group} phases={phases} events={events} originMs={originMs}
                feed={data.feed} nowMs={isLive ? nowMs : undefined} defaultHighlight={worstTile === null ? null : `tile:${worstTile}`} loading={data.loading} error={data.error} onRetry={data.retry} />
            ))}
          </div>
        </section>
      ))}
      {visible.includes('hosts') && (
        <section aria-label="Placement">
          <h2 className={styles.heading}>Placement</h2>
          <PlacementTimeline placement={placement} group={group} originMs={originMs} endMs={isLive ? 0 : (overview.endedAtMs ?? overview.nowMs) - originMs} nowMs={isLive ? nowMs : undefined} expected={isLive && playback === undefined} />
        </section>
      )}
    </div>
  );
}

/** Series are only ever added, and each keeps what it is. */
const sameSeries = (a: readonly SeriesDef[], b: readonly SeriesDef[]): boolean => a.length === b.length && a.every((s, i) => s.id === b[i]!.id && s.entity.id === b[i]!.entity.id && s.metric === b[i]!.metric);

/** The tile with the least headroom, looked at every fifth second: a highlight must not flicker. */
function useWorstTile(headroom: () => readonly { tile: number; headroom: number | null }[], live: boolean): number | null {
  const [tile, setTile] = useState<number | null>(null);
  useEffect(() => {
    let beat = 0;
    const look = (): void => {
      if (beat++ % 5 !== 0) return;
      const first = headroom()[0];
      setTile(first === undefined || first.headroom === null ? null : first.tile);
    };
    if (!live) { const once = requestAnimationFrame(look); return () => { cancelAnimationFrame(once); }; }
    return onHeartbeat(look);
  }, [headroom, live]);
  return tile;
}
