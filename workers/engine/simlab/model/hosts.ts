import { fail } from '../../../../src/core/base/errors.ts';
import { startCopy } from './copies.ts';
import {
  faultsAt,
  knownHost,
  type LivingLab,
  note,
  replug,
  specForMoves,
  touch,
} from './livingLab.ts';
import { memoryCopyTime, movesAtOnce } from './moves.ts';
import type { PlacedVm, Solution } from './solverTypes.ts';
import type { LabHostState } from './types.ts';

/** Whether VMs may run on a host: it is up, and neither in maintenance mode nor disconnected. */
export const isAvailable = (lab: LivingLab, hostId: string): boolean =>
  !lab.hostStates.has(hostId) &&
  !faultsAt(lab, lab.nowMs).some((fault) => fault.kind === 'hostDown' && fault.targetId === hostId);

/** From now on a host stands so; VMs on it stay where they are. */
export function setHostState(lab: LivingLab, hostId: string, state: LabHostState): void {
  knownHost(lab, hostId);
  if (state === 'in') lab.hostStates.delete(hostId);
  else lab.hostStates.set(hostId, state);
  lab.nextMs = lab.nowMs;
  touch(lab);
}

const runningOn = (lab: LivingLab, hostId: string): PlacedVm[] =>
  [...lab.placed.values()].filter((one) => one.hostId === hostId && one.poweredOn);

/** The available host that a VM fits best on: the one with the largest part of its memory left. */
function roomiest(lab: LivingLab, vm: PlacedVm): string | null {
  const taken = (hostId: string): number =>
    [...lab.placed.values()]
      .filter((one) => one.hostId === hostId && one.poweredOn)
      .reduce((sum, one) => sum + one.vm.memoryMb, 0) +
    lab.jobs
      .filter((job) => job.kind === 'memory' && job.toHostId === hostId)
      .reduce((sum, job) => sum + (lab.placed.get(job.vmId)?.vm.memoryMb ?? 0), 0);
  let best: string | null = null;
  let least = Infinity;
  for (const host of lab.spec.hosts) {
    if (host.id === vm.hostId || !host.virtual || !isAvailable(lab, host.id)) continue;
    const share = (taken(host.id) + vm.vm.memoryMb) / (host.memoryGb * 1024);
    if (share < least) {
      best = host.id;
      least = share;
    }
  }
  return best;
}

/**
 * Begins as many moves of running VMs off a host as may run at once. Gives the seconds until the
 * next of them ends; null = no running VM is left. Throws conflict where one cannot go.
 */
export function evacuate(lab: LivingLab, hostId: string, solution: Solution): number | null {
  const vms = runningOn(lab, hostId);
  if (vms.length === 0) return null;
  for (const vm of vms) {
    const own = lab.jobs.filter((job) => job.fromHostId === hostId && job.endMs > lab.nowMs);
    if (own.length >= movesAtOnce) break;
    if (lab.jobs.some((job) => job.vmId === vm.vm.id)) continue;
    const toHostId = vm.vm.device === 'passthrough' ? null : roomiest(lab, vm);
    if (toHostId === null)
      throw fail(
        'conflict',
        `${vm.vm.id} cannot leave ${hostId}: no other host can take it.`,
        'Bring another host in, or power the VM off.',
      );
    startCopy(lab, {
      kind: 'memory',
      vmId: vm.vm.id,
      toHostId,
      toDatastoreId: vm.datastoreId,
      byDrs: true,
      ...memoryCopyTime(specForMoves(lab), vm, toHostId, lab.jobs, solution),
    });
  }
  const ends = lab.jobs
    .filter((job) => vms.some((vm) => vm.vm.id === job.vmId))
    .map((job) => job.endMs - lab.nowMs);
  return Math.max(1, ...(ends.length > 0 ? [Math.min(...ends)] : [])) / 1_000;
}

/**
 * HA, where the lab has it: VMs of a host that went down are off at once, and start elsewhere after
 * the time to notice and the time to start, so many at a time, in their order.
 */
export function failOver(lab: LivingLab): void {
  const { ha } = lab.spec;
  if (ha === undefined) return;
  for (const fault of faultsAt(lab, lab.nowMs)) {
    if (fault.kind !== 'hostDown' || lab.failedOver.has(fault.id)) continue;
    lab.failedOver.add(fault.id);
    const vms = runningOn(lab, fault.targetId);
    if (vms.length === 0) continue;
    // What was on its way from or to the host is lost with it; the VM stays where it ran.
    lab.jobs = lab.jobs.filter(
      (job) => job.fromHostId !== fault.targetId && job.toHostId !== fault.targetId,
    );
    vms.forEach((vm, index) => {
      lab.placed.set(vm.vm.id, { ...vm, poweredOn: false });
      const turn = Math.floor(index / ha.startsAtOnce) + 1;
      lab.restarts.push({
        vmId: vm.vm.id,
        atMs: lab.nowMs + Math.round(1_000 * (ha.detectS + turn * ha.restartS)),
      });
    });
    replug(lab);
  }
}

/** Starts the VMs whose restart is due; what no host can take stays off and waits. */
export function restartDue(lab: LivingLab): void {
  const due = lab.restarts.filter((one) => one.atMs <= lab.nowMs);
  if (due.length === 0) return;
  lab.restarts = lab.restarts.filter((one) => one.atMs > lab.nowMs);
  for (const { vmId } of due) {
    const vm = lab.placed.get(vmId);
    if (!vm || vm.poweredOn) continue;
    const hostId = roomiest(lab, vm) ?? (isAvailable(lab, vm.hostId) ? vm.hostId : null);
    if (hostId === null) {
      lab.restarts.push({ vmId, atMs: lab.nowMs + retryMs });
      continue;
    }
    lab.placed.set(vmId, { ...vm, hostId, poweredOn: true });
    note(lab, { vmId, hostId, type: 'haRestart', text: `HA restarted ${vmId} on ${hostId}` });
  }
  replug(lab);
}
/** HA looks again for a host that often. */
const retryMs = 10_000;
