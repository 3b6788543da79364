import { useEffect, useState } from 'react';

import { maxColoredSeries } from '../../../core/chart/palette.ts';
import { onHeartbeat } from '../../charts/heartbeat.ts';
import { highlightKeyOf } from '../../charts/view.ts';
import type { ChartSeries } from '../../engine/series.ts';
import type { ShownChart } from './boardTargets.ts';
import { meanBetween } from './headroom.ts';

/** What is judged by its last minute. */
const lastMs = 60_000;
/** Another line takes the highlight when it is worse by this share: it must not flicker. */
const clearly = 0.05;
const every = 5;

/** Little is bad of work that is done; of all else, much. */
export const isLowWorse = (chart: Pick<ShownChart, 'defs'>): boolean =>
  chart.defs[0]?.metric === 'throughput';

/** The line that stands worst over its last minute; `held` as long as none is clearly worse. */
export function worstLine(
  series: readonly ChartSeries[],
  lowIsWorse: boolean,
  held: string | null,
): string | null {
  const list = series.flatMap((line) => {
    const last = line.source.lastMs();
    const mean = meanBetween(line.source, last - lastMs, last + 1);
    return Number.isFinite(mean)
      ? [{ key: highlightKeyOf(line), badness: lowIsWorse ? -mean : mean }]
      : [];
  });
  if (list.length === 0) return held;
  const worst = list.reduce((a, b) => (b.badness > a.badness ? b : a));
  const before = list.find(({ key }) => key === held);
  const isClear =
    before === undefined || worst.badness - before.badness > clearly * Math.abs(before.badness);
  return isClear ? worst.key : held;
}

/**
 * The line to highlight where there are more than colours: `preferred` where the chart has it, else
 * the worst one.
 */
export function useWorstLine(
  series: readonly ChartSeries[],
  lowIsWorse: boolean,
  live: boolean,
  preferred: string | null = null,
): string | null {
  const [worst, setWorst] = useState<string | null>(null);
  const isSought =
    series.length > maxColoredSeries && !series.some((line) => highlightKeyOf(line) === preferred);
  useEffect(() => {
    if (!isSought) return undefined;
    let beat = 0;
    const look = (): void => {
      if (beat++ % every === 0) setWorst((held) => worstLine(series, lowIsWorse, held));
    };
    if (live) return onHeartbeat(look);
    const once = requestAnimationFrame(look);
    return () => {
      cancelAnimationFrame(once);
    };
  }, [isSought, series, lowIsWorse, live]);
  return isSought ? worst : preferred;
}
