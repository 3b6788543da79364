import { useMemo, useState } from 'react';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { createChartGroup } from '../../charts/group.ts';
import { useRunOverview } from '../../engine/runData.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { RunChart } from '../live/RunChart.tsx';
import { useRunLines, useStoredSamples } from '../live/useRunLines.ts';
import styles from './diagnosis.module.css';

/**
 * The series of the evidence over the run, with phases, operations and marks; the failing workload
 * first.
 */
export function EvidenceCharts({ runId, series }: { runId: string; series: readonly number[] }) {
  const overview = useRunOverview(runId);
  if (overview.data === undefined)
    return overview.error ? (
      <Failure title="The charts cannot be drawn" error={overview.error} onRetry={overview.retry} />
    ) : (
      <Pending label="charts" rows={3} />
    );
  return <Charts key={`${runId} ${series.join()}`} overview={overview.data} series={series} />;
}

function Charts({ overview, series }: { overview: RunOverview; series: readonly number[] }) {
  const [group] = useState(() => createChartGroup());
  const [wanted] = useState(() => new Set(series));
  const defs = useMemo(
    () => overview.series.filter((one) => wanted.has(one.id)),
    [overview.series, wanted],
  );
  const charts = useMemo(
    () => boardCharts({ series: defs, workloads: overview.workloads }, null),
    [defs, overview.workloads],
  );
  const lines = useRunLines(overview, defs, { load: useStoredSamples(overview.id) });
  return (
    <div className={styles.charts}>
      {charts.map((chart) => (
        <RunChart key={chart.id} chart={chart} lines={lines} group={group} height={140} />
      ))}
    </div>
  );
}
