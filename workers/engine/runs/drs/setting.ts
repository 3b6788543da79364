import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { DrsWish } from '../../../../src/core/plan/plan.ts';
import type { RunRecord } from '../../../../src/core/run/run.ts';
import { drsWords } from '../../../../src/core/snapshot/drsWords.ts';
import { pause } from '../../clock/jumps.ts';
import type { DrsSetting } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { retryPauseMs } from '../infra/retry.ts';

type Before = NonNullable<RunRecord['drsBefore']>;
const restoreTries = 6;

/** What DRS is to be, as vCenter takes it. */
export function wishedSetting({
  behavior,
  vmotionRate,
}: Pick<DrsWish, 'behavior' | 'vmotionRate'>): DrsSetting {
  return behavior === 'off'
    ? { enabled: false, behavior: null, vmotionRate: null }
    : { enabled: true, behavior, vmotionRate };
}

/**
 * Sets DRS of the plan's cluster. What it was is stored in the run before it is changed, so that
 * also the next engine can put it back. Throws where vCenter refuses, or shows something else
 * afterwards.
 */
export async function setDrsForRun(
  context: RunContext,
  setting: DrsSetting,
  signal: AbortSignal,
): Promise<void> {
  const { run, peers, deps } = context;
  const { plan, testbed, inventoryBefore, drsBefore } = run.record();
  if (!plan.drs || testbed.vcenterId === null) return;
  const { clusterRef } = plan.drs;
  const clusterName =
    inventoryBefore?.clusters.find((one) => one.ref === clusterRef)?.name ?? clusterRef;
  const session = await peers.vcenter(testbed.vcenterId, signal);
  const was = await session.drs(clusterRef, signal);
  if (!drsBefore)
    run.change({
      drsBefore: { clusterRef, clusterName, ...was, atMs: deps.clock.now(), restoredAtMs: null },
    });
  await session.setDrs(clusterRef, setting, signal);
  const now = await session.drs(clusterRef, signal);
  if (
    now.enabled !== setting.enabled ||
    (setting.behavior !== null && now.behavior !== setting.behavior)
  ) {
    throw fail(
      'conflict',
      `DRS of ${clusterName} was set to ${drsWords(setting)}, but vCenter says ${drsWords(now)}.`,
      'Somebody else may manage this cluster; run without a change of DRS.',
    );
  }
  run.event(
    'drs',
    `DRS of ${clusterName}: ${drsWords(was)} → ${drsWords({ ...now, ...(setting.enabled ? {} : { enabled: false }) })}`,
    { by: 'run', entityId: clusterRef },
  );
  run.finding({
    id: 'drs.set',
    severity: 'info',
    text:
      `DRS of ${clusterName} was ${drsWords(run.record().drsBefore ?? was)} and is ` +
      `${drsWords(now)} for this run, as agreed to in the plan. It is put back at the end.`,
  });
}

/**
 * Puts DRS back as it was before the run, where the run changed it and it is not back yet. What
 * cannot be put back is a finding with the fix; false = it is not back.
 */
export async function restoreDrs(
  context: RunContext,
  signal: AbortSignal,
  tries = restoreTries,
): Promise<boolean> {
  const { run, deps, limits } = context;
  const before = run.record().drsBefore;
  if (!before || before.restoredAtMs !== null) return true;
  for (let attempts = 1; ; attempts += 1) {
    try {
      await putBack(context, before, signal);
      return true;
    } catch (error) {
      if (attempts >= tries || signal.aborted) {
        run.finding({
          id: 'drs.restore',
          severity: 'warn',
          text:
            `DRS of ${before.clusterName} could not be put back to ${drsWords(before)}: ` +
            toAppError(error).message,
          fix: `In vCenter, set vSphere DRS of ${before.clusterName} to ${drsWords(before)}.`,
        });
        return false;
      }
      await pause(deps.clock, retryPauseMs(limits.retryPauseMs, attempts), signal);
    }
  }
}

async function putBack(
  { run, peers, deps }: RunContext,
  before: Before,
  signal: AbortSignal,
): Promise<void> {
  const { testbed } = run.record();
  if (testbed.vcenterId === null) throw fail('conflict', 'The testbed has no vCenter any more.');
  const { clusterRef, clusterName, enabled, behavior, vmotionRate } = before;
  const session = await peers.vcenter(testbed.vcenterId, signal);
  await session.setDrs(clusterRef, { enabled, behavior, vmotionRate }, signal);
  const now = await session.drs(clusterRef, signal);
  if (enabled !== null && now.enabled !== enabled)
    throw fail('conflict', `vCenter says ${drsWords(now)}.`);
  run.change({ drsBefore: { ...before, restoredAtMs: deps.clock.now() } });
  run.event('drs', `DRS of ${clusterName} is back: ${drsWords(now)}`, {
    by: 'run',
    entityId: clusterRef,
  });
}
