import { fail, toAppError } from '../../../../src/shared/errors.ts';
import { infraKey } from '../../../../src/shared/score.ts';
import type { RunContext } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import { candidates, choose, operate } from './operations.ts';
import { planInfrastructure, type OperationPlan } from './plan.ts';
import { createRateMeter, type RateMeter } from './rate.ts';
import { cloneNameOf } from './restore.ts';

/** How often a rate is told, at most; a measurement period holds a whole number of these. */
const bucketMs = 60_000;
/** An operation that takes longer is cancelled and counts as failed. */
const operationLimitMs = 30 * 60_000;
const retryMs = 10_000;
const busyMs = 1_000;
/** Failures that become a mark on the time axis; the rest are counted. */
const toldFailures = 10;

export interface Infrastructure {
  /** No new operation; resolves when those in flight have ended, or were cancelled after `patienceMs`. */
  finish(patienceMs: number): Promise<void>;
  /** Cancels what is in flight. */
  cancel(): Promise<void>;
}

interface Tally { plan: OperationPlan; meter: RateMeter; done: number; failed: number; totalMs: number; lastFailure: string }

/**
 * The infrastructure load of a run: each operation of the profile in loops of its own, from the start of the steady
 * state to its end. A failed operation is retried later, told and counted; it never stops its loop.
 */
export function startInfrastructure(context: RunContext): Infrastructure | null {
  const { run, deps } = context;
  const { profile, testbed, inventoryBefore, overview } = run.record();
  const { operations } = planInfrastructure(profile, testbed, inventoryBefore);
  const steady = overview.phases.find((p) => p.name === 'steady');
  if (operations.length === 0 || !steady || testbed.vcenterId === null) return null;
  const vcenterId = testbed.vcenterId;
  const toMs = steady.plannedEndMs;
  const periodMs = (toMs - steady.startMs) / Math.max(1, overview.periods.length);
  const stepMs = periodMs / Math.ceil(periodMs / bucketMs);
  // After a restart of the engine: whole buckets from now on; what was before is a gap.
  const fromMs = steady.startMs + Math.max(0, Math.ceil((deps.clock.now() - steady.startMs - 1_000) / stepMs)) * stepMs;
  if (fromMs > steady.startMs) run.finding({ id: 'infra.gap', severity: 'warn', text: `The engine was restarted: infrastructure operations before ${Math.round((fromMs - steady.startMs) / 1_000)} s of the steady state are not counted.` });

  const stop = new AbortController();
  const cancel = new AbortController();
  /** VMs that some loop works on now: a VM is never in two operations at once. */
  const busy = new Set<string>();
  const homes = new Map((inventoryBefore?.vms ?? []).map((vm) => [vm.ref, vm.datastoreRefs[0]]));
  let clones = 0;
  const cancelled = AbortSignal.any([cancel.signal, context.detached, run.stop]);
  const idle = AbortSignal.any([stop.signal, cancelled]);
  const tallies = operations.map((plan): Tally => ({ plan, meter: createRateMeter(fromMs, toMs, stepMs), done: 0, failed: 0, totalMs: 0, lastFailure: '' }));
  const pause = (ms: number): Promise<void> => deps.clock.sleep(ms, idle).catch((error: unknown) => { if (!idle.aborted) throw error; });

  async function one(tally: Tally, turn: number): Promise<number> {
    const { plan, meter } = tally;
    const vmRef = plan.kind === 'deploy' ? null : choose(candidates(plan), turn, busy);
    if (vmRef === null && plan.kind !== 'deploy') return busyMs;
    if (vmRef !== null) busy.add(vmRef);
    const startMs = deps.clock.now();
    const token = meter.start(startMs);
    let ok = false;
    try {
      await withDeadline(deps.clock, operationLimitMs, async (limit) => {
        const signal = AbortSignal.any([cancelled, limit]);
        const session = await context.peers.vcenter(vcenterId, signal);
        await operate({ session, plan, turn, signal, homeOf: (ref) => homes.get(ref), cloneName: () => cloneNameOf(run.id, clones += 1) }, vmRef)
          .catch((error: unknown) => { throw limit.aborted ? fail('timedOut', `not done after ${operationLimitMs / 60_000} min, cancelled`) : error; });
      });
      ok = true;
    } catch (error) {
      if (!cancelled.aborted) tellFailure(tally, vmRef, toAppError(error).message);
    } finally {
      if (vmRef !== null) busy.delete(vmRef);
      meter.end(token, deps.clock.now(), ok);
    }
    if (ok) {
      const tookMs = deps.clock.now() - startMs;
      tally.done += 1;
      tally.totalMs += tookMs;
      push(plan, 'latencyMeanMs', deps.clock.now(), tookMs);
    }
    return ok ? plan.targets.pauseS * 1_000 : retryMs;
  }

  function tellFailure(tally: Tally, vmRef: string | null, message: string): void {
    const name = run.record().inventoryBefore?.vms.find((vm) => vm.ref === vmRef)?.name;
    tally.failed += 1;
    tally.lastFailure = message;
    if (tally.failed <= toldFailures) run.event('fault', `${tally.plan.operation.name}${name ? ` of ${name}` : ''} failed: ${message}`, { entityId: infraKey(tally.plan.operation.id) });
  }

  function push(plan: OperationPlan, metric: 'throughput' | 'latencyMeanMs', tMs: number, value: number): void {
    const id = context.seriesId(infraKey(plan.operation.id), metric);
    if (id !== undefined) context.pipeline.push(id, tMs, value);
  }

  function tellRates(): void {
    // A bucket that ends with a period belongs to that period.
    for (const { plan, meter } of tallies) for (const { tMs, perHour } of meter.take(deps.clock.now())) push(plan, 'throughput', tMs - 1, Math.round(perHour * 1_000) / 1_000);
  }

  async function loop(tally: Tally, index: number): Promise<void> {
    if (fromMs > deps.clock.now()) await pause(fromMs - deps.clock.now());
    for (let turn = index; !idle.aborted && deps.clock.now() < toMs; turn += tally.plan.loops) {
      const waitMs = await one(tally, turn);
      if (waitMs > 0) await pause(Math.min(waitMs, Math.max(0, toMs - deps.clock.now())));
    }
  }

  const loops = Promise.all(tallies.flatMap((tally) => Array.from({ length: tally.plan.loops }, (_, i) => loop(tally, i))));
  const ticker = (async () => {
    while (!idle.aborted && deps.clock.now() < toMs) {
      await pause(stepMs);
      tellRates();
    }
  })();

  return {
    async finish(patienceMs) {
      stop.abort();
      await withDeadline(deps.clock, patienceMs, async (late) => {
        late.addEventListener('abort', () => cancel.abort());
        await loops;
      });
      await ticker;
      tellRates();
      for (const tally of tallies) tellTally(context, tally, overview.periods.length);
    },
    async cancel() {
      cancel.abort();
      await loops;
      await ticker;
    },
  };
}

function tellTally({ run }: RunContext, { plan: { operation, loops }, done, failed, totalMs, lastFailure }: Tally, periods: number): void {
  const mean = done > 0 ? `, mean ${(totalMs / done / 1_000).toFixed(1)} s` : '';
  run.finding({
    id: infraKey(operation.id), severity: failed > 0 || done === 0 ? 'warn' : 'info',
    text: `${operation.name}: ${done} done in ${loops} ${loops === 1 ? 'loop' : 'loops'} over ${periods} ${periods === 1 ? 'period' : 'periods'}${mean}; ${failed} failed${failed > 0 ? `, last: ${lastFailure}` : ''}.`,
  });
}
