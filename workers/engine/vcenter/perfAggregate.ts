import { mean, weightedMean } from '../../../src/core/stats/summary.ts';
import type { PerfSeries } from '../deps/vcenter.ts';
import { periodMs, type Point } from './perfDecode.ts';
import { lunEventCounters, type LunEvents } from './perfLuns.ts';

const slotOf = (tMs: number): number => Math.round(tMs / periodMs);

/** One host's counters of one datastore, in the metric's unit. */
export interface HostStore {
  hostRef: string;
  readIops: readonly Point[];
  writeIops: readonly Point[];
  deviceLatencyMs: readonly (readonly Point[])[];
  kernelLatencyMs: readonly (readonly Point[])[];
  queueLatencyMs?: readonly (readonly Point[])[];
  /**
   * Commands a second of each LUN, in the order of the latencies; absent where there is but one.
   */
  lunCommands?: readonly (readonly Point[])[];
  lunEvents?: LunEvents;
}

/**
 * The time up to which every host that still reports has reported. Beyond it a sum over hosts would
 * lack the slower ones. A host more than two periods behind the newest one is taken to be away.
 */
export function watermarkMs(newestByHost: readonly number[]): number {
  const newest = Math.max(...newestByHost, -Infinity);
  return Math.min(
    ...newestByHost.filter((tMs) => tMs >= newest - 2 * periodMs - periodMs / 2),
    Infinity,
  );
}

function bySlot(points: readonly Point[]): Map<number, number> {
  return new Map(onceASlot(points).map((point) => [slotOf(point.tMs), point.value]));
}
/** The first point of each slot: a host that reports twice in one says nothing new. */
function onceASlot(points: readonly Point[]): Point[] {
  const seen = new Set<number>();
  return points.filter(({ tMs }) => !seen.has(slotOf(tMs)) && seen.add(slotOf(tMs)));
}

/**
 * Sum over hosts where every host that reports has a value; elsewhere a gap, never a partial sum.
 */
export const sumOverHosts = (series: readonly (readonly Point[])[]): Point[] =>
  overHosts(series, (values) => values.reduce((sum, value) => sum + value, 0));
function overHosts(
  series: readonly (readonly Point[])[],
  fold: (values: readonly number[]) => number,
): Point[] {
  const reporting = series.filter((points) => points.length > 0);
  const slots = reporting.map(bySlot);
  return onceASlot(reporting[0] ?? []).flatMap(({ tMs }) => {
    const values = slots.flatMap((slot) => slot.get(slotOf(tMs)) ?? []);
    return values.length === reporting.length ? [{ tMs, value: fold(values) }] : [];
  });
}

/**
 * Latency of a datastore: mean over its LUNs on each host by the commands each took, then over the
 * hosts by the commands each sent in that period. Who is idle reports 0 ms and says nothing about
 * the device; when all are idle it is 0.
 */
export function latencyOverHosts(
  hosts: readonly {
    iops: readonly Point[];
    latency: readonly (readonly Point[])[];
    lunCommands?: readonly (readonly Point[])[];
  }[],
): Point[] {
  const parts = hosts
    .map(({ iops, latency, lunCommands }) => ({
      iops: bySlot(iops),
      luns: latency.flatMap((points, lun) =>
        points.length === 0
          ? []
          : [{ latency: bySlot(points), commands: bySlot(lunCommands?.[lun] ?? []) }],
      ),
    }))
    .filter((part) => part.luns.length > 0);
  const times = new Map<number, number>();
  for (const { latency } of hosts)
    for (const points of latency)
      for (const { tMs } of points) if (!times.has(slotOf(tMs))) times.set(slotOf(tMs), tMs);
  return [...times]
    .sort((a, b) => a[1] - b[1])
    .map(([slot, tMs]) => {
      const known = parts.flatMap(({ iops, luns }) => {
        const value = overLuns(luns, slot);
        // Where the commands are not known every host counts the same.
        return value === null ? [] : [{ value, weight: iops.get(slot) ?? 1 }];
      });
      const value = weightedMean(
        known.map((one) => one.value),
        known.map((one) => one.weight),
      );
      return { tMs, value: Number.isNaN(value) ? 0 : value };
    });
}

/**
 * Latency over the LUNs of one host in one period; where not each one's commands are known, all
 * count the same. null = no LUN reports.
 */
function overLuns(
  luns: readonly { latency: Map<number, number>; commands: Map<number, number> }[],
  slot: number,
): number | null {
  const known = luns.filter((lun) => lun.latency.has(slot));
  if (known.length === 0) return null;
  const values = known.map((lun) => lun.latency.get(slot)!);
  const commands = known.map((lun) => lun.commands.get(slot) ?? NaN);
  const byCommands = weightedMean(values, commands);
  return Number.isNaN(byCommands) ? mean(values) : byCommands;
}

/** A datastore's series from its hosts' counters. Metrics without any value are left out. */
export function datastoreSeries(ref: string, hosts: readonly HostStore[]): PerfSeries[] {
  const commands = hosts.map((host) => sumOverHosts([host.readIops, host.writeIops]));
  const latency = (pick: (host: HostStore) => readonly (readonly Point[])[]): Point[] =>
    latencyOverHosts(
      hosts.map((host, i) => ({
        iops: commands[i]!,
        latency: pick(host),
        ...(host.lunCommands ? { lunCommands: host.lunCommands } : {}),
      })),
    );
  const series: PerfSeries[] = [
    { ref, metric: 'readIops', points: sumOverHosts(hosts.map((host) => host.readIops)) },
    { ref, metric: 'writeIops', points: sumOverHosts(hosts.map((host) => host.writeIops)) },
    {
      ref,
      metric: 'iops',
      points: sumOverHosts(hosts.flatMap((host) => [host.readIops, host.writeIops])),
    },
    { ref, metric: 'deviceLatencyMs', points: latency((host) => host.deviceLatencyMs) },
    { ref, metric: 'kernelLatencyMs', points: latency((host) => host.kernelLatencyMs) },
    { ref, metric: 'queueLatencyMs', points: latency((host) => host.queueLatencyMs ?? []) },
    ...lunEventCounters.map(({ metric, over }): PerfSeries => {
      const all = hosts.flatMap((host) => host.lunEvents?.[metric] ?? []);
      const points = over === 'sum' ? sumOverHosts(all) : overHosts(all, (v) => Math.min(...v));
      return { ref, metric, points };
    }),
  ];
  return series.filter((one) => one.points.length > 0);
}
