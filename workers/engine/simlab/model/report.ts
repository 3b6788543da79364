import type { Compiled, HostStation, LoadStation, StreamStation } from './compile.ts';
import { flowsOf } from './flows.ts';
import { swapInKBps } from './memory.ts';
import { solveNetwork } from './network.ts';
import { gammaShareBelow } from './percentiles.ts';
import { hostPower } from './power.ts';
import type { DatastorePoint, HostPoint, LoadPoint, Solution, VmPoint } from './solverTypes.ts';

/** Reads the solution off the stations. */
export function report(model: Compiled, rounds: number, change: number): Solution {
  const network = solveNetwork(model.state.spec, flowsOf(model), model.state.network);
  const loads = new Map<string, LoadPoint>();
  for (const load of model.loads)
    loads.set(load.load.id, loadPoint(load, network.flows.get(load.load.id)?.deliveredShare ?? 1));
  for (const load of model.refused) {
    // Refused at once: the users come back after their think time, a second at least.
    loads.set(load.id, {
      opsPerS: 0,
      residenceMs: 0,
      cpuMs: 0,
      ioMs: 0,
      netMs: 0,
      clientMs: 0,
      pagingMs: 0,
      scv: 1,
      goodShare: 0,
      deliveredShare: 0,
      readIops: 0,
      writeIops: 0,
      ioLatencyMs: 0,
      refusedPerS: load.users / Math.max(1, load.demand.thinkMs / 1000),
    });
  }
  const vms = new Map<string, VmPoint>();
  const hosts = new Map<string, HostPoint>();
  const traffic = diskTraffic(model);
  for (const host of model.hosts) {
    for (const vm of host.vms) {
      const { id, vcpus } = vm.placed.vm;
      const usage = vm.loads.reduce(
        (sum, load) => sum + (load.opsPerS * (load.cpuMs + load.packetMs)) / 1000,
        0,
      );
      vms.set(id, {
        usage,
        demand: wanted(vm.loads, host),
        cpuShare: Math.min(1, usage / (host.speed * vcpus)),
        ready: (usage / host.speed) * host.pressure * vm.weight,
        diskKBps: traffic.get(id) ?? 0,
      });
    }
    hosts.set(
      host.host.id,
      hostPoint(
        host,
        network.uplinks.reduce(
          (sum, uplink) => sum + (uplink.hostId === host.host.id ? uplink.kbps : 0),
          0,
        ),
        vms,
      ),
    );
  }
  const copies = new Map(
    [...model.copyUsers].map(([id, pair]) => [
      id,
      (Math.min(...pair.map((stream) => stream.iops)) * pair[0]!.sizeKb) / 1024,
    ]),
  );
  return {
    loads,
    hosts,
    datastores: datastorePoints(model),
    vms,
    clients: new Map(
      model.clients.map((client) => [client.id, client.taken + (1 - client.taken) * client.work]),
    ),
    copies,
    network,
    rounds,
    change,
  };
}

/**
 * What a VM would use were the host its own: throughput without the scheduler's delay, the rest of
 * the cycle as it is.
 */
function wanted(loads: readonly LoadStation[], host: HostStation): number {
  return loads.reduce((sum, load) => {
    const work = load.cpuMs + load.packetMs,
      vcpus = load.vm.placed.vm.vcpus;
    const delay =
      load.load.demand.thinkMs +
      load.ioMs +
      load.netMs +
      load.clientMs +
      load.pagingMs +
      load.waitMs;
    return (
      sum +
      Math.min(vcpus * host.speed, (load.users * work) / Math.max(1e-6, delay + work / host.speed))
    );
  }, 0);
}

function loadPoint(load: LoadStation, deliveredShare: number): LoadPoint {
  const { demand } = load.load;
  const opsPerS = load.opsPerS,
    cycleMs = opsPerS > 0 ? (load.users / opsPerS) * 1000 : 0;
  const residenceMs = Math.max(0, cycleMs - demand.thinkMs);
  const read = (of: (stream: StreamStation) => number): number =>
    load.streams.reduce((sum, stream) => sum + of(stream), 0);
  const iops = read((stream) => opsPerS * stream.perOp);
  // Service times vary as the demand says, waits as an exponential does (variance = square of the
  // mean).
  const waits = [
    load.cpuResidence - (load.cpuMs + load.packetMs) / load.host.speed,
    load.clientQueueMs,
    load.netQueueMs,
    load.ioMs,
    load.pagingMs,
  ].map((ms) => Math.max(0, ms));
  const wait = Math.min(
      residenceMs,
      waits.reduce((sum, ms) => sum + ms, 0),
    ),
    service = residenceMs - wait;
  const scv =
    residenceMs > 0
      ? (demand.scv * service * service + waits.reduce((sum, ms) => sum + ms * ms, 0)) /
        (residenceMs * residenceMs)
      : demand.scv;
  const bounded = Math.min(4, Math.max(0.02, scv));
  return {
    opsPerS,
    residenceMs,
    cpuMs: load.cpuResidence,
    ioMs: load.ioMs,
    netMs: load.netMs,
    clientMs: load.clientMs,
    pagingMs: load.pagingMs,
    scv: bounded,
    goodShare:
      demand.timeoutMs === undefined ? 1 : gammaShareBelow(demand.timeoutMs, residenceMs, bounded),
    deliveredShare,
    readIops: read((stream) => opsPerS * stream.perOp * stream.readShare),
    writeIops: read((stream) => opsPerS * stream.perOp * (1 - stream.readShare)),
    ioLatencyMs: iops > 0 ? read((stream) => opsPerS * stream.perOp * stream.latencyMs) / iops : 0,
    refusedPerS: 0,
  };
}

function hostPoint(
  host: HostStation,
  netKbps: number,
  vms: ReadonlyMap<string, VmPoint>,
): HostPoint {
  if (!host.up)
    return {
      cpuShare: 0,
      memoryShare: 0,
      readyShare: 0,
      powerW: 0,
      swapMb: 0,
      balloonMb: 0,
      swapInKBps: 0,
      capW: null,
      vcpus: 0,
      up: false,
      netKbps: 0,
      work: 0,
      capacity: host.capacity,
    };
  const cpuShare = Math.min(1, host.work / (host.capacity * host.clock));
  // Ready time of the field: runnable and waiting, as a share of the vCPUs' time.
  const ready = host.vms.reduce((sum, vm) => sum + (vms.get(vm.placed.vm.id)?.ready ?? 0), 0);
  const vcpus = host.vms.reduce((sum, vm) => sum + vm.placed.vm.vcpus, 0);
  return {
    cpuShare,
    memoryShare: host.memory.usedShare,
    readyShare: vcpus > 0 ? Math.min(1, ready / vcpus) : 0,
    powerW: hostPower(host.host.power, cpuShare, host.clock),
    swapMb: host.memory.swapMb,
    balloonMb: host.memory.balloonMb,
    capW: host.capW ?? null,
    vcpus,
    swapInKBps: host.vms.reduce(
      (sum, vm) =>
        sum + vm.loads.reduce((all, load) => all + swapInKBps(load.opsPerS, load.swapWorkMs), 0),
      0,
    ),
    up: true,
    netKbps,
    work: host.work,
    capacity: host.capacity,
  };
}

/** KB a second that each VM's loads read and write. */
function diskTraffic(model: Compiled): Map<string, number> {
  const traffic = new Map<string, number>();
  for (const { ofLoad, perOp, sizeKb } of model.streams) {
    if (ofLoad === null) continue;
    const { id } = ofLoad.vm.placed.vm;
    traffic.set(id, (traffic.get(id) ?? 0) + ofLoad.opsPerS * perOp * sizeKb);
  }
  return traffic;
}

function datastorePoints(model: Compiled): Map<string, DatastorePoint> {
  const points = new Map<string, DatastorePoint>(
    model.state.spec.datastores.map((one) => [
      one.id,
      {
        readIops: 0,
        writeIops: 0,
        deviceLatencyMs: 0,
        kernelLatencyMs: 0,
        outstanding: 0,
        readKBps: 0,
        writeKBps: 0,
      },
    ]),
  );
  for (const stream of model.streams) {
    const point = points.get(stream.datastoreId);
    if (!point) continue;
    const iops = stream.ofLoad ? stream.ofLoad.opsPerS * stream.perOp : stream.iops;
    const before = point.readIops + point.writeIops,
      total = before + iops;
    if (total <= 0) continue;
    point.deviceLatencyMs = (point.deviceLatencyMs * before + stream.deviceMs * iops) / total;
    point.kernelLatencyMs = (point.kernelLatencyMs * before + stream.kernelMs * iops) / total;
    point.outstanding += (iops * (stream.deviceMs + stream.kernelMs)) / 1000;
    point.readIops += iops * stream.readShare;
    point.writeIops += iops * (1 - stream.readShare);
    point.readKBps += iops * stream.readShare * stream.sizeKb;
    point.writeKBps += iops * (1 - stream.readShare) * stream.sizeKb;
  }
  return points;
}
