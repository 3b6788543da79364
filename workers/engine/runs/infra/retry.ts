import type { AppError } from '../../../../src/core/base/errors.ts';
import { faultName } from '../../vcenter/soap.ts';

/**
 * Failures after which the same VM is tried again, each pause three times the one before: this
 * app's choice.
 */
export const retryTimes = 3;
const growth = 3;
/** Then the loop takes another VM, and this one rests. */
export const restMs = 60_000;

/** Pause before try `attempt` + 1, from 1. */
export const retryPauseMs = (firstMs: number, attempt: number): number =>
  firstMs * growth ** (attempt - 1);

/** In words, for the run and the guide. */
export const retryWords = (firstMs: number): string =>
  `${Array.from({ length: retryTimes }, (_, i) => Math.round(retryPauseMs(firstMs, i + 1) / 1_000)).join(', ')} s`;

/**
 * vSphere faults that pass by themselves: something else holds the VM, the host or vCenter for a
 * moment.
 */
const passing: ReadonlySet<string> = new Set([
  'ResourceInUse',
  'InvalidState',
  'InvalidHostState',
  'InvalidPowerState',
  'TaskInProgress',
  'ConcurrentAccess',
  'Timedout',
  'HostCommunication',
  'HostNotReachable',
  'HostConnectFault',
  'InsufficientResourcesFault',
  'VmConfigFault',
  'MigrationFault',
  'NotAuthenticated',
  'SystemError',
]);

/**
 * What a failed operation means. `again`: vCenter refused or ended it, the same may work in a
 * moment. `unknown`: no answer came, the task may run on; the VM is left alone until it has ended.
 * `final`: the same would fail again; the loop takes another VM.
 */
export function meaningOf(error: AppError): 'again' | 'unknown' | 'final' {
  const fault = faultName(error);
  if (fault !== null)
    return passing.has(fault) ? 'again' : error.kind === 'conflict' ? 'again' : 'final';
  if (error.kind === 'unreachable' || error.kind === 'timedOut') return 'unknown';
  return error.kind === 'conflict' ? 'again' : 'final';
}
