import { type MetricName, uplinkEntityId } from '../../../../src/core/metric/metric.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import { watchedProviders } from '../series.ts';
import type { SeriesBasis, SeriesDraft } from './types.ts';
import { counterFacts } from './vcenterCounter.ts';

type Facts = ReturnType<typeof counterFacts>;

/** Series of vCenter's counters: hosts, their uplinks, datastores. */
export function seriesOfCounters(of: SeriesBasis): SeriesDraft[] {
  const { hosts, datastores } = watchedProviders(of.units, of.inventory);
  const facts = counterFacts(of);
  return [
    ...hosts.flatMap((host) => hostSeries(host, facts)),
    ...hosts.flatMap((host) => uplinkSeries(host, of.uplinks ?? [], facts)),
    ...datastores.flatMap((store) => datastoreSeries(store, facts)),
  ];
}

const hostMetrics: readonly { metric: MetricName; unit: string; decimals: number }[] = [
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
const datastoreMetrics: readonly { metric: MetricName; unit: string; decimals: number }[] = [
  { metric: 'iops', unit: 'IOPS', decimals: 1 },
  { metric: 'readIops', unit: 'IOPS', decimals: 1 },
  { metric: 'writeIops', unit: 'IOPS', decimals: 1 },
  { metric: 'deviceLatencyMs', unit: 'ms', decimals: 1 },
  { metric: 'kernelLatencyMs', unit: 'ms', decimals: 1 },
  { metric: 'queueLatencyMs', unit: 'ms', decimals: 1 },
];

function hostSeries(host: Inventory['hosts'][number], facts: Facts): SeriesDraft[] {
  const entity = { kind: 'host' as const, id: host.ref, name: host.name };
  return hostMetrics.map((metric) => ({ ...metric, ...facts, entity }));
}

function uplinkSeries(
  host: Inventory['hosts'][number],
  uplinks: readonly { hostRef: string; device: string }[],
  facts: Facts,
): SeriesDraft[] {
  return uplinks
    .filter((one) => one.hostRef === host.ref)
    .map(({ device }) => ({
      metric: 'netKbps',
      unit: 'KB/s',
      decimals: 0,
      ...facts,
      entity: {
        kind: 'uplink',
        id: uplinkEntityId(host.ref, device),
        name: `${host.name} ${device}`,
      },
    }));
}

function datastoreSeries(store: Inventory['datastores'][number], facts: Facts): SeriesDraft[] {
  const entity = { kind: 'datastore' as const, id: store.ref, name: store.name };
  return datastoreMetrics.map((metric) => ({ ...metric, ...facts, entity }));
}
