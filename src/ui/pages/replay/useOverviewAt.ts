import { useEffect, useMemo, useState } from 'react';

import { changeTimes, overviewAt } from '../../../core/run/replay.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import type { ReplayClock } from './replayClock.ts';

/** How many moments of an ascending list lie at or before `atMs`. */
const passedAt = (times: readonly number[], atMs: number): number => {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The overview at a replay's position; another object only where more than the clock changed, so
 * that charts are not drawn anew for it.
 */
export function useOverviewAt(stored: RunOverview, clock: ReplayClock): RunOverview {
  const times = useMemo(() => changeTimes(stored), [stored]);
  const [passed, setPassed] = useState(() => passedAt(times, clock.now()));
  useEffect(() => {
    const look = (): void => {
      setPassed(passedAt(times, clock.now()));
    };
    const stop = clock.subscribe(look);
    const timer = setInterval(look, 250);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [times, clock]);
  // A millisecond on: the state that lasts until the next change.
  return useMemo(
    () =>
      overviewAt(
        { overview: stored },
        Math.min(times.at(-1) ?? 0, (times[passed - 1] ?? stored.startedAtMs ?? 0) + 1),
      ),
    [stored, times, passed],
  );
}
