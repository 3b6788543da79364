import { finishCopies, startDrsMoves } from './copies.ts';
import { nextChangeMs } from './demand.ts';
import { historyMs } from './history.ts';
import { failOver, isAvailable, restartDue } from './hosts.ts';
import { faultsAt, type LivingLab, note, secondsAt, touch } from './livingLab.ts';
import { withUplinksDown } from './networkPorts.ts';
import { stepTeaming, teamingDueMs } from './networkTeaming.ts';
import { solveNow } from './solutions.ts';
import type { Solution } from './solverTypes.ts';

/** Lets a lab live up to `toMs`, from event to event. */
export function advance(lab: LivingLab, toMs: number): void {
  while (lab.nowMs < toMs) {
    const solution = settle(lab);
    const nowMs = lab.nowMs;
    const due = teamingDueMs(lab.spec, lab.network);
    const nextMs = Math.min(
      toMs,
      lab.nextMs > nowMs ? lab.nextMs : toMs,
      due !== null && due > nowMs ? due : toMs,
    );
    lab.nowMs = nextMs;
    teamTo(lab, solution, nextMs - nowMs);
  }
  settle(lab);
}

/** Applies what is due now and makes the present known. */
export function settle(lab: LivingLab): Solution {
  lab.settledMs = lab.nowMs;
  if (lab.nowMs >= lab.nextMs) applyDue(lab);
  const known = lab.history.last();
  if (!lab.dirty && known) return known;
  lab.dirty = false;
  const solution = solveNow(lab);
  lab.history.set(lab.nowMs, solution);
  lab.nextMs = nextEventMs(lab);
  return solution;
}

/**
 * Settles a lab once an instant: what else begins or ends in it is solved with it, when time moves
 * on.
 */
export function arrive(lab: LivingLab): void {
  if (lab.settledMs !== lab.nowMs) settle(lab);
}

/** Lets the teams of the hosts see the last `dtMs` of a solution, and move ports. */
function teamTo(lab: LivingLab, solution: Solution, dtMs: number): void {
  const teaming = stepTeaming(lab.spec, lab.network, solution.network, lab.nowMs, dtMs);
  lab.network = teaming.state;
  if (teaming.moves.length === 0) return;
  lab.wiring = '';
  touch(lab);
  for (const { vmId, fromUplinkId, toUplinkId, hostId } of teaming.moves)
    note(lab, {
      vmId,
      type: 'uplinkMove',
      text: `a port moves from ${fromUplinkId} to ${toUplinkId} of ${hostId}`,
    });
}

/** Copies end, uplinks and faults change, DRS looks, loads are forgotten: in this order. */
function applyDue(lab: LivingLab): void {
  touch(lab);
  finishCopies(lab);
  applyUplinkFaults(lab);
  noteFaults(lab);
  failOver(lab);
  restartDue(lab);
  if (lab.balancer.due(lab.nowMs)) evaluateDrs(lab);
  startDrsMoves(lab);
  for (const [id, one] of lab.loads)
    if (one.endMs !== null && one.endMs < lab.nowMs - historyMs) lab.loads.delete(id);
}

function applyUplinkFaults(lab: LivingLab): void {
  const down = faultsAt(lab, lab.nowMs)
    .filter((fault) => fault.kind === 'uplinkDown')
    .map((fault) => fault.targetId);
  if (down.join() === [...lab.network.down].join()) return;
  lab.network = withUplinksDown(lab.network, down);
  lab.wiring = '';
}

function noteFaults(lab: LivingLab): void {
  const nowS = secondsAt(lab, lab.nowMs);
  for (const { kind, targetId, fromS, toS } of lab.faults) {
    if (fromS === nowS) note(lab, { vmId: null, type: 'fault', text: `${kind} at ${targetId}` });
    if (toS === nowS)
      note(lab, { vmId: null, type: 'recovered', text: `${targetId} recovered from ${kind}` });
  }
}

function evaluateDrs(lab: LivingLab): void {
  const { balancer, nowMs, placed, history, jobs } = lab;
  balancer.evaluate({
    nowMs,
    placed,
    history,
    jobs,
    hostUp: (hostId) => isAvailable(lab, hostId),
  });
}

/** When a load, a copy, a fault or DRS changes something next; Infinity = never. */
function nextEventMs(lab: LivingLab): number {
  const { nowMs, startMs } = lab;
  let next = lab.balancer.nextMs(nowMs);
  const take = (tMs: number): void => {
    if (tMs > nowMs && tMs < next) next = tMs;
  };
  for (const { load, startMs: from, endMs } of lab.loads.values()) {
    const change = endMs === null ? nextChangeMs(load.demand, nowMs - from) : null;
    if (change !== null) take(from + change);
  }
  for (const job of lab.jobs) {
    take(job.startMs);
    take(job.endMs);
  }
  for (const { atMs } of lab.restarts) take(atMs);
  for (const fault of lab.faults) {
    take(startMs + fault.fromS * 1000);
    take(startMs + fault.toS * 1000);
  }
  return next;
}
