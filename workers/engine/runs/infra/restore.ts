import { toAppError } from '../../../../src/shared/errors.ts';
import type { Inventory } from '../../../../src/shared/testbed.ts';
import type { VCenterSession } from '../../deps.ts';
import type { RunContext } from '../context.ts';
import { planInfrastructure, type InfraPlan } from './plan.ts';

/** Names a run's own VMs, so that they are known after a restart, and nothing else is ever deleted. */
export const cloneNameOf = (runId: string, count: number): string => `tb-${runId}-${count}`;
const isCloneOf = (runId: string, name: string): boolean => name.startsWith(`tb-${runId}-`);

export interface Restoration { what: string; act: (session: VCenterSession, signal: AbortSignal) => Promise<void> }

/**
 * What must be done so that everything is where it was before the run: the run's own clones go, disks and, where no
 * DRS decides, VMs return. Made from the two inventories alone: it holds after any crash.
 */
export function restorations(runId: string, { operations }: Pick<InfraPlan, 'operations'>, before: Inventory, now: Inventory): Restoration[] {
  const drs = new Set(before.clusters.flatMap((c) => (c.drsEnabled === true && c.drsBehavior === 'fullyAutomated' ? c.hostRefs : [])));
  const targets = operations[0]?.targets;
  const movedHosts = new Set([...(targets?.vmotionVmRefs ?? []), ...(targets?.xvmotion?.vmRefs ?? [])]);
  const movedDisks = new Set([...(targets?.storageVmotion?.vmRefs ?? []), ...(targets?.xvmotion?.vmRefs ?? [])]);
  const was = new Map(before.vms.map((vm) => [vm.ref, vm]));
  return now.vms.flatMap((vm): Restoration[] => {
    if (isCloneOf(runId, vm.name)) {
      return [{ what: `${vm.name} is destroyed`, act: async (session, signal) => { await session.power(vm.ref, false, signal); await session.destroy(vm.ref, signal); } }];
    }
    const old = was.get(vm.ref);
    if (!old) return [];
    const home = old.datastoreRefs[0];
    const datastoreRef = movedDisks.has(vm.ref) && home !== undefined && !vm.datastoreRefs.includes(home) ? home : undefined;
    const hostRef = movedHosts.has(vm.ref) && old.hostRef !== null && vm.hostRef !== old.hostRef && !drs.has(old.hostRef) ? old.hostRef : undefined;
    if (datastoreRef === undefined && hostRef === undefined) return [];
    return [{
      what: `${vm.name} is back ${[...(hostRef ? ['on its host'] : []), ...(datastoreRef ? ['on its datastore'] : [])].join(' and ')}`,
      act: (session, signal) => session.relocate(vm.ref, { ...(hostRef ? { hostRef } : {}), ...(datastoreRef ? { datastoreRef } : {}) }, signal),
    }];
  });
}

/** Does it, VMs side by side; what cannot be done is a finding that says what is not where it was. */
export async function restoreInfrastructure(context: RunContext, signal: AbortSignal): Promise<void> {
  const { run, peers } = context;
  const { profile, testbed, inventoryBefore } = run.record();
  const plan = planInfrastructure(profile, testbed, inventoryBefore);
  if (plan.operations.length === 0 || inventoryBefore === null || testbed.vcenterId === null) return;
  const failures: string[] = [];
  try {
    const session = await peers.vcenter(testbed.vcenterId, signal);
    await Promise.all(restorations(run.id, plan, inventoryBefore, await session.inventory(signal)).map(({ what, act }) =>
      act(session, signal).catch((error: unknown) => { failures.push(`not done: ${what} (${toAppError(error).message})`); })));
  } catch (error) {
    failures.push(`vCenter could not be asked: ${toAppError(error).message}`);
  }
  if (failures.length > 0) run.finding({ id: 'infra.restore', severity: 'warn', text: `After the run not everything is where it was: ${failures.slice(0, 5).join('; ')}${failures.length > 5 ? `; ${failures.length - 5} more` : ''}.`, fix: `Look for VMs named ${cloneNameOf(run.id, 1).replace(/1$/, '…')} and for VMs on the maintenance datastore.` });
}
