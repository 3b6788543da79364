import type { RunOverview } from '../../core/run/run.ts';
import { isEnd } from '../../core/run/states.ts';
import { timeLeft } from '../../core/run/windows.ts';
import { useRunListQuery, useRunOverviewQuery } from './api.ts';

/** The run that is going on, newest first; null = none. */
export function useActiveRun(): RunOverview | null {
  const { data: runs } = useRunListQuery({});
  const active = runs?.find((run) => !isEnd(run.state));
  const { data } = useRunOverviewQuery({ id: active?.id ?? '' }, { skip: !active });
  return active && data && data.id === active.id && !isEnd(data.state) ? data : null;
}

/** Milliseconds left of the phase that is on, by the engine's clock; null = no phase. */
export function phaseLeftMs(run: RunOverview): number | null {
  return timeLeft(run, run.nowMs)?.phaseMs ?? null;
}
