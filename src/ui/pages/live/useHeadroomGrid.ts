import { type RefObject, useCallback, useMemo, useRef } from 'react';

import { workloadName } from '../../../core/chart/boardCharts.ts';
import type { HeatCell } from '../../charts/HeatStrip.tsx';
import { everyWorkload, heatCells } from './headroom.ts';
import type { Board } from './useBoard.ts';
import { useTileOrder } from './useTileOrder.ts';

/** QoS headroom of a board as a grid of workloads by tiles. */
export interface HeadroomGrid {
  rows: readonly { id: string; label: string }[];
  columns: readonly { id: string; label: string }[];
  cell: (rowId: string, columnId: string) => HeatCell | undefined;
  /** All tiles, by number. */
  tiles: readonly number[];
  worstTile: number | null;
}

/** `hold` true: the order of tiles stays. */
export function useHeadroomGrid(
  { workloads, profile, headroom, isLive }: Board,
  hold: () => boolean,
): HeadroomGrid {
  const tiles = useMemo(
    () => [...new Set(workloads.map((w) => w.tile))].sort((a, b) => a - b),
    [workloads],
  );
  const { order, worst: worstTile } = useTileOrder(headroom, tiles, isLive, hold);
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
  return { rows, columns, cell, tiles, worstTile };
}

/** A node, and whether somebody points at it or is in it by keyboard. */
export function useHeld(): [RefObject<HTMLDivElement | null>, () => boolean] {
  const node = useRef<HTMLDivElement>(null);
  const held = useCallback(
    () =>
      node.current?.matches(':hover') === true ||
      node.current?.contains(document.activeElement) === true,
    [],
  );
  return [node, held];
}
