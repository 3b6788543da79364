import { type MetricName, vmEntityId } from '../../../../src/core/metric/metric.ts';
import { watchedVms } from '../series.ts';
import { startCounters } from './counterReader.ts';
import { type KeptMetric, keptOf, packetMetrics } from './kept.ts';
import type { Source } from './types.ts';
import { counterFacts } from './vcenterCounter.ts';

/** The first of them say which VM took the CPU: they are kept where there are too many for all. */
export const vmMetrics: readonly KeptMetric[] = [
  { metric: 'cpuPct', unit: '%', decimals: 2 },
  { metric: 'readyPct', unit: '% of each vCPU', decimals: 2 },
  { metric: 'costopPct', unit: '% of each vCPU', decimals: 2 },
  { metric: 'activeMb', unit: 'MB', decimals: 1 },
  { metric: 'swapMb', unit: 'MB', decimals: 1 },
  { metric: 'balloonMb', unit: 'MB', decimals: 1 },
  { metric: 'netKbps', unit: 'KB/s', decimals: 0 },
  { metric: 'diskKBps', unit: 'KB/s', decimals: 0 },
  { metric: 'diskLatencyMs', unit: 'ms', decimals: 0 },
  ...packetMetrics,
];

/**
 * Times that vCenter sums over the vCPUs of a VM. Kept as the mean of them: limits are told for one
 * vCPU, and VMs of different sizes are set side by side.
 */
const perVcpu: ReadonlySet<MetricName> = new Set(['readyPct', 'costopPct']);

/** vCenter's counters of each VM under load: which of them took what a host lacked. */
export const vmCounters: Source = {
  series: (of) => {
    const vms = watchedVms(of.units, of.inventory);
    const facts = counterFacts(of);
    const kept = keptOf(vmMetrics, vms.length, of.vmMetrics ?? []);
    return vms.flatMap(({ ref, name, tile, vcpus }) =>
      kept
        .filter(({ metric }) => vcpus !== null || !perVcpu.has(metric))
        .map((metric) => ({
          ...metric,
          ...facts,
          entity: { kind: 'vm' as const, id: vmEntityId(ref), name, tile },
        })),
    );
  },
  polls(context) {
    const { testbed, inventoryBefore, plan } = context.run.record();
    const { vcenterId } = testbed;
    const vms = watchedVms(context.units, inventoryBefore);
    const isKept = context.run.overview().series.some(({ entity }) => entity.kind === 'vm');
    if (vcenterId === null || !isKept) return [];
    const providers = vms.map(({ ref }) => ({ kind: 'vm' as const, ref }));
    const vcpus = new Map(vms.map((vm) => [vm.ref, vm.vcpus]));
    return [
      {
        name: 'Counters of VMs',
        peerId: vcenterId,
        key: 'vcenter.vms',
        periodMs: plan.sampling.vcenterMs,
        start: (feed) =>
          startCounters(
            context,
            vcenterId,
            {
              providers,
              inUnit: ({ ref, metric }, value) =>
                perVcpu.has(metric) ? value / (vcpus.get(ref) ?? NaN) : value,
            },
            feed,
          ),
      },
    ];
  },
};
