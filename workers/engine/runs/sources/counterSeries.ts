import { type MetricName, uplinkEntityId } from '../../../../src/core/metric/metric.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { UplinkCounted } from '../../deps/vcenter.ts';
import { watchedProviders } from '../series.ts';
import { type KeptMetric, keptOf, packetMetrics } from './kept.ts';
import type { SeriesBasis, SeriesDraft } from './types.ts';
import { counterFacts } from './vcenterCounter.ts';

type Facts = ReturnType<typeof counterFacts>;

/** Series of vCenter's counters: hosts, their uplinks, datastores. */
export function seriesOfCounters(of: SeriesBasis): SeriesDraft[] {
  const { hosts, datastores } = watchedProviders(of.units, of.inventory);
  const facts = counterFacts(of);
  const uplinks = (of.uplinks ?? []).filter((one) => hosts.some(({ ref }) => ref === one.hostRef));
  return [
    ...hosts.flatMap((host) => hostSeries(host, facts)),
    ...hosts.flatMap((host) => uplinkSeries(host, uplinks, facts)),
    ...datastores.flatMap((store) => datastoreSeries(store, of.storeMetrics ?? [], facts)),
  ];
}

const hostMetrics: readonly KeptMetric[] = [
  { metric: 'cpuPct', unit: '%', decimals: 2 },
  { metric: 'memoryPct', unit: '%', decimals: 2 },
  { metric: 'netKbps', unit: 'KB/s', decimals: 0 },
  { metric: 'cpuBusyPct', unit: '%', decimals: 2 },
  { metric: 'readyPct', unit: '% of a vCPU', decimals: 2 },
  { metric: 'swapMb', unit: 'MB', decimals: 1 },
  { metric: 'balloonMb', unit: 'MB', decimals: 1 },
  { metric: 'swapInKBps', unit: 'KB/s', decimals: 0 },
  { metric: 'powerCapW', unit: 'W', decimals: 0 },
];
const datastoreMetrics: readonly KeptMetric[] = [
  { metric: 'iops', unit: 'IOPS', decimals: 1 },
  { metric: 'readIops', unit: 'IOPS', decimals: 1 },
  { metric: 'writeIops', unit: 'IOPS', decimals: 1 },
  { metric: 'deviceLatencyMs', unit: 'ms', decimals: 1 },
  { metric: 'kernelLatencyMs', unit: 'ms', decimals: 1 },
  { metric: 'queueLatencyMs', unit: 'ms', decimals: 1 },
];

/** Kept where vCenter counts them: counts of 20 s a second, and a depth. */
const lunMetrics: readonly KeptMetric[] = [
  { metric: 'maxQueueDepth', unit: 'commands', decimals: 0 },
  { metric: 'abortedPerS', unit: 'commands/s', decimals: 2 },
  { metric: 'busResetsPerS', unit: 'resets/s', decimals: 2 },
  { metric: 'reservationConflictsPerS', unit: 'conflicts/s', decimals: 2 },
];

function hostSeries(host: Inventory['hosts'][number], facts: Facts): SeriesDraft[] {
  const entity = { kind: 'host' as const, id: host.ref, name: host.name };
  return hostMetrics.map((metric) => ({ ...metric, ...facts, entity }));
}

/** Of each uplink its traffic, and its packets as far as they fit. */
function uplinkSeries(
  host: Inventory['hosts'][number],
  uplinks: readonly UplinkCounted[],
  facts: Facts,
): SeriesDraft[] {
  return uplinks
    .filter((one) => one.hostRef === host.ref)
    .flatMap(({ device, metrics }) => {
      const entity = {
        kind: 'uplink' as const,
        id: uplinkEntityId(host.ref, device),
        name: `${host.name} ${device}`,
      };
      return [
        { metric: 'netKbps' as const, unit: 'KB/s', decimals: 0 },
        ...keptOf(packetMetrics, uplinks.length, metrics),
      ].map((metric) => ({ ...metric, ...facts, entity }));
    });
}

function datastoreSeries(
  store: Inventory['datastores'][number],
  counted: readonly MetricName[],
  facts: Facts,
): SeriesDraft[] {
  const entity = { kind: 'datastore' as const, id: store.ref, name: store.name };
  return [...datastoreMetrics, ...lunMetrics.filter(({ metric }) => counted.includes(metric))].map(
    (metric) => ({ ...metric, ...facts, entity }),
  );
}
