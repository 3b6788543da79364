import { memo, useMemo, useState } from 'react';

import type { PlacementHistory } from '../../../core/run/run.ts';
import { ChartMenu } from '../../charts/ChartMenu.tsx';
import { MoveMark } from './MoveMark.tsx';
import styles from './placement.module.css';
import {
  hostColor,
  hostCounts,
  hostLetter,
  type MovedBy,
  movedByWords,
  moveLines,
  movesTsv,
  placementRows,
  placementSummary,
  stayText,
} from './placementModel.ts';
import { type PlacementCursor, PlacementRows } from './PlacementRows.tsx';
import { PlacementTable } from './PlacementTable.tsx';
import { TimeTicks } from './TimeTicks.tsx';
import { timeTextOf, type TimeView, useTimeView } from './timeView.ts';

export interface PlacementTimelineProps extends TimeView {
  placement: PlacementHistory | undefined;
  /** A run that has not ended may still get its placement. */
  expected: boolean;
}

const marks: readonly MovedBy[] = ['run', 'drs', 'other', 'unknown'];

/**
 * Where every VM ran over the time of the run: rows of VMs by tile, hosts as colours with letters,
 * moves as marks whose shape says by whom.
 */
export const PlacementTimeline = memo(function PlacementTimeline(props: PlacementTimelineProps) {
  const { placement, expected } = props;
  return (
    <div className={styles.panel} role="region" aria-label="Placement of VMs">
      {placement === undefined || placement.moves.length === 0 ? (
        <>
          <div className={styles.head}>
            <h3 className={styles.title}>VMs on hosts</h3>
          </div>
          <p className={styles.empty}>
            {placement !== undefined
              ? 'Nothing was known of where VMs run at this time.'
              : expected
                ? 'Where VMs run is shown here after the first answer of vCenter.'
                : 'Placement was not recorded: no vCenter, or a run of an earlier version.'}
          </p>
        </>
      ) : (
        <Timeline {...props} placement={placement} />
      )}
    </div>
  );
});

function Timeline(props: TimeView & { placement: PlacementHistory }) {
  const { placement, group, originMs, nowMs } = props;
  const { state, endMs, visible } = useTimeView(props);
  const rows = useMemo(() => placementRows(placement, originMs), [placement, originMs]);
  const [current, setCurrent] = useState<PlacementCursor | null>(null);
  const [table, setTable] = useState(false);
  const [said, setSaid] = useState('');
  const timeText = timeTextOf(state, originMs);
  const summaryId = `${originMs}-places`;
  const copy = (): void => {
    navigator.clipboard.writeText(movesTsv(moveLines(placement, rows), originMs)).then(
      () => setSaid(`${placement.moves.length} places and moves copied.`),
      (thrown: unknown) =>
        setSaid(`Copy failed: ${String(thrown)}. The table shows the same rows.`),
    );
  };
  return (
    <>
      <Head
        table={table}
        onTable={() => setTable(!table)}
        onCopy={copy}
        onWhole={() => group.set({ zoom: null, windowMs: null })}
      />
      <Legend
        placement={placement}
        counts={hostCounts(rows, placement.hosts.length, current?.atMs ?? endMs)}
      />
      <p className={styles.readout} aria-live={current?.keyboard ? 'polite' : 'off'}>
        {current === null
          ? `Counts: VMs on each host ${nowMs === undefined ? 'at the end' : 'now'}. Point at ` +
            'a row, or use the arrow keys, to read a VM at a time.'
          : stayText(rows[current.row], placement, current.atMs, timeText)}
      </p>
      <PlacementRows
        rows={rows}
        span={visible}
        endMs={endMs}
        group={group}
        highlight={state.highlight}
        current={current}
        onCurrent={setCurrent}
        describedBy={summaryId}
      />
      <div className={styles.axisBox} aria-hidden="true">
        <div className={styles.axis}>
          <TimeTicks span={visible} timeText={timeText} endShare={0.97} />
        </div>
      </div>
      <p className={styles.summary} id={summaryId}>
        {placementSummary(placement, rows, endMs)}
      </p>
      {said !== '' && (
        <p className={styles.summary} role="status">
          {said}
        </p>
      )}
      {table && (
        <PlacementTable
          lines={moveLines(placement, rows)}
          clock={state.clock}
          originMs={originMs}
        />
      )}
    </>
  );
}

function Head({
  table,
  onTable,
  onCopy,
  onWhole,
}: {
  /** The table is shown. */
  table: boolean;
  onTable: () => void;
  onCopy: () => void;
  onWhole: () => void;
}) {
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>VMs on hosts</h3>
      <ChartMenu
        title="VMs on hosts"
        actions={[
          { id: 'table', label: table ? 'Hide table' : 'Table', run: onTable },
          { id: 'copy', label: 'Copy moves', run: onCopy },
          { id: 'zoom', label: 'Show whole run', run: onWhole },
        ]}
      />
    </div>
  );
}

/** Hosts with their colours, letters and counts of VMs, and the marks of moves that occur. */
function Legend({ placement, counts }: { placement: PlacementHistory; counts: readonly number[] }) {
  return (
    <ul className={styles.legend} aria-label="Hosts and marks">
      {placement.hosts.map((host, i) => (
        <li key={host.ref}>
          <span className={styles.chip} style={{ background: hostColor(i) }}>
            {hostLetter(i)}
          </span>
          {host.name} <b>{counts[i]}</b>
        </li>
      ))}
      {marks
        .filter((by) => by !== 'unknown' || placement.moves.some((move) => move.by === by))
        .map((by) => (
          <li key={by}>
            <MoveMark by={by} />
            {movedByWords[by].word}
          </li>
        ))}
    </ul>
  );
}
