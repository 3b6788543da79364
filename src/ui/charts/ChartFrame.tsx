import { memo, useSyncExternalStore } from 'react';
import { axisFormatter, formatClock, formatElapsed } from './format.ts';
import { plotRect, type ChartController } from './controller.ts';
import styles from './charts.module.css';

export interface ChartFrameProps { controller: ChartController; width: number; height: number; clock: boolean; /** Epoch of 0:00. */ originMs: number }

/** Axes and grid, without data: plain SVG, since a first draw has time for little more. Renders only when the axes move, the size or the time form changes. */
export const ChartFrame = memo(function ChartFrame({ controller, width, height, clock, originMs }: ChartFrameProps) {
  const { x, y, xTicks, yTicks } = useSyncExternalStore(controller.onAxes, controller.axes);
  const plot = plotRect(width, height);
  const bottom = plot.top + plot.height;
  const right = plot.left + plot.width;
  const valueText = axisFormatter(Math.max(Math.abs(y[0]), Math.abs(y[1])), (yTicks[1] ?? 1) - (yTicks[0] ?? 0));
  const atX = (ms: number): number => plot.left + ((ms - x[0]) / (x[1] - x[0])) * plot.width;
  const atY = (value: number): number => Math.round(bottom - ((value - y[0]) / (y[1] - y[0])) * plot.height) + 0.5;
  return (
    <svg className={styles.frame} width={width} height={height} aria-hidden="true">
      <path className={styles.gridLine} d={`${yTicks.map((value) => `M${plot.left} ${atY(value)}H${right}`).join('')}M${plot.left} ${bottom + 0.5}H${right}${xTicks.map((ms) => `M${Math.round(atX(ms)) + 0.5} ${bottom}v5`).join('')}`} />
      {yTicks.map((value) => <text key={value} x={plot.left - 6} y={atY(value)} dy="0.35em" textAnchor="end">{valueText(value)}</text>)}
      {xTicks.map((ms) => <text key={ms} x={atX(ms)} y={bottom + 18} textAnchor="middle">{clock ? formatClock(ms + originMs) : formatElapsed(ms)}</text>)}
    </svg>
  );
});
