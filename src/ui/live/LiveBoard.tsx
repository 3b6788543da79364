import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SeriesDef } from '../../shared/metric.ts';
import type { Profile } from '../../shared/profile.ts';
import type { RunOverview } from '../../shared/run.ts';
import { liveSeries, type LiveSeries } from '../main/liveSeries.ts';
import { createChartGroup, type ChartGroup } from '../charts/group.ts';
import { HeatStrip } from '../charts/HeatStrip.tsx';
import { onHeartbeat } from '../charts/heartbeat.ts';
import { tileStyle } from '../charts/palette.ts';
import type { ChartSeries } from '../charts/series.ts';
import { TimeChart } from '../charts/TimeChart.tsx';
import { BoardControls, type Shown } from './BoardControls.tsx';
import { BoardSummary } from './BoardSummary.tsx';
import { boardCharts, boardGroups, groupTitles, runMarks, runOrigin, runPhases, workloadName } from './boardModel.ts';
import { createEngineClock } from './engineClock.ts';
import { boardHeadroom, heatCells } from './headroom.ts';
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
  live?: LiveSeries | undefined;
  /** Asks for a note; epoch ms of the cursor, or null for now. */
  onAddNote?: ((atMs: number | null) => void) | undefined;
}

/** A run on one page, while it lasts and after: figures, headroom, charts. */
export function LiveBoard({ overview, runId, source, load, profile = null, live = liveSeries, onAddNote }: LiveBoardProps) {
  const isLive = source === 'live';
  const [group] = useState<ChartGroup>(() => createChartGroup({ windowMs: isLive ? 300_000 : null }));
  const [shown, setShown] = useState<Shown>('all');
  const [clock] = useState(() => createEngineClock(overview.nowMs));
  useEffect(() => { clock.sync(overview.nowMs); }, [clock, overview.nowMs]);
  const series = useSame(overview.series, sameSeries);
  const workloads = useSame(overview.workloads.map(({ entityId, tile, workloadId }) => ({ entityId, tile, workloadId })));
  const originMs = runOrigin(overview);
  const phases = useSame(runPhases(overview, originMs));
  const events = useSame(runMarks(overview, originMs));
  const data = useBoardData(runId, series, isLive ? live : null, load);
  const { sourceOf } = data;

  const charts = useMemo(() => boardCharts({ series, workloads: workloads as RunOverview['workloads'] }, profile), [series, workloads, profile]);
  const lines = useMemo(() => new Map(charts.map((c) => [c.id, c.defs.map((def, i) => chartLine(def, i, originMs, sourceOf))])), [charts, originMs, sourceOf]);
  const headroom = useCallback(() => boardHeadroom(overview, profile, sourceOf, isLive ? clock.now() : (overview.endedAtMs ?? overview.nowMs)), [overview, profile, sourceOf, isLive, clock]);
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
      <BoardSummary overview={overview} live={isLive} nowMs={clock.now} originMs={originMs} sourceOf={sourceOf} headroom={headroom} />
      {hasLimits && <HeatStrip title={isLive ? 'QoS headroom now' : 'QoS headroom, worst period'} rows={rows} columns={columns} cell={cell} feed={data.feed} onPick={pick} />}
      <BoardControls group={group} live={isLive} nowMs={clock.now} originMs={originMs} available={available} shown={shown} onShow={setShown} tiles={tiles} worstTile={worstTile} onAddNote={onAddNote} />
      {charts.length === 0 && <p className={styles.empty}>No series yet. Charts appear here when the first source reports; sources report after the run has started.</p>}
      {visible.map((name) => (
        <section key={name} aria-label={groupTitles[name]}>
          <h2 className={styles.heading}>{groupTitles[name]}</h2>
          <div className={styles.grid}>
            {charts.filter((c) => c.group === name).map((c) => (
              <TimeChart key={c.id} title={c.title} unit={c.unit} series={lines.get(c.id) ?? []} limits={c.limits} group={group} phases={phases} events={events} originMs={originMs}
                feed={data.feed} nowMs={isLive ? clock.now : undefined} defaultHighlight={worstTile === null ? null : `tile:${worstTile}`} loading={data.loading} error={data.error} onRetry={data.retry} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

/** Series are only ever added, and each keeps what it is. */
const sameSeries = (a: readonly SeriesDef[], b: readonly SeriesDef[]): boolean => a.length === b.length && a.every((s, i) => s.id === b[i]!.id && s.entity.id === b[i]!.entity.id && s.metric === b[i]!.metric);

function chartLine(def: SeriesDef, index: number, originMs: number, sourceOf: (id: number) => ChartSeries['source']): ChartSeries {
  const { tile } = def.entity;
  const { color, dash } = tileStyle(tile ?? index);
  return {
    key: String(def.id), label: tile === undefined ? def.entity.name : `Tile ${tile + 1}`, unit: def.unit, color, dash, source: sourceOf(def.id), originMs,
    periodMs: def.periodMs, lagMs: def.lagMs, decimals: def.decimals, measuredBy: def.source, highlightKey: tile === undefined ? `${def.entity.kind}:${def.entity.id}` : `tile:${tile}`,
  };
}

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
