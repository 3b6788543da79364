import { createContext, use } from 'react';

/**
 * Milliseconds of the engine's clock that pass in one millisecond here: 1 on a real lab. In the
 * simulated workspace its speed; 0 while paused, and 0 as fast as it goes, where only what the
 * engine states is known. The page's own calendar is never read.
 */
export const EngineRateContext = createContext(1);
export const useEngineRate = (): number => use(EngineRateContext);

/**
 * Longest extrapolation past a snapshot, in milliseconds here: under a fast clock a lost second is
 * an hour.
 */
export const extrapolatedMs = (sinceSnapshotMs: number, rate: number): number =>
  rate === 1 ? sinceSnapshotMs : Math.min(sinceSnapshotMs, 2_000) * rate;
