import type { Act } from '../../../../src/core/acts/act.ts';
import { actKinds } from '../../../../src/core/acts/kinds.ts';
import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import { steadyPlanned } from '../../../../src/core/run/windows.ts';
import { pause } from '../../clock/jumps.ts';
import type { RunContext } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import type { LiveRun } from '../liveRun.ts';
import { performers } from './performers.ts';
import { actOf, changeAct, sceneOf, tellAct } from './progress.ts';
import { endAct } from './restore.ts';

/** An act whose time was so long ago when the engine came back is not made up for. */
const latestMs = 30_000;
const lookMs = 1_000;

export interface ActsUnderWay {
  /** Begins no more; resolves when those in flight have ended, or were cancelled after `patienceMs`. */
  finish(patienceMs: number): Promise<void>;
  cancel(): Promise<void>;
}

/**
 * Makes the testbed what acts need before the ramp-up: a host that joins later is out. What was
 * before is stored before it is changed. Throws where that fails: the run would be another run.
 */
export async function prepareActs(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run } = context;
  for (const act of run.record().plan.acts ?? []) {
    const performer = performers[act.kind];
    if (act.by !== 'console' || !performer.prepare) continue;
    const scene = sceneOf(context, act);
    const before = actOf(run, act.id)?.before ?? (await performer.before(scene, signal));
    changeAct(run, act.id, { before, owed: true });
    try {
      const text = await performer.prepare(scene, before, signal);
      tellAct(run, act, `${actOf(run, act.id)!.label}: prepared: ${text}`);
    } catch (error) {
      const { message, hint } = toAppError(error);
      throw fail(
        'conflict',
        `${actKinds[act.kind].title}, ${act.target?.name ?? ''}: it could not be taken out ` +
          `before the ramp-up: ${message}`,
        hint,
      );
    }
  }
}

/** Lets the acts of a plan happen on the run's clock; null = it has none. */
export function startActs(context: RunContext): ActsUnderWay | null {
  const { run, deps } = context;
  const { acts = [] } = run.record().plan;
  const steady = steadyPlanned(run.overview());
  if (acts.length === 0 || !steady) return null;
  const stop = new AbortController();
  const cancel = new AbortController();
  const cut = AbortSignal.any([cancel.signal, context.detached, run.stop]);
  const idle = AbortSignal.any([stop.signal, cut]);
  for (const act of acts) changeAct(run, act.id, { plannedMs: steady.startMs + act.atS * 1_000 });
  const working = Promise.all(acts.map((act) => live(context, act, idle, cut)));
  return {
    async finish(patienceMs) {
      stop.abort();
      await withDeadline(deps.clock, patienceMs, async (late) => {
        late.addEventListener('abort', () => cancel.abort());
        await working;
      });
    },
    async cancel() {
      cancel.abort();
      await working;
    },
  };
}

/** One act from its time to its end. Never throws; `idle`: nothing new begins, `cut`: all ends. */
async function live(
  context: RunContext,
  act: Act,
  idle: AbortSignal,
  cut: AbortSignal,
): Promise<void> {
  const { run, deps } = context;
  const state = (): ReturnType<typeof actOf> => actOf(run, act.id);
  if (state()?.state === 'doing') {
    failed(context, act, 'the engine was restarted while it was carried out');
    return;
  }
  if (state()?.state === 'planned') {
    const plannedMs = state()?.plannedMs ?? 0;
    const early = act.by === 'hand' ? () => state()?.state !== 'planned' : undefined;
    await until(context, plannedMs, idle, early);
    if (idle.aborted) return;
    if (state()?.state === 'planned' && deps.clock.now() - plannedMs > latestMs) {
      changeAct(run, act.id, { state: 'missed', text: 'The engine was away at its time.' });
      run.finding({
        id: `act.${act.id}`,
        severity: 'warn',
        text: `${state()!.label}: not carried out, because the engine was away at its time.`,
      });
      return;
    }
    if (act.by === 'hand') ask(run, act);
    else await carryOut(context, act, cut);
  }
  if (act.by === 'hand') await until(context, Infinity, idle, () => state()?.state !== 'asked');
  if (state()?.state !== 'done' || act.lastsS === null) return;
  const endMs = (state()!.startedMs ?? deps.clock.now()) + act.lastsS * 1_000;
  await until(context, endMs, idle);
  if (idle.aborted) return;
  if (act.by === 'hand') {
    // Done by hand is undone by hand: asked for as it was.
    changeAct(run, act.id, { state: 'asked' });
    tellAct(run, act, `${state()!.label}: put it back by hand now, then press Done`);
    await until(context, Infinity, idle, () => state()?.state !== 'asked');
    return;
  }
  const problem = await endAct(context, act.id, cut);
  if (problem === null) tellAct(run, act, `${state()!.label}: over`);
  else if (!cut.aborted)
    tellAct(run, act, `${state()!.label}: could not be undone yet: ${problem}`);
}

/** Waits for a time, or for a sign; looked at every second where a person decides. */
async function until(
  { deps }: RunContext,
  atMs: number,
  signal: AbortSignal,
  sign?: () => boolean,
): Promise<void> {
  while (!signal.aborted && deps.clock.now() < atMs && !sign?.()) {
    const leftMs = atMs - deps.clock.now();
    await pause(
      deps.clock,
      sign === undefined && !deps.clock.hold ? leftMs : Math.min(leftMs, lookMs),
      signal,
    );
  }
}

function ask(run: LiveRun, act: Act): void {
  changeAct(run, act.id, { state: 'asked' });
  tellAct(run, act, `${actOf(run, act.id)!.label}: do it by hand now, then press Done`);
}

async function carryOut(context: RunContext, act: Act, signal: AbortSignal): Promise<void> {
  const { run, deps } = context;
  const { label, before: known } = actOf(run, act.id)!;
  const scene = sceneOf(context, act);
  const performer = performers[act.kind];
  try {
    const before = known ?? (await performer.before(scene, signal));
    changeAct(run, act.id, { before, owed: true, state: 'doing', startedMs: deps.clock.now() });
    tellAct(run, act, label);
    const text = await performer.begin(scene, before, signal, (more) =>
      changeAct(run, act.id, { before: { ...actOf(run, act.id)!.before, ...more } }),
    );
    changeAct(run, act.id, { state: 'done', doneMs: deps.clock.now(), text });
    tellAct(run, act, `${label}: ${text}`);
  } catch (error) {
    if (context.detached.aborted) return;
    if (run.stop.aborted) {
      changeAct(run, act.id, { state: 'failed', text: 'The run was ended.' });
      return;
    }
    failed(
      context,
      act,
      signal.aborted
        ? 'it had not ended when the steady state was over'
        : toAppError(error).message,
    );
  }
}

/** An act that failed is said; it ends the run only where the plan says so. */
function failed(context: RunContext, act: Act, why: string): void {
  const { run } = context;
  const { label } = actOf(run, act.id)!;
  changeAct(run, act.id, { state: 'failed', text: why });
  tellAct(run, act, `${label}: failed: ${why}`);
  const ends = act.onFailure === 'endRun';
  run.finding({
    id: `act.${act.id}`,
    severity: ends ? 'block' : 'warn',
    text: `${label}: it failed: ${why.replace(/\.$/, '')}.`,
    fix: 'What it had changed is put back. Look at the act in the plan, then run again.',
  });
  if (ends && !run.stop.aborted) run.abort('actFailed', `${label}: failed: ${why}`, false);
}

/**
 * The engineer has done, or undone, what the board asked for. Throws conflict where nothing is
 * asked.
 */
export function actDone(run: LiveRun, actId: string, nowMs: number): void {
  const state = actOf(run, actId);
  const act = run.record().plan.acts?.find((one) => one.id === actId);
  if (!state || !act) throw fail('notFound', 'This run has no such act.');
  if (act.by !== 'hand' || (state.state !== 'asked' && state.state !== 'planned'))
    throw fail(
      'conflict',
      `${state.label}: nothing is to be done by hand now.`,
      'See the acts on the live board.',
    );
  if (state.plannedMs === null)
    throw fail('conflict', `${state.label}: the steady state has not begun.`, 'Wait for it.');
  if (state.startedMs === null) {
    changeAct(run, actId, { state: 'done', startedMs: nowMs, doneMs: nowMs, text: 'By hand.' });
    tellAct(run, act, `${state.label} (by hand)`);
    return;
  }
  changeAct(run, actId, { state: 'undone', endedMs: nowMs });
  tellAct(run, act, `${state.label}: over (by hand)`);
}
