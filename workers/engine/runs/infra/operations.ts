import { fail } from '../../../../src/shared/errors.ts';
import type { VCenterSession } from '../../deps.ts';
import type { OperationPlan } from './plan.ts';

export interface OperationScope {
  session: VCenterSession; plan: OperationPlan;
  /** Datastore each VM had before the run. */
  homeOf: (vmRef: string) => string | undefined;
  /** Name of the next clone of this run. */
  cloneName: () => string;
  /** Rises with every operation of this loop; spreads VMs and hosts. */
  turn: number;
  signal: AbortSignal;
}

/** The VMs an operation may choose from. */
export function candidates({ kind, targets }: OperationPlan): readonly string[] {
  switch (kind) {
    case 'vmotion': return targets.vmotionVmRefs;
    case 'storageVmotion': return targets.storageVmotion?.vmRefs ?? [];
    case 'xvmotion': return targets.xvmotion?.vmRefs ?? [];
    case 'snapshot': return targets.snapshotVmRefs;
    case 'deploy': return [];
  }
}

/** The next VM in turn that nobody works on; null = all are busy. */
export function choose(refs: readonly string[], turn: number, busy: ReadonlySet<string>): string | null {
  for (let i = 0; i < refs.length; i += 1) {
    const ref = refs[(turn + i) % refs.length]!;
    if (!busy.has(ref)) return ref;
  }
  return null;
}

/** The host after the one a VM is on, in the cluster's order. */
export function nextHost(hostRefs: readonly string[], current: string | null, turn: number): string {
  const others = hostRefs.filter((ref) => ref !== current);
  const host = others[(turn + hostRefs.indexOf(current ?? '') + 1) % Math.max(1, others.length)];
  if (host === undefined) throw fail('conflict', 'There is no other host to move to.');
  return host;
}

/** One operation, from its first call to vCenter to its last. Throws what vCenter said. */
export async function operate(scope: OperationScope, vmRef: string | null): Promise<void> {
  const { session, plan: { kind, targets, hostRefs }, turn, signal } = scope;
  if (kind === 'deploy') { await deploy(scope); return; }
  if (vmRef === null) throw fail('conflict', 'Every VM of this operation is busy.');
  if (kind === 'snapshot') {
    await session.removeSnapshot(await session.snapshot(vmRef, scope.cloneName(), signal), signal);
    return;
  }
  const place = await session.placement(vmRef, signal);
  const datastoreRef = kind === 'vmotion' ? undefined : otherDatastore(scope, vmRef, place.datastoreRefs, (kind === 'storageVmotion' ? targets.storageVmotion : targets.xvmotion)!.datastoreRef);
  const hostRef = kind === 'storageVmotion' ? undefined : nextHost(hostRefs, place.hostRef, turn);
  await session.relocate(vmRef, { ...(hostRef === undefined ? {} : { hostRef }), ...(datastoreRef === undefined ? {} : { datastoreRef }) }, signal);
}

/** To the maintenance datastore, and from there home. */
function otherDatastore({ homeOf }: OperationScope, vmRef: string, now: readonly string[], away: string): string {
  if (!now.includes(away)) return away;
  const home = homeOf(vmRef);
  if (home === undefined) throw fail('notFound', `The datastore that ${vmRef} came from is not known.`, 'Discover the inventory again.');
  return home;
}

/** Clone, power on, look, power off, destroy. What cannot be destroyed here is found by its name after the run. */
async function deploy({ session, plan: { targets, hostRefs }, cloneName, turn, signal }: OperationScope): Promise<void> {
  const { templateRef, datastoreRef } = targets.deploy!;
  const ref = await session.clone(templateRef, cloneName(), { datastoreRef, hostRef: hostRefs[turn % hostRefs.length]! }, signal);
  await session.power(ref, true, signal);
  const { poweredOn } = await session.placement(ref, signal);
  if (!poweredOn) throw fail('conflict', 'The deployed VM was powered on, but vCenter says it is off.');
  await session.power(ref, false, signal);
  await session.destroy(ref, signal);
}
