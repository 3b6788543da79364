import { memo, useMemo, useState } from 'react';

import { ChartMenu } from '../../charts/ChartMenu.tsx';
import { type CurrentMarks, drawnLanes } from './laneMarks.ts';
import { type Lane, laneLegend, lanesSummary } from './laneModel.ts';
import styles from './lanes.module.css';
import { LaneShape } from './LaneShape.tsx';
import { LaneTable } from './LaneTable.tsx';
import { LaneTracks } from './LaneTracks.tsx';
import { TimeTicks } from './TimeTicks.tsx';
import { type Span, timeTextOf, type TimeView, useTimeView } from './timeView.ts';

export interface MarkLanesProps extends TimeView {
  lanes: readonly Lane[];
}

/**
 * Phases, periods, operations, moves, notes and faults over the whole run, a lane each, with the
 * part that the charts show; a drag shows another. Arrows go from mark to mark; the charts' cursor
 * follows.
 */
export const MarkLanes = memo(function MarkLanes(props: MarkLanesProps) {
  const { lanes, group, originMs } = props;
  const { state, endMs, visible } = useTimeView(props);
  // The lanes show the whole run, and on it the part that the charts show.
  const x1 = Math.max(1_000, endMs, ...lanes.flatMap((lane) => lane.spans.map((s) => s.toMs)));
  const span = useMemo<Span>(() => [0, x1], [x1]);
  const drawn = useMemo(() => drawnLanes(lanes, span), [lanes, span]);
  const [current, setCurrent] = useState<CurrentMarks | null>(null);
  const [table, setTable] = useState(false);
  const timeText = timeTextOf(state, originMs);
  const readoutId = `${originMs}-lanes`;
  const readout = current === null ? lanesSummary(lanes) : marksText(current, timeText);
  return (
    <section className={styles.panel} aria-label="What happened">
      <Head
        lanes={lanes}
        onTable={() => setTable(true)}
        onWhole={() => group.set({ zoom: null, windowMs: null })}
      />
      <div className={styles.body}>
        <div className={styles.titles} aria-hidden="true">
          {lanes.map((lane) => (
            <span key={lane.id}>{lane.title}</span>
          ))}
        </div>
        <LaneTracks
          drawn={drawn}
          span={span}
          visible={visible}
          group={group}
          current={current}
          onCurrent={setCurrent}
          describedBy={readoutId}
        />
        <span />
        <div className={styles.axis} aria-hidden="true">
          <TimeTicks span={span} timeText={timeText} endShare={0.96} />
        </div>
      </div>
      <p
        className={styles.readout}
        id={readoutId}
        aria-live={current?.keyboard === true ? 'polite' : 'off'}
        title={readout}
      >
        {readout}
      </p>
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

function Head({
  lanes,
  onTable,
  onWhole,
}: {
  lanes: readonly Lane[];
  onTable: () => void;
  onWhole: () => void;
}) {
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>What happened</h3>
      <ul className={styles.legend} aria-label="Marks">
        {laneLegend(lanes).map((l) => (
          <li key={`${l.shape} ${l.what}`}>
            <LaneShape shape={l.shape} bad={l.bad} />
            {l.what}
          </li>
        ))}
      </ul>
      <ChartMenu
        title="What happened"
        actions={[
          { id: 'table', label: 'Table', run: onTable },
          { id: 'zoom', label: 'Show whole run', run: onWhole },
        ]}
      />
    </div>
  );
}
