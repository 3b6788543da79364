import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import type { History } from './history.ts';
import { hashName, type Noise } from './noise.ts';
import { gammaQuantile, normalQuantile, z95, z99 } from './percentiles.ts';
import type { Solution } from './solverTypes.ts';
import { addTraffic, trafficOver, trafficSums } from './trafficSums.ts';
import type { DatastoreReport, HostReport, LoadReport, VmReport } from './types.ts';

/** What readings are made of. */
export interface ReadingSource {
  spec: LabSpec;
  history: History<Solution>;
  noise: Noise;
  entity(name: string): number;
}

/** Hashes of names, kept. */
export function createEntities(): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    let hash = known.get(name);
    if (hash === undefined) {
      hash = hashName(name);
      known.set(name, hash);
    }
    return hash;
  };
}

/** A factor around 1 for one quantity of one entity. */
export function factor(
  source: ReadingSource,
  name: string,
  fromMs: number,
  toMs: number,
  scale: number,
): number {
  return source.spec.noise === 0
    ? 1
    : Math.max(
        0.05,
        1 + source.spec.noise * scale * source.noise.mean(source.entity(name), fromMs, toMs),
      );
}

/**
 * One load over a span in which it ran. Percentiles are those of the mixture of the span's states:
 * a gamma of their mean and variance.
 */
export function readLoad(
  source: ReadingSource,
  id: string,
  unitsPerOp: number,
  fromMs: number,
  toMs: number,
): LoadReport | null {
  let ms = 0,
    ops = 0,
    good = 0,
    failed = 0,
    first = 0,
    second = 0,
    reads = 0,
    writes = 0,
    ioTime = 0;
  const known = source.history.over(fromMs, toMs, (solution, part) => {
    const point = solution.loads.get(id);
    ms += part;
    if (!point) return;
    const count = point.opsPerS * part,
      kept = count * point.goodShare * point.deliveredShare;
    ops += count;
    good += kept;
    failed += count - kept + point.refusedPerS * part;
    first += count * point.residenceMs;
    second += count * point.residenceMs ** 2 * (1 + point.scv);
    reads += point.readIops * part;
    writes += point.writeIops * part;
    ioTime += point.ioLatencyMs * (point.readIops + point.writeIops) * part;
  });
  if (!known || ms === 0) return null;
  const mean = ops > 0 ? first / ops : 0,
    scv = mean > 0 ? Math.max(0.01, second / ops / (mean * mean) - 1) : 1;
  const rate = factor(source, `${id}/rate`, fromMs, toMs, 1),
    slow = factor(source, `${id}/latency`, fromMs, toMs, 1.5),
    tail = factor(source, `${id}/tail`, fromMs, toMs, 2);
  const inSpan = Math.max(1, ops / 1000);
  const luck =
    source.spec.noise === 0
      ? 0.5
      : source.noise.uniform(source.entity(`${id}/max`), Math.round(toMs));
  // Maximum of n: the quantile whose n-th power is the luck.
  const max = gammaQuantile(
    mean,
    scv,
    normalQuantile(Math.min(1 - 1e-12, Math.max(0.5, luck ** (1 / inSpan)))),
  );
  const p95 = gammaQuantile(mean, scv, z95) * slow * tail,
    p99 = Math.max(p95, gammaQuantile(mean, scv, z99) * slow * tail);
  return {
    throughput: (good / ms) * unitsPerOp * rate,
    opsPerS: (ops / ms) * rate,
    latencyMeanMs: mean * slow,
    latencyP95Ms: p95,
    latencyP99Ms: p99,
    latencyMaxMs: Math.max(p99, max * slow * tail),
    errorsPerS: (Math.max(0, failed) / ms) * rate,
    goodShare: ops > 0 ? good / ops : 0,
    readIops: (reads / ms) * rate,
    writeIops: (writes / ms) * rate,
    ioLatencyMs: reads + writes > 0 ? (ioTime / (reads + writes)) * slow : 0,
  };
}

/** One host over a span. */
export function readHost(
  source: ReadingSource,
  hostId: string,
  fromMs: number,
  toMs: number,
): HostReport | null {
  let ms = 0,
    cpu = 0,
    used = 0,
    memory = 0,
    net = 0,
    power = 0,
    ready = 0,
    swap = 0,
    balloon = 0,
    swapIn = 0,
    up = true;
  let powerCapW: number | null = null;
  const known = source.history.over(fromMs, toMs, (solution, part) => {
    const point = solution.hosts.get(hostId);
    if (!point) return;
    ms += part;
    cpu += point.cpuShare * part;
    memory += point.memoryShare * part;
    net += point.netKbps * part;
    power += point.powerW * part;
    ready += point.readyShare * point.vcpus * part;
    up = point.up;
    used += (point.work / point.capacity) * part;
    swap += point.swapMb * part;
    balloon += point.balloonMb * part;
    swapIn += point.swapInKBps * part;
    powerCapW = point.capW;
  });
  if (!known || ms === 0) return null;
  return {
    cpuPct: Math.min(100, ((100 * cpu) / ms) * factor(source, `${hostId}/cpu`, fromMs, toMs, 0.6)),
    memoryPct: Math.min(100, (100 * memory) / ms),
    netKbps: (net / ms) * factor(source, `${hostId}/net`, fromMs, toMs, 1),
    powerW: (power / ms) * factor(source, `${hostId}/power`, fromMs, toMs, 0.6),
    readyPct: ((100 * ready) / ms) * factor(source, `${hostId}/ready`, fromMs, toMs, 1.5),
    up,
    usedPct: Math.min(
      100,
      ((100 * used) / ms) * factor(source, `${hostId}/cpu`, fromMs, toMs, 0.6),
    ),
    swapMb: swap / ms,
    balloonMb: balloon / ms,
    swapInKBps: (swapIn / ms) * factor(source, `${hostId}/swap`, fromMs, toMs, 1),
    powerCapW,
  };
}

/** One VM over a span in which it had load; null where it had none. */
export function readVm(
  source: ReadingSource,
  id: string,
  fromMs: number,
  toMs: number,
): VmReport | null {
  let ms = 0,
    cpu = 0,
    ready = 0,
    disk = 0;
  const traffic = trafficSums();
  const known = source.history.over(fromMs, toMs, (solution, part) => {
    const point = solution.vms.get(id);
    if (!point) return;
    ms += part;
    cpu += point.cpuShare * part;
    ready += point.ready * part;
    disk += point.diskKBps * part;
    addTraffic(traffic, solution.network.vms.get(id), part);
  });
  if (!known || ms === 0) return null;
  const busy = factor(source, `${id}/cpu`, fromMs, toMs, 0.6);
  return {
    cpuPct: Math.min(100, ((100 * cpu) / ms) * busy),
    readyPct: ((100 * ready) / ms) * factor(source, `${id}/ready`, fromMs, toMs, 1.5),
    diskKBps: (disk / ms) * factor(source, `${id}/disk`, fromMs, toMs, 1),
    // A busier guest sends more: one noise for both.
    ...trafficOver(traffic, ms, busy),
  };
}

/** One datastore over a span. */
export function readDatastore(
  source: ReadingSource,
  id: string,
  fromMs: number,
  toMs: number,
): DatastoreReport | null {
  let ms = 0,
    ios = 0,
    device = 0,
    kernel = 0;
  const sums = { readIops: 0, writeIops: 0, outstanding: 0, readKBps: 0, writeKBps: 0 };
  const known = source.history.over(fromMs, toMs, (solution, part) => {
    const point = solution.datastores.get(id);
    if (!point) return;
    ms += part;
    const count = (point.readIops + point.writeIops) * part;
    ios += count;
    device += point.deviceLatencyMs * count;
    kernel += point.kernelLatencyMs * count;
    sums.readIops += point.readIops * part;
    sums.writeIops += point.writeIops * part;
    sums.outstanding += point.outstanding * part;
    sums.readKBps += point.readKBps * part;
    sums.writeKBps += point.writeKBps * part;
  });
  if (!known || ms === 0) return null;
  const rate = factor(source, `${id}/iops`, fromMs, toMs, 1),
    slow = factor(source, `${id}/latency`, fromMs, toMs, 1.5);
  return {
    readIops: (sums.readIops / ms) * rate,
    writeIops: (sums.writeIops / ms) * rate,
    outstanding: (sums.outstanding / ms) * rate * slow,
    readKBps: (sums.readKBps / ms) * rate,
    writeKBps: (sums.writeKBps / ms) * rate,
    deviceLatencyMs: ios > 0 ? (device / ios) * slow : 0,
    kernelLatencyMs: ios > 0 ? (kernel / ios) * slow : 0,
  };
}

/** Busy share of a client machine over a span, in percent. */
export function readClient(
  source: ReadingSource,
  clientId: string,
  fromMs: number,
  toMs: number,
): number | null {
  let ms = 0,
    busy = 0;
  source.history.over(fromMs, toMs, (solution, part) => {
    const share = solution.clients.get(clientId);
    if (share !== undefined) {
      ms += part;
      busy += share * part;
    }
  });
  return ms === 0
    ? null
    : Math.min(100, ((100 * busy) / ms) * factor(source, `${clientId}/cpu`, fromMs, toMs, 0.6));
}
