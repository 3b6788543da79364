import { toAppError } from '../../../../src/core/base/errors.ts';
import { pause } from '../../clock/jumps.ts';
import type { RunContext } from '../context.ts';
import { retryPauseMs } from '../infra/retry.ts';
import { performers } from './performers.ts';
import { actOf, changeAct, sceneOf, tellAct } from './progress.ts';

const restoreTries = 6;

/**
 * Undoes every act that is still owed, the last first. What cannot be undone is a finding with what
 * to do; false = something is not back.
 */
export async function restoreActs(
  context: RunContext,
  signal: AbortSignal,
  tries = restoreTries,
): Promise<boolean> {
  const { run } = context;
  const { acts = [] } = run.record().plan;
  const failures: string[] = [];
  for (const state of [...(run.overview().acts ?? [])].reverse()) {
    const act = acts.find((one) => one.id === state.id);
    if (!state.owed || !act) continue;
    const problem = await undone(context, act.id, signal, tries);
    if (problem !== null) failures.push(`${state.label}: ${problem}`);
    else tellAct(run, act, `${state.label}: put back`);
  }
  const byHand = (run.overview().acts ?? []).filter(
    (one) => one.by === 'hand' && one.state === 'done',
  );
  if (byHand.length > 0)
    run.finding({
      id: 'acts.byHand',
      severity: 'info',
      text: `Done by hand and not put back by the console: ${byHand.map((one) => one.label).join('; ')}.`,
      fix: 'Put it back by hand.',
    });
  if (failures.length > 0)
    run.finding({
      id: 'acts.restore',
      severity: 'warn',
      text: `After the run not every act could be undone: ${failures.join('; ')}.`,
      fix: 'Put it back in vCenter, or try again here.',
    });
  return failures.length === 0;
}

/** Undoes one act; gives why it could not. */
async function undone(
  context: RunContext,
  id: string,
  signal: AbortSignal,
  tries: number,
): Promise<string | null> {
  const { run, deps, limits } = context;
  const act = run.record().plan.acts?.find((one) => one.id === id);
  const state = actOf(run, id);
  if (!act || !state) return null;
  for (let attempts = 1; ; attempts += 1) {
    try {
      await performers[act.kind].end(sceneOf(context, act), state.before ?? {}, signal);
      changeAct(run, id, {
        owed: false,
        endedMs: deps.clock.now(),
        ...(state.state === 'done' ? { state: 'undone' as const } : {}),
      });
      return null;
    } catch (error) {
      if (attempts >= tries || signal.aborted) return toAppError(error).message;
      await pause(deps.clock, retryPauseMs(limits.retryPauseMs, attempts), signal);
    }
  }
}

/** Undoes an act at its time; throws why it could not: it is tried again after the run. */
export async function endAct(
  context: RunContext,
  id: string,
  signal: AbortSignal,
): Promise<string | null> {
  return undone(context, id, signal, 2);
}
