import { planDurationS } from '../../core/plan/plan.ts';
import type { RunOverview } from '../../core/run/run.ts';
import { overviewStateWord, phaseWords } from '../../core/run/runWords.ts';
import { isEnd } from '../../core/run/states.ts';
import { lastBegun, timeLeft } from '../../core/run/windows.ts';

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
  const { startedAtMs, endedAtMs } = overview;
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
  const left = ended ? null : timeLeft(overview, at);
  const remainingMs =
    left !== null
      ? left.runMs
      : ended || overview.state === 'collecting'
        ? null
        : planDurationS(overview.phasesPlanned) * 1_000;
  const elapsedMs = at - startedAtMs;
  const fraction =
    ended || overview.state === 'collecting'
      ? 1
      : remainingMs === null || elapsedMs + remainingMs === 0
        ? 0
        : elapsedMs / (elapsedMs + remainingMs);
  return {
    label: left === null ? overviewStateWord(overview) : phaseWords[left.phase],
    elapsedMs,
    remainingMs,
    phaseRemainingMs: left?.phaseMs ?? null,
    fraction,
    period: left?.phase === 'steady' ? periodWords(overview, at) : null,
  };
}

function periodWords({ periods, phasesPlanned }: RunOverview, atMs: number): string {
  const index = Math.max(0, lastBegun(periods, atMs));
  return `period ${index + 1} of ${phasesPlanned.periods}`;
}
