import type { Phases } from '../../../src/core/profile/profile.ts';
import type { PhaseSpan, RunOverview } from '../../../src/core/run/run.ts';

/**
 * Planned spans of a run that starts at `startMs`: ramp-up, steady state, ramp-down, end to end.
 */
export function planSpans(startMs: number, phases: Phases): PhaseSpan[] {
  const steadyStart = startMs + phases.rampUpS * 1_000;
  const rampDownStart = steadyStart + phases.steadyS * 1_000;
  return [
    { name: 'rampUp', startMs, endMs: null, plannedEndMs: steadyStart },
    { name: 'steady', startMs: steadyStart, endMs: null, plannedEndMs: rampDownStart },
    {
      name: 'rampDown',
      startMs: rampDownStart,
      endMs: null,
      plannedEndMs: rampDownStart + phases.rampDownS * 1_000,
    },
  ];
}

/** Measurement periods: the steady state cut into equal parts, without rounding drift. */
export function planPeriods(startMs: number, phases: Phases): RunOverview['periods'] {
  const steadyStart = startMs + phases.rampUpS * 1_000;
  const cut = (index: number): number =>
    steadyStart + (phases.steadyS * 1_000 * index) / phases.periods;
  return Array.from({ length: phases.periods }, (_, index) => ({
    index,
    startMs: cut(index),
    endMs: cut(index + 1),
  }));
}

/**
 * When each tile's load starts and how long it lasts. Starts are `staggerS` apart, but never so far
 * that the last tile starts after the ramp-up; ends are spread over the ramp-down in the same
 * order.
 */
export function tileSchedule(
  startMs: number,
  phases: Phases,
  tiles: number,
): { startMs: number; endMs: number }[] {
  const step = tiles > 1 ? Math.min(phases.staggerS, phases.rampUpS / (tiles - 1)) * 1_000 : 0;
  const steadyEnd = startMs + (phases.rampUpS + phases.steadyS) * 1_000;
  return Array.from({ length: tiles }, (_, tile) => ({
    startMs: startMs + tile * step,
    endMs: steadyEnd + (phases.rampDownS * 1_000 * (tile + 1)) / tiles,
  }));
}
