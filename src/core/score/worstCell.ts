import { type QosHeadroom, scoreHeadroom } from '../limits/index.ts';
import type { Score } from '../run/scoreTypes.ts';
import { resultTable, worstTilesFirst } from './resultCells.ts';

/** One workload of one tile. */
export interface Cell {
  tile: number;
  workloadId: string;
}

/**
 * What a result is told by until somebody chooses: the workload with the least headroom, or where
 * there is no limit the one furthest behind. null = no score tells.
 */
export function worstCell(score: Score | null): Cell | null {
  if (score === null) return null;
  const limited = scoreHeadroom(score).find(({ headroom }) => headroom !== null);
  if (limited !== undefined) return limited;
  const { rows } = resultTable(score);
  const cells = worstTilesFirst(rows)[0]?.cells ?? [];
  return [...cells].sort((a, b) => (a.ratio ?? Infinity) - (b.ratio ?? Infinity))[0] ?? null;
}

/** Its limit that is nearest to breaking, or broken furthest; undefined = it has none. */
export const tightestOf = (score: Score | null, cell: Cell): QosHeadroom | undefined =>
  score === null
    ? undefined
    : scoreHeadroom(score).find(
        (entry) => entry.tile === cell.tile && entry.workloadId === cell.workloadId,
      );
