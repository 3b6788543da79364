import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { RunContext } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import { meaningOf, retryPauseMs, retryTimes } from '../infra/retry.ts';
import { setDrsForRun, wishedSetting } from './setting.ts';
import { type StartMove, startMoves } from './startPlaces.ts';

/**
 * vMotions at once: what one host of vSphere takes part in with a 10 Gb/s network (VMware, vSphere
 * configuration maximums).
 */
const movesAtOnce = 8;

/**
 * Makes DRS and the places of the VMs what the plan wants before the ramp-up: DRS manual while VMs
 * are placed, then as wished. Throws where that fails: a run from another start would be another
 * run.
 */
export async function arrange(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run, limits, deps } = context;
  const { plan, testbed, inventoryBefore } = run.record();
  const { moves, problems } = startMoves(plan, testbed, inventoryBefore);
  if (problems.length > 0)
    throw fail(
      'conflict',
      problems[0]!,
      'Correct the start placement in the plan, or the layout of the testbed.',
    );
  if (moves.length > 0 && plan.drs)
    await setDrsForRun(context, wishedSetting({ behavior: 'manual', vmotionRate: null }), signal);
  if (moves.length > 0) {
    if (
      !plan.drs &&
      inventoryBefore?.clusters.some((c) => c.drsEnabled && c.drsBehavior === 'fullyAutomated')
    )
      run.finding({
        id: 'placement.drs',
        severity: 'info',
        text: 'VMs are placed while DRS is fully automated, as the plan does not change DRS: it may move them at once.',
      });
    await withDeadline(deps.clock, limits.placeMs, (late) =>
      place(context, moves, AbortSignal.any([signal, late]), late),
    );
  }
  if (plan.drs) await setDrsForRun(context, wishedSetting(plan.drs), signal);
}

async function place(
  context: RunContext,
  moves: readonly StartMove[],
  signal: AbortSignal,
  late: AbortSignal,
): Promise<void> {
  const { run, deps } = context;
  run.change({ placedAtMs: deps.clock.now() });
  const failures: string[] = [];
  const waiting = [...moves];
  let done = 0;
  const tell = (): void => {
    run.finding({
      id: 'placement',
      severity: 'info',
      text: `${done} of ${moves.length} VMs moved to where the plan starts them.`,
    });
  };
  tell();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      try {
        await moveOne(context, next, signal);
        done += 1;
        tell();
      } catch (error) {
        failures.push(`${next.vmName} to ${next.hostName}: ${toAppError(error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(movesAtOnce, moves.length) }, worker));
  if (late.aborted)
    throw fail(
      'timedOut',
      `Only ${done} of ${moves.length} VMs were at their start within ` +
        `${Math.round(context.limits.placeMs / 60_000)} min.`,
      'Look at the vMotions in vCenter; start from fewer tiles.',
    );
  signal.throwIfAborted();
  if (failures.length > 0)
    throw fail(
      'conflict',
      `${failures.length} of ${moves.length} VMs could not be moved to their start: ` +
        `${failures.slice(0, 3).join('; ')}${failures.length > 3 ? '; …' : ''}`,
      'Correct what vCenter says, or choose another start placement.',
    );
}

async function moveOne(
  context: RunContext,
  { vmRef, hostRef }: StartMove,
  signal: AbortSignal,
): Promise<void> {
  const { peers, deps, limits, run } = context;
  const session = await peers.vcenter(run.record().testbed.vcenterId!, signal);
  const ended = context.ownMoves.begin(vmRef);
  try {
    for (let attempts = 1; ; attempts += 1) {
      try {
        await session.relocate(vmRef, { hostRef }, signal, {
          onFacts: (task) => {
            context.ownMoves.chain(task.chainId);
          },
        });
        return;
      } catch (error) {
        if (signal.aborted || attempts > retryTimes || meaningOf(toAppError(error)) !== 'again')
          throw error;
        await deps.clock.sleep(retryPauseMs(limits.retryPauseMs, attempts), signal);
      }
    }
  } finally {
    ended();
  }
}
