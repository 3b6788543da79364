import { useEffect, useState } from 'react';

import { extrapolatedMs, useEngineRate } from './engineTime.ts';

/**
 * The engine's clock, in epoch milliseconds: the last snapshot's `nowMs` plus what passed here
 * since it arrived, at the speed of that clock. Ticks once a second while `running`. The machine's
 * own clock may be wrong, so only its differences are used.
 */
export function useNow(snapshotNowMs: number, running: boolean): number {
  const rate = useEngineRate();
  const [passed, setPassed] = useState({ snapshotNowMs, ms: 0 });
  useEffect(() => {
    if (!running || rate === 0) return;
    const arrivedMs = performance.now();
    const timer = setInterval(
      () => setPassed({ snapshotNowMs, ms: extrapolatedMs(performance.now() - arrivedMs, rate) }),
      1_000,
    );
    return () => clearInterval(timer);
  }, [running, snapshotNowMs, rate]);
  return (
    snapshotNowMs +
    (running && rate !== 0 && passed.snapshotNowMs === snapshotNowMs ? passed.ms : 0)
  );
}
