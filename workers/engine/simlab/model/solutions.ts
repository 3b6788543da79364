import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import { demandAt } from './demand.ts';
import { faultsAt, type LivingLab } from './livingLab.ts';
import { diskCopies, memoryCopies } from './moves.ts';
import { solve } from './solver.ts';
import type { LabState, Solution } from './solverTypes.ts';

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
 * I/O of a VM that runs on a snapshot over its I/O without: each first write to a block enters it in
 * the delta's table. Chosen; no source gives a figure.
 */
const snapshotIo = 1.3;

/** The solution of the present: a known one, or a new one that is kept. */
export function solveNow(lab: LivingLab): Solution {
  const { solutions } = lab;
  const state = stateNow(lab),
    key = keyOf(lab, state);
  let solution = solutions.get(key);
  if (solution) solutions.delete(key);
  else solution = solve(state);
  solutions.set(key, solution);
  if (solutions.size > lab.mostSolutions) solutions.delete(solutions.keys().next().value!);
  return solution;
}

/** MB/s a disk copy gets beside all that runs now. */
export function copyMbps(
  lab: LivingLab,
  hostId: string,
  fromDatastoreId: string,
  toDatastoreId: string,
): number {
  const state = stateNow(lab);
  return (
    solve({
      ...state,
      diskCopies: [...state.diskCopies, { id: 'asked', hostId, fromDatastoreId, toDatastoreId }],
    }).copies.get('asked') ?? 0
  );
}

function stateNow(lab: LivingLab): LabState {
  const { spec, nowMs, jobs, placed, network } = lab;
  const faults = faultsAt(lab, nowMs);
  const loads = [...lab.loads.values()]
    .filter((one) => one.endMs === null)
    .map(({ load, startMs }) => ({
      id: load.id,
      vmId: load.vmId,
      clientId: load.clientId,
      demand: load.demand,
      ...onSnapshot(demandAt(load.demand, nowMs - startMs), lab.snapshots.has(load.vmId)),
    }));
  return {
    spec,
    loads,
    placed,
    diskCopies: diskCopies(jobs, nowMs),
    memoryCopies: memoryCopies(jobs, nowMs),
    faults,
    network,
  };
}

const onSnapshot = (
  demand: ReturnType<typeof demandAt>,
  has: boolean,
): ReturnType<typeof demandAt> =>
  has ? { ...demand, ioFactor: demand.ioFactor * snapshotIo } : demand;

/** All that a solution depends on. */
function keyOf(lab: LivingLab, state: LabState): string {
  const parts = state.loads.map((load) => {
    const vm = lab.placed.get(load.vmId);
    const place = `${vm?.hostId}/${vm?.datastoreId}/${vm?.poweredOn}`;
    return `${load.id}:${load.users}:${load.ioFactor}:${load.warmS}@${place}`;
  });
  lab.wiring ||= wiringOf(lab);
  parts.push(
    lab.wiring,
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

/**
 * Every VM that is on and its ports, by what they are: two models of the same machines that are
 * wired alike agree.
 */
const wiringOf = ({ network: { ports, down }, placed }: LivingLab): string =>
  JSON.stringify([
    [...ports.values()],
    [...down],
    [...placed.values()]
      .filter((one) => one.poweredOn)
      .map(({ vm, hostId }) => [vm.id, vm.memoryMb, vm.vcpus, hostId]),
  ]);
