import { coreSpeedOf, type LabSpec } from '../../../../src/core/lab/lab.ts';
import { moveRoomMbps } from './network.ts';
import type { DiskCopy, MemoryCopy, PlacedVm, Solution } from './solverTypes.ts';

/** A copy under way or waiting for an earlier one of the same VM. */
export interface Job {
  id: string;
  kind: 'memory' | 'disk' | 'clone';
  vmId: string;
  startMs: number;
  endMs: number;
  fromHostId: string;
  toHostId: string;
  fromDatastoreId: string;
  toDatastoreId: string;
  byDrs: boolean;
  mbps: number;
}

/**
 * Set-up, last pass and switch-over of a vMotion; of a disk copy (snapshots, consolidation).
 * Seconds.
 */
const memoryFixedS = 4,
  diskFixedS = 8;
/** Moves a host takes part in at once, as VirtualCenter 2.5 allowed. */
export const movesAtOnce = 2;
const defaultDiskGb = 10;

const runningJobs = (jobs: readonly Job[], nowMs: number): Job[] =>
  jobs.filter((job) => job.startMs <= nowMs && nowMs < job.endMs);
export const memoryCopies = (jobs: readonly Job[], nowMs: number): MemoryCopy[] =>
  runningJobs(jobs, nowMs)
    .filter((job) => job.kind === 'memory')
    .map(({ id, vmId, fromHostId, toHostId, mbps }) => ({ id, vmId, fromHostId, toHostId, mbps }));
export const diskCopies = (jobs: readonly Job[], nowMs: number): DiskCopy[] =>
  runningJobs(jobs, nowMs)
    .filter((job) => job.kind !== 'memory')
    .map((job) => ({
      id: job.id,
      hostId: job.toHostId,
      fromDatastoreId: job.fromDatastoreId,
      toDatastoreId: job.toDatastoreId,
    }));

/**
 * Rate and time of a memory copy: pre-copy passes send the memory once and what was written
 * meanwhile again; the more of its vCPUs a VM keeps busy, the more it writes. Moves that share a
 * host share its link with each other and with the VMs, and a busy host copies slower. Nelson, Lim
 * and Hutchins, "Fast Transparent Migration for Virtual Machines", USENIX ATC 2005.
 */
export function memoryCopyTime(
  spec: LabSpec,
  vm: PlacedVm,
  toHostId: string,
  jobs: readonly Job[],
  solution: Solution,
): { seconds: number; mbps: number } {
  const sharing =
    1 +
    jobs.filter(
      (job) =>
        job.kind === 'memory' &&
        [job.fromHostId, job.toHostId].some((id) => id === vm.hostId || id === toHostId),
    ).length;
  const busiest = Math.max(
    ...[vm.hostId, toHostId].map((id) => solution.hosts.get(id)?.cpuShare ?? 0),
  );
  const link = Math.max(
    1,
    Math.min(
      spec.vmotion.mbps,
      ...[vm.hostId, toHostId].map((id) => moveRoomMbps(spec, solution.network, id)),
    ),
  );
  const mbps =
    (link / Math.min(sharing, movesAtOnce)) * (1 - (0.5 * Math.max(0, busiest - 0.6)) / 0.4);
  const host = spec.hosts.find((one) => one.id === vm.hostId);
  const busy = host
    ? Math.min(1, (solution.vms.get(vm.vm.id)?.usage ?? 0) / (vm.vm.vcpus * coreSpeedOf(host)))
    : 0;
  const sent = vm.poweredOn ? vm.vm.memoryMb * (1 + 0.5 * busy) : 0;
  return { seconds: memoryFixedS + sent / mbps, mbps };
}

/** Time of a disk copy at a rate in MB/s. */
export const diskCopySeconds = (vm: PlacedVm, mbps: number): number =>
  diskFixedS + ((vm.vm.diskGb ?? defaultDiskGb) * 1024) / Math.max(0.1, mbps);
