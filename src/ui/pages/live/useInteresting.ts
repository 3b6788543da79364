import { useEffect, useState } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';
import { interestOf, mostInteresting } from './interesting.ts';
import type { Board } from './useBoard.ts';

const every = 10;
const count = 3;

/**
 * Ids of the charts that break a limit or move most now, looked at every ten seconds. `hold` true:
 * they stay, as while somebody reads them.
 */
export function useInteresting(
  { liveNow, charts, lines: { sourceOf } }: Board,
  hold: () => boolean,
): readonly string[] {
  const [shown, setShown] = useState<readonly string[]>(() =>
    mostInteresting(charts, () => 0, count, []),
  );
  useEffect(() => {
    if (liveNow === undefined) return undefined;
    let beat = 0;
    const look = (): void => {
      if (beat++ % every !== 0 || hold()) return;
      setShown((held) => {
        const next = mostInteresting(
          charts,
          (chart) => interestOf(chart, sourceOf, liveNow()),
          count,
          held,
        );
        return next.join('\n') === held.join('\n') ? held : next;
      });
    };
    look();
    return onHeartbeat(look);
  }, [charts, sourceOf, liveNow, hold]);
  return shown;
}
