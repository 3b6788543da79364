import { type AppError, fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { TaskFacts, TaskWatch, VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import type { VmGuard } from './guard.ts';
import { operate } from './operations.ts';
import { meaningOf, restMs, retryTimes } from './retry.ts';
import { type GaveUp, type WatchedWork, watchTasks } from './stuck.ts';
import type { Tally } from './tally.ts';

/** An operation that takes longer is cancelled and counts as failed. */
const operationLimitMs = 30 * 60_000;
/** A task that was cancelled, or cut off, may have moved its VM when nobody looked. */
const lateMs = 60_000;

/** What all loops of a run's infrastructure load share. */
export interface InfraLoad {
  readonly context: RunContext;
  readonly vcenter: (signal: AbortSignal) => Promise<VCenterSession>;
  readonly guard: VmGuard;
  /** Fires when what is in flight ends too. */
  readonly cancelled: AbortSignal;
  /** Datastore each VM had before the run. */
  readonly homeOf: (vmRef: string) => string | undefined;
  /** Name of the next clone of this run. */
  readonly cloneName: () => string;
}

/** One try of one operation. */
export interface Try {
  tally: Tally;
  /** Rises with every operation of its loop. */ turn: number;
  /** null = it makes a VM of its own. */ vmRef: string | null;
  /** Which try it is, from 1. */ attempts: number;
  /** Key of its loop in the journal. */ journal: string;
}
interface StartedTry extends Try {
  token: number;
  startMs: number;
  seen: WatchedWork;
}

/**
 * Tries an operation once. `again`: the same VM may be tried again at once; the VM is given back or
 * held otherwise.
 */
export async function attempt(load: InfraLoad, of: Try): Promise<'done' | 'again' | 'failed'> {
  const {
    context: { deps, limits, ownMoves },
    cancelled,
  } = load;
  const { tally, vmRef, attempts } = of;
  const { clock } = deps;
  const startMs = clock.now();
  const token = tally.begin(startMs);
  const ended = vmRef === null ? () => undefined : ownMoves.begin(vmRef);
  let seen: WatchedWork = { tasks: [], gaveUp: () => null };
  try {
    await watchTasks(
      clock,
      { stuckMs: limits.stuckTaskMs, limitMs: operationLimitMs },
      (gaveUp, watch) =>
        operateJournalled(load, of, startMs, AbortSignal.any([cancelled, gaveUp]), watch),
      (work) => {
        seen = work;
      },
    );
    ended();
    tally.done(token, { vmRef, startMs, endMs: clock.now(), attempts, tasks: seen.tasks });
    return 'done';
  } catch (thrown) {
    ended();
    if (cancelled.aborted) {
      tally.drop(token);
      return 'failed';
    }
    return countFailure(load, { ...of, token, startMs, seen }, thrown);
  }
}

/** One operation; each of its tasks is journalled, so that the next engine knows it as ours. */
async function operateJournalled(
  { context, vcenter, homeOf, cloneName }: InfraLoad,
  { tally, turn, vmRef, journal }: Try,
  startMs: number,
  signal: AbortSignal,
  watch: TaskWatch,
): Promise<void> {
  const session = await vcenter(signal);
  const told = {
    onFacts(task: TaskFacts) {
      watch.onFacts?.(task);
      context.ownMoves.chain(task.chainId);
      context.pipeline.journal({
        key: journal,
        resume: { offset: 0, state: `${task.ref} ${vmRef ?? ''}` },
        lastTMs: startMs,
      });
    },
  };
  await operate(
    {
      session,
      plan: tally.plan,
      clock: context.deps.clock,
      turn,
      signal,
      watch: told,
      homeOf,
      cloneName,
    },
    vmRef,
  );
}

/** Counts a try that failed, or leaves its VM alone where nobody knows whether it did. */
function countFailure(load: InfraLoad, of: StartedTry, thrown: unknown): 'again' | 'failed' {
  const { tally, vmRef, startMs, attempts, token, seen } = of;
  const gaveUp = seen.gaveUp();
  const error = failureOf(gaveUp, load.context.limits.stuckTaskMs) ?? toAppError(thrown);
  const meaning = gaveUp === null ? meaningOf(error) : 'unknown';
  if (meaning === 'unknown' && vmRef !== null) {
    hold(load, { ...of, vmRef, gaveUp: gaveUp !== null, message: error.message });
    return 'failed';
  }
  const last = meaning !== 'again' || attempts > retryTimes;
  tally.failed(token, {
    vmRef,
    startMs,
    attempts,
    tasks: seen.tasks,
    message: error.message,
    last,
  });
  if (vmRef !== null && last) load.guard.release(vmRef, restMs);
  return last ? 'failed' : 'again';
}

/** What is said of a wait that was given up. */
function failureOf(gaveUp: GaveUp, stuckTaskMs: number): AppError | null {
  const minutes = (ms: number): number => Math.round(ms / 6_000) / 10;
  switch (gaveUp) {
    case 'stuck':
      return fail('timedOut', `no progress for ${minutes(stuckTaskMs)} min, cancelled`);
    case 'limit':
      return fail('timedOut', `not done after ${minutes(operationLimitMs)} min, cancelled`);
    case null:
      return null;
  }
}

/**
 * Nobody knows whether it still runs: the VM is left alone until vCenter says, and what succeeded
 * without us is counted with vCenter's own time.
 */
function hold(
  { context: { run, deps, ownMoves }, guard }: InfraLoad,
  of: StartedTry & { vmRef: string; gaveUp: boolean; message: string },
): void {
  const { tally, token, vmRef, startMs, attempts, seen, gaveUp, message } = of;
  const { clock } = deps;
  const task = seen.tasks.at(-1);
  const name = run.record().inventoryBefore?.vms.find((vm) => vm.ref === vmRef)?.name ?? vmRef;
  const what = `${tally.plan.operation.name} of ${name}`;
  const id = `infra.${gaveUp ? 'stuck' : 'unknown'}.${vmRef}`;
  const fails = (): void =>
    tally.failed(token, { vmRef, startMs, attempts, tasks: seen.tasks, message, last: true });
  if (gaveUp) fails();
  run.finding({
    id,
    severity: 'warn',
    text:
      `${what}: ${message}. ${name} is left alone until ` +
      `${task ? `task ${task.ref}` : 'its task'} has ended.`,
    fix: 'Look at the task in vCenter.',
  });
  const ended = ownMoves.begin(vmRef);
  guard.hold(vmRef, task?.ref ?? null, (end) => {
    ended(lateMs);
    const tookMs =
      end?.startedMs != null && end.completedMs !== null ? end.completedMs - end.startedMs : null;
    if (!gaveUp && end?.state === 'success' && tookMs !== null)
      tally.done(token, {
        vmRef,
        startMs,
        endMs: Math.min(clock.now(), startMs + tookMs),
        attempts,
        tasks: [end],
      });
    else if (!gaveUp) fails();
    run.finding({
      id,
      severity: 'info',
      text:
        `${what}: ${message}. ` +
        `${end === null ? 'vCenter knows no task of it any more' : `Its task ended ${end.state === 'success' ? 'well' : 'with an error'}`} ` +
        `after ${Math.round((clock.now() - startMs) / 1_000)} s; the VM takes part again.`,
    });
  });
}
