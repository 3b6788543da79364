import { useEffect, useState } from 'react';

import { useEngineRate } from '../engine/engineTime.ts';
import type { LiveFeed } from '../engine/liveSeries.ts';

/** The engine's clock as seen from here: its last stated time plus what has passed since. */
export interface EngineClock {
  readonly now: () => number;
  /** `rate`: milliseconds of the engine's clock in one here. */
  readonly sync: (engineNowMs: number, rate?: number) => void;
}

/**
 * Goes on by itself at rate 1. At any other rate it stands at what is known, the last stated time
 * or the newest sample: extrapolating an hour a second would call every series stale between two
 * batches.
 */
export function createEngineClock(
  engineNowMs: number,
  wallMs: () => number = () => performance.now(),
  newestSampleMs: () => number = () => NaN,
): EngineClock {
  let base = engineNowMs;
  let at = wallMs();
  let rate = 1;
  const now = (): number => {
    if (rate === 1) return base + (wallMs() - at);
    const newest = newestSampleMs();
    return newest > base ? newest : base;
  };
  return {
    now,
    sync: (next, nextRate = 1) => {
      const before = rate;
      // An overview that was long under way must not set the clock back.
      const current = now();
      rate = nextRate;
      if (before === 1 && rate === 1 && next < current && current - next < 2_000) return;
      base = next;
      at = wallMs();
    },
  };
}

/** The engine's clock for the charts of one run: as its overviews tell it, at the lab's rate. */
export function useEngineClock(
  { id, nowMs }: { id: string; nowMs: number },
  feed: Pick<LiveFeed, 'lastMs'> | undefined,
): EngineClock {
  const rate = useEngineRate();
  const [clock] = useState(() =>
    createEngineClock(nowMs, undefined, () => feed?.lastMs(id) ?? NaN),
  );
  useEffect(() => {
    clock.sync(nowMs, rate);
  }, [clock, nowMs, rate]);
  return clock;
}
