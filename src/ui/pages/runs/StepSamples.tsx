import { Modal, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';

import { type AppErrorShape, toAppError } from '../../../core/base/errors.ts';
import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import type { SeriesData } from '../../../core/metric/metric.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import type { SampleLink } from '../../../core/score/scoreStep.ts';
import { chartLine } from '../../charts/chartLine.ts';
import { createChartGroup } from '../../charts/group.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { type ChartSeries, storedSource } from '../../engine/series.ts';
import { useClient } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { runMarks, runOrigin, runPhases } from '../live/boardModel.ts';

interface Props {
  overview: RunOverview;
  link: SampleLink;
  name: string;
  onClose: () => void;
}

/**
 * The samples behind one mean of the score: its series over its measurement period, every sample,
 * with the table behind the chart.
 */
export function StepSamples({ overview, link, name, onClose }: Props) {
  const def = overview.series.find(
    (s) => s.entity.id === link.entityId && s.metric === link.metric,
  );
  const period = overview.periods.find((p) => p.index === link.periodIndex);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Samples of ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {def === undefined || period === undefined ? (
        <Text size="sm">No series was recorded for this step.</Text>
      ) : (
        <Loaded overview={overview} def={def} period={period} />
      )}
    </Modal>
  );
}

function Loaded({
  overview,
  def,
  period,
}: {
  overview: RunOverview;
  def: RunOverview['series'][number];
  period: RunOverview['periods'][number];
}) {
  const client = useClient();
  const [data, setData] = useState<SeriesData | null>(null);
  const [error, setError] = useState<AppErrorShape | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    client
      .call(
        'run.samples',
        {
          runId: overview.id,
          seriesIds: [def.id],
          fromMs: period.startMs,
          toMs: period.endMs,
          maxPoints: 0,
        },
        abort.signal,
      )
      .then(
        ([series]) => {
          if (!abort.signal.aborted) setData(within(series, def.id, period));
        },
        (thrown: unknown) => {
          if (!abort.signal.aborted) setError(toAppError(thrown).toShape());
        },
      );
    return () => abort.abort();
  }, [client, overview.id, def.id, period]);
  const originMs = runOrigin(overview);
  const [group] = useState(() =>
    createChartGroup({ zoom: [period.startMs - originMs, period.endMs - originMs] }),
  );
  const series = useMemo<ChartSeries[]>(() => {
    if (data === null) return [];
    const source = storedSource(data, def.periodMs);
    const line = chartLine(def, { source, originMs, place: 0 });
    return [{ ...line, label: def.entity.name }];
  }, [data, def, originMs]);
  if (error) return <Failure title="The samples cannot be read" error={error} />;
  if (data === null) return <Pending label="samples" />;
  const values = [...data.value];
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {values.length === 0
          ? 'No sample arrived in this period.'
          : `${values.length} ${values.length === 1 ? 'sample' : 'samples'} from ` +
            `${formatElapsed(period.startMs - originMs)} to ` +
            `${formatElapsed(period.endMs - originMs)}: mean ${formatExact(mean, 3)}, least ` +
            `${formatExact(Math.min(...values), 3)}, greatest ` +
            `${formatExact(Math.max(...values), 3)} ${def.unit}, by ${def.source}.`}
      </Text>
      <TimeChart
        title={`${def.entity.name}, period ${period.index + 1}`}
        unit={def.unit}
        series={series}
        group={group}
        phases={runPhases(overview, originMs)}
        events={runMarks(overview, originMs)}
        originMs={originMs}
        height={260}
      />
    </Stack>
  );
}

/** Only what lies in the period counts for its mean: [start, end). */
function within(
  data: SeriesData | undefined,
  seriesId: number,
  period: { startMs: number; endMs: number },
): SeriesData {
  const inside =
    data === undefined
      ? []
      : [...data.tMs].flatMap((t, i) => (t >= period.startMs && t < period.endMs ? [i] : []));
  return {
    seriesId,
    tMs: Float64Array.from(inside, (i) => data!.tMs[i]!),
    value: Float64Array.from(inside, (i) => data!.value[i]!),
  };
}
