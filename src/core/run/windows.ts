import type { PhaseSpan, RunOverview } from './run.ts';
import { type PhaseName, phaseNames, type RunState } from './states.ts';

/** A span of the run's clock, [startMs, endMs). */
export interface Window {
  startMs: number;
  endMs: number;
}
/** One measurement period of a run. */
export interface PeriodSpan extends Window {
  index: number;
}

type Phases = Pick<RunOverview, 'phases'>;

/** One phase of a run; undefined = not reached. */
export const phaseSpan = ({ phases }: Phases, name: PhaseName): PhaseSpan | undefined =>
  phases.find((p) => p.name === name);

/** The phase that is on; undefined before, after and between them. */
export const phaseNow = ({ phases }: Phases): PhaseSpan | undefined =>
  phases.find((p) => p.endMs === null);

/** The phase that lasted at `atMs`, to its planned end where it still lasts. */
export const phaseAt = ({ phases }: Phases, atMs: number): PhaseSpan | undefined =>
  phases.find((p) => p.startMs <= atMs && atMs < (p.endMs ?? p.plannedEndMs));

/** End of the last phase that is over. */
export const phasesEndMs = ({ phases }: Phases): number | undefined =>
  phases.findLast((p) => p.endMs !== null)?.endMs ?? undefined;

/** The run is under load. */
export const isPhase = (state: RunState): state is PhaseName =>
  (phaseNames as readonly RunState[]).includes(state);

/**
 * Milliseconds until the phase that is on, and the last planned one after it, end; null when none
 * is on. A phase past its planned end has 0 left.
 */
export function timeLeft(
  overview: Pick<RunOverview, 'phases' | 'phasesPlanned'>,
  nowMs: number,
): { phase: PhaseName; phaseMs: number; runMs: number } | null {
  const current = phaseNow(overview);
  if (current === undefined) return null;
  const { rampUpS, steadyS, rampDownS } = overview.phasesPlanned;
  const lengthsS: Record<PhaseName, number> = {
    rampUp: rampUpS,
    steady: steadyS,
    rampDown: rampDownS,
  };
  const laterS = phaseNames
    .slice(phaseNames.indexOf(current.name) + 1)
    .reduce((sum, name) => sum + lengthsS[name], 0);
  const phaseMs = Math.max(0, current.plannedEndMs - nowMs);
  return { phase: current.name, phaseMs, runMs: phaseMs + laterS * 1_000 };
}

/** The steady state to its end, or to its planned end while it lasts. null = not reached. */
export function steadyPlanned(overview: Phases): Window | null {
  const span = phaseSpan(overview, 'steady');
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
  const lasts = phaseSpan(overview, 'steady')?.endMs === null;
  const endMs = lasts ? Math.min(overview.nowMs, planned.endMs) : planned.endMs;
  return endMs > planned.startMs ? { startMs: planned.startMs, endMs } : null;
}

/** The measurement period that lasts at `atMs`: from its start on, up to and without its end. */
export const periodAt = <P extends Window>(periods: readonly P[], atMs: number): P | undefined =>
  periods.find((p) => atMs >= p.startMs && atMs < p.endMs);

/** Place of the last measurement period that has begun, also where it is over; -1 = none has. */
export const lastBegun = (periods: readonly Window[], atMs: number): number =>
  periods.findLastIndex((p) => atMs >= p.startMs);
