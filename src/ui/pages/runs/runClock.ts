import { isEnd, type RunOverview } from '../../../core/run/run.ts';
import { overviewStateWord, phaseWords } from '../../../core/run/runWords.ts';

export interface RunClock {
  /** What goes on now: the phase, or the state outside the phases. */
  label: string;
  elapsedMs: number | null;
  /** Time left to the end of the ramp-down; null when nothing is planned any more. */
  remainingMs: number | null;
  /** Time left in the phase. */
  phaseRemainingMs: number | null;
  /** 0 to 1 over the planned length. */
  fraction: number;
  /** `period 2 of 3` in the steady state. */
  period: string | null;
}

/**
 * Where a run stands at `nowMs` of the engine's clock. A phase past its planned end has 0 left,
 * never less.
 */
export function runClock(overview: RunOverview, nowMs: number): RunClock {
  const { startedAtMs, endedAtMs, phases, phasesPlanned: planned } = overview;
  const plannedMs = (planned.rampUpS + planned.steadyS + planned.rampDownS) * 1000;
  if (startedAtMs === null)
    return {
      label: overviewStateWord(overview),
      elapsedMs: null,
      remainingMs: null,
      phaseRemainingMs: null,
      fraction: 0,
      period: null,
    };
  const ended = isEnd(overview.state);
  const at = ended ? (endedAtMs ?? nowMs) : Math.max(nowMs, startedAtMs);
  const current = ended ? undefined : phases.find((p) => p.endMs === null);
  const lengths = { rampUp: planned.rampUpS, steady: planned.steadyS, rampDown: planned.rampDownS };
  const later =
    current === undefined
      ? []
      : (['rampUp', 'steady', 'rampDown'] as const).slice(
          (['rampUp', 'steady', 'rampDown'] as const).indexOf(current.name) + 1,
        );
  const phaseRemainingMs = current === undefined ? null : Math.max(0, current.plannedEndMs - at);
  const remainingMs =
    phaseRemainingMs === null
      ? ended || overview.state === 'collecting'
        ? null
        : plannedMs
      : phaseRemainingMs + later.reduce((sum, name) => sum + lengths[name] * 1000, 0);
  const elapsedMs = at - startedAtMs;
  const fraction =
    ended || overview.state === 'collecting'
      ? 1
      : remainingMs === null || elapsedMs + remainingMs === 0
        ? 0
        : elapsedMs / (elapsedMs + remainingMs);
  return {
    label: current === undefined ? overviewStateWord(overview) : phaseWords[current.name],
    elapsedMs,
    remainingMs,
    phaseRemainingMs,
    fraction,
    period: current?.name === 'steady' ? periodWords(overview, current.startMs, at) : null,
  };
}

function periodWords(
  { phasesPlanned: p }: RunOverview,
  steadyStartMs: number,
  nowMs: number,
): string {
  const index = Math.floor((nowMs - steadyStartMs) / ((p.steadyS * 1000) / p.periods));
  return `period ${Math.min(p.periods, Math.max(0, index) + 1)} of ${p.periods}`;
}
