import type { ComponentProps } from 'react';

import type { ChartGroup } from '../../charts/group.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import type { ShownChart } from './boardTargets.ts';
import type { RunLines } from './useRunLines.ts';
import { isLowWorse, useWorstLine } from './useWorstLine.ts';

type TimeChartProps = ComponentProps<typeof TimeChart>;
export interface RunChartProps extends Pick<
  TimeChartProps,
  'shortTitle' | 'height' | 'scale' | 'defaultHighlight' | 'more' | 'onOpen' | 'lead'
> {
  chart: ShownChart;
  lines: RunLines;
  group: ChartGroup;
  /** The clock of a run that moves; undefined where it has ended. */
  nowMs?: (() => number) | undefined;
}

/** One chart of a run: its lines, limits, phases and marks, and what became of reading them. */
export function RunChart({ chart, lines, defaultHighlight, ...rest }: RunChartProps) {
  const series = lines.linesOf(chart);
  const worst = useWorstLine(series, isLowWorse(chart), rest.nowMs !== undefined, defaultHighlight);
  return (
    <TimeChart
      title={chart.title}
      unit={chart.unit}
      series={series}
      limits={chart.limits}
      phases={lines.phases}
      events={lines.events}
      originMs={lines.originMs}
      feed={lines.feed}
      loading={lines.loading}
      error={lines.error}
      onRetry={lines.retry}
      defaultHighlight={worst}
      {...rest}
    />
  );
}
