import type { MetricName } from '../../../../src/core/metric/metric.ts';

/** A counter that is kept as a series. */
export interface KeptMetric {
  metric: MetricName;
  unit: string;
  decimals: number;
}
/**
 * Series of one kind of things in one run, VMs or uplinks. Chosen, so that they are not more than
 * all others of a large run together: 20 tiles of six VMs have 1,560.
 */
const mostSeries = 2_000;

/**
 * The metrics that are kept of each of so many things, of those that vCenter counts: all where they
 * fit, else the first of `wanted`; none where not even the first would.
 */
export function keptOf(
  wanted: readonly KeptMetric[],
  things: number,
  counted: readonly MetricName[],
): readonly KeptMetric[] {
  const known = wanted.filter(({ metric }) => counted.includes(metric));
  return things === 0 ? [] : known.slice(0, Math.floor(mostSeries / things));
}

/** Packets of an uplink or a VM: counts of 20 s, a second. Drops first: they say that it is too much. */
export const packetMetrics: readonly KeptMetric[] = [
  { metric: 'droppedRxPerS', unit: 'packets/s', decimals: 2 },
  { metric: 'droppedTxPerS', unit: 'packets/s', decimals: 2 },
  { metric: 'packetsRxPerS', unit: 'packets/s', decimals: 2 },
  { metric: 'packetsTxPerS', unit: 'packets/s', decimals: 2 },
];
