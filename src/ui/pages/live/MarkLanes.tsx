import { memo, useMemo, useState } from 'react';

import { ChartMenu } from '../../charts/ChartMenu.tsx';
import { type CurrentMarks, drawnLanes } from './laneMarks.ts';
import { type Lane, lanesSummary, oneLane } from './laneModel.ts';
import styles from './lanes.module.css';
import { LaneTable } from './LaneTable.tsx';
import { LaneTracks } from './LaneTracks.tsx';
import { TimeTicks } from './TimeTicks.tsx';
import { type Span, timeTextOf, type TimeView, useTimeView } from './timeView.ts';

export interface MarkLanesProps extends TimeView {
  lanes: readonly Lane[];
}

/**
 * Phases, periods, operations, moves, notes and faults over the whole run, on one lane, with the
 * part that the charts show; a drag shows another. Arrows go from mark to mark; the charts' cursor
 * follows.
 */
export const MarkLanes = memo(function MarkLanes(props: MarkLanesProps) {
  const { lanes, group, originMs } = props;
  const { state, endMs, visible } = useTimeView(props);
  // The lane shows the whole run, and on it the part that the charts show.
  const x1 = Math.max(1_000, endMs, ...lanes.flatMap((lane) => lane.spans.map((s) => s.toMs)));
  const span = useMemo<Span>(() => [0, x1], [x1]);
  const drawn = useMemo(() => drawnLanes([oneLane(lanes)], span), [lanes, span]);
  const [current, setCurrent] = useState<CurrentMarks | null>(null);
  const [table, setTable] = useState(false);
  const timeText = timeTextOf(state, originMs);
  const readoutId = `${originMs}-lanes`;
  const readout = current === null ? lanesSummary(lanes) : marksText(current, timeText);
  return (
    <section className={styles.panel} aria-label="What happened">
      <h3 className={styles.title}>What happened</h3>
      <div className={styles.body}>
        <LaneTracks
          drawn={drawn}
          span={span}
          visible={state.zoom === null && state.windowMs === null ? null : visible}
          group={group}
          current={current}
          onCurrent={setCurrent}
          describedBy={readoutId}
        />
        <div className={styles.axis} aria-hidden="true">
          <TimeTicks span={span} timeText={timeText} endShare={0.96} />
        </div>
        <p
          className={styles.readout}
          id={readoutId}
          data-shown={current !== null || undefined}
          aria-live={current?.keyboard === true ? 'polite' : 'off'}
        >
          {readout}
        </p>
      </div>
      <ChartMenu
        title="What happened"
        actions={[
          { id: 'table', label: 'Table', run: () => setTable(true) },
          {
            id: 'zoom',
            label: 'Show whole run',
            run: () => group.set({ zoom: null, windowMs: null }),
          },
        ]}
      />
      {table && (
        <LaneTable
          lanes={lanes}
          clock={state.clock}
          timeText={timeText}
          onClose={() => setTable(false)}
        />
      )}
    </section>
  );
});

/** The first three of some marks in words, and how many more there are. */
const marksText = ({ marks }: CurrentMarks, timeText: (ms: number) => string): string =>
  [
    timeText(marks[0]!.atMs),
    ...marks.slice(0, 3).map((m) => `${m.what}: ${m.text}`),
    ...(marks.length > 3 ? [`and ${marks.length - 3} more`] : []),
  ].join(' · ');
