import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { memo, type ReactNode, use, useMemo } from 'react';

import type { ChartAction } from '../../charts/ChartMenu.tsx';
import type { SharedScale } from '../../charts/sharedScale.ts';
import { DetachContext } from '../../kit/detachContext.ts';
import { BoardContext, type BoardShared } from './boardContext.ts';
import type { ShownChart } from './boardTargets.ts';
import styles from './live.module.css';
import { RunChart } from './RunChart.tsx';

export interface BoardChartViewProps {
  chart: ShownChart;
  height?: number | undefined;
  shortTitle?: string | undefined;
  scale?: SharedScale | undefined;
  lead?: ReactNode;
  more?: readonly ChartAction[] | undefined;
}

/** One chart of the board: its lines, its pin, and the way to each line on a chart of its own. */
export const BoardChartView = memo(function BoardChartView({
  chart,
  height,
  shortTitle,
  scale,
  lead,
  more,
}: BoardChartViewProps) {
  const board = use(BoardContext);
  if (board === null) throw new Error('A chart of the board stands outside of it.');
  const { lines, pins, pinActions, open, group, nowMs, defaultHighlight } = board;
  const pinned = pins.ids.includes(chart.id);
  const actions = useActions(chart, board, more);
  return (
    <RunChart
      chart={chart}
      lines={lines}
      shortTitle={shortTitle}
      group={group}
      nowMs={nowMs}
      height={height}
      scale={scale}
      defaultHighlight={defaultHighlight}
      more={actions}
      onOpen={chart.labels === undefined ? open : undefined}
      lead={
        <>
          {lead}
          <PinButton chart={chart} pinned={pinned} onToggle={pinActions.toggle} />
        </>
      }
    />
  );
});

/** What the menu of a chart of the board offers before what every chart offers. */
function useActions(
  chart: ShownChart,
  { pins, pinActions, open }: BoardShared,
  more: readonly ChartAction[] | undefined,
): ChartAction[] {
  const detach = use(DetachContext);
  const pinned = pins.ids.includes(chart.id);
  return useMemo<ChartAction[]>(
    () => [
      ...(more ?? []),
      {
        id: 'pin',
        label: pinned ? 'Unpin' : 'Pin to the top',
        run: () => pinActions.toggle(chart.id),
      },
      ...(chart.defs.length > 1 && chart.labels === undefined
        ? [
            {
              id: 'split',
              label: 'Each line on its own',
              run: () => open(`chart:${chart.id}`),
            },
          ]
        : []),
      ...(detach !== null && chart.labels === undefined
        ? [
            {
              id: 'detach',
              label: 'Detach to a second window',
              run: () => detach(`chart:${chart.id}`),
            },
          ]
        : []),
    ],
    [more, pinned, pinActions, chart, open, detach],
  );
}

function PinButton({
  chart,
  pinned,
  onToggle,
}: {
  chart: ShownChart;
  pinned: boolean;
  onToggle: (id: string) => void;
}) {
  const Pin = pinned ? IconPinFilled : IconPin;
  return (
    <button
      type="button"
      className={styles.pin}
      aria-pressed={pinned}
      aria-label={`Pin ${chart.title}`}
      title={pinned ? 'Unpin' : 'Pin to the top'}
      onClick={() => onToggle(chart.id)}
    >
      <Pin size={14} aria-hidden />
    </button>
  );
}
