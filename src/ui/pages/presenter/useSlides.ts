import { useCallback, useState } from 'react';

import type { PresenterAction } from './presenterKeys.ts';
import type { Pace } from './usePace.ts';

/** Which of `count` slides is on, and what keys do: slides, pace, leaving. */
export function useSlides(
  count: number,
  pace: Pace,
  leave: () => void,
): { slide: number; onAction: (action: PresenterAction) => void } {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, count - 1);
  const onAction = useCallback(
    (action: PresenterAction) => {
      switch (action) {
        case 'next':
          setWanted((n) => Math.min(last, n + 1));
          return;
        case 'previous':
          setWanted((n) => Math.max(0, Math.min(last, n) - 1));
          return;
        case 'first':
          setWanted(0);
          return;
        case 'last':
          setWanted(last);
          return;
        case 'pause':
          pace.toggle();
          return;
        case 'faster':
          pace.faster();
          return;
        case 'slower':
          pace.slower();
          return;
        case 'leave':
          leave();
          return;
        default:
          return;
      }
    },
    [last, pace, leave],
  );
  return { slide: Math.min(last, wanted), onAction };
}
