import { formatSi, quantityText } from '../../../core/base/format.ts';
import { median } from '../../../core/stats/summary.ts';
import type { HeatCell } from '../../charts/HeatStrip.tsx';
import type { ThroughputSeries } from './boardFigures.ts';

interface Cell {
  value: number;
  of: number;
  unit: string;
  isReference: boolean;
}

/**
 * Work of each tile and workload in percent of its reference, or of the median of all tiles where
 * there is none; worked out once for all cells asked for together. `mean`: of the last minute.
 */
export function shareCells(
  list: readonly ThroughputSeries[],
  mean: (one: ThroughputSeries) => number,
  isLost: (workloadId: string, tile: number) => boolean,
  wallMs: () => number = () => performance.now(),
): (rowId: string, columnId: string) => HeatCell | undefined {
  let atMs = -Infinity;
  let cells = new Map<string, Cell>();
  return (rowId, columnId) => {
    const now = wallMs();
    if (now - atMs > 500) {
      atMs = now;
      cells = readCells(list, mean);
    }
    const tile = Number(columnId.slice('tile:'.length));
    const found = cells.get(`${rowId}/${tile}`);
    if (isLost(rowId, tile)) return { pct: null, lost: true, detail: 'No sample arrives' };
    if (found === undefined) return undefined;
    const { value, of, unit, isReference } = found;
    const pct = (value / of) * 100;
    return {
      pct: Number.isFinite(pct) ? pct : null,
      share: true,
      detail:
        `${quantityText(value, unit)} of ${formatSi(of)} ` +
        (isReference ? 'of the reference' : 'of the median tile'),
    };
  };
}

function readCells(
  list: readonly ThroughputSeries[],
  mean: (one: ThroughputSeries) => number,
): Map<string, Cell> {
  const values = list.map((one) => ({ ...one, value: mean(one) }));
  return new Map(
    values.map(({ workloadId, tile, value, reference, def: { unit } }) => {
      const of =
        reference ??
        median(
          values
            .filter((other) => other.workloadId === workloadId && Number.isFinite(other.value))
            .map((other) => other.value),
        );
      return [`${workloadId}/${tile}`, { value, of, unit, isReference: reference !== null }];
    }),
  );
}
