import { fail } from '../../../src/core/base/errors.ts';
import {
  type LabFault,
  type LabSpec,
  labSpecSchema,
  type LabVm,
} from '../../../src/core/lab/lab.ts';
import type { Clock } from '../deps.ts';
import { changedSpec } from './changes.ts';
import type { SimJob } from './jobs.ts';
import type { LabModel } from './model/types.ts';

export type CreateModel = (spec: LabSpec, startMs: number) => LabModel;

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
  end(job: SimJob, how: Parameters<SimJob['kill']>[0]): void;
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

/** A lab has been up for this long when it is loaded, so that its counters have a past. */
const pastMs = 600_000;
const gridMs = 20_000;
/** Far enough apart that a launch at the highest pace stays within one. */
const markMs = 600_000;
/** The model keeps an hour: jobs nobody looked at print what they owe before it is forgotten. */
const longestStepMs = 1_800_000;

interface TimedFault {
  fault: LabFault;
  fromMs: number;
  toMs: number;
}

export function createHostedLab(given: LabSpec, clock: Clock, createModel: CreateModel): HostedLab {
  let spec = given;
  let variant: string | null = null;
  let startMs = 0;
  let model: LabModel;
  let syncedMs = -Infinity;
  let syncing = false;
  let faults: TimedFault[] = [];
  let offsets: ReadonlyMap<string, number> = new Map();
  let shapes = new Map<string, LabVm>();
  /** The schedule of the spec counts from the first load on an idle lab. */
  let scheduled = false;
  const jobs = new Map<string, SimJob>();
  const live = new Set<SimJob>();

  const fresh = (): void => {
    startMs = Math.floor((clock.now() - pastMs) / gridMs) * gridMs;
    // Faults are kept here: those of the schedule begin with the load, not with the lab.
    model = createModel({ ...spec, faults: [] }, startMs);
    faults = [];
    scheduled = false;
    syncedMs = -Infinity;
    shapes = new Map(spec.vms.map((vm) => [vm.id, vm]));
    offsets = new Map(spec.clients.map((one) => [one.id, one.clockOffsetMs]));
  };
  const plan = (fault: LabFault, fromMs: number): void => {
    const timed = { fault, fromMs: fromMs + fault.fromS * 1_000, toMs: fromMs + fault.toS * 1_000 };
    faults = [...faults.filter((one) => one.fault.id !== fault.id), timed];
    model.removeFault(fault.id);
    model.addFault({
      ...fault,
      fromS: Math.max(0, (timed.fromMs - startMs) / 1_000),
      toS: Math.max(0, (timed.toMs - startMs) / 1_000),
    });
  };
  const active = (tMs: number): TimedFault[] =>
    faults.filter((one) => one.fromMs <= tMs && tMs < one.toMs);
  const matches = (fault: LabFault, ids: readonly string[]): boolean =>
    fault.targetId === '' || ids.includes(fault.targetId);

  /** Crashes that were due in (fromMs, toMs], and guests that went down with their host. */
  const strike = (
    job: SimJob,
    fromMs: number,
    toMs: number,
  ): { atMs: number; how: Parameters<SimJob['kill']>[0] } | null => {
    for (const { fault, fromMs: beginsMs } of faults) {
      if (beginsMs > toMs || beginsMs <= fromMs || beginsMs < job.startMs) continue;
      const ids = [
        job.machine,
        job.vmId ?? '',
        job.handle.jobId,
        job.handle.jobId.slice(job.handle.jobId.indexOf('.') + 1),
      ];
      if (fault.kind === 'driverCrash' && matches(fault, ids)) {
        return {
          atMs: beginsMs,
          how: {
            exitCode: Math.max(1, Math.round(fault.amount)),
            signal: null,
            stderr: `FATAL: the driver crashed (fault ${fault.id} of the simulated lab)`,
          },
        };
      }
      if (
        fault.kind === 'hostDown' &&
        fault.targetId === model.placement().get(job.machine)?.hostId
      ) {
        return {
          atMs: beginsMs,
          how: {
            exitCode: null,
            signal: 'rebooted',
            stderr: '[tilebench] The client was restarted while the job ran.',
          },
        };
      }
    }
    return null;
  };
  const step = (toMs: number): void => {
    const fromMs = syncedMs;
    for (;;) {
      let next: { atMs: number; job: SimJob; how: Parameters<SimJob['kill']>[0] | null } | null =
        null;
      for (const job of live) {
        const struck =
          faults.length > 0 ? strike(job, Math.max(fromMs, job.startMs - 1), toMs) : null;
        const atMs = struck ? Math.min(struck.atMs, job.dueMs) : job.dueMs;
        if (atMs <= toMs && (next === null || atMs < next.atMs))
          next = { atMs, job, how: struck && struck.atMs < job.dueMs ? struck.how : null };
      }
      if (next === null) break;
      if (next.atMs > model.nowMs()) model.advance(next.atMs);
      next.job.advance(model, next.atMs);
      if (next.how) next.job.kill(next.how);
      live.delete(next.job);
    }
    if (toMs > model.nowMs()) model.advance(toMs);
    syncedMs = toMs;
  };
  const sync = (): LabModel => {
    const nowMs = clock.now();
    // What a program asks while it prints is answered from where the model stands.
    if (syncing || nowMs <= syncedMs) return model;
    syncing = true;
    try {
      while (nowMs - model.nowMs() > longestStepMs) {
        step(model.nowMs() + longestStepMs);
        for (const job of live) job.advance(model, syncedMs);
      }
      step(nowMs);
    } finally {
      syncing = false;
    }
    return model;
  };
  const end: HostedLab['end'] = (job, how) => {
    job.kill(how);
    live.delete(job);
  };
  fresh();

  return {
    id: given.id,
    jobs,
    sync,
    get given() {
      return given;
    },
    get spec() {
      return spec;
    },
    get variant() {
      return variant;
    },
    addJob(job) {
      jobs.set(`${job.handle.runId}/${job.handle.jobId}`, job);
      if (!job.end) live.add(job);
      if (!scheduled && job.vmId !== null) {
        scheduled = true;
        for (const fault of spec.faults) plan(fault, job.startMs);
      }
    },
    end,
    untilMarkMs: () => markMs - ((clock.now() - startMs) % markMs),
    shape: (vmId) => shapes.get(vmId),
    addVm(vm) {
      sync().addVm(vm);
      shapes.set(vm.id, vm);
    },
    removeVm(vmId) {
      sync().removeVm(vmId);
      shapes.delete(vmId);
    },
    dropRun(runId, machine) {
      for (const [key, job] of [...jobs]) {
        if (job.handle.runId !== runId || job.machine !== machine) continue;
        end(job, { exitCode: 137, signal: 'SIGKILL', stderr: '' });
        jobs.delete(key);
      }
      if (live.size === 0) scheduled = false;
    },
    configure(changes) {
      sync();
      if (live.size > 0)
        throw fail(
          'conflict',
          `Lab ${given.name} is in use: ${live.size} programs run on it.`,
          'Wait for the end of the run, or abort it.',
        );
      const next = changedSpec(given, changes);
      spec = labSpecSchema.parse(next.spec);
      variant = next.variant;
      fresh();
    },
    addFault(fault) {
      sync();
      plan(fault, clock.now());
    },
    removeFault(id) {
      sync();
      faults = faults.filter((one) => one.fault.id !== id);
      model.removeFault(id);
    },
    faults() {
      const nowMs = clock.now();
      const counted = (timed: TimedFault): LabFault => ({
        ...timed.fault,
        fromS: Math.max(0, (timed.fromMs - nowMs) / 1_000),
        toS: Math.max(0, (timed.toMs - nowMs) / 1_000),
      });
      return faults.filter((one) => one.toMs > nowMs).map(counted);
    },
    hit(kind, ...ids) {
      return faults.length === 0
        ? null
        : (active(clock.now()).find(({ fault }) => fault.kind === kind && matches(fault, ids))
            ?.fault ?? null);
    },
    clockOffset(clientId, tMs) {
      const own = offsets.get(clientId) ?? 0;
      return faults.length === 0
        ? own
        : own +
            active(tMs)
              .filter(({ fault }) => fault.kind === 'clockSkew' && matches(fault, [clientId]))
              .reduce((sum, { fault }) => sum + fault.amount, 0);
    },
  };
}
