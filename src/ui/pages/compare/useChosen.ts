import { useState } from 'react';

import { type Comparison, forestRows, mostChangedTile } from '../../../core/compare/index.ts';
import type { MetricName } from '../../../core/metric/metric.ts';

/** What the chart of a comparison shows: a metric of a workload of a tile. */
export interface Chosen {
  metric: MetricName;
  workloadId: string;
  tile: number;
}

/**
 * The row that is looked at; until somebody chooses, what lost most, in the tile where it changed
 * most. null = no workload was measured.
 */
export function useChosen(
  comparison: Comparison,
  run: number,
): {
  chosen: Chosen | null;
  choose: (chosen: Chosen) => void;
  chooseWorkload: (workloadId: string) => void;
} {
  const [own, setOwn] = useState<Chosen | null>(null);
  const at = (workloadId: string, metric: MetricName): Chosen => {
    const matrix = comparison.matrix.find((one) => one.metric === metric) ?? comparison.matrix[0];
    return { metric, workloadId, tile: mostChangedTile(matrix, workloadId, run) ?? 0 };
  };
  const [first] = forestRows(comparison, run);
  return {
    chosen: own ?? (first === undefined ? null : at(first.workloadId, first.metric)),
    choose: setOwn,
    chooseWorkload: (workloadId) => {
      const row = forestRows(comparison, run).find((one) => one.workloadId === workloadId);
      setOwn(at(workloadId, own?.metric ?? row?.metric ?? 'throughput'));
    },
  };
}
