import type { LabFault } from '../../../src/core/lab/lab.ts';
import type { Ending, SimJob } from './jobs.ts';
import type { LabModel } from './model/types.ts';

/** A fault with its span in the clock's ms, from `fromMs` to before `toMs`. */
export interface TimedFault {
  fault: LabFault;
  fromMs: number;
  toMs: number;
}

/** A fault whose seconds count from `fromMs`. */
export const timedFault = (fault: LabFault, fromMs: number): TimedFault => ({
  fault,
  fromMs: fromMs + fault.fromS * 1_000,
  toMs: fromMs + fault.toS * 1_000,
});

/** The same fault with its seconds counted from `originMs`; what is past is zero. */
export const faultFrom = ({ fault, fromMs, toMs }: TimedFault, originMs: number): LabFault => ({
  ...fault,
  fromS: Math.max(0, (fromMs - originMs) / 1_000),
  toS: Math.max(0, (toMs - originMs) / 1_000),
});

/** Whether a fault is of a kind, acts at a time, and hits one of the ids, or everything. */
export const acts = (
  { fault, fromMs, toMs }: TimedFault,
  kind: LabFault['kind'],
  ids: readonly string[],
  tMs: number,
): boolean => fromMs <= tMs && tMs < toMs && fault.kind === kind && hits(fault, ids);

const hits = (fault: LabFault, ids: readonly string[]): boolean =>
  fault.targetId === '' || ids.includes(fault.targetId);

/**
 * What ends a job in (fromMs, toMs] before its time: a crash that is due, or its guest's host that
 * goes down.
 */
export function strikeOf(
  faults: readonly TimedFault[],
  job: SimJob,
  model: LabModel,
  fromMs: number,
  toMs: number,
): { atMs: number; how: Ending } | null {
  for (const { fault, fromMs: atMs } of faults) {
    if (atMs > toMs || atMs <= fromMs || atMs < job.startMs) continue;
    if (fault.kind === 'driverCrash' && hits(fault, namesOf(job)))
      return {
        atMs,
        how: {
          exitCode: Math.max(1, Math.round(fault.amount)),
          signal: null,
          stderr: `FATAL: the driver crashed (fault ${fault.id} of the simulated lab)`,
        },
      };
    if (fault.kind === 'hostDown' && fault.targetId === model.placement().get(job.machine)?.hostId)
      return {
        atMs,
        how: {
          exitCode: null,
          signal: 'rebooted',
          stderr: '[tilebench] The client was restarted while the job ran.',
        },
      };
  }
  return null;
}

/** All that a crash may name a job by. */
const namesOf = ({ machine, vmId, handle: { jobId } }: SimJob): string[] => [
  machine,
  vmId ?? '',
  jobId,
  jobId.slice(jobId.indexOf('.') + 1),
];
