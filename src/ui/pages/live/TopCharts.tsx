import type { RefObject } from 'react';

import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import { BoardChartView } from './BoardChartView.tsx';
import type { BoardPins, PinActions } from './boardPins.ts';
import type { BoardCatalog } from './boardTargets.ts';
import styles from './live.module.css';
import { PinnedCharts } from './PinnedCharts.tsx';

const plotPx = 132;

/** The charts somebody pinned, and beside them those that ask most to be looked at. */
export function TopCharts({
  node,
  catalog,
  interesting,
  pins,
  pinActions,
}: {
  /** Where they lie: they stay while somebody is in them. */
  node: RefObject<HTMLDivElement | null>;
  catalog: BoardCatalog;
  interesting: readonly BoardChart[];
  pins: BoardPins;
  pinActions: PinActions;
}) {
  return (
    <div ref={node} className={styles.top}>
      {pins.ids.length > 0 && (
        <PinnedCharts pins={pins} actions={pinActions} catalog={catalog} plotPx={plotPx} />
      )}
      {interesting.length > 0 && (
        <section aria-label="Most interesting now">
          <h2 className={styles.hidden}>Most interesting now</h2>
          <div className={styles.three}>
            {interesting.map((chart) => (
              <BoardChartView key={chart.id} chart={chart} height={plotPx} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
