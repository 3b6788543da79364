import { Group, Paper, Tabs, Text } from '@mantine/core';
import { useMemo } from 'react';

import { type Comparison, rowOf } from '../../../core/compare/index.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { type Asked } from '../../engine/runData.ts';
import { useClient } from '../../engine/services.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { dim } from '../../kit/tones.ts';
import { DistributionSection } from './DistributionSection.tsx';
import { overlayCharts } from './overlays.ts';
import { mostLines, useOverlayLines } from './Overlays.tsx';
import type { Chosen } from './useChosen.ts';

interface Props {
  comparison: Comparison;
  records: Asked<readonly RunRecord[]>;
  /** The run that is held against the baseline. */
  run: number;
  chosen: Chosen | null;
}

/** The chosen row over the time of the runs, laid over each other, or how its samples lie. */
export function RowPicture({ comparison, records, run, chosen }: Props) {
  const key =
    chosen === null ? undefined : rowOf(comparison, chosen.metric, chosen.workloadId)?.key;
  return (
    <Paper component="section" aria-label="The chosen row" px="sm" py={8}>
      <Tabs defaultValue="time" keepMounted={false}>
        <Tabs.List mb={8}>
          <Tabs.Tab value="time">Over time</Tabs.Tab>
          <Tabs.Tab value="samples">Distributions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="time">
          {records.data ? (
            <OverTime records={records.data} run={run} chosen={chosen} />
          ) : records.error ? (
            <Failure title="Charts cannot be drawn" error={records.error} onRetry={records.retry} />
          ) : (
            <Pending label="chart" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="samples">
          <DistributionSection key={key} comparison={comparison} first={key} />
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}

function OverTime({
  records: all,
  run,
  chosen,
}: {
  records: readonly RunRecord[];
  run: number;
  chosen: Chosen | null;
}) {
  const client = useClient();
  // Of more runs than a chart can show, the one that is looked at beside the baseline.
  const records = useMemo(() => (all.length > mostLines ? [all[0]!, all[run]!] : all), [all, run]);
  const charts = useMemo(() => overlayCharts(records.map((r) => r.overview)), [records]);
  const shown = useMemo(
    () =>
      charts
        .filter(
          ({ key }) =>
            chosen !== null &&
            key.startsWith(`${chosen.metric}/t${chosen.tile}.${chosen.workloadId}/`),
        )
        .slice(0, 1),
    [charts, chosen],
  );
  const { lines, common } = useOverlayLines(client, records, shown);
  const [chart] = shown;
  if (chart === undefined)
    return (
      <Group py="md">
        <Text size="sm" c={dim}>
          No samples of it: there is nothing to draw.
        </Text>
      </Group>
    );
  return (
    <TimeChart
      title={chart.title}
      unit={chart.unit}
      series={lines.get(chart.key) ?? none}
      missing={chart.missing}
      height={220}
      {...common}
    />
  );
}
const none: readonly never[] = [];
