import { fail } from '../../../src/core/base/errors.ts';
import {
  type LabFault,
  type LabSpec,
  labSpecSchema,
  type LabVm,
} from '../../../src/core/lab/lab.ts';
import type { Clock } from '../deps.ts';
import { changedSpec } from './changes.ts';
import type { Ending, SimJob } from './jobs.ts';
import { acts, faultFrom } from './labFaults.ts';
import { createLabState, endJob, type LabState, planFault, renew, sync } from './labTime.ts';
import type { CreateModel, LabModel } from './model/types.ts';

/** One lab behind the edges: its model, what runs on it, and what is wrong with it. */
export interface HostedLab {
  readonly id: string;
  /** As given; with the changes of `configure`. */
  readonly given: LabSpec;
  readonly spec: LabSpec;
  readonly variant: string | null;
  /** Brings model and jobs to the clock's now. Every look at the lab begins with it. */
  sync(): LabModel;
  readonly jobs: Map<string, SimJob>;
  addJob(job: SimJob): void;
  /** Ends a job before its time; nothing when it has ended. */
  end(job: SimJob, how: Ending): void;
  /** Milliseconds until this lab's own time is at the next mark at which runs of studies begin. */
  untilMarkMs(): number;
  /** What a VM is made of, clones included; undefined where there is none. */
  shape(vmId: string): LabVm | undefined;
  addVm(vm: LabVm): void;
  removeVm(vmId: string): void;
  /** Takes the jobs of a run away, ending what runs. */
  dropRun(runId: string, machine: string): void;
  configure(changes: Readonly<Record<string, unknown>>): void;
  /** `fromS` and `toS` count from now. */
  addFault(fault: LabFault): void;
  removeFault(id: string): void;
  /** All that are or will be, counted from now. */
  faults(): LabFault[];
  /**
   * The active fault of a kind that hits one of these ids (or everything, with an empty target).
   */
  hit(kind: LabFault['kind'], ...ids: readonly string[]): LabFault | null;
  /** A client's clock minus the engine's, in ms. */
  clockOffset(clientId: string, tMs: number): number;
}

/** Far enough apart that a launch at the highest pace stays within one. */
const markMs = 600_000;

/** A lab of a spec, up at the clock's now with nothing on it. */
export function createHostedLab(given: LabSpec, clock: Clock, createModel: CreateModel): HostedLab {
  const lab = createLabState(given, clock, createModel);
  return {
    id: given.id,
    jobs: lab.jobs,
    given,
    get spec() {
      return lab.spec;
    },
    get variant() {
      return lab.variant;
    },
    sync: () => sync(lab),
    addJob: (job) => addJob(lab, job),
    end: (job, how) => endJob(lab, job, how),
    untilMarkMs: () => markMs - ((clock.now() - lab.startMs) % markMs),
    shape: (vmId) => lab.shapes.get(vmId),
    addVm(vm) {
      sync(lab).addVm(vm);
      lab.shapes.set(vm.id, vm);
    },
    removeVm(vmId) {
      sync(lab).removeVm(vmId);
      lab.shapes.delete(vmId);
    },
    dropRun: (runId, machine) => dropRun(lab, runId, machine),
    configure: (changes) => configure(lab, given, changes),
    addFault(fault) {
      sync(lab);
      planFault(lab, fault, clock.now());
    },
    removeFault(id) {
      sync(lab);
      lab.faults = lab.faults.filter((one) => one.fault.id !== id);
      lab.model.removeFault(id);
    },
    faults() {
      const nowMs = clock.now();
      return lab.faults.filter((one) => one.toMs > nowMs).map((one) => faultFrom(one, nowMs));
    },
    hit: (kind, ...ids) => activeFault(lab, kind, ids),
    clockOffset: (clientId, tMs) => clockOffset(lab, clientId, tMs),
  };
}

function addJob(lab: LabState, job: SimJob): void {
  lab.jobs.set(`${job.handle.runId}/${job.handle.jobId}`, job);
  if (!job.end) lab.live.add(job);
  if (lab.scheduled || job.vmId === null) return;
  lab.scheduled = true;
  for (const fault of lab.spec.faults) planFault(lab, fault, job.startMs);
}

function dropRun(lab: LabState, runId: string, machine: string): void {
  for (const [key, job] of [...lab.jobs]) {
    if (job.handle.runId !== runId || job.machine !== machine) continue;
    endJob(lab, job, { exitCode: 137, signal: 'SIGKILL', stderr: '' });
    lab.jobs.delete(key);
  }
  if (lab.live.size === 0) lab.scheduled = false;
}

function configure(
  lab: LabState,
  given: LabSpec,
  changes: Readonly<Record<string, unknown>>,
): void {
  sync(lab);
  if (lab.live.size > 0)
    throw fail(
      'conflict',
      `Lab ${given.name} is in use: ${lab.live.size} programs run on it.`,
      'Wait for the end of the run, or abort it.',
    );
  const next = changedSpec(given, changes);
  renew(lab, labSpecSchema.parse(next.spec), next.variant);
}

function activeFault(
  { faults, clock }: LabState,
  kind: LabFault['kind'],
  ids: readonly string[],
): LabFault | null {
  if (faults.length === 0) return null;
  const nowMs = clock.now();
  return faults.find((one) => acts(one, kind, ids, nowMs))?.fault ?? null;
}

function clockOffset({ faults, offsets }: LabState, clientId: string, tMs: number): number {
  const own = offsets.get(clientId) ?? 0;
  return faults.length === 0
    ? own
    : own +
        faults
          .filter((one) => acts(one, 'clockSkew', [clientId], tMs))
          .reduce((sum, { fault }) => sum + fault.amount, 0);
}
