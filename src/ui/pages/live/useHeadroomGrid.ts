import { useMemo } from 'react';

import { workloadName } from '../../../core/chart/boardCharts.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import type { HeatCell } from '../../charts/HeatStrip.tsx';
import { meanReader, throughputSeries } from './boardFigures.ts';
import { everyWorkload, heatCells } from './headroom.ts';
import { shareCells } from './shareCells.ts';
import type { Board } from './useBoard.ts';
import { useWorstTile } from './useWorstTile.ts';

/** What is known of a board as a grid of workloads by tiles, which keep their order. */
export interface HeadroomGrid {
  /** Headroom of limits; or work against a reference where the profile sets no limit. */
  of: 'headroom' | 'share';
  rows: readonly { id: string; label: string }[];
  columns: readonly { id: string; label: string }[];
  cell: (rowId: string, columnId: string) => HeatCell | undefined;
  /** All tiles, by number. */
  tiles: readonly number[];
  worstTile: number | null;
}

export function useHeadroomGrid(board: Board, overview: RunOverview): HeadroomGrid {
  const { workloads, profile, headroom, isLive } = board;
  const tiles = useMemo(
    () => [...new Set(workloads.map((w) => w.tile))].sort((a, b) => a - b),
    [workloads],
  );
  const worstTile = useWorstTile(headroom, isLive);
  const ids = useMemo(() => [...new Set(workloads.map((w) => w.workloadId))], [workloads]);
  const limited = useMemo(
    () =>
      ids.filter(
        (id) =>
          profile === null || (profile.workloads.find((w) => w.id === id)?.qos.length ?? 0) > 0,
      ),
    [ids, profile],
  );
  const of = limited.length === 0 ? 'share' : 'headroom';
  const rows = useMemo(
    () => [
      ...(limited.length > 1 ? [{ id: everyWorkload, label: 'Tile' }] : []),
      ...(of === 'share' ? ids : limited).map((id) => ({ id, label: workloadName(profile, id) })),
    ],
    [ids, limited, of, profile],
  );
  const columns = useMemo(
    () => tiles.map((t) => ({ id: `tile:${t}`, label: `Tile ${t + 1}` })),
    [tiles],
  );
  const shares = useShares(board, overview);
  const cell = useMemo(
    () => (of === 'share' ? shares : heatCells(headroom)),
    [of, shares, headroom],
  );
  return { of, rows, columns, cell, tiles, worstTile };
}

/** Cells of work done in the last minute, or over the periods of a run that has ended. */
function useShares(
  { profile, nowMs, isLive, lines: { sourceOf, slackMs } }: Board,
  { series, workloads, score, periods }: RunOverview,
): HeadroomGrid['cell'] {
  const list = useMemo(
    () => throughputSeries({ series, workloads, score }, profile),
    [series, workloads, score, profile],
  );
  return useMemo(() => {
    const mean = meanReader(sourceOf);
    const lost = new Set(
      workloads.filter(({ state }) => state === 'lost').map((w) => `${w.workloadId}/${w.tile}`),
    );
    return shareCells(
      list,
      ({ def }) => {
        const late = Number.isFinite(slackMs) ? slackMs : 0;
        return isLive
          ? mean(def, nowMs() - 60_000 - late, nowMs() + 5_000)
          : mean(def, periods[0]?.startMs ?? -Infinity, periods.at(-1)?.endMs ?? Infinity);
      },
      (workloadId, tile) => lost.has(`${workloadId}/${tile}`),
    );
  }, [list, sourceOf, workloads, isLive, nowMs, slackMs, periods]);
}
