import type { MetricName } from '../metric/metric.ts';

/** One series, or the sum of some, over the steady state and over time. */
export interface Trace {
  seriesIds: readonly number[];
  /** Over the steady state. */
  mean: number;
  /** Means of equal steps of the whole run from `RunFeatures.startMs` on; null = gap. */
  buckets: readonly (number | null)[];
}

/** A limit of one workload, as its profile has it. */
export interface LimitFeature {
  metric: MetricName;
  kind: 'max' | 'min';
  limit: number;
  unit: string;
  source: string;
  /** The worst measurement period; null = not measured. */ worst: number | null;
}
export interface WorkloadFeature {
  entityId: string;
  name: string;
  tile: number;
  workloadId: string;
  scored: boolean;
  hostRef: string | null;
  storeRefs: readonly string[];
  clientId: string;
  throughput: Trace | null;
  latency: (Trace & { metric: MetricName; unit: string }) | null;
  limits: readonly (LimitFeature & { trace: Trace | null })[];
}
export interface HostFeature {
  ref: string;
  name: string;
  cores: number | null;
  memoryMb: number | null;
  /** vCPUs of the run's VMs on it; null = no vCenter tells, as of a Linux host. */
  vcpus: number | null;
  cpuPct: Trace | null;
  busyPct: Trace | null;
  readyPct: Trace | null;
  swapMb: Trace | null;
  balloonMb: Trace | null;
  swapInKBps: Trace | null;
  powerW: Trace | null;
  powerCapW: Trace | null;
}
export interface StoreFeature {
  ref: string;
  name: string;
  queueDepth: number | null;
  hosts: number;
  iops: Trace | null;
  deviceMs: Trace | null;
  kernelMs: Trace | null;
  queueMs: Trace | null;
  /** Over all hosts that mount it; null = not counted. */
  abortedPerS: Trace | null;
  conflictsPerS: Trace | null;
  /**
   * Of the LUN and host whose queue was fullest by esxtop: slots, commands under way and waiting.
   * null = esxtop did not run.
   */
  fullest: {
    host: string;
    slots: number | null;
    active: Trace | null;
    queued: Trace;
  } | null;
}
export interface UplinkFeature {
  id: string;
  name: string;
  hostRef: string;
  kbps: Trace | null;
  speedMbps: number | null;
  /** Packets of both directions, and the share that the worse of them lost; null = not counted. */
  packetsPerS: Trace | null;
  droppedPct: Trace | null;
}
export interface ClientFeature {
  id: string;
  name: string;
  cpuPct: Trace | null;
  /** Percent of its processor time that the host under it gave to others. */
  stealPct: Trace | null;
  /**
   * Percent of the time in which it could not offer a load in time, of its load that fell behind
   * most; null = no program on it tells.
   */
  behindPct: Trace | null;
}

/** A VM under load, where vCenter's counters of it were kept. */
export interface VmFeature {
  ref: string;
  /** Of its series. */
  entityId: string;
  name: string;
  vcpus: number | null;
  hostRef: string | null;
  storeRefs: readonly string[];
  /** Percent of its own vCPUs. */
  cpuPct: Trace | null;
  /** Percent of the time of one vCPU, mean of its vCPUs. */
  readyPct: Trace | null;
  diskKBps: Trace | null;
  /** Of its adapters, as of an uplink. */
  packetsPerS: Trace | null;
  droppedPct: Trace | null;
}

/** What an act of the plan did to one workload, as its result has it. */
export interface ActOnWorkload {
  entityId: string;
  /** Its VM was on the host that the act is about when it began. */
  isOnTarget: boolean;
  outcome: 'even' | 'recovered' | 'lost' | 'unknown' | 'uneven';
  recoveryS: number | null;
  violatedS: number | null;
  throughputBefore: number | null;
  throughputAfter: number | null;
  /** Seconds from the act on in which nothing at all was done; null = not measured. */
  downS: number | null;
}

/** An act of the plan that happened. */
export interface ActFeature {
  id: string;
  kind: string;
  /** With its time: `Host esx3 fails at 30:00`. */
  label: string;
  /** Begin of the undisturbed time before it: the steady state, or an earlier act. */
  beforeMs: number;
  fromMs: number;
  /** Carried out, and put back; null = not. */
  doneMs: number | null;
  endedMs: number | null;
  /** End of what is looked at: the next act, or the end of the steady state. */
  untilMs: number;
  /** The host that it is about. */
  hostRef: string | null;
  /** Empty until the run has ended. */
  workloads: readonly ActOnWorkload[];
}

/**
 * What a run has stored, as the rules see it. Nothing here that a real testbed would not have told.
 */
export interface RunFeatures {
  runId: string;
  name: string;
  tiles: number;
  label: string;
  /** The steady state, and where the steps of the traces begin and how long they are. */
  steady: { fromMs: number; toMs: number };
  startMs: number;
  bucketMs: number;
  workloads: readonly WorkloadFeature[];
  hosts: readonly HostFeature[];
  stores: readonly StoreFeature[];
  uplinks: readonly UplinkFeature[];
  clients: readonly ClientFeature[];
  vms: readonly VmFeature[];
  /** Operations that ran in the steady state, moves by DRS among them. */
  operations: readonly { name: string; fromMs: number; toMs: number }[];
  /** Infrastructure operations were part of the plan, or moves were watched. */
  operationsWatched: boolean;
  /** Acts of the plan that happened, in the order of their times. */
  acts: readonly ActFeature[];
}

/** Steps of a trace that lie in the steady state. */
export function steadyBuckets(run: Pick<RunFeatures, 'startMs' | 'bucketMs' | 'steady'>): {
  first: number;
  end: number;
} {
  return {
    first: Math.ceil((run.steady.fromMs - run.startMs) / run.bucketMs),
    end: Math.floor((run.steady.toMs - run.startMs) / run.bucketMs),
  };
}

/** Change of a figure as a factor; null where one is missing or the first is 0. */
export const factor = (
  before: number | null | undefined,
  after: number | null | undefined,
): number | null => (before == null || after == null || before <= 0 ? null : after / before);
