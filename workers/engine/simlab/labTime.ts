import type { LabFault, LabSpec, LabVm } from '../../../src/core/lab/lab.ts';
import type { Clock } from '../deps.ts';
import type { Ending, SimJob } from './jobs.ts';
import { faultFrom, strikeOf, type TimedFault, timedFault } from './labFaults.ts';
import type { CreateModel, LabModel } from './model/types.ts';

/** A hosted lab as it stands: its model, what runs on it, and what is wrong with it. */
export interface LabState {
  readonly clock: Clock;
  readonly createModel: CreateModel;
  spec: LabSpec;
  variant: string | null;
  startMs: number;
  model: LabModel;
  /** How far jobs and model have been brought; -Infinity = nowhere yet. */
  syncedMs: number;
  syncing: boolean;
  faults: TimedFault[];
  /** Clocks of the clients minus the engine's, in ms. */
  offsets: ReadonlyMap<string, number>;
  shapes: Map<string, LabVm>;
  /** The schedule of the spec counts from the first load on an idle lab. */
  scheduled: boolean;
  readonly jobs: Map<string, SimJob>;
  /** Jobs that have not ended. */
  readonly live: Set<SimJob>;
}

/** A lab has been up for this long when it is loaded, so that its counters have a past. */
const pastMs = 600_000;
const gridMs = 20_000;
/** The model keeps an hour: jobs nobody looked at print what they owe before it is forgotten. */
const longestStepMs = 1_800_000;

/** What a lab of this spec has before anything runs on it. */
const freshOf = (spec: LabSpec, clock: Clock, createModel: CreateModel) => {
  const startMs = Math.floor((clock.now() - pastMs) / gridMs) * gridMs;
  return {
    spec,
    startMs,
    // Faults are kept here: those of the schedule begin with the load, not with the lab.
    model: createModel({ ...spec, faults: [] }, startMs),
    faults: [],
    scheduled: false,
    syncedMs: -Infinity,
    shapes: new Map(spec.vms.map((vm) => [vm.id, vm])),
    offsets: new Map(spec.clients.map((one) => [one.id, one.clockOffsetMs])),
  };
};

/** A lab that was just loaded. */
export const createLabState = (
  spec: LabSpec,
  clock: Clock,
  createModel: CreateModel,
): LabState => ({
  ...freshOf(spec, clock, createModel),
  clock,
  createModel,
  variant: null,
  syncing: false,
  jobs: new Map(),
  live: new Set(),
});

/** Makes an idle lab anew from another spec. */
export function renew(lab: LabState, spec: LabSpec, variant: string | null): void {
  Object.assign(lab, freshOf(spec, lab.clock, lab.createModel), { variant });
}

/** Brings model and jobs to the clock's now. */
export function sync(lab: LabState): LabModel {
  const { model } = lab;
  const nowMs = lab.clock.now();
  // What a program asks while it prints is answered from where the model stands.
  if (lab.syncing || nowMs <= lab.syncedMs) return model;
  lab.syncing = true;
  try {
    while (nowMs - model.nowMs() > longestStepMs) {
      step(lab, model.nowMs() + longestStepMs);
      for (const job of lab.live) job.advance(model, lab.syncedMs);
    }
    step(lab, nowMs);
  } finally {
    lab.syncing = false;
  }
  return model;
}

/** Ends what ends up to `toMs`, in order, with the model where it stood then. */
function step(lab: LabState, toMs: number): void {
  const { model, live } = lab;
  const fromMs = lab.syncedMs;
  for (let next = nextEnd(lab, fromMs, toMs); next; next = nextEnd(lab, fromMs, toMs)) {
    if (next.atMs > model.nowMs()) model.advance(next.atMs);
    next.job.advance(model, next.atMs);
    if (next.how) next.job.kill(next.how);
    live.delete(next.job);
  }
  if (toMs > model.nowMs()) model.advance(toMs);
  lab.syncedMs = toMs;
}

interface JobEndDue {
  atMs: number;
  job: SimJob;
  /** null = it ends by itself. */
  how: Ending | null;
}

function nextEnd(
  { live, faults, model }: LabState,
  fromMs: number,
  toMs: number,
): JobEndDue | null {
  let next: JobEndDue | null = null;
  for (const job of live) {
    const struck =
      faults.length > 0
        ? strikeOf(faults, job, model, Math.max(fromMs, job.startMs - 1), toMs)
        : null;
    const atMs = struck ? Math.min(struck.atMs, job.dueMs) : job.dueMs;
    if (atMs <= toMs && (next === null || atMs < next.atMs))
      next = { atMs, job, how: struck && struck.atMs < job.dueMs ? struck.how : null };
  }
  return next;
}

/** Puts a fault whose seconds count from `fromMs` on the lab, in place of one of its id. */
export function planFault(lab: LabState, fault: LabFault, fromMs: number): void {
  const timed = timedFault(fault, fromMs);
  lab.faults = [...lab.faults.filter((one) => one.fault.id !== fault.id), timed];
  lab.model.removeFault(fault.id);
  lab.model.addFault(faultFrom(timed, lab.startMs));
}

/** Ends a job before its time; nothing when it has ended. */
export function endJob(lab: LabState, job: SimJob, how: Ending): void {
  job.kill(how);
  lab.live.delete(job);
}
