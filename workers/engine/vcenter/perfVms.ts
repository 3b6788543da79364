import type { PerfSeries } from '../deps/vcenter.ts';
import {
  type Counter,
  mbOfKb,
  pctOfPeriod,
  perSecond,
  type RawSeries,
  scaled,
} from './perfDecode.ts';
import { packetCounters } from './perfPackets.ts';
import type { Metric, Wanted } from './perfQuery.ts';

const asItIs = (value: number): number => value;

interface VmCounter {
  metric: PerfSeries['metric'];
  /** `group.name.rollup`, as the list of counters of the vSphere API has it. */
  name: string;
  /** Where the metric's unit is not the counter's. */ convert?: (value: number) => number;
}
/** What is asked of each VM: the sum over its vCPUs, disks and adapters. */
const vmCounters: readonly VmCounter[] = [
  { metric: 'cpuPct', name: 'cpu.usage.average' },
  { metric: 'readyPct', name: 'cpu.ready.summation', convert: pctOfPeriod },
  { metric: 'costopPct', name: 'cpu.costop.summation', convert: pctOfPeriod },
  { metric: 'activeMb', name: 'mem.active.average', convert: mbOfKb },
  { metric: 'swapMb', name: 'mem.swapped.average', convert: mbOfKb },
  { metric: 'balloonMb', name: 'mem.vmmemctl.average', convert: mbOfKb },
  { metric: 'netKbps', name: 'net.usage.average' },
  { metric: 'diskKBps', name: 'disk.usage.average' },
  { metric: 'diskLatencyMs', name: 'disk.maxTotalLatency.latest' },
  { metric: 'packetsRxPerS', name: packetCounters.packetsRxPerS, convert: perSecond },
  { metric: 'packetsTxPerS', name: packetCounters.packetsTxPerS, convert: perSecond },
  { metric: 'droppedRxPerS', name: packetCounters.droppedRxPerS, convert: perSecond },
  { metric: 'droppedTxPerS', name: packetCounters.droppedTxPerS, convert: perSecond },
];

/** What this vCenter counts of a VM. */
export const vmMetricsOf = (counters: ReadonlyMap<string, Counter>): PerfSeries['metric'][] =>
  vmCounters.flatMap(({ metric, name }) => (counters.has(name) ? [metric] : []));

/** The counters of VMs that this vCenter has. */
export function wantedOfVms(
  counters: ReadonlyMap<string, Counter>,
  vmRefs: readonly string[],
): Wanted {
  const metrics = vmCounters.flatMap(({ name }): Metric[] => {
    const counter = counters.get(name);
    return counter === undefined ? [] : [{ counterId: counter.id, instance: '' }];
  });
  return {
    type: 'VirtualMachine',
    metrics: new Map(metrics.length === 0 ? [] : vmRefs.map((ref) => [ref, metrics])),
  };
}

/** What VMs answered, in the units of their metrics. */
export function vmSeries(
  raw: readonly RawSeries[],
  counters: ReadonlyMap<string, Counter>,
): PerfSeries[] {
  const byId = new Map(
    vmCounters.flatMap((one) => {
      const counter = counters.get(one.name);
      return counter === undefined ? [] : [[counter.id, { ...one, unit: counter.unit }] as const];
    }),
  );
  return raw.flatMap(({ ref, counterId, instance, points }): PerfSeries[] => {
    const counter = byId.get(counterId);
    if (counter === undefined || instance !== '' || points.length === 0) return [];
    const { metric, unit, convert = asItIs } = counter;
    return [
      {
        ref,
        metric,
        points: points.map(({ tMs, value }) => ({ tMs, value: convert(scaled(value, unit)) })),
      },
    ];
  });
}
