import { useEffect, useState } from 'react';

import type { ReplayClock } from './replayClock.ts';

/**
 * Position of a replay for what React draws, epoch milliseconds: at most four times a second, and
 * at once after an action.
 */
export function useReplayPosition(clock: ReplayClock): number {
  const [at, setAt] = useState(clock.now);
  useEffect(() => {
    const look = (): void => {
      setAt(clock.now());
    };
    look();
    const stop = clock.subscribe(look);
    const timer = setInterval(look, 250);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [clock]);
  return at;
}
