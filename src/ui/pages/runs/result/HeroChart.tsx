import { Button, Paper, Text } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { useMemo, useState } from 'react';

import { boardCharts } from '../../../../core/chart/boardCharts.ts';
import { heroChart } from '../../../../core/chart/heroChart.ts';
import type { RunRecord } from '../../../../core/run/run.ts';
import { shareText } from '../../../../core/score/resultCells.ts';
import { type Cell, tightestOf, worstCell } from '../../../../core/score/worstCell.ts';
import { createChartGroup } from '../../../charts/group.ts';
import { TimeChart, type TimeChartProps } from '../../../charts/TimeChart.tsx';
import { dim } from '../../../kit/tones.ts';
import { useRunLines, useStoredSamples } from '../../live/useRunLines.ts';
import { heroFlags, heroPeriods } from './heroModel.ts';
import styles from './result.module.css';

interface Props {
  record: RunRecord;
  /** The cell that was chosen; null = the worst one. */
  chosen: Cell | null;
  onWorst: () => void;
}
const none: readonly never[] = [];

/** The one picture of a result: the worst workload, or the chosen one, over the run. */
export function HeroChart({ record, chosen, onWorst }: Props) {
  const { overview, profile } = record;
  const charts = useMemo(() => boardCharts(overview, profile), [overview, profile]);
  const worst = useMemo(() => worstCell(overview.score), [overview.score]);
  const cell = chosen ?? worst;
  const chart = useMemo(
    () =>
      heroChart(
        charts,
        cell?.workloadId ?? null,
        cell === null ? undefined : tightestOf(overview.score, cell),
      ),
    [charts, overview.score, cell],
  );
  const load = useStoredSamples(overview.id);
  const lines = useRunLines(overview, chart?.defs ?? none, { load: chart ? load : undefined });
  const { originMs } = lines;
  const periods = useMemo(
    () => (chart === null ? [] : heroPeriods(overview, chart, originMs)),
    [overview, chart, originMs],
  );
  const share = useMemo(
    () => (cell === null || overview.score === null ? null : shareText(overview.score, cell)),
    [cell, overview.score],
  );
  const flags = useMemo(() => heroFlags(overview, originMs), [overview, originMs]);
  if (chart === null)
    return (
      <Paper p="md">
        <Text size="sm">No samples: there is nothing to draw.</Text>
        <Text size="sm" c={dim}>
          {record.imported === undefined
            ? 'The run ended before anything was measured.'
            : `${record.imported.fileName} holds figures without samples.`}
        </Text>
      </Paper>
    );
  const series = lines.linesOf(chart);
  return (
    <Plot
      key={cell === null ? chart.id : `${chart.id} ${cell.tile}`}
      title={chart.title}
      unit={chart.unit}
      series={series}
      limits={chart.limits}
      phases={lines.phases}
      periods={periods}
      events={flags}
      originMs={originMs}
      defaultHighlight={cell === null || series.length === 1 ? null : `tile:${cell.tile}`}
      isChosen={chosen !== null}
      loading={lines.loading}
      error={lines.error}
      onRetry={lines.retry}
      lead={<Shown cell={cell} share={share} isChosen={chosen !== null} onWorst={onWorst} />}
    />
  );
}

/** Which tile the chart stands for, and the way back from a chosen one. */
function Shown({
  cell,
  share,
  isChosen,
  onWorst,
}: {
  cell: Cell | null;
  /** What it gives to the score. */ share: string | null;
  isChosen: boolean;
  onWorst: () => void;
}) {
  if (cell === null) return null;
  return (
    <>
      {isChosen && (
        <Button size="compact-xs" variant="subtle" onClick={onWorst}>
          Back to the worst
        </Button>
      )}
      <Text span size="xs" c={dim} className={styles.shown}>
        {`${isChosen ? 'Tile' : 'Worst: tile'} ${cell.tile + 1}${share === null ? '' : `, ${share}`}`}
      </Text>
    </>
  );
}

/** The chart with a time of its own; a chosen tile stands out of the others. */
function Plot({ isChosen, ...chart }: Omit<TimeChartProps, 'group'> & { isChosen: boolean }) {
  const [group] = useState(() =>
    createChartGroup({ highlight: isChosen ? (chart.defaultHighlight ?? null) : null }),
  );
  const { height } = useViewportSize();
  return <TimeChart {...chart} group={group} height={height > 1_000 ? 320 : 230} />;
}
