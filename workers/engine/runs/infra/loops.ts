import { steadyPlanned, type Window } from '../../../../src/core/run/windows.ts';
import { pause } from '../../clock/jumps.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import { adoptTasks, journalKey } from './adopt.ts';
import { attempt, type InfraLoad } from './attempt.ts';
import { createVmGuard } from './guard.ts';
import { candidates } from './operations.ts';
import { planInfrastructure } from './plan.ts';
import { cloneNameOf } from './restore.ts';
import { retryPauseMs } from './retry.ts';
import { createTally, type Tally, type TallySpan } from './tally.ts';

/** How often a rate is told, at most; a measurement period holds a whole number of these. */
const bucketMs = 60_000;
const afterFailureMs = 10_000;
const busyMs = 1_000;

export interface Infrastructure {
  /**
   * No new operation; resolves when those in flight have ended, or were cancelled after
   * `patienceMs`.
   */
  finish(patienceMs: number): Promise<void>;
  /** Cancels what is in flight. */
  cancel(): Promise<void>;
}

/** What the loops go by, beside what each operation needs. */
interface Loops extends InfraLoad {
  /** Fires when no new operation begins. */
  readonly idle: AbortSignal;
  readonly span: TallySpan;
  /** Resolves when vCenter has said what still runs: nothing is begun before. */
  readonly adopted: Promise<void>;
}

/**
 * The infrastructure load of a run: each operation of the profile in loops of its own, from the
 * start of the steady state to its end. A failed operation is retried by rule, told and counted; it
 * never stops its loop.
 */
export function startInfrastructure(context: RunContext): Infrastructure | null {
  const { run, deps } = context;
  const { clock } = deps;
  const { profile, testbed, inventoryBefore, overview } = run.record();
  const { operations } = planInfrastructure(profile, testbed, inventoryBefore);
  const steady = steadyPlanned(overview);
  if (operations.length === 0 || !steady || testbed.vcenterId === null) return null;
  const vcenterId = testbed.vcenterId;
  const span = countedSpan(steady, overview.periods.length, clock.now());
  const resumed = span.fromMs > steady.startMs;
  if (resumed)
    run.finding({
      id: 'infra.gap',
      severity: 'warn',
      text:
        'The engine was restarted: infrastructure operations before ' +
        `${Math.round((span.fromMs - steady.startMs) / 1_000)} s of the steady state are not ` +
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
  const tallies = operations.map((plan): Tally => createTally(context, plan, span));
  const loops: Loops = {
    context,
    vcenter,
    guard,
    cancelled,
    idle,
    span,
    homeOf: (ref) => homes.get(ref),
    cloneName: () => cloneNameOf(run.id, (clones += 1)),
    adopted: adoptTasks({ context, vcenter, guard, tallies, signal: idle, resumed }),
  };
  const working = Promise.all(
    tallies.flatMap((tally) =>
      Array.from({ length: tally.plan.loops }, (_, i) => loop(loops, tally, i)),
    ),
  );
  const telling = tellRates(loops, tallies);

  return {
    async finish(patienceMs) {
      stop.abort();
      await withDeadline(clock, patienceMs, async (late) => {
        late.addEventListener('abort', () => cancel.abort());
        await working;
      });
      cancel.abort();
      await guard.closed();
      await telling;
      for (const tally of tallies) tally.dropOpen();
      for (const tally of tallies) tally.tellRates(clock.now());
      for (const tally of tallies) tally.tell(overview.periods.length);
    },
    async cancel() {
      cancel.abort();
      await working;
      await guard.closed();
      await telling;
    },
  };
}

/**
 * From when to when operations are counted, in buckets that fit the periods. After a restart of the
 * engine: whole buckets from now on; what was before is a gap.
 */
function countedSpan({ startMs, endMs: toMs }: Window, periods: number, nowMs: number): TallySpan {
  const periodMs = (toMs - startMs) / Math.max(1, periods);
  const stepMs = periodMs / Math.ceil(periodMs / bucketMs);
  const fromMs = startMs + Math.max(0, Math.ceil((nowMs - startMs - 1_000) / stepMs)) * stepMs;
  return { fromMs, toMs, stepMs };
}

async function tellRates({ context, idle, span }: Loops, tallies: readonly Tally[]): Promise<void> {
  const { clock } = context.deps;
  while (!idle.aborted && clock.now() < span.toMs) {
    await pause(clock, span.stepMs, idle);
    for (const tally of tallies) tally.tellRates(clock.now());
  }
}

async function loop(loops: Loops, tally: Tally, index: number): Promise<void> {
  const {
    context: {
      deps: { clock },
    },
    idle,
    span: { fromMs, toMs },
  } = loops;
  await loops.adopted;
  if (fromMs > clock.now()) await pause(clock, fromMs - clock.now(), idle);
  for (let turn = index; !idle.aborted && clock.now() < toMs; turn += tally.plan.loops) {
    const waitMs = await operateWithRetries(loops, tally, turn, index);
    if (waitMs > 0) await pause(clock, Math.min(waitMs, Math.max(0, toMs - clock.now())), idle);
  }
}

/** One operation with its retries; gives how long the loop waits before the next. */
async function operateWithRetries(
  loops: Loops,
  tally: Tally,
  turn: number,
  index: number,
): Promise<number> {
  const {
    context: {
      deps: { clock },
      limits,
    },
    guard,
    idle,
    span,
  } = loops;
  const { plan } = tally;
  const vmRef = plan.kind === 'deploy' ? null : guard.take(candidates(plan), turn);
  if (vmRef === null && plan.kind !== 'deploy') return busyMs;
  const journal = journalKey(plan.operation.id, index);
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt(loops, { tally, turn, vmRef, attempts, journal });
    if (outcome === 'again') {
      await pause(clock, retryPauseMs(limits.retryPauseMs, attempts), idle);
      if (!idle.aborted && clock.now() < span.toMs) continue;
      if (vmRef !== null) guard.release(vmRef);
      return 0;
    }
    if (outcome === 'done' && vmRef !== null) guard.release(vmRef);
    return outcome === 'done'
      ? (plan.targets.pace?.[plan.operation.id]?.pauseS ?? plan.targets.pauseS) * 1_000
      : afterFailureMs;
  }
}
