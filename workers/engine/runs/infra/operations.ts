import { fail } from '../../../../src/core/base/errors.ts';
import type { Clock } from '../../deps.ts';
import type { TaskWatch, VCenterSession } from '../../deps/vcenter.ts';
import { withDeadline } from '../deadline.ts';
import type { OperationPlan } from './plan.ts';

export interface OperationScope {
  session: VCenterSession;
  plan: OperationPlan;
  clock: Clock;
  /** Datastore each VM had before the run. */
  homeOf: (vmRef: string) => string | undefined;
  /** Name of the next clone of this run. */
  cloneName: () => string;
  /** Rises with every operation of this loop; spreads VMs and hosts. */
  turn: number;
  signal: AbortSignal;
  watch: TaskWatch;
}

/**
 * A customised guest has its address within this time, or the deploy has failed: this app's choice.
 */
const guestMs = 600_000;
const guestPollMs = 5_000;
/** To take away what a failed deploy left; what stays is found by its name after the run. */
const tidyMs = 60_000;

/** The VMs an operation may choose from. */
export function candidates({ kind, targets }: OperationPlan): readonly string[] {
  switch (kind) {
    case 'vmotion':
      return targets.vmotionVmRefs;
    case 'storageVmotion':
      return targets.storageVmotion?.vmRefs ?? [];
    case 'xvmotion':
      return targets.xvmotion?.vmRefs ?? [];
    case 'snapshot':
      return targets.snapshotVmRefs;
    case 'deploy':
      return [];
  }
}

/** The host after the one a VM is on, in the cluster's order. */
export function nextHost(
  hostRefs: readonly string[],
  current: string | null,
  turn: number,
): string {
  const others = hostRefs.filter((ref) => ref !== current);
  const host = others[(turn + hostRefs.indexOf(current ?? '') + 1) % Math.max(1, others.length)];
  if (host === undefined) throw fail('conflict', 'There is no other host to move to.');
  return host;
}

/** One operation, from its first call to vCenter to its last. Throws what vCenter said. */
export async function operate(scope: OperationScope, vmRef: string | null): Promise<void> {
  const {
    session,
    plan: { kind, targets, hostRefs },
    turn,
    signal,
    watch,
  } = scope;
  if (kind === 'deploy') {
    await deploy(scope);
    return;
  }
  if (vmRef === null) throw fail('conflict', 'Every VM of this operation is busy.');
  if (kind === 'snapshot') {
    await session.removeSnapshot(
      await session.snapshot(vmRef, scope.cloneName(), signal, watch),
      signal,
      watch,
    );
    return;
  }
  const place = await session.placement(vmRef, signal);
  const datastoreRef =
    kind === 'vmotion'
      ? undefined
      : otherDatastore(
          scope,
          vmRef,
          place.datastoreRefs,
          (kind === 'storageVmotion' ? targets.storageVmotion : targets.xvmotion)!.datastoreRef,
        );
  const hostRef = kind === 'storageVmotion' ? undefined : nextHost(hostRefs, place.hostRef, turn);
  await session.relocate(
    vmRef,
    {
      ...(hostRef === undefined ? {} : { hostRef }),
      ...(datastoreRef === undefined ? {} : { datastoreRef }),
    },
    signal,
    watch,
  );
}

/** To the maintenance datastore, and from there home. */
function otherDatastore(
  { homeOf }: OperationScope,
  vmRef: string,
  now: readonly string[],
  away: string,
): string {
  if (!now.includes(away)) return away;
  const home = homeOf(vmRef);
  if (home === undefined)
    throw fail(
      'notFound',
      `The datastore that ${vmRef} came from is not known.`,
      'Discover the inventory again.',
    );
  return home;
}

/** Clone, customise where the testbed says so, power on, look, power off, destroy. */
async function deploy(scope: OperationScope): Promise<void> {
  const {
    session,
    plan: { targets, hostRefs },
    cloneName,
    turn,
    signal,
    watch,
  } = scope;
  const { templateRef, datastoreRef, customization } = targets.deploy!;
  const ref = await session.clone(
    templateRef,
    cloneName(),
    {
      datastoreRef,
      hostRef: hostRefs[turn % hostRefs.length]!,
      ...(customization === undefined ? {} : { customization }),
    },
    signal,
    watch,
  );
  try {
    await session.power(ref, true, signal, watch);
    await look(scope, ref, customization !== undefined);
    await session.power(ref, false, signal, watch);
    await session.destroy(ref, signal, watch);
  } catch (error) {
    // A clone left would take space from the next; the first error is what counts.
    if (!signal.aborted)
      await withDeadline(scope.clock, tidyMs, async (late) => {
        await session.power(ref, false, late);
        await session.destroy(ref, late);
      }).catch(() => undefined);
    throw error;
  }
}

/** A deployed VM must be on; a customised one must have an address, which needs its tools. */
async function look(
  { session, clock, signal }: OperationScope,
  ref: string,
  customised: boolean,
): Promise<void> {
  const deadlineMs = clock.now() + guestMs;
  for (;;) {
    const { poweredOn, ip } = await session.placement(ref, signal);
    if (!poweredOn)
      throw fail('conflict', 'The deployed VM was powered on, but vCenter says it is off.');
    if (!customised || ip !== null) return;
    if (clock.now() >= deadlineMs)
      throw fail(
        'timedOut',
        `The customised VM has no address after ${guestMs / 60_000} min.`,
        'Check the customisation specification, the network of the template, and its tools.',
        { fault: 'CustomizationPending' },
      );
    await clock.sleep(guestPollMs, signal);
  }
}
