import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

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

/**
 * A node with charts, and whether somebody reads them: points at one, is in one by keyboard, has a
 * menu or dialog open, or has scrolled past the first. None of them may then change its place.
 */
export function useReading(): [RefObject<HTMLDivElement | null>, () => boolean] {
  const node = useRef<HTMLDivElement>(null);
  const areRead = useCallback(() => {
    const { current } = node;
    if (current === null) return false;
    return (
      current.matches(':hover, :focus-within') ||
      document.activeElement?.closest('[role="menu"], [role="dialog"]') != null ||
      current.getBoundingClientRect().top < 0
    );
  }, []);
  return [node, areRead];
}
