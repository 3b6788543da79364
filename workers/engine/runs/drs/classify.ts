import type { Act } from '../../../../src/core/acts/act.ts';
import type { RunEvent, RunFinding } from '../../../../src/core/run/run.ts';
import type { VmEvent } from '../../deps/vcenter.ts';

export interface Told {
  kind: RunEvent['kind'];
  by: NonNullable<RunEvent['by']>;
  text: string;
  /** Set where it makes the run doubtful. */ finding: Pick<
    RunFinding,
    'severity' | 'text' | 'fix'
  > | null;
}

const movedTypes: ReadonlySet<string> = new Set([
  'VmMigratedEvent',
  'DrsVmMigratedEvent',
  'VmRelocatedEvent',
  'VmRestartedOnAlternateHostEvent',
  'com.vmware.vc.ha.VmRestartedByHAEvent',
]);
/** True where a VM may be on another host after it. */
export const isMove = (event: VmEvent): boolean => movedTypes.has(event.type);

/** Things that happen to a VM and are no part of a benchmark, in words. */
const unexpected: Readonly<Record<string, string>> = {
  VmMigratedEvent: 'was moved',
  VmRelocatedEvent: 'had its disks moved',
  VmPoweredOffEvent: 'was powered off',
  VmResettingEvent: 'was reset',
  VmGuestRebootEvent: 'restarted its guest',
  VmGuestShutdownEvent: 'shut down its guest',
  VmSuspendedEvent: 'was suspended',
  VmRemovedEvent: 'was removed',
  VmDisconnectedEvent: 'was disconnected',
  VmOrphanedEvent: 'was orphaned',
  VmFailoverFailed: 'could not be restarted by HA',
  VmMaxRestartCountReached: 'could not be restarted by HA',
};
const byHa: ReadonlySet<string> = new Set([
  'VmRestartedOnAlternateHostEvent',
  'VmDasBeingResetEvent',
  'com.vmware.vc.ha.VmRestartedByHAEvent',
]);
const hostDown: Readonly<Record<string, string>> = {
  HostConnectionLostEvent: 'lost its connection to vCenter',
  HostDisconnectedEvent: 'was disconnected from vCenter',
  HostShutdownEvent: 'was shut down',
  DasHostFailedEvent: 'failed',
  'com.vmware.vc.HA.DasHostFailedEvent': 'failed',
  EnteringMaintenanceModeEvent: 'enters maintenance mode',
  EnteredMaintenanceModeEvent: 'is in maintenance mode',
};
const clusterChanges: ReadonlySet<string> = new Set([
  'DrsEnabledEvent',
  'DrsDisabledEvent',
  'ClusterReconfiguredEvent',
]);

/**
 * What an event of vCenter is to a run; null where it is the run's own doing: that is told by the
 * operation itself. `names` give VMs and hosts by reference.
 */
export function classify(
  event: VmEvent,
  ours: boolean,
  names: { vm: (ref: string) => string; host: (ref: string) => string },
): Told | null {
  if (ours) return null;
  const vm = event.vmRef === null ? null : names.vm(event.vmRef);
  const host = event.hostRef === null ? null : names.host(event.hostRef);
  const who = event.user ? ` by ${event.user}` : '';
  if (vm !== null && event.type === 'DrsVmMigratedEvent')
    return {
      kind: 'drs',
      by: 'drs',
      text: `DRS moved ${vm}${host ? ` to ${host}` : ''}`,
      finding: null,
    };
  if (vm !== null && event.type === 'DrsVmPoweredOnEvent')
    return {
      kind: 'drs',
      by: 'drs',
      text: `DRS powered ${vm} on${host ? ` on ${host}` : ''}`,
      finding: null,
    };
  if (vm !== null && byHa.has(event.type)) {
    const text = `HA restarted ${vm}${host ? ` on ${host}` : ''}`;
    return {
      kind: 'vm',
      by: 'drs',
      text,
      finding: {
        severity: 'warn',
        text: `${text} during the run.`,
        fix: 'Look at the host it was on; its load was interrupted.',
      },
    };
  }
  const what = unexpected[event.type];
  if (vm !== null && what !== undefined) {
    const text = `${vm} ${what}${event.type === 'VmMigratedEvent' && host ? ` to ${host}` : ''}${who}`;
    return {
      kind: 'vm',
      by: 'other',
      text,
      finding: {
        severity: 'warn',
        text: `${text}; this run did not ask for it.`,
        fix: 'Keep the testbed to the benchmark while it runs, then run again.',
      },
    };
  }
  if (vm !== null)
    return { kind: 'vm', by: 'other', text: `${vm}: ${event.text}${who}`, finding: null };
  const down = hostDown[event.type];
  if (host !== null && down !== undefined)
    return {
      kind: 'vcenter',
      by: 'other',
      text: `${host} ${down}${who}`,
      finding: {
        severity: 'warn',
        text: `${host} ${down} during the run${who}.`,
        fix: 'Look at the host in vCenter, then run again.',
      },
    };
  if (clusterChanges.has(event.type))
    return {
      kind: 'drs',
      by: 'other',
      text: `${event.text}${who}`,
      finding: {
        severity: 'warn',
        text: `The cluster was reconfigured during the run${who}: ${event.text}`,
        fix: 'Keep DRS and HA as they are while a benchmark runs.',
      },
    };
  return { kind: 'vcenter', by: 'other', text: `${event.text}${who}`, finding: null };
}

/**
 * Whether an act that was done explains an event: what happens to its host, of which an uplink or
 * storage adapter may be all that it took, and that HA starts VMs again where a host failed.
 */
export const explains = (
  { kind, target }: Pick<Act, 'kind' | 'target'>,
  { hostRef, type }: Pick<VmEvent, 'hostRef' | 'type'>,
): boolean =>
  (hostRef !== null && hostRef === target?.ref.split('/')[0]) ||
  (kind === 'hostFails' && /HA|Restarted/.test(type));
