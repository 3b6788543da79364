/**
 * One VM as the balancer sees it: its CPU demand in reference cores over the last interval, as
 * measured.
 */
export interface DrsVm {
  id: string;
  hostId: string;
  demand: number;
  memoryMb: number;
  movable: boolean;
}
export interface DrsHost {
  id: string;
  capacity: number;
  memoryMb: number;
  up: boolean;
}
export interface DrsMove {
  vmId: string;
  fromHostId: string;
  toHostId: string;
}

/**
 * Standard deviation of host loads that is let be, by stars: 1 moves at the least imbalance, 5
 * hardly ever. DRS compares the deviation of (sum of demands / capacity) with a target that its
 * aggressiveness sets, and takes the move that lowers it most: Gulati et al., "VMware Distributed
 * Resource Management: Design, Implementation, and Lessons Learned", VMware Technical Journal 1
 * (2012).
 */
const imbalanceTarget: Readonly<Record<number, number>> = {
  1: 0.02,
  2: 0.05,
  3: 0.08,
  4: 0.12,
  5: 0.2,
};
/** What one move must lower the deviation by, to be worth its cost. */
const worth = 0.002;

interface Balance {
  hosts: readonly DrsHost[];
  load: number[];
  memoryMb: number[];
  vms: { vm: DrsVm; at: number }[];
}

function balanceOf(hosts: readonly DrsHost[], vms: readonly DrsVm[]): Balance {
  const index = new Map(hosts.map((host, at) => [host.id, at]));
  const load = hosts.map(() => 0),
    memoryMb = hosts.map(() => 0);
  const placed = vms.flatMap((vm) => {
    const at = index.get(vm.hostId);
    return at === undefined ? [] : [{ vm, at }];
  });
  for (const { vm, at } of placed) {
    load[at]! += vm.demand;
    memoryMb[at]! += vm.memoryMb;
  }
  return { hosts, load, memoryMb, vms: placed };
}

/**
 * Deviation of the loads of hosts that are up, with `demand` moved from one to another (or nothing
 * moved).
 */
function deviation(balance: Balance, demand = 0, from = -1, to = -1): number {
  let sum = 0,
    squares = 0,
    count = 0;
  balance.hosts.forEach((host, at) => {
    if (!host.up) return;
    const load =
      (balance.load[at]! + (at === to ? demand : 0) - (at === from ? demand : 0)) / host.capacity;
    sum += load;
    squares += load * load;
    count++;
  });
  return count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/**
 * Memory asked of hosts beyond what they have, as a sum of their parts, with a VM moved (or
 * nothing).
 */
function overfull(balance: Balance, memoryMb = 0, from = -1, to = -1): number {
  return balance.hosts.reduce(
    (sum, host, at) =>
      sum +
      Math.max(
        0,
        (balance.memoryMb[at]! + (at === to ? memoryMb : 0) - (at === from ? memoryMb : 0)) /
          host.memoryMb -
          1,
      ),
    0,
  );
}

/** Standard deviation of host loads. */
export const imbalance = (hosts: readonly DrsHost[], vms: readonly DrsVm[]): number =>
  deviation(balanceOf(hosts, vms));

/**
 * The moves of one evaluation: greedy, at most `maxMoves`, swapping before imbalance, none that
 * overfills a host's memory; hosts that are down receive none.
 */
export function drsMoves(
  hosts: readonly DrsHost[],
  vms: readonly DrsVm[],
  stars: number,
  maxMoves: number,
): DrsMove[] {
  const balance = balanceOf(hosts, vms),
    target = imbalanceTarget[stars] ?? 0.05;
  const moves: DrsMove[] = [];
  const moved = new Set<string>();
  while (moves.length < maxMoves) {
    const swapping = overfull(balance),
      now = deviation(balance);
    if (now <= target && swapping === 0) break;
    let best: { entry: Balance['vms'][number]; to: number } | null = null,
      least = now + swapping - worth;
    for (const entry of balance.vms) {
      const { vm, at } = entry;
      if (!vm.movable || moved.has(vm.id)) continue;
      for (let to = 0; to < hosts.length; to++) {
        if (
          to === at ||
          !hosts[to]!.up ||
          balance.memoryMb[to]! + vm.memoryMb > hosts[to]!.memoryMb
        )
          continue;
        const after =
          deviation(balance, vm.demand, at, to) +
          (swapping === 0 ? 0 : overfull(balance, vm.memoryMb, at, to));
        if (after < least) {
          best = { entry, to };
          least = after;
        }
      }
    }
    if (!best) break;
    const {
      entry: { vm, at },
      to,
    } = best;
    moves.push({ vmId: vm.id, fromHostId: hosts[at]!.id, toHostId: hosts[to]!.id });
    balance.load[at]! -= vm.demand;
    balance.load[to]! += vm.demand;
    balance.memoryMb[at]! -= vm.memoryMb;
    balance.memoryMb[to]! += vm.memoryMb;
    best.entry.at = to;
    moved.add(vm.id);
  }
  return moves;
}
