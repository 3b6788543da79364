import { memo, useSyncExternalStore } from 'react';
import { CartesianGrid, ComposedChart, XAxis, YAxis } from 'recharts';

import { formatClock, formatElapsed, valueAxis } from '../../core/base/format.ts';
import { margins } from './chartState.ts';
import type { ChartController } from './controller.ts';

export interface ChartFrameProps {
  controller: ChartController;
  width: number;
  height: number;
  clock: boolean;
  /** Epoch of 0:00. */ originMs: number;
}

const noData: { x: number }[] = [];
const chartMargin = { left: 0, right: margins.right, top: margins.top, bottom: 0 };
const tick = { fontSize: 12, fill: 'var(--tb-chart-text, var(--mantine-color-dimmed))' };
const line = 'var(--tb-chart-grid, var(--tb-line))';

/**
 * Axes and grid by Recharts, without data. Renders only when the axes move, the size or the time
 * form changes.
 */
export const ChartFrame = memo(function ChartFrame({
  controller,
  width,
  height,
  clock,
  originMs,
}: ChartFrameProps) {
  const axes = useSyncExternalStore(controller.onAxes, controller.axes);
  const { text: valueText } = valueAxis(axes, controller.input().series[0]?.unit ?? '');
  return (
    <ComposedChart
      width={width}
      height={height}
      data={noData}
      margin={chartMargin}
      accessibilityLayer={false}
      style={{ pointerEvents: 'none' }}
    >
      <CartesianGrid vertical={false} stroke={line} />
      <XAxis
        dataKey="x"
        type="number"
        domain={[axes.x[0], axes.x[1]]}
        ticks={axes.xTicks}
        interval={0}
        allowDataOverflow
        height={margins.bottom}
        tick={tick}
        tickLine={{ stroke: line }}
        axisLine={{ stroke: line }}
        tickMargin={3}
        tickFormatter={(ms: number) => (clock ? formatClock(ms + originMs) : formatElapsed(ms))}
      />
      <YAxis
        type="number"
        domain={[axes.y[0], axes.y[1]]}
        ticks={axes.yTicks}
        interval={0}
        allowDataOverflow
        width={margins.left}
        tick={tick}
        tickLine={false}
        axisLine={false}
        tickFormatter={valueText}
      />
    </ComposedChart>
  );
});
