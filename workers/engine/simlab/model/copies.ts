import { type LivingLab, note, replug, specForMoves, touch, vmOf } from './livingLab.ts';
import { type Job, memoryCopyTime } from './moves.ts';

type CopyOrder = Pick<Job, 'kind' | 'vmId' | 'toHostId' | 'toDatastoreId' | 'byDrs' | 'mbps'> & {
  seconds: number;
};

/**
 * Begins a copy of a VM's memory or disks, or queues it: one copy of a VM at a time, a later one
 * waits for the earlier.
 */
export function startCopy(lab: LivingLab, { seconds, ...order }: CopyOrder): Job {
  const vm = vmOf(lab, order.vmId);
  const startMs = Math.max(
    lab.nowMs,
    ...lab.jobs.filter((one) => one.vmId === order.vmId).map((one) => one.endMs),
  );
  const made: Job = {
    id: `move-${++lab.jobCount}`,
    ...order,
    startMs,
    endMs: startMs + Math.max(1, Math.round(seconds * 1000)),
    fromHostId: vm.hostId,
    fromDatastoreId: vm.datastoreId,
  };
  lab.jobs = [...lab.jobs, made];
  touch(lab);
  lab.nextMs = Math.min(lab.nextMs, made.startMs, made.endMs);
  return made;
}

/** Puts VMs whose copies have ended where they went. */
export function finishCopies(lab: LivingLab): void {
  for (const job of lab.jobs.filter((one) => one.endMs <= lab.nowMs)) finish(lab, job);
  lab.jobs = lab.jobs.filter((job) => job.endMs > lab.nowMs);
}

function finish(lab: LivingLab, job: Job): void {
  const vm = lab.placed.get(job.vmId);
  if (!vm || job.kind === 'clone') return;
  if (job.kind === 'memory') {
    lab.placed.set(job.vmId, { ...vm, hostId: job.toHostId });
    note(lab, {
      vmId: job.vmId,
      hostId: job.toHostId,
      byDrs: job.byDrs,
      type: 'vmotion',
      text: `${job.vmId} runs on ${job.toHostId}`,
    });
  } else {
    lab.placed.set(job.vmId, { ...vm, datastoreId: job.toDatastoreId });
    note(lab, {
      vmId: job.vmId,
      type: 'svmotion',
      text: `the disks of ${job.vmId} are on ${job.toDatastoreId}`,
    });
  }
  replug(lab);
}

/** Begins the moves that DRS decided and that may begin now. */
export function startDrsMoves(lab: LivingLab): void {
  for (const { vmId, fromHostId, toHostId } of lab.balancer.startable(lab.jobs)) {
    const vm = lab.placed.get(vmId),
      last = lab.history.last();
    if (!vm?.poweredOn || !last || vm.hostId !== fromHostId) continue;
    if (lab.jobs.some((job) => job.vmId === vmId) || lab.hostStates.has(toHostId)) continue;
    startCopy(lab, {
      kind: 'memory',
      vmId,
      toHostId,
      toDatastoreId: vm.datastoreId,
      byDrs: true,
      ...memoryCopyTime(specForMoves(lab), vm, toHostId, lab.jobs, last),
    });
    note(lab, {
      vmId,
      type: 'drsMove',
      text: `DRS moves ${vmId} from ${fromHostId} to ${toHostId}`,
    });
  }
}
