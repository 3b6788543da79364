import { useCallback, useMemo, useRef, useState } from 'react';

import { boardGroups } from '../../../core/chart/boardCharts.ts';
import type { ChartGroup } from '../../charts/group.ts';
import { HeatStrip } from '../../charts/HeatStrip.tsx';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { useSame } from '../../kit/useSame.ts';
import { Alerts } from './Alerts.tsx';
import { BoardContext, type BoardShared } from './boardContext.ts';
import { BoardControls, type Shown } from './BoardControls.tsx';
import { useBoardPins } from './boardPins.ts';
import { BoardSections } from './BoardSections.tsx';
import { BoardStage, isForStage } from './BoardStage.tsx';
import { toggleFollow } from './BoardStatus.tsx';
import { BoardSummary } from './BoardSummary.tsx';
import { FigureRow } from './FigureRow.tsx';
import { FocusPanel } from './FocusPanel.tsx';
import { boardLanes } from './laneModel.ts';
import styles from './live.module.css';
import { MarkLanes } from './MarkLanes.tsx';
import { LatestEvents, Overview } from './Overview.tsx';
import { TopCharts } from './TopCharts.tsx';
import { type Board, type LiveBoardProps, useBoard, useGlance } from './useBoard.ts';
import { useFigures } from './useFigures.ts';
import { type HeadroomGrid, useHeadroomGrid } from './useHeadroomGrid.ts';
import { useInteresting, useReading } from './useInteresting.ts';

/** A run on one page, while it lasts and after: figures, headroom, charts. */
export function LiveBoard(props: LiveBoardProps) {
  const { overview, reading = false } = props;
  const board = useBoard(props);
  const { isLive, profile, group, nowMs, lines, charts, catalog } = board;
  const { originMs } = lines;
  const [shown, setShown] = useState<Shown>('all');
  const grid = useHeadroomGrid(board, overview);
  const targeting = useTarget(group);
  const { target, open, close } = targeting;
  const [pins, pinActions] = useBoardPins(profile?.id ?? 'any');
  const shared = useShared(board, {
    pins,
    pinActions,
    open,
    defaultHighlight: grid.worstTile === null ? null : `tile:${grid.worstTile}`,
  });
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
  const available = boardGroups.filter((g) => charts.some((c) => c.group === g));
  const narrowed = shown !== 'all' && available.includes(shown) ? shown : null;
  const [chartsNode, areRead] = useReading();
  const ids = useInteresting(board, areRead);
  const interesting =
    isLive && target === null
      ? charts
          .filter(({ id }) => ids.includes(id) && !pins.ids.includes(id))
          .slice(0, Math.max(0, topPlaces - pins.ids.length))
      : [];
  const shownAbove = useSame(
    // Who asks for charts of one kind gets all of them.
    new Set(narrowed === null ? interesting.map(({ id }) => id) : []),
    sameIds,
  );
  return (
    <BoardContext value={shared}>
      <div className={styles.board}>
        <h2 className={styles.hidden}>Overview</h2>
        <Glance {...props} board={board} grid={grid} targeting={targeting} />
        {charts.length === 0 && (
          <p className={styles.empty}>
            No series yet. Charts appear here when the first source reports; sources report after
            the run has started.
          </p>
        )}
        {target !== null && (
          <FocusPanel catalog={catalog} target={target} onOpen={open} onClose={close} />
        )}
        <div ref={chartsNode} className={styles.board}>
          {charts.length > 0 && (
            <TopCharts
              catalog={catalog}
              interesting={interesting}
              pins={pins}
              pinActions={pinActions}
            />
          )}
          <Happened board={board} overview={overview} />
          <BoardControls
            group={group}
            live={board.isNow}
            nowMs={nowMs}
            originMs={originMs}
            available={available}
            shown={shown}
            onShow={setShown}
            tiles={grid.tiles}
            worstTile={grid.worstTile}
            targets={catalog.targets}
            onOpen={open}
            search={search}
            onAddNote={props.onAddNote}
          />
          {narrowed === null && <Machines {...props} board={board} targeting={targeting} />}
          <BoardSections
            board={board}
            groups={narrowed === null ? available : [narrowed]}
            shownAbove={shownAbove}
            placement={overview.placement}
            reading={reading}
          />
        </div>
      </div>
    </BoardContext>
  );
}

/** Charts side by side on the first screen. */
const topPlaces = 3;
const sameIds = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((id) => b.has(id));

interface GlanceProps {
  board: Board;
  grid: HeadroomGrid;
  targeting: Targeting;
}

/** The answer on one screen: figures, what asks for attention, tiles, hosts. */
function Glance(props: LiveBoardProps & GlanceProps) {
  const { overview, board, grid } = props;
  const hasRacks = isForStage(overview);
  const hasGrid = grid.rows.length > 0 && (board.profile !== null || overview.score !== null);
  return (
    <>
      {board.isLive ? (
        <Figures {...props} />
      ) : (
        <BoardSummary
          overview={overview}
          lines={board.lines}
          headroom={board.headroom}
          unlimited={grid.of === 'share'}
        />
      )}
      {(hasRacks || hasGrid) && (
        <div className={styles.pair} data-both={(hasRacks && hasGrid) || undefined}>
          {hasGrid && <Heat {...props} />}
          {hasRacks && <BoardStage board={board} overview={overview} />}
        </div>
      )}
    </>
  );
}

function Figures({ overview, board, alerts }: LiveBoardProps & GlanceProps) {
  return (
    <FigureRow figures={useFigures(board, overview)}>
      {alerts}
      <Alerts board={board} overview={overview} />
    </FigureRow>
  );
}

/** Every tile and workload, always in one order. */
function Heat({ board: { isLive, lines }, grid, targeting }: GlanceProps) {
  const when = isLive ? 'now' : grid.of === 'share' ? 'in the periods' : 'in the worst period';
  return (
    <div className={styles.card}>
      <HeatStrip
        title={grid.of === 'share' ? `Throughput ${when}, %` : `QoS headroom ${when}, %`}
        of={grid.of}
        rows={grid.rows}
        columns={grid.columns}
        cell={grid.cell}
        feed={lines.feed}
        picked={targeting.target}
        onPick={targeting.open}
        onPickRow={targeting.openRow}
      />
    </div>
  );
}

/** All machines, LUNs, meters and links, highest first; and the latest events. */
function Machines(props: LiveBoardProps & Pick<GlanceProps, 'board' | 'targeting'>) {
  const { overview, board, targeting } = props;
  const { charts, lines, group } = board;
  const glance = useGlance(board, overview);
  const events = useSame(overview.events);
  return (
    <div className={styles.happened}>
      {charts.length > 0 && (
        <Overview
          {...glance}
          charts={charts}
          linesOf={lines.linesOf}
          nowMs={board.liveNow ?? null}
          reading={props.reading === true || lines.loading}
          group={group}
          originMs={lines.originMs}
          onOpen={targeting.open}
        />
      )}
      <LatestEvents events={events} group={group} originMs={lines.originMs} />
    </div>
  );
}

interface Targeting {
  target: string | null;
  open: (key: string) => void;
  openRow: (workloadId: string) => void;
  close: () => void;
}
/** What the board is narrowed to; its lines are highlighted on all charts. */
function useTarget(group: ChartGroup): Targeting {
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
  return { target, open, openRow, close };
}

function useShared(
  { lines, group, liveNow }: Board,
  own: Pick<BoardShared, 'pins' | 'pinActions' | 'open' | 'defaultHighlight'>,
): BoardShared {
  const { pins, pinActions, open, defaultHighlight } = own;
  return useMemo<BoardShared>(
    () => ({
      lines,
      pins,
      pinActions,
      open,
      group,
      nowMs: liveNow,
      defaultHighlight,
    }),
    [lines, pins, pinActions, open, group, liveNow, defaultHighlight],
  );
}

/** Everything that happened, over the whole run. */
function Happened({
  board: {
    group,
    lines: { originMs },
    endMs,
    liveNow,
  },
  overview,
}: {
  board: Board;
  overview: LiveBoardProps['overview'];
}) {
  const lanes = useSame(boardLanes(overview, originMs));
  return (
    <MarkLanes lanes={lanes} group={group} originMs={originMs} endMs={endMs} nowMs={liveNow} />
  );
}
