import { useViewportSize } from '@mantine/hooks';

import type { BoardChart } from '../../../core/chart/boardCharts.ts';
import { BoardChartView } from './BoardChartView.tsx';
import type { BoardPins, PinActions } from './boardPins.ts';
import type { BoardCatalog } from './boardTargets.ts';
import styles from './live.module.css';
import { PinnedCharts } from './PinnedCharts.tsx';

/** Height of a plot, px: as much as leaves the first screen whole. */
const plotPx = (viewport: number): number =>
  viewport >= 1_300 ? 230 : viewport >= 1_000 ? 170 : 132;

/** The charts somebody pinned, and beside them those that ask most to be looked at. */
export function TopCharts({
  catalog,
  interesting,
  pins,
  pinActions,
}: {
  catalog: BoardCatalog;
  interesting: readonly BoardChart[];
  pins: BoardPins;
  pinActions: PinActions;
}) {
  const height = plotPx(useViewportSize().height);
  return (
    <div className={styles.top}>
      {pins.ids.length > 0 && (
        <PinnedCharts pins={pins} actions={pinActions} catalog={catalog} plotPx={height} />
      )}
      {interesting.length > 0 && (
        <section aria-label="Most interesting now">
          <h2 className={styles.hidden}>Most interesting now</h2>
          <div className={styles.three}>
            {interesting.map((chart) => (
              <BoardChartView key={chart.id} chart={chart} height={height} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
