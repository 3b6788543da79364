import type { RunOverview } from './run.ts';

/** A span of the run's clock, [startMs, endMs). */
export interface Window {
  startMs: number;
  endMs: number;
}
/** One measurement period of a run. */
export interface PeriodSpan extends Window {
  index: number;
}

/** The steady state to its end, or to its planned end while it lasts. null = not reached. */
export function steadyPlanned({ phases }: Pick<RunOverview, 'phases'>): Window | null {
  const span = phases.find((p) => p.name === 'steady');
  return span === undefined
    ? null
    : { startMs: span.startMs, endMs: span.endMs ?? span.plannedEndMs };
}

/** What a run is judged over. */
export interface Windows {
  periods: readonly PeriodSpan[];
  /** To its planned end while it lasts; null = not reached. */
  steady: Window | null;
}

export const windowsOf = (overview: Pick<RunOverview, 'phases' | 'periods'>): Windows => ({
  periods: overview.periods,
  steady: steadyPlanned(overview),
});

/**
 * The steady state as it was: from its start to its end, or to `nowMs` while it lasts. null = not
 * reached.
 */
export function steadyWindow(overview: Pick<RunOverview, 'phases' | 'nowMs'>): Window | null {
  const planned = steadyPlanned(overview);
  if (planned === null) return null;
  const lasts = overview.phases.some((p) => p.name === 'steady' && p.endMs === null);
  const endMs = lasts ? Math.min(overview.nowMs, planned.endMs) : planned.endMs;
  return endMs > planned.startMs ? { startMs: planned.startMs, endMs } : null;
}

/** The measurement period that lasts at `atMs`: from its start on, up to and without its end. */
export const periodAt = <P extends Window>(periods: readonly P[], atMs: number): P | undefined =>
  periods.find((p) => atMs >= p.startMs && atMs < p.endMs);

/** Place of the last measurement period that has begun, also where it is over; -1 = none has. */
export const lastBegun = (periods: readonly Window[], atMs: number): number =>
  periods.findLastIndex((p) => atMs >= p.startMs);
