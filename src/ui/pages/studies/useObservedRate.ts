import { useEffect, useRef, useState } from 'react';

/** Shortest time here over which a pace is worked out. */
const spanMs = 3_000;

/**
 * Milliseconds of the engine's clock that passed in one here over the last seconds, from the
 * snapshots of a running study; the set speed until then. 1 stays 1: a real lab's clock is ours.
 */
export function useObservedRate(setRate: number, snapshotNowMs: number, running: boolean): number {
  const from = useRef<{ wallMs: number; nowMs: number; rate: number } | null>(null);
  const [seen, setSeen] = useState<{ rate: number; of: number } | null>(null);
  useEffect(() => {
    const wallMs = performance.now();
    if (!running || setRate === 1 || from.current === null || from.current.rate !== setRate) {
      from.current = { wallMs, nowMs: snapshotNowMs, rate: setRate };
      return;
    }
    const passedMs = wallMs - from.current.wallMs;
    if (passedMs < spanMs) return;
    setSeen({ rate: (snapshotNowMs - from.current.nowMs) / passedMs, of: setRate });
    // Half of the old span stays in the next, so that one slow run does not make the time left
    // jump.
    from.current = {
      wallMs: from.current.wallMs + passedMs / 2,
      nowMs: from.current.nowMs + (snapshotNowMs - from.current.nowMs) / 2,
      rate: setRate,
    };
  }, [setRate, snapshotNowMs, running]);
  return setRate !== 1 && running && seen !== null && seen.of === setRate && seen.rate > 1
    ? seen.rate
    : setRate;
}
