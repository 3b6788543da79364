import { fail } from '../../../../src/core/base/errors.ts';
import type { LabFault, LabSpec } from '../../../../src/core/lab/lab.ts';
import { type Balancer, createBalancer } from './balancer.ts';
import { createHistory, type History } from './history.ts';
import type { Job } from './moves.ts';
import { connectPorts, createNetworkState, type NetworkState } from './networkPorts.ts';
import type { PlacedVm, Solution } from './solverTypes.ts';
import type { LabEvent, LabHostState, LabModel, LoadSpec } from './types.ts';

const mostEvents = 5_000,
  mostOwnSolutions = 96;

/** A load that runs, or that ended (`endMs`) and is still read. */
export interface RunningLoad {
  load: LoadSpec;
  startMs: number;
  endMs: number | null;
}

/**
 * A lab as it stands at `nowMs`. Whoever changes what a solution depends on calls `touch`, or
 * `replug` where VMs or their ports changed.
 */
export interface LivingLab {
  readonly spec: LabSpec;
  readonly startMs: number;
  nowMs: number;
  readonly placed: Map<string, PlacedVm>;
  readonly loads: Map<string, RunningLoad>;
  faults: readonly LabFault[];
  /** Hosts that are not `in`. */
  readonly hostStates: Map<string, Exclude<LabHostState, 'in'>>;
  /** VMs that HA starts again, and when. */
  restarts: { vmId: string; atMs: number }[];
  /** Faults that HA has dealt with. */
  readonly failedOver: Set<string>;
  /** VMs that run on snapshots. */
  readonly snapshots: Set<string>;
  network: NetworkState;
  readonly balancer: Balancer;
  readonly history: History<Solution>;
  /** By state, the least lately used first; no more than `mostSolutions` are kept. */
  readonly solutions: Map<string, Solution>;
  readonly mostSolutions: number;
  /** Copies under way or waiting; `jobCount` of them began since the start. */
  jobs: readonly Job[];
  jobCount: number;
  /** The newest events; `eventCount` happened since the start. */
  events: LabEvent[];
  eventCount: number;
  /** The newest solution may not speak for the present. */
  dirty: boolean;
  /** When the lab was settled last; NaN = never. */
  settledMs: number;
  /** When something is due next. */
  nextMs: number;
  /** Machines and ports as a part of a solution's key; '' = not known. See `solutions.ts`. */
  wiring: string;
  /** What `placement()` gives; null = not known. */
  placement: ReturnType<LabModel['placement']> | null;
}

/**
 * The lab of a spec, new at `startMs`: its VMs where the spec says, no loads. `shared`: solutions
 * kept with models of the same machines; absent = the latest of its own.
 */
export function createLivingLab(
  spec: LabSpec,
  startMs: number,
  shared?: Map<string, Solution>,
): LivingLab {
  return {
    spec,
    startMs,
    nowMs: startMs,
    placed: new Map(
      spec.vms.map((vm) => [
        vm.id,
        {
          vm,
          hostId: vm.hostId,
          datastoreId: vm.datastoreId,
          poweredOn: vm.poweredOn && !vm.template,
        },
      ]),
    ),
    loads: new Map(),
    faults: [...spec.faults],
    hostStates: new Map(),
    restarts: [],
    failedOver: new Set(),
    snapshots: new Set(),
    network: createNetworkState(spec, startMs),
    balancer: createBalancer(spec, startMs),
    history: createHistory<Solution>(),
    solutions: shared ?? new Map<string, Solution>(),
    mostSolutions: shared ? Infinity : mostOwnSolutions,
    jobs: [],
    jobCount: 0,
    events: [],
    eventCount: 0,
    dirty: true,
    settledMs: NaN,
    nextMs: startMs,
    wiring: '',
    placement: null,
  };
}

/** Marks the present as not solved yet. */
export function touch(lab: LivingLab): void {
  lab.dirty = true;
}

/** Connects the ports of the VMs that are on anew. */
export function replug(lab: LivingLab): void {
  lab.network = connectPorts(
    lab.spec.hosts,
    lab.network,
    [...lab.placed.values()].filter((one) => one.poweredOn),
  );
  lab.wiring = '';
  lab.placement = null;
  touch(lab);
}

/** Adds to what `events` gives; the older half is dropped when there are too many. */
export function note(lab: LivingLab, event: Omit<LabEvent, 'tMs' | 'key'>): void {
  lab.events.push({ key: ++lab.eventCount, tMs: lab.nowMs, ...event });
  if (lab.events.length > mostEvents) lab.events = lab.events.slice(-mostEvents / 2);
}

/** Seconds from the lab's start to a time. */
export const secondsAt = (lab: LivingLab, tMs: number): number => (tMs - lab.startMs) / 1000;

/** Faults that act at a time. */
export const faultsAt = (lab: LivingLab, tMs: number): LabFault[] =>
  lab.faults.filter(
    (fault) => fault.fromS <= secondsAt(lab, tMs) && secondsAt(lab, tMs) < fault.toS,
  );

/** MB/s of one Gb/s. */
const mbPerGb = 125;
/** The lab as a move finds it: a fault may hold vMotion to another speed than the lab's. */
export function specForMoves(lab: LivingLab): LivingLab['spec'] {
  const { spec } = lab;
  const held = faultsAt(lab, lab.nowMs).findLast(({ kind }) => kind === 'vmotionSpeed');
  return held === undefined
    ? spec
    : { ...spec, vmotion: { ...spec.vmotion, mbps: Math.max(0.1, held.amount * mbPerGb) } };
}

/** The error of an id that the lab does not have; `what` is a host, a VM … */
export const unknownIn = (lab: LivingLab, what: string, id: string) =>
  fail(
    'notFound',
    `the simulated lab ${lab.spec.id} has no ${what} ${id}`,
    'Take an id of the lab as loaded.',
  );

/** Where a VM is; throws notFound. */
export function vmOf(lab: LivingLab, vmId: string): PlacedVm {
  const vm = lab.placed.get(vmId);
  if (!vm) throw unknownIn(lab, 'VM', vmId);
  return vm;
}

/** The id again, if the lab has such a host; throws notFound. */
export function knownHost(lab: LivingLab, id: string): string {
  if (!lab.spec.hosts.some((host) => host.id === id)) throw unknownIn(lab, 'host', id);
  return id;
}

/** The id again, if the lab has such a datastore; throws notFound. */
export function knownDatastore(lab: LivingLab, id: string): string {
  if (!lab.spec.datastores.some((one) => one.id === id)) throw unknownIn(lab, 'datastore', id);
  return id;
}
