import { type LunState } from './lunState.ts';
import { destagePositionMs, pieceKb, positionMs } from './storageDisk.ts';
import { type Flow, flowsOf, stripedWorkMs } from './storageFlows.ts';
import { resultsOf } from './storageResults.ts';
import { type StorageTopology, storageTopology } from './storageTopology.ts';
import type {
  StorageConditions,
  StorageLab,
  StorageResult,
  StorageStream,
} from './storageTypes.ts';
import { stepWait } from './storageWaits.ts';

const mostRounds = 250;
/** Rounds end at the first; after the last round the second still counts as closed. */
const closeEnough = 1e-6,
  goodEnough = 1e-3;
/**
 * Part of the way to the new queues that a round goes. Where one length has not ended it, lengths
 * in turn do (as in Richardson's iteration with Chebyshev steps): the short ones stop what goes
 * back and forth, the long ones carry on what creeps.
 */
const firstDamping = 0.85,
  patience = 60,
  lengths = [0.9, 0.6, 0.3, 0.2] as const;
const dampingAt = (round: number): number =>
  round < patience ? firstDamping : lengths[round % lengths.length]!;
/**
 * A forced flush takes part of the disks from reads too: what a read waits of each ms that a write
 * waits for a free page.
 */
const readShareOfFlush = 0.5;

/**
 * Steady state of the lab's storage under these streams: latency, achieved rate and utilisation.
 *
 * The closed network of streams over host ports, array ports, controller and disks is solved by
 * approximate mean-value analysis: an arriving I/O meets the mean queue less its own part. Sources:
 * E. Lazowska, J. Zahorjan, G. Graham, K. Sevcik, "Quantitative System Performance", Prentice-Hall
 * 1984, chapters 6 and 7 (Schweitzer's approximation) and 11 (priorities and memory constraints as
 * waits for a slot); A. Seidmann, P. Schweitzer, S. Shalev-Oren, "Computerized Closed Queueing
 * Network Models of Flexible Manufacturing Systems", Large Scale Systems 12, 1987 (several servers
 * as one fast server and a delay).
 *
 * Of one LUN: random accesses fall on its c disks evenly, each disk a queue; the elevator shortens
 * seeks as its queue grows. Reads wait for the disks. Writes end in the array's cache and are
 * destaged later, after the reads, sorted; where reads and destaging together want more than the
 * disks have, writes wait for a free page. Read-ahead is background work likewise. Sequential
 * streams keep their order while alone; with others on the LUN each command of the stream is
 * followed by one of somebody else's, unless the disk's queue holds more of its own run.
 *
 * Pure; the same input gives the same bits. Throws invalidInput where the lab's ids do not fit
 * together.
 */
export function solveStorage(
  lab: StorageLab,
  streams: readonly StorageStream[],
  conditions: StorageConditions = {},
): StorageResult {
  return solveStorageOn(storageTopology(lab, conditions), streams);
}

/**
 * The same over stations made once by `storageTopology`: for callers that ask again and again about
 * one lab.
 */
export function solveStorageOn(
  topology: StorageTopology,
  streams: readonly StorageStream[],
): StorageResult {
  const { flows, unreachable } = flowsOf(topology, streams);
  const luns = lunStates(topology, flows);
  const controllers = new Float64Array(topology.arrays.length),
    ports = new Float64Array(topology.arrays.length),
    hbas = new Float64Array(topology.hosts.size);
  const hostPorts = [...topology.hosts.values()].map(({ ports: count }) => count);
  const perArray = new Float64Array(topology.arrays.length);
  for (const flow of flows) perArray[flow.array]! += 1;
  for (const lun of luns) guess(lun);
  let rounds = 0,
    change = flows.length === 0 ? 0 : 1;
  while (rounds < mostRounds && change > closeEnough) {
    rounds += 1;
    controllers.fill(0);
    ports.fill(0);
    hbas.fill(0);
    for (const flow of flows) {
      controllers[flow.array]! += flow.controllerQueue;
      ports[flow.array]! += flow.portQueue;
      hbas[flow.host]! += flow.hbaQueue;
    }
    const damping = dampingAt(rounds);
    change = 0;
    for (const lun of luns) {
      const { array } = lun.station;
      placeHeads(lun, array.writeCacheKb / Math.max(1, perArray[array.index]!), damping);
      for (const flow of lun.flows) {
        // Seidmann: p servers of time s are one of s/p and a delay of s(p − 1)/p.
        const controller =
          (array.controllerMs / array.parallel) *
          (1 + controllers[array.index]! - flow.own * flow.controllerQueue);
        const port =
          (flow.portMs / array.ports) * (1 + ports[array.index]! - flow.own * flow.portQueue);
        const hba =
          (flow.hbaMs / hostPorts[flow.host]!) * (1 + hbas[flow.host]! - flow.own * flow.hbaQueue);
        const links =
          hba +
          port +
          controller +
          (array.controllerMs * (array.parallel - 1)) / array.parallel +
          (flow.portMs * (array.ports - 1)) / array.ports +
          (flow.hbaMs * (hostPorts[flow.host]! - 1)) / hostPorts[flow.host]!;
        atDisks(lun, flow, links);
        flow.controllerMs = controller;
        flow.portWaitMs = port;
        flow.hbaWaitMs = hba;
      }
      change = Math.max(change, settle(lun, damping));
    }
  }
  return resultsOf(topology, streams, unreachable, luns, rounds, change <= goodEnough);
}

function lunStates(topology: StorageTopology, flows: readonly Flow[]): LunState[] {
  const states = new Map<number, LunState>();
  const queueDepth = new Map(
    [...topology.hosts.values()].map((host) => [host.index, host.queueDepth]),
  );
  const byHost = new Map<string, { flows: Flow[]; depth: number }>();
  for (const flow of flows) {
    const station = topology.luns[flow.lun]!;
    let state = states.get(flow.lun);
    if (!state) {
      state = {
        station,
        flows: [],
        disks: station.lun.disks,
        hosts: [],
        cacheWaitMs: 0,
        slotWaitMs: 0,
        positionMs: 0,
        destageMs: 0,
        queued: 0,
        queuedMs: 0,
        busy: 0,
        later: 0,
        rate: 0,
      };
      states.set(flow.lun, state);
    }
    state.flows.push(flow);
    const key = `${flow.lun}/${flow.host}`;
    let group = byHost.get(key);
    if (!group) {
      group = { flows: [], depth: Math.min(queueDepth.get(flow.host)!, station.lun.queueDepth) };
      byHost.set(key, group);
      state.hosts.push(group);
    }
    group.flows.push(flow);
  }
  return [...states.values()];
}

/**
 * Where the rounds begin: the asymptotic bounds of operational analysis (Lazowska et al., chapter
 * 5), as if every I/O went to the disks. Queues that begin too long empty within a few rounds; ones
 * that begin empty fill by one I/O a round.
 */
function guess(lun: LunState): void {
  const { station, disks } = lun;
  let wanted = 0;
  for (const flow of lun.flows) {
    flow.serviceMs = positionMs(station.lun, 1) * station.slow + flow.transferMs;
    flow.rate = Math.min(flow.limit, flow.population / (flow.thinkMs + flow.serviceMs));
    wanted += (flow.rate * flow.serviceMs) / disks;
  }
  let waiting = 0;
  for (const flow of lun.flows) {
    flow.rate /= Math.max(1, wanted);
    flow.diskQueue =
      wanted > 1 ? flow.population - flow.rate * flow.thinkMs : flow.rate * flow.serviceMs;
    waiting += flow.diskQueue;
  }
  for (const flow of lun.flows) flow.diskQueue *= Math.min(1, station.lun.queueDepth / waiting);
}

/** What the disks of a LUN do for an I/O of each flow, given the queues of the last round. */
function placeHeads(lun: LunState, cachePerStreamKb: number, damping: number): void {
  const { station, disks } = lun;
  const { lun: device, array } = station;
  lun.rate = 0;
  lun.queued = 0;
  lun.queuedMs = 0;
  lun.busy = 0;
  for (const flow of lun.flows) {
    lun.rate += flow.rate;
    lun.queued += flow.diskQueue;
    lun.queuedMs += flow.diskQueue * flow.serviceMs;
    lun.busy += flow.rate * flow.nowMs;
  }
  // The elevator of a busy disk chooses from what waits there: the mean over all disks would count
  // the idle ones.
  lun.positionMs = positionMs(device, lun.busy > 0 ? lun.queued / lun.busy : 1) * station.slow;
  let writes = 0,
    writtenKb = 0;
  for (const flow of lun.flows) {
    writes += flow.rate * flow.write;
    writtenKb += flow.rate * flow.write * flow.sizeKb;
  }
  const pageKb = writes > 0 ? writtenKb / writes : 8;
  lun.destageMs =
    destagePositionMs(
      device,
      (array.writeCacheKb * station.sizeKb) / Math.max(1, array.totalKb) / pageKb / disks,
    ) * station.slow;
  const rewritten = array.totalKb > 0 ? Math.min(0.98, array.writeCacheKb / array.totalKb) : 0;
  const cached = array.writeCacheKb > 0,
    ahead = array.readCacheKb > 0;
  for (const flow of lun.flows) {
    const run = Math.max(1, Math.min(flow.rate * flow.deviceMs, device.queueDepth) / disks);
    flow.broken += damping * ((lun.rate > 0 ? (1 - flow.rate / lun.rate) / run : 0) - flow.broken);
    const orderly = flow.sequential * (1 - flow.broken);
    const atOnce = flow.missing * (1 - orderly),
      inOrder = flow.missing * orderly;
    const access = lun.positionMs + flow.transferMs;
    // Cached writes of an interleaved stream are put back in order as long as the cache holds a
    // piece of each stream.
    const scattered = flow.broken * Math.max(0, 1 - cachePerStreamKb / pieceKb);
    const striped = stripedWorkMs(flow, station, lun.positionMs, scattered);
    const small = (1 - rewritten) * flow.visits * (lun.destageMs + flow.transferMs);
    const writeOrderly = flow.sequential * (1 - flow.broken);
    const directRandom = flow.write * (1 - writeOrderly) * flow.visits,
      directOrderly = flow.write * writeOrderly;
    flow.laterMs =
      (cached ? flow.write * (flow.sequential * striped + (1 - flow.sequential) * small) : 0) +
      (ahead ? inOrder * flow.transferMs : 0);
    flow.nowMs =
      atOnce * access +
      (ahead ? 0 : inOrder * flow.transferMs) +
      (cached ? 0 : directRandom * access + directOrderly * stripedWorkMs(flow, station, 0, 0));
    flow.visitsPerIo = atOnce + (ahead ? 0 : inOrder) + (cached ? 0 : directRandom + directOrderly);
    flow.serviceMs = flow.visitsPerIo > 0 ? flow.nowMs / flow.visitsPerIo : 0;
    flow.heldBy = (cached ? flow.write : 0) + (ahead ? inOrder : 0);
    flow.heldBy += readShareOfFlush * Math.max(0, 1 - flow.heldBy) * (flow.visitsPerIo > 0 ? 1 : 0);
    // Times an I/O waits for the disks one after the other.
    flow.diskRounds =
      atOnce +
      (ahead ? 0 : inOrder) +
      (cached ? 0 : flow.write * (1 - writeOrderly) * flow.rounds + directOrderly);
  }
  let now = 0,
    later = 0;
  for (const flow of lun.flows) {
    now += flow.rate * flow.nowMs;
    later += flow.rate * flow.laterMs;
  }
  lun.later = Math.min(Math.max(0, 1 - now / disks), later / disks);
}

/** Response of the device without waits for slots. */
function atDisks(lun: LunState, flow: Flow, links: number): void {
  const met = Math.max(0, lun.queuedMs - flow.own * flow.diskQueue * flow.serviceMs) / lun.disks;
  // A read that comes while a page is destaged waits for the rest of it.
  const residual = (lun.later * lun.destageMs) / 2;
  flow.onceMs = flow.visitsPerIo > 0 ? flow.serviceMs + met + residual : 0;
  flow.deviceMs = links + flow.diskRounds * flow.onceMs + flow.heldBy * lun.cacheWaitMs;
}

/**
 * New waits, rates and queues of one LUN; gives the greatest relative change of a cycle or a rate.
 */
function settle(lun: LunState, damping: number): number {
  const cycle = (flow: Flow): number =>
    flow.thinkMs + flow.deviceMs + flow.lunWaitMs + flow.hostWaitMs;
  // A population that waits for slots keeps them full whatever the time inside: seen from inside it
  // is as large as its slots, without a think time.
  const before = lun.cacheWaitMs;
  for (const flow of lun.flows) {
    const held = flow.lunWaitMs + flow.hostWaitMs > 0;
    flow.insideMs = (held ? flow.deviceMs : cycle(flow)) - flow.heldBy * before;
    flow.inside = held ? flow.active : flow.population;
    flow.weight = flow.nowMs + flow.laterMs;
    flow.share = flow.heldBy;
  }
  lun.cacheWaitMs = stepWait(lun.flows, lun.cacheWaitMs, lun.disks);
  for (const flow of lun.flows) flow.deviceMs += flow.heldBy * (lun.cacheWaitMs - before);
  settleHosts(lun);
  for (const flow of lun.flows) {
    const held = flow.hostWaitMs > 0;
    flow.insideMs = held ? flow.deviceMs : cycle(flow) - flow.lunWaitMs;
    flow.inside = held
      ? (flow.population * (flow.deviceMs + flow.lunWaitMs)) / cycle(flow)
      : flow.population;
    flow.weight = flow.deviceMs;
  }
  const slotBefore = lun.slotWaitMs;
  lun.slotWaitMs = stepWait(lun.flows, lun.slotWaitMs, lun.station.lun.queueDepth);
  if (lun.slotWaitMs !== slotBefore) {
    for (const flow of lun.flows) flow.lunWaitMs = lun.slotWaitMs;
    settleHosts(lun);
  }
  let change = 0;
  for (const flow of lun.flows) {
    const time = cycle(flow),
      rate = Math.min(flow.limit, flow.population / time);
    change = Math.max(
      change,
      Math.abs(time - flow.cycleMs) / time,
      Math.abs(rate - flow.rate) / rate,
    );
    flow.cycleMs = time;
    flow.own =
      1 /
      Math.max(1, flow.hostWaitMs + flow.lunWaitMs > 0 ? rate * flow.deviceMs : flow.population);
    flow.rate = rate;
    flow.active = rate * flow.deviceMs;
    const disk = rate * flow.visitsPerIo * flow.onceMs,
      controller = rate * flow.controllerMs,
      port = rate * flow.portWaitMs,
      hba = rate * flow.hbaWaitMs;
    change = Math.max(
      change,
      (Math.abs(disk - flow.diskQueue) +
        Math.abs(controller - flow.controllerQueue) +
        Math.abs(port - flow.portQueue) +
        Math.abs(hba - flow.hbaQueue)) /
        flow.population,
    );
    flow.diskQueue += damping * (disk - flow.diskQueue);
    flow.controllerQueue += damping * (controller - flow.controllerQueue);
    flow.portQueue += damping * (port - flow.portQueue);
    flow.hbaQueue += damping * (hba - flow.hbaQueue);
  }
  return change;
}

/** Waits for a command slot of each host at this LUN. */
function settleHosts(lun: LunState): void {
  for (const { flows, depth } of lun.hosts) {
    for (const flow of flows) {
      flow.insideMs = flow.thinkMs + flow.deviceMs + flow.lunWaitMs;
      flow.inside = flow.population;
      flow.weight = flow.deviceMs + flow.lunWaitMs;
      flow.share = 1;
    }
    const wait = stepWait(flows, flows[0]!.hostWaitMs, depth);
    for (const flow of flows) flow.hostWaitMs = wait;
  }
}
