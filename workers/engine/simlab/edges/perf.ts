import type { PerfProvider, PerfSeries } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import type { LabModel } from '../model/types.ts';

const periodMs = 20_000;
const historyMs = 3_600_000;
const hostMetrics = [
  'cpuPct',
  'memoryPct',
  'netKbps',
  'powerW',
  'cpuBusyPct',
  'readyPct',
  'swapMb',
  'balloonMb',
  'swapInKBps',
  'powerCapW',
] as const;
type HostMetric = (typeof hostMetrics)[number];
type Point = { tMs: number; value: number };

/** What the model tells of a VM. Its guests drop nothing that reached them. */
export const simVmMetrics = [
  'cpuPct',
  'readyPct',
  'diskKBps',
  'packetsRxPerS',
  'packetsTxPerS',
  'droppedTxPerS',
] as const;
/** What it tells of an uplink. */
export const simUplinkMetrics = [
  'netKbps',
  'packetsRxPerS',
  'packetsTxPerS',
  'droppedRxPerS',
  'droppedTxPerS',
] as const;

/** Two decimals, as vCenter's counters have. */
const cut = (value: number): number => Math.round(value * 100) / 100;
/** Packets are whole: counted over 20 s. */
const cutCount = (perS: number): number => Math.round(perS * 20) / 20;
const cutOf = (metric: PerfSeries['metric']): ((value: number) => number) =>
  metric.startsWith('packets') || metric.startsWith('dropped') ? cutCount : cut;

/**
 * Complete 20 s intervals with tMs > sinceMs, an hour back at most. A host that is down has none.
 */
export function readSimPerf(
  lab: HostedLab,
  model: LabModel,
  providers: readonly PerfProvider[],
  sinceMs: number,
  nowMs: number,
): PerfSeries[] {
  const first = Math.floor(Math.max(sinceMs, nowMs - historyMs) / periodMs) + 1;
  const last = Math.floor(nowMs / periodMs);
  const times = Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => (first + index) * periodMs,
  );
  return providers
    .flatMap(({ kind, ref }) => {
      if (kind === 'host') return hostSeries(lab, model, ref, times);
      return kind === 'vm' ? vmSeries(model, ref, times) : datastoreSeries(model, ref, times);
    })
    .filter((one) => one.points.length > 0);
}

function hostSeries(
  lab: HostedLab,
  model: LabModel,
  ref: string,
  times: readonly number[],
): PerfSeries[] {
  if (!lab.spec.hosts.some((host) => host.id === ref)) return [];
  const points = new Map<HostMetric, Point[]>(hostMetrics.map((metric) => [metric, []]));
  const uplinks = new Map<string, PerfSeries & { points: Point[] }>();
  for (const tMs of times) {
    const report = model.host(ref, tMs - periodMs, tMs);
    if (!report?.up) continue;
    // As vCenter: use counts the clock, busy cores do not.
    const read: Record<HostMetric, number | null> = {
      ...report,
      cpuPct: report.usedPct,
      cpuBusyPct: report.cpuPct,
    };
    for (const metric of hostMetrics) {
      const value = read[metric];
      if (value !== null) points.get(metric)!.push({ tMs, value: cut(value) });
    }
    for (const { uplinkId: instance, kbps, ...load } of model.uplinks(ref, tMs - periodMs, tMs))
      for (const metric of simUplinkMetrics) {
        const value = metric === 'netKbps' ? cut(kbps) : cutCount(load[metric]);
        const known = uplinks.get(`${instance} ${metric}`);
        if (known) known.points.push({ tMs, value });
        else
          uplinks.set(`${instance} ${metric}`, { ref, instance, metric, points: [{ tMs, value }] });
      }
  }
  return [
    ...[...points].map(([metric, own]): PerfSeries => ({ ref, metric, points: own })),
    ...uplinks.values(),
  ];
}

function vmSeries(model: LabModel, ref: string, times: readonly number[]): PerfSeries[] {
  const reports = times.flatMap((tMs) => {
    const report = model.vm(ref, tMs - periodMs, tMs);
    return report ? [{ tMs, report }] : [];
  });
  return simVmMetrics.map((metric) => ({
    ref,
    metric,
    points: reports.map(({ tMs, report }) => ({ tMs, value: cutOf(metric)(report[metric]) })),
  }));
}

function datastoreSeries(model: LabModel, ref: string, times: readonly number[]): PerfSeries[] {
  const reports = times.flatMap((tMs) => {
    const report = model.datastore(ref, tMs - periodMs, tMs);
    return report ? [{ tMs, report }] : [];
  });
  const series = (
    metric: PerfSeries['metric'],
    pick: (report: (typeof reports)[number]['report']) => number,
  ): PerfSeries => ({
    ref,
    metric,
    points: reports.map(({ tMs, report }) => ({ tMs, value: cut(pick(report)) })),
  });
  return [
    series('readIops', (r) => r.readIops),
    series('writeIops', (r) => r.writeIops),
    series('iops', (r) => r.readIops + r.writeIops),
    series('deviceLatencyMs', (r) => r.deviceLatencyMs),
    series('kernelLatencyMs', (r) => r.kernelLatencyMs),
    // All that a command waits for in this kernel is its queue.
    series('queueLatencyMs', (r) => r.kernelLatencyMs),
  ];
}
