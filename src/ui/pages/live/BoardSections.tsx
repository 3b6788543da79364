import { useState } from 'react';

import { type BoardChart, type BoardGroup, groupTitles } from '../../../core/chart/boardCharts.ts';
import type { PlacementHistory } from '../../../core/run/run.ts';
import { useSame } from '../../kit/useSame.ts';
import { BoardChartView } from './BoardChartView.tsx';
import styles from './live.module.css';
import { PlacementTimeline } from './PlacementTimeline.tsx';
import type { Board } from './useBoard.ts';
import { useQuiet } from './useQuiet.ts';

interface Props {
  board: Board;
  /** Groups of charts that are shown. */
  groups: readonly BoardGroup[];
  placement: PlacementHistory | undefined;
  /** The past of the run is still being read. */
  reading: boolean;
}

/** All charts of a board, a section a group, and with the hosts where the VMs ran on them. */
export function BoardSections({ board, groups, placement, reading }: Props) {
  const { charts, lines, group, endMs, liveNow } = board;
  const places = useSame(placement);
  const quiet = useQuiet(
    charts,
    lines.sourceOf,
    reading || lines.loading || lines.error !== null,
    liveNow ?? null,
    lines.originMs,
  );
  return (
    <>
      {groups.map((name) => (
        <ChartSection
          key={name}
          title={groupTitles[name]}
          charts={charts.filter((c) => c.group === name)}
          quiet={quiet}
        />
      ))}
      {groups.includes('hosts') && (
        <section aria-label="Placement">
          <h2 className={styles.heading}>Placement</h2>
          <PlacementTimeline
            placement={places}
            group={group}
            originMs={lines.originMs}
            endMs={endMs}
            nowMs={liveNow}
            expected={board.isNow}
          />
        </section>
      )}
    </>
  );
}

/** Charts of one group; those whose sources say nothing are named and folded away. */
function ChartSection({
  title,
  charts,
  quiet,
}: {
  title: string;
  charts: readonly BoardChart[];
  quiet: ReadonlySet<string>;
}) {
  const silent = charts.filter((c) => quiet.has(c.id));
  const [unfolded, setUnfolded] = useState(false);
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <div className={styles.grid}>
        {charts
          .filter((c) => !quiet.has(c.id))
          .map((c) => (
            <BoardChartView key={c.id} chart={c} />
          ))}
      </div>
      {silent.length > 0 && (
        <details
          className={styles.quiet}
          onToggle={(event) => {
            setUnfolded(event.currentTarget.open);
          }}
        >
          <summary>{`Without samples: ${silent.map((c) => c.title).join(', ')}`}</summary>
          {unfolded && (
            <div className={styles.grid}>
              {silent.map((c) => (
                <BoardChartView key={c.id} chart={c} />
              ))}
            </div>
          )}
        </details>
      )}
    </section>
  );
}
