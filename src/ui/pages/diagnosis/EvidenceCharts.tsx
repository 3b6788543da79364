import { useCallback, useMemo, useState } from 'react';

import { boardCharts } from '../../../core/chart/boardCharts.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { createChartGroup } from '../../charts/group.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { useRunOverview } from '../../engine/runData.ts';
import { useClient } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { runMarks, runOrigin, runPhases } from '../live/boardModel.ts';
import { chartLine } from '../live/chartLine.ts';
import { useBoardData } from '../live/useBoardData.ts';
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
  const client = useClient();
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
  const load = useCallback(
    (ids: readonly number[]) =>
      client.call('run.samples', { runId: overview.id, seriesIds: [...ids] }),
    [client, overview.id],
  );
  const data = useBoardData(overview.id, defs, null, load);
  const originMs = runOrigin(overview);
  const phases = useMemo(() => runPhases(overview, originMs), [overview, originMs]);
  const events = useMemo(() => runMarks(overview, originMs), [overview, originMs]);
  return (
    <div className={styles.charts}>
      {charts.map((chart) => (
        <TimeChart
          key={chart.id}
          title={chart.title}
          unit={chart.unit}
          series={chart.defs.map((def, i) => chartLine(def, i, originMs, data.sourceOf, null))}
          limits={chart.limits}
          group={group}
          phases={phases}
          events={events}
          originMs={originMs}
          height={140}
          feed={data.feed}
          loading={data.loading}
          error={data.error}
          onRetry={data.retry}
        />
      ))}
    </div>
  );
}
