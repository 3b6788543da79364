import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { TaskFacts, VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import { adoptTasks, journalKey } from './adopt.ts';
import { createVmGuard } from './guard.ts';
import { candidates, operate } from './operations.ts';
import { planInfrastructure } from './plan.ts';
import { cloneNameOf } from './restore.ts';
import { meaningOf, restMs, retryPauseMs, retryTimes } from './retry.ts';
import { type WatchedWork, watchTasks } from './stuck.ts';
import { createTally, type Tally } from './tally.ts';

/** How often a rate is told, at most; a measurement period holds a whole number of these. */
const bucketMs = 60_000;
/** An operation that takes longer is cancelled and counts as failed. */
const operationLimitMs = 30 * 60_000;
const afterFailureMs = 10_000;
const busyMs = 1_000;
/** A task that was cancelled, or cut off, may have moved its VM when nobody looked. */
const lateMs = 60_000;

export interface Infrastructure {
  /**
   * No new operation; resolves when those in flight have ended, or were cancelled after
   * `patienceMs`.
   */
  finish(patienceMs: number): Promise<void>;
  /** Cancels what is in flight. */
  cancel(): Promise<void>;
}

/**
 * The infrastructure load of a run: each operation of the profile in loops of its own, from the
 * start of the steady state to its end. A failed operation is retried by rule, told and counted; it
 * never stops its loop.
 */
export function startInfrastructure(context: RunContext): Infrastructure | null {
  const { run, deps, limits } = context;
  const { clock } = deps;
  const { profile, testbed, inventoryBefore, overview } = run.record();
  const { operations } = planInfrastructure(profile, testbed, inventoryBefore);
  const steady = overview.phases.find((p) => p.name === 'steady');
  if (operations.length === 0 || !steady || testbed.vcenterId === null) return null;
  const vcenterId = testbed.vcenterId;
  const toMs = steady.plannedEndMs;
  const periodMs = (toMs - steady.startMs) / Math.max(1, overview.periods.length);
  const stepMs = periodMs / Math.ceil(periodMs / bucketMs);
  // After a restart of the engine: whole buckets from now on; what was before is a gap.
  const fromMs =
    steady.startMs +
    Math.max(0, Math.ceil((clock.now() - steady.startMs - 1_000) / stepMs)) * stepMs;
  if (fromMs > steady.startMs)
    run.finding({
      id: 'infra.gap',
      severity: 'warn',
      text:
        'The engine was restarted: infrastructure operations before ' +
        `${Math.round((fromMs - steady.startMs) / 1_000)} s of the steady state are not ` +
        'counted.',
    });

  const stop = new AbortController();
  const cancel = new AbortController();
  const homes = new Map((inventoryBefore?.vms ?? []).map((vm) => [vm.ref, vm.datastoreRefs[0]]));
  // Clones of the engine before keep their names until the clean-up.
  let clones = overview.events.filter((event) => event.kind === 'recovered').length * 10_000;
  const cancelled = AbortSignal.any([cancel.signal, context.detached, run.stop]);
  const idle = AbortSignal.any([stop.signal, cancelled]);
  const vcenter = (signal: AbortSignal): Promise<VCenterSession> =>
    context.peers.vcenter(vcenterId, signal);
  const guard = createVmGuard({ clock, log: deps.log, session: vcenter, signal: cancelled });
  const tallies = operations.map((plan): Tally =>
    createTally(context, plan, { fromMs, toMs, stepMs }),
  );
  const nameOf = (vmRef: string): string =>
    inventoryBefore?.vms.find((vm) => vm.ref === vmRef)?.name ?? vmRef;
  const pause = (ms: number, until = idle): Promise<void> =>
    clock.sleep(ms, until).catch((error: unknown) => {
      if (!until.aborted) throw error;
    });

  /**
   * One try. `again`: the same VM may be tried again at once; the VM is given back or held
   * otherwise.
   */
  async function attempt(
    tally: Tally,
    turn: number,
    vmRef: string | null,
    attempts: number,
    journal: string,
  ): Promise<'done' | 'again' | 'failed'> {
    const { plan } = tally;
    const startMs = clock.now();
    const token = tally.begin(startMs);
    const ended = vmRef === null ? () => undefined : context.ownMoves.begin(vmRef);
    let seen: WatchedWork = { tasks: [], gaveUp: () => null };
    try {
      await watchTasks(
        clock,
        { stuckMs: limits.stuckTaskMs, limitMs: operationLimitMs },
        async (gaveUp, watch) => {
          const signal = AbortSignal.any([cancelled, gaveUp]);
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
              plan,
              clock,
              turn,
              signal,
              watch: told,
              homeOf: (ref) => homes.get(ref),
              cloneName: () => cloneNameOf(run.id, (clones += 1)),
            },
            vmRef,
          );
        },
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
      const gaveUp = seen.gaveUp();
      const minutes = (ms: number): number => Math.round(ms / 6_000) / 10;
      const error =
        gaveUp === 'stuck'
          ? fail('timedOut', `no progress for ${minutes(limits.stuckTaskMs)} min, cancelled`)
          : gaveUp === 'limit'
            ? fail('timedOut', `not done after ${minutes(operationLimitMs)} min, cancelled`)
            : toAppError(thrown);
      const meaning = gaveUp === null ? meaningOf(error) : 'unknown';
      const task = seen.tasks.at(-1);
      const last = meaning !== 'again' || attempts > retryTimes;
      if (meaning !== 'unknown' || vmRef === null) {
        tally.failed(token, {
          vmRef,
          startMs,
          attempts,
          tasks: seen.tasks,
          message: error.message,
          last,
        });
        if (vmRef !== null && last) guard.release(vmRef, restMs);
        return last ? 'failed' : 'again';
      }
      hold(tally, {
        token,
        vmRef,
        startMs,
        attempts,
        seen,
        task,
        gaveUp: gaveUp !== null,
        message: error.message,
      });
      return 'failed';
    }
  }

  /**
   * Nobody knows whether it still runs: the VM is left alone until vCenter says, and what succeeded
   * without us is counted with vCenter's own time.
   */
  function hold(
    tally: Tally,
    of: {
      token: number;
      vmRef: string;
      startMs: number;
      attempts: number;
      seen: WatchedWork;
      task: TaskFacts | undefined;
      gaveUp: boolean;
      message: string;
    },
  ): void {
    const { token, vmRef, startMs, attempts, seen, task, gaveUp, message } = of;
    const what = `${tally.plan.operation.name} of ${nameOf(vmRef)}`;
    const id = `infra.${gaveUp ? 'stuck' : 'unknown'}.${vmRef}`;
    if (gaveUp)
      tally.failed(token, { vmRef, startMs, attempts, tasks: seen.tasks, message, last: true });
    run.finding({
      id,
      severity: 'warn',
      text:
        `${what}: ${message}. ${nameOf(vmRef)} is left alone until ` +
        `${task ? `task ${task.ref}` : 'its task'} has ended.`,
      fix: 'Look at the task in vCenter.',
    });
    const ended = context.ownMoves.begin(vmRef);
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
      else if (!gaveUp)
        tally.failed(token, { vmRef, startMs, attempts, tasks: seen.tasks, message, last: true });
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

  /** One operation with its retries; gives how long the loop waits before the next. */
  async function one(tally: Tally, turn: number, index: number): Promise<number> {
    const { plan } = tally;
    const vmRef = plan.kind === 'deploy' ? null : guard.take(candidates(plan), turn);
    if (vmRef === null && plan.kind !== 'deploy') return busyMs;
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await attempt(
        tally,
        turn,
        vmRef,
        attempts,
        journalKey(plan.operation.id, index),
      );
      if (outcome === 'again') {
        await pause(retryPauseMs(limits.retryPauseMs, attempts));
        if (!idle.aborted && clock.now() < toMs) continue;
        if (vmRef !== null) guard.release(vmRef);
        return 0;
      }
      if (outcome === 'done' && vmRef !== null) guard.release(vmRef);
      return outcome === 'done'
        ? (plan.targets.pace?.[plan.operation.id]?.pauseS ?? plan.targets.pauseS) * 1_000
        : afterFailureMs;
    }
  }

  const tellRates = (): void => {
    for (const tally of tallies) tally.tellRates(clock.now());
  };
  const adopted = adoptTasks({
    context,
    vcenter,
    guard,
    tallies,
    signal: idle,
    resumed: fromMs > steady.startMs,
  });
  async function loop(tally: Tally, index: number): Promise<void> {
    // Until vCenter has said what still runs, nothing is begun.
    await adopted;
    if (fromMs > clock.now()) await pause(fromMs - clock.now());
    for (let turn = index; !idle.aborted && clock.now() < toMs; turn += tally.plan.loops) {
      const waitMs = await one(tally, turn, index);
      if (waitMs > 0) await pause(Math.min(waitMs, Math.max(0, toMs - clock.now())));
    }
  }
  const loops = Promise.all(
    tallies.flatMap((tally) => Array.from({ length: tally.plan.loops }, (_, i) => loop(tally, i))),
  );
  const ticker = (async () => {
    while (!idle.aborted && clock.now() < toMs) {
      await pause(stepMs);
      tellRates();
    }
  })();

  return {
    async finish(patienceMs) {
      stop.abort();
      await withDeadline(clock, patienceMs, async (late) => {
        late.addEventListener('abort', () => cancel.abort());
        await loops;
      });
      cancel.abort();
      await guard.closed();
      await ticker;
      for (const tally of tallies) tally.dropOpen();
      tellRates();
      for (const tally of tallies) tally.tell(overview.periods.length);
    },
    async cancel() {
      cancel.abort();
      await loops;
      await guard.closed();
      await ticker;
    },
  };
}
