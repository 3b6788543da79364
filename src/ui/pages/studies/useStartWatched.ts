import { useCallback } from 'react';

import { useStudyStartMutation } from '../../engine/api.ts';
import { useLabClock } from '../../engine/labClock.ts';

/** A run of some hours takes seconds at this speed. */
const watchableSpeed = 3_600;

/**
 * Starts a study at a pace that can be watched: a slow or standing lab clock is sped up, a faster
 * one is left alone. False where the engine refused; the store told it.
 */
export function useStartWatched(): { start: (id: string) => Promise<boolean>; busy: boolean } {
  const [send, starting] = useStudyStartMutation();
  const { status, setSpeed } = useLabClock();
  const start = useCallback(
    async (id: string): Promise<boolean> => {
      // Hours of lab time in real time show nothing.
      if (
        status !== undefined &&
        (status.paused || (status.speed !== null && status.speed < watchableSpeed))
      )
        setSpeed(watchableSpeed);
      return (await send({ id })).error === undefined;
    },
    [send, status, setSpeed],
  );
  return { start, busy: starting.isLoading };
}
