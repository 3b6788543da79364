import { compile, type Compiled, type HostStation, type VmStation } from './compile.ts';
import { closedResidence, waitingBeyond } from './cpu.ts';
import { flowsOf } from './flows.ts';
import { swapParallel } from './memory.ts';
import { solveNetwork } from './network.ts';
import { cappedClock } from './power.ts';
import { report } from './report.ts';
import type { LabState, Solution } from './solverTypes.ts';
import { stepStorage } from './storageStation.ts';

/**
 * Delay grows with use over entitlement to this power: the scheduler prefers whoever has had less
 * of its share.
 */
const fairness = 3;
/**
 * CPU that cold caches add where vCPUs take turns on a thread, as part of the work, when many wait
 * for each. Mogul and Borg, "The effect of context switches on cache performance" (ASPLOS 1991).
 */
const coldCache = 0.15;
const maxRounds = 60,
  maxCpuRounds = 150,
  tolerance = 2e-5;

/**
 * Operating point of a lab in one state: a damped fixed point over closed classes, X = N / (Z + ΣR)
 * (Bard–Schweitzer approximate mean-value analysis; Lazowska et al., "Quantitative System
 * Performance", 1984, ch. 6–7). A class visits its client machine, the uplinks, its VM on its host
 * and its datastore. A VM is a station of its vCPUs; the host slows every vCPU by its scheduling
 * delay: who waits is what a closed population of vCPUs leaves beyond the threads
 * (`waitingBeyond`), weighed by (use / entitlement)³, so that under pressure whoever takes more
 * than its shares waits and whoever thinks most of the time does not. At saturation the delay grows
 * until demands fit, near proportional-share water-filling (testing/waterFill.ts).
 */
export function solve(state: LabState): Solution {
  const model = compile(state);
  let rounds = 0,
    change = 1;
  settleCpu(model);
  packetWork(model);
  while (rounds < maxRounds && change > tolerance) {
    change = Math.max(stepStorage(model, rounds === 0), settleCpu(model), packetWork(model));
    rounds++;
  }
  return report(model, rounds, change);
}

/**
 * Everything but storage and packet work, to rest. Returns the change of throughput since the call.
 */
function settleCpu(model: Compiled): number {
  const before = model.loads.map((load) => load.opsPerS);
  for (let round = 0, calm = 0; round < maxCpuRounds && calm < 2; round++) {
    for (const host of model.hosts) solveHost(host);
    stepClients(model);
    stepUplinks(model);
    for (const host of model.hosts) stepSwap(host);
    calm = stepThroughput(model) < tolerance / 2 ? calm + 1 : 0;
  }
  return model.loads.reduce(
    (most, load, index) =>
      Math.max(most, Math.abs(load.opsPerS - before[index]!) / Math.max(load.opsPerS, 1e-9)),
    0,
  );
}

/**
 * Work a thread gets done a second where `work` a second is asked of the host, siblings sharing a
 * core counted.
 */
function threadSpeed(host: HostStation, work: number): number {
  const { hyperThreadGain: gain } = host.host,
    speed = host.speed * host.clock;
  const cores = host.threads / (gain > 1 ? 2 : 1),
    plain = cores * speed;
  if (gain <= 1 || work <= plain) return speed;
  return work / busyThreads(host, work);
}
function busyThreads(host: HostStation, work: number): number {
  const { hyperThreadGain: gain } = host.host,
    speed = host.speed * host.clock;
  const cores = host.threads / (gain > 1 ? 2 : 1),
    plain = cores * speed;
  return gain <= 1 || work <= plain
    ? work / speed
    : Math.min(host.threads, cores + (work / speed - cores) / (gain - 1));
}

/**
 * Finds the scheduling delay that fits the use it allows, and each class's CPU residence under it.
 */
function solveHost(host: HostStation): void {
  if (host.vms.length === 0) {
    host.work = host.idleWork + host.movesWork;
    return;
  }
  const vcpus = host.vms.reduce((sum, vm) => sum + vm.placed.vm.vcpus, 0);
  host.clock = cappedClock(host.host.power, host.capW, host.work / host.capacity);
  const room = Math.max(
    host.capacity * host.clock * 0.05,
    host.capacity * host.clock - host.movesWork - host.idleWork,
  );
  const turns = (coldCache * host.waiting) / (host.waiting + 4 * host.threads);
  const speed = threadSpeed(host, Math.min(host.work, host.capacity * host.clock)) / (1 + turns);
  for (const vm of host.vms) {
    const over =
      vm.reserved > 0 && vm.usage <= vm.reserved
        ? 0
        : vm.usage / Math.max(vm.entitlement, vm.reserved);
    // A VM with more shares a vCPU than the default waits that much less, so that what saturated
    // VMs get is in the ratio of their shares.
    const weight =
      (over ** fairness * (vm.placed.vm.vcpus * 1000)) /
      (vm.placed.vm.shares ?? vm.placed.vm.vcpus * 1000);
    for (const load of vm.loads) load.queued = Math.min(load.queued, load.users);
    vm.weight = weight;
  }
  const servers = (host.threads * room) / (host.capacity * host.clock);
  let low = 0,
    high = 0;
  // Who waits by the closed population at this delay, less who waits by Little's law: the delay
  // fits where they are equal.
  const excess = (pressure: number): number => {
    const use = hostUse(host, speed, pressure, false),
      running = use.work / speed,
      waiting = (use.weighed / speed) * pressure;
    return waitingBeyond(running + waiting, vcpus, servers) - waiting;
  };
  if (vcpus > servers && excess(0) > 1e-6) {
    high = Math.max(1e-3, host.pressure * 1.5);
    while (excess(high) > 0 && high < 1e7) {
      low = high;
      high *= 4;
    }
    for (let i = 0; i < 22 && high - low > 1e-5 * high; i++) {
      const middle = (low + high) / 2;
      if (excess(middle) > 0) low = middle;
      else high = middle;
    }
  }
  host.pressure = (low + high) / 2;
  const use = hostUse(host, speed, host.pressure, true);
  host.waiting = (host.waiting + (use.weighed / speed) * host.pressure) / 2;
  // Work that caches cost keeps threads as busy as work that is asked for.
  host.work = Math.min(
    host.capacity * host.clock,
    use.work * (1 + turns) + host.movesWork + host.idleWork,
  );
}

/**
 * CPU use of all VMs of a host, in work a second, and the same weighed by who is delayed, under a
 * scheduling delay. `keep` writes residences and (damped) uses.
 */
function hostUse(
  host: HostStation,
  speed: number,
  pressure: number,
  keep: boolean,
): { work: number; weighed: number } {
  let work = 0,
    weighed = 0;
  for (const vm of host.vms) {
    const use = vmUse(vm, (speed * (vm.moving ? 0.93 : 1)) / (1 + pressure * vm.weight), keep);
    // The weight follows use with the power `fairness`; this damping makes the two settle in a few
    // rounds.
    if (keep)
      vm.usage =
        Math.max(1e-9, vm.usage) ** (fairness / (1 + fairness)) *
        Math.max(1e-9, use) ** (1 / (1 + fairness));
    work += use;
    weighed += use * vm.weight;
  }
  return { work, weighed };
}

function vmUse(vm: VmStation, speed: number, keep: boolean): number {
  let use = 0;
  const all = vm.loads.reduce((sum, load) => sum + load.queued, 0);
  for (const load of vm.loads) {
    const service = (load.cpuMs + load.packetMs) / speed,
      others = vm.loads.length > 1 ? all - load.queued : 0;
    const delay =
      load.load.demand.thinkMs +
      load.ioMs +
      load.netMs +
      load.clientMs +
      load.pagingMs +
      load.waitMs;
    const point = closedResidence(load.users, delay, service, vm.placed.vm.vcpus, others);
    if (keep) {
      load.cpuResidence = point.residence;
      load.queued = point.queued;
    }
    use += point.throughput * (load.cpuMs + load.packetMs);
  }
  return use;
}

/** X = N / (Z + ΣR). Returns the largest relative change. */
function stepThroughput(model: Compiled): number {
  let change = 0;
  for (const load of model.loads) {
    const cycleMs =
      load.load.demand.thinkMs +
      load.cpuResidence +
      load.ioMs +
      load.netMs +
      load.clientMs +
      load.pagingMs +
      load.waitMs;
    const opsPerS = cycleMs > 0 ? (load.users / cycleMs) * 1000 : 0;
    change = Math.max(change, Math.abs(opsPerS - load.opsPerS) / Math.max(opsPerS, 1e-9));
    load.opsPerS = opsPerS;
  }
  return change;
}

/** Swap disks of a host: they do what they can, and who faults waits for the rest. */
function stepSwap(host: HostStation): void {
  const loads = host.vms.flatMap((vm) => vm.loads);
  const work = loads.reduce((sum, load) => sum + (load.opsPerS * load.swapWorkMs) / 1000, 0);
  if (work === 0) return;
  const wanted = Math.max(1, (host.swapStretch * work) / swapParallel);
  host.swapStretch = Math.sqrt(host.swapStretch * wanted);
  for (const load of loads) load.pagingMs = load.swapWorkMs * host.swapStretch;
}

/** Client machines: one station each for all classes they drive. */
function stepClients(model: Compiled): void {
  const queued = new Float64Array(model.clients.length),
    work = new Float64Array(model.clients.length);
  for (const load of model.loads) {
    if (load.clientIndex < 0) continue;
    const client = model.clients[load.clientIndex]!;
    const service = load.clientWorkMs / client.speed,
      share = service / client.cores;
    load.clientQueueMs = share * (1 + client.queued * (1 - 1 / Math.max(1, load.users)));
    load.clientMs = (load.clientMs + service - share + load.clientQueueMs) / 2;
    queued[load.clientIndex]! += (load.opsPerS * load.clientQueueMs) / 1000;
    work[load.clientIndex]! += (load.opsPerS * service) / 1000;
  }
  model.clients.forEach((client, index) => {
    client.queued = (client.queued + queued[index]!) / 2;
    client.work = Math.min(1, work[index]! / client.cores);
  });
}

/** Uplinks: each direction one station. */
function stepUplinks(model: Compiled): void {
  const queued = new Float64Array(model.uplinkQueues.length);
  for (const load of model.loads) {
    if (load.uplinks.length === 0) continue;
    let total = 0,
      queue = 0;
    for (const { index, demandMs } of load.uplinks) {
      const residence =
        demandMs * (1 + model.uplinkQueues[index]! * (1 - 1 / Math.max(1, load.users)));
      queued[index]! += (load.opsPerS * residence) / 1000;
      total += residence;
      queue += residence - demandMs;
    }
    load.netMs = (load.netMs + total) / 2;
    load.netQueueMs = queue;
  }
  for (let i = 0; i < queued.length; i++)
    model.uplinkQueues[i] = (model.uplinkQueues[i]! + queued[i]!) / 2;
}

/**
 * Hypervisor work on each class's packets, an operation. Returns the largest change relative to the
 * class's CPU demand.
 */
function packetWork(model: Compiled): number {
  if (!model.loads.some((load) => load.uplinks.length > 0)) return 0;
  const network = solveNetwork(model.state.spec, flowsOf(model), model.state.network);
  let change = 0;
  for (const load of model.loads) {
    const work = network.flowCpu.get(load.load.id);
    if (work === undefined || load.opsPerS <= 0) continue;
    const packetMs = (work / load.opsPerS) * 1000;
    change = Math.max(change, Math.abs(packetMs - load.packetMs) / (load.cpuMs + packetMs + 1e-9));
    load.packetMs = packetMs;
  }
  return change;
}
