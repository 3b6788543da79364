import { useState } from 'react';

import { type BoardChart, type BoardGroup, groupTitles } from '../../../core/chart/boardCharts.ts';
import type { PlacementHistory } from '../../../core/run/run.ts';
import { useSame } from '../../kit/useSame.ts';
import { BoardChartView } from './BoardChartView.tsx';
import styles from './live.module.css';
import { PlacementTimeline } from './PlacementTimeline.tsx';
import type { Board } from './useBoard.ts';
import { useErrorFree } from './useErrorFree.ts';
import { useQuiet } from './useQuiet.ts';

interface Props {
  board: Board;
  /** Groups of charts that are shown. */
  groups: readonly BoardGroup[];
  /** Charts that stand on the first screen already. */
  shownAbove: ReadonlySet<string>;
  placement: PlacementHistory | undefined;
  /** The past of the run is still being read. */
  reading: boolean;
}

/** All charts of a board, a section a group, and with the hosts where the VMs ran on them. */
export function BoardSections({ board, groups, shownAbove, placement, reading }: Props) {
  const { charts, lines, group, endMs, liveNow } = board;
  const places = useSame(placement);
  const isReading = reading || lines.loading || lines.error !== null;
  const errorFree = useErrorFree(charts, lines.sourceOf, isReading, board.isLive);
  const quiet = useQuiet(charts, lines.sourceOf, isReading, liveNow ?? null, lines.originMs);
  return (
    <>
      {groups.map((name) => (
        <ChartSection
          key={name}
          title={groupTitles[name]}
          charts={charts.filter((c) => c.group === name && !shownAbove.has(c.id))}
          quiet={quiet}
          errorFree={errorFree}
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

/**
 * Charts of one group. Those whose sources say nothing are named and folded away, and so are errors
 * of which there was none.
 */
function ChartSection({
  title,
  charts,
  quiet,
  errorFree,
}: {
  title: string;
  charts: readonly BoardChart[];
  quiet: ReadonlySet<string>;
  errorFree: ReadonlySet<string>;
}) {
  const silent = charts.filter((c) => quiet.has(c.id));
  const zero = charts.filter((c) => errorFree.has(c.id));
  if (charts.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      <div className={styles.grid}>
        {charts
          .filter((c) => !quiet.has(c.id) && !errorFree.has(c.id))
          .map((c) => (
            <BoardChartView key={c.id} chart={c} />
          ))}
      </div>
      <Folded text={noneText(zero)} charts={zero} />
      <Folded text={`Without samples: ${silent.map((c) => c.title).join(', ')}`} charts={silent} />
    </section>
  );
}

/** Errors are plain by their section; of drops and the like each is named. */
const noneText = (charts: readonly BoardChart[]): string =>
  charts.every(({ defs }) => defs[0]?.metric === 'errorRate')
    ? 'No errors'
    : `None: ${charts.map(({ title }) => title).join(', ')}`;

/** Charts that say nothing by themselves, in one line; nothing where there are none. */
function Folded({ text, charts }: { text: string; charts: readonly BoardChart[] }) {
  const [unfolded, setUnfolded] = useState(false);
  return charts.length === 0 ? null : (
    <details
      className={styles.quiet}
      onToggle={(event) => {
        setUnfolded(event.currentTarget.open);
      }}
    >
      <summary>{text}</summary>
      {unfolded && (
        <div className={styles.grid}>
          {charts.map((c) => (
            <BoardChartView key={c.id} chart={c} />
          ))}
        </div>
      )}
    </details>
  );
}
