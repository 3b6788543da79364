import { type RefObject, useCallback, useMemo, useRef, useState } from 'react';

import { boardGroups } from '../../../core/chart/boardCharts.ts';
import type { ChartGroup } from '../../charts/group.ts';
import { HeatStrip } from '../../charts/HeatStrip.tsx';
import { usePageCommands } from '../../kit/pageCommands.ts';
import { useSame } from '../../kit/useSame.ts';
import { BoardContext, type BoardShared } from './boardContext.ts';
import { BoardControls, type Shown } from './BoardControls.tsx';
import { useBoardPins } from './boardPins.ts';
import { BoardSections } from './BoardSections.tsx';
import { BoardStage, isForStage } from './BoardStage.tsx';
import { toggleFollow } from './BoardStatus.tsx';
import { BoardSummary } from './BoardSummary.tsx';
import { EarlyWarnings } from './EarlyWarnings.tsx';
import { FocusPanel } from './FocusPanel.tsx';
import { boardLanes } from './laneModel.ts';
import styles from './live.module.css';
import { MarkLanes } from './MarkLanes.tsx';
import { LatestEvents, Overview } from './Overview.tsx';
import { PinnedCharts } from './PinnedCharts.tsx';
import { type Board, type LiveBoardProps, useBoard, useGlance } from './useBoard.ts';
import { type HeadroomGrid, useHeadroomGrid, useHeld } from './useHeadroomGrid.ts';

/** A run on one page, while it lasts and after: figures, headroom, charts. */
export function LiveBoard(props: LiveBoardProps) {
  const { overview, reading = false } = props;
  const board = useBoard(props);
  const { isLive, profile, group, nowMs, lines, charts, catalog } = board;
  const { originMs } = lines;
  const [shown, setShown] = useState<Shown>('all');
  const [strip, stripHeld] = useHeld();
  const grid = useHeadroomGrid(board, stripHeld);
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
  return (
    <BoardContext value={shared}>
      <div className={styles.board}>
        <h2 className={styles.hidden}>Overview</h2>
        <Glance {...props} board={board} grid={grid} strip={strip} targeting={targeting} />
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
        <BoardSections
          board={board}
          groups={shown === 'all' || !available.includes(shown) ? available : [shown]}
          placement={overview.placement}
          reading={reading}
        />
      </div>
    </BoardContext>
  );
}

interface GlanceProps {
  board: Board;
  grid: HeadroomGrid;
  /** Where the grid lies: its order stays while somebody is in it. */
  strip: RefObject<HTMLDivElement | null>;
  targeting: Targeting;
}

/** The run at a glance: figures, warnings, headroom, all machines. */
function Glance(props: LiveBoardProps & GlanceProps) {
  const { overview, board, grid, strip, targeting } = props;
  const { isLive, profile, group, nowMs, lines, charts } = board;
  const glance = useGlance(board, overview);
  const hasLimits = grid.rows.length > 0 && (profile !== null || overview.score !== null);
  return (
    <>
      <BoardSummary
        headed={props.headed ?? false}
        overview={overview}
        live={isLive}
        nowMs={nowMs}
        lines={lines}
        headroom={board.headroom}
        unlimited={profile !== null && profile.workloads.every(({ qos }) => qos.length === 0)}
      />
      {isForStage(overview) && <BoardStage board={board} overview={overview} />}
      {isLive && hasLimits && <EarlyWarnings warnings={board.warnings} />}
      {hasLimits && (
        <div ref={strip}>
          <HeatStrip
            title={
              isLive
                ? 'QoS headroom now, worst tile first'
                : 'QoS headroom, worst period, worst tile first'
            }
            rows={grid.rows}
            columns={grid.columns}
            cell={grid.cell}
            feed={lines.feed}
            picked={targeting.target}
            onPick={targeting.open}
            onPickRow={targeting.openRow}
          />
        </div>
      )}
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
    </>
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

/** Everything that happened on lanes over the whole run, and the latest of it in words. */
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
  const events = useSame(overview.events);
  return (
    <div className={styles.happened}>
      <MarkLanes lanes={lanes} group={group} originMs={originMs} endMs={endMs} nowMs={liveNow} />
      <LatestEvents events={events} group={group} originMs={originMs} />
    </div>
  );
}
