import { fail } from '../../../../src/core/base/errors.ts';
import type { LabFault, LabSpec, LabVm } from '../../../../src/core/lab/lab.ts';
import { createBalancer } from './balancer.ts';
import { demandAt, nextChangeMs } from './demand.ts';
import { createHistory, historyMs } from './history.ts';
import { diskCopies, diskCopySeconds, type Job, memoryCopies, memoryCopyTime } from './moves.ts';
import { connectPorts, createNetworkState, withUplinksDown } from './networkPorts.ts';
import { stepTeaming, teamingDueMs } from './networkTeaming.ts';
import { createNoise } from './noise.ts';
import {
  createEntities,
  readClient,
  readDatastore,
  readHost,
  type ReadingSource,
  readLoad,
  readUplinks,
} from './readings.ts';
import { solve } from './solver.ts';
import type { LabState, PlacedVm, Solution } from './solverTypes.ts';
import type { LabEvent, LabModel, LoadSpec } from './types.ts';

const mostEvents = 5_000,
  mostSolutions = 96;

interface Running {
  load: LoadSpec;
  startMs: number;
  endMs: number | null;
}

/**
 * Every VM that is on and its ports, by what they are: two models of the same machines that are
 * wired alike agree.
 */
const wiringOf = (
  { ports, down }: Pick<ReturnType<typeof createNetworkState>, 'ports' | 'down'>,
  placed: ReadonlyMap<string, PlacedVm>,
): string =>
  JSON.stringify([
    [...ports.values()],
    [...down],
    [...placed.values()]
      .filter((one) => one.poweredOn)
      .map(({ vm, hostId }) => [vm.id, vm.memoryMb, vm.vcpus, hostId]),
  ]);

/** Solutions that models of one process share. */
export interface SharedSolutions {
  of: (spec: LabSpec) => Map<string, Solution>;
}
/**
 * Solutions shared by labs that differ in their seed and noise only: neither moves what is solved,
 * so twenty seeds of a study cost little more than one. Grows with the states seen; for a process
 * that runs one study.
 */
export function shareSolutions(): SharedSolutions {
  const bySpec = new Map<string, Map<string, Solution>>();
  return {
    of({ seed: _seed, noise: _noise, ...machines }) {
      const key = JSON.stringify(machines);
      const known = bySpec.get(key) ?? new Map<string, Solution>();
      bySpec.set(key, known);
      return known;
    },
  };
}

/**
 * A lab that lives: between events (loads, schedule steps, bursts, faults, moves, DRS, teaming) its
 * state holds and one solution speaks for it; states seen before are not solved again. The past
 * hour is kept as segments. Same spec and same calls at the same times give the same bytes. Throws
 * notFound for unknown VMs, hosts or datastores.
 */
export function createLabModel(
  spec: LabSpec,
  startMs: number,
  {
    solved,
  }: {
    /** Solutions of models of the same machines, kept by state; see `shareSolutions`. */ solved?: Map<
      string,
      Solution
    >;
  } = {},
): LabModel {
  const noise = createNoise(spec.seed),
    entity = createEntities(),
    history = createHistory<Solution>();
  const source: ReadingSource = { spec, history, noise, entity };
  const placed = new Map<string, PlacedVm>(
    spec.vms.map((vm) => [
      vm.id,
      {
        vm,
        hostId: vm.hostId,
        datastoreId: vm.datastoreId,
        poweredOn: vm.poweredOn && !vm.template,
      },
    ]),
  );
  const loads = new Map<string, Running>();
  const solutions = solved ?? new Map<string, Solution>();
  const balancer = createBalancer(spec, startMs);
  let faults: LabFault[] = [...spec.faults];
  let network = createNetworkState(spec, startMs),
    wiring = '';
  let jobs: Job[] = [],
    serial = 0;
  let log: LabEvent[] = [],
    noted = 0;
  let now = startMs,
    settledMs = NaN,
    dirty = true,
    nextMs = startMs,
    placementView: ReturnType<LabModel['placement']> | null = null;

  const seconds = (tMs: number): number => (tMs - startMs) / 1000;
  const actingAt = (tMs: number): LabFault[] =>
    faults.filter((fault) => fault.fromS <= seconds(tMs) && seconds(tMs) < fault.toS);
  const note = (event: Omit<LabEvent, 'tMs' | 'key'>): void => {
    log.push({ key: ++noted, tMs: now, ...event });
    if (log.length > mostEvents) log = log.slice(-mostEvents / 2);
  };
  const vmOf = (vmId: string): PlacedVm => placed.get(vmId) ?? raise('VM', vmId);
  const raise = (what: string, id: string): never => {
    throw fail(
      'notFound',
      `the simulated lab ${spec.id} has no ${what} ${id}`,
      'Take an id of the lab as loaded.',
    );
  };
  const touch = (): void => {
    dirty = true;
  };
  const replug = (): void => {
    network = connectPorts(
      spec.hosts,
      network,
      [...placed.values()].filter((one) => one.poweredOn),
    );
    wiring = '';
    placementView = null;
    touch();
  };

  function stateNow(): LabState {
    const acting = actingAt(now);
    const active = [...loads.values()]
      .filter((one) => one.endMs === null)
      .map(({ load, startMs: from }) => ({
        id: load.id,
        vmId: load.vmId,
        clientId: load.clientId,
        demand: load.demand,
        ...demandAt(load.demand, now - from),
      }));
    return {
      spec,
      loads: active,
      placed,
      diskCopies: diskCopies(jobs, now),
      memoryCopies: memoryCopies(jobs, now),
      faults: acting,
      network,
    };
  }
  /** All that a solution depends on. */
  function keyOf(state: LabState): string {
    const parts = state.loads.map(
      (load) =>
        `${load.id}:${load.users}:${load.ioFactor}:${load.warmS}@${placed.get(load.vmId)?.hostId}/${placed.get(load.vmId)?.datastoreId}/${placed.get(load.vmId)?.poweredOn}`,
    );
    wiring ||= wiringOf(network, placed);
    parts.push(
      wiring,
      ...state.faults.map((fault) => `${fault.kind}:${fault.targetId}:${fault.amount}`),
    );
    parts.push(
      ...state.diskCopies.map(
        (copy) => `${copy.hostId}:${copy.fromDatastoreId}>${copy.toDatastoreId}`,
      ),
      ...state.memoryCopies.map(
        (copy) => `${copy.vmId}:${copy.fromHostId}>${copy.toHostId}:${copy.mbps}`,
      ),
    );
    return parts.join('|');
  }
  function solveNow(): Solution {
    const state = stateNow(),
      key = keyOf(state);
    let solution = solutions.get(key);
    if (solution) solutions.delete(key);
    else solution = solve(state);
    solutions.set(key, solution);
    if (!solved && solutions.size > mostSolutions) solutions.delete(solutions.keys().next().value!);
    return solution;
  }
  /** Applies what is due now and makes the present known. */
  function settle(): Solution {
    settledMs = now;
    if (now >= nextMs) applyDue();
    const known = history.last();
    if (!dirty && known) return known;
    dirty = false;
    const solution = solveNow();
    history.set(now, solution);
    nextMs = nextEvent();
    return solution;
  }
  /**
   * Once an instant is enough: what else begins or ends in it is solved with it, when time moves
   * on.
   */
  const arrive = (): void => {
    if (settledMs !== now) settle();
  };
  function applyDue(): void {
    touch();
    for (const job of jobs.filter((one) => one.endMs <= now)) finish(job);
    jobs = jobs.filter((job) => job.endMs > now);
    const down = actingAt(now)
      .filter((fault) => fault.kind === 'uplinkDown')
      .map((fault) => fault.targetId);
    if (down.join() !== [...network.down].join()) {
      network = withUplinksDown(network, down);
      wiring = '';
    }
    for (const fault of faults) {
      if (fault.fromS === seconds(now))
        note({ vmId: null, type: 'fault', text: `${fault.kind} at ${fault.targetId}` });
      if (fault.toS === seconds(now))
        note({
          vmId: null,
          type: 'recovered',
          text: `${fault.targetId} recovered from ${fault.kind}`,
        });
    }
    if (balancer.due(now))
      balancer.evaluate({
        nowMs: now,
        placed,
        history,
        jobs,
        hostUp: (hostId) =>
          !actingAt(now).some((fault) => fault.kind === 'hostDown' && fault.targetId === hostId),
      });
    for (const move of balancer.startable(jobs)) {
      const vm = placed.get(move.vmId),
        last = history.last();
      if (
        !vm?.poweredOn ||
        !last ||
        vm.hostId !== move.fromHostId ||
        jobs.some((job) => job.vmId === move.vmId)
      )
        continue;
      const { seconds: long, mbps } = memoryCopyTime(spec, vm, move.toHostId, jobs, last);
      begin({
        kind: 'memory',
        vmId: move.vmId,
        toHostId: move.toHostId,
        toDatastoreId: vm.datastoreId,
        byDrs: true,
        seconds: long,
        mbps,
      });
      note({
        vmId: move.vmId,
        type: 'drsMove',
        text: `DRS moves ${move.vmId} from ${move.fromHostId} to ${move.toHostId}`,
      });
    }
    for (const [id, one] of loads)
      if (one.endMs !== null && one.endMs < now - historyMs) loads.delete(id);
  }
  function begin(
    job: Pick<Job, 'kind' | 'vmId' | 'toHostId' | 'toDatastoreId' | 'byDrs' | 'mbps'> & {
      seconds: number;
    },
  ): Job {
    const vm = vmOf(job.vmId);
    // One copy of a VM at a time: a later one waits for the earlier.
    const start = Math.max(
      now,
      ...jobs.filter((one) => one.vmId === job.vmId).map((one) => one.endMs),
    );
    const made: Job = {
      id: `move-${++serial}`,
      kind: job.kind,
      vmId: job.vmId,
      startMs: start,
      endMs: start + Math.max(1, Math.round(job.seconds * 1000)),
      fromHostId: vm.hostId,
      toHostId: job.toHostId,
      fromDatastoreId: vm.datastoreId,
      toDatastoreId: job.toDatastoreId,
      byDrs: job.byDrs,
      mbps: job.mbps,
    };
    jobs = [...jobs, made];
    touch();
    nextMs = Math.min(nextMs, made.startMs, made.endMs);
    return made;
  }
  function finish(job: Job): void {
    const vm = placed.get(job.vmId);
    if (!vm || job.kind === 'clone') return;
    if (job.kind === 'memory') placed.set(job.vmId, { ...vm, hostId: job.toHostId });
    else placed.set(job.vmId, { ...vm, datastoreId: job.toDatastoreId });
    note(
      job.kind === 'memory'
        ? {
            vmId: job.vmId,
            hostId: job.toHostId,
            byDrs: job.byDrs,
            type: 'vmotion',
            text: `${job.vmId} runs on ${job.toHostId}`,
          }
        : {
            vmId: job.vmId,
            type: 'svmotion',
            text: `the disks of ${job.vmId} are on ${job.toDatastoreId}`,
          },
    );
    replug();
  }
  function nextEvent(): number {
    let next = balancer.nextMs(now);
    const take = (tMs: number): void => {
      if (tMs > now && tMs < next) next = tMs;
    };
    for (const { load, startMs: from, endMs } of loads.values()) {
      const change = endMs === null ? nextChangeMs(load.demand, now - from) : null;
      if (change !== null) take(from + change);
    }
    for (const job of jobs) {
      take(job.startMs);
      take(job.endMs);
    }
    for (const fault of faults) {
      take(startMs + fault.fromS * 1000);
      take(startMs + fault.toS * 1000);
    }
    return next;
  }
  function advance(toMs: number): void {
    while (now < toMs) {
      const solution = settle();
      const due = teamingDueMs(spec, network);
      const next = Math.min(
        toMs,
        nextMs > now ? nextMs : toMs,
        due !== null && due > now ? due : toMs,
      );
      const teaming = stepTeaming(spec, network, solution.network, next, next - now);
      network = teaming.state;
      now = next;
      if (teaming.moves.length > 0) {
        wiring = '';
        touch();
        for (const move of teaming.moves)
          note({
            vmId: move.vmId,
            type: 'uplinkMove',
            text: `${move.portKey} moves from ${move.fromUplinkId} to ${move.toUplinkId} of ${move.hostId}`,
          });
      }
    }
    settle();
  }
  /** MB/s a disk copy gets beside all that runs now. */
  function copyRate(hostId: string, fromDatastoreId: string, toDatastoreId: string): number {
    const state = stateNow();
    return (
      solve({
        ...state,
        diskCopies: [...state.diskCopies, { id: 'asked', hostId, fromDatastoreId, toDatastoreId }],
      }).copies.get('asked') ?? 0
    );
  }
  const knownHost = (id: string): string =>
    spec.hosts.some((host) => host.id === id) ? id : raise('host', id);
  const knownDatastore = (id: string): string =>
    spec.datastores.some((one) => one.id === id) ? id : raise('datastore', id);

  return {
    spec,
    nowMs: () => now,
    advance,
    startLoad(load) {
      vmOf(load.vmId);
      if (load.clientId !== null && !spec.clients.some((client) => client.id === load.clientId))
        raise('client', load.clientId);
      arrive();
      loads.set(load.id, { load, startMs: now, endMs: null });
      touch();
    },
    stopLoad(id) {
      const one = loads.get(id);
      if (!one || one.endMs !== null) return;
      arrive();
      one.endMs = now;
      touch();
    },
    load(id, fromMs, toMs) {
      const one = loads.get(id);
      if (!one) return null;
      const from = Math.max(fromMs, one.startMs),
        to = Math.min(toMs, one.endMs ?? now, now);
      return to > from ? readLoad(source, id, one.load.demand.unitsPerOp, from, to) : null;
    },
    host: (id, fromMs, toMs) =>
      readHost(source, id, Math.max(fromMs, startMs), Math.min(toMs, now)),
    datastore: (id, fromMs, toMs) =>
      readDatastore(source, id, Math.max(fromMs, startMs), Math.min(toMs, now)),
    uplinks: (id, fromMs, toMs) =>
      readUplinks(source, id, Math.max(fromMs, startMs), Math.min(toMs, now)),
    client: (id, fromMs, toMs) =>
      readClient(source, id, Math.max(fromMs, startMs), Math.min(toMs, now)),
    events: (sinceMs) => log.filter((event) => event.tMs > sinceMs),
    placement: () =>
      (placementView ??= new Map(
        [...placed].map(([id, { hostId, datastoreId, poweredOn }]) => [
          id,
          { hostId, datastoreId, poweredOn },
        ]),
      )),
    relocate(vmId, target) {
      const vm = vmOf(vmId);
      if (
        target.hostId !== undefined &&
        target.hostId !== vm.hostId &&
        vm.poweredOn &&
        vm.vm.device === 'passthrough'
      )
        throw fail(
          'conflict',
          `${vmId} owns a device of ${vm.hostId}: it cannot move while it runs`,
          'Power it off first, or give it a virtual adapter.',
        );
      const solution = settle();
      let end = now;
      if (
        target.datastoreId !== undefined &&
        knownDatastore(target.datastoreId) !== vm.datastoreId
      ) {
        const mbps = copyRate(vm.hostId, vm.datastoreId, target.datastoreId);
        end = begin({
          kind: 'disk',
          vmId,
          toHostId: vm.hostId,
          toDatastoreId: target.datastoreId,
          byDrs: false,
          seconds: diskCopySeconds(vm, mbps),
          mbps,
        }).endMs;
      }
      if (target.hostId !== undefined && knownHost(target.hostId) !== vm.hostId) {
        const { seconds: long, mbps } = memoryCopyTime(spec, vm, target.hostId, jobs, solution);
        end = begin({
          kind: 'memory',
          vmId,
          toHostId: target.hostId,
          toDatastoreId: target.datastoreId ?? vm.datastoreId,
          byDrs: false,
          seconds: long,
          mbps,
        }).endMs;
      }
      return { seconds: (end - now) / 1000 };
    },
    clone(vmId, target) {
      const vm = vmOf(vmId);
      settle();
      const hostId = target.hostId === undefined ? vm.hostId : knownHost(target.hostId);
      const mbps = copyRate(hostId, vm.datastoreId, knownDatastore(target.datastoreId));
      const job = begin({
        kind: 'clone',
        vmId,
        toHostId: hostId,
        toDatastoreId: target.datastoreId,
        byDrs: false,
        seconds: diskCopySeconds(vm, mbps),
        mbps,
      });
      return { seconds: (job.endMs - now) / 1000 };
    },
    addVm(vm: LabVm) {
      settle();
      placed.set(vm.id, {
        vm,
        hostId: knownHost(vm.hostId),
        datastoreId: knownDatastore(vm.datastoreId),
        poweredOn: vm.poweredOn && !vm.template,
      });
      replug();
    },
    removeVm(vmId) {
      vmOf(vmId);
      settle();
      placed.delete(vmId);
      jobs = jobs.filter((job) => job.vmId !== vmId);
      replug();
    },
    setPower(vmId, on) {
      const vm = vmOf(vmId);
      settle();
      placed.set(vmId, { ...vm, poweredOn: on && !vm.vm.template });
      note({ vmId, hostId: vm.hostId, type: 'power', text: `${vmId} is ${on ? 'on' : 'off'}` });
      replug();
    },
    drs: () => balancer.setting(),
    setDrs(change) {
      settle();
      balancer.set(change);
      nextMs = Math.min(nextMs, balancer.nextMs(now));
    },
    addFault(fault) {
      settle();
      faults = [...faults.filter((one) => one.id !== fault.id), fault];
      nextMs = now;
      touch();
    },
    removeFault(id) {
      settle();
      faults = faults.filter((one) => one.id !== id);
      nextMs = now;
      touch();
    },
    activeFaults: actingAt,
  };
}
