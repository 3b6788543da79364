import { useEffect, useState } from 'react';

/**
 * The engine's clock, in epoch milliseconds: the last snapshot's `nowMs` plus what passed here since it arrived.
 * Ticks once a second while `running`. The machine's own clock may be wrong, so only its differences are used.
 */
export function useNow(snapshotNowMs: number, running: boolean): number {
  const [passed, setPassed] = useState({ snapshotNowMs, ms: 0 });
  useEffect(() => {
    if (!running) return;
    const arrivedMs = performance.now();
    const timer = setInterval(() => setPassed({ snapshotNowMs, ms: performance.now() - arrivedMs }), 1_000);
    return () => clearInterval(timer);
  }, [running, snapshotNowMs]);
  return snapshotNowMs + (running && passed.snapshotNowMs === snapshotNowMs ? passed.ms : 0);
}
