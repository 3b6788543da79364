import type { Trace, UplinkFeature } from '../../../src/core/diagnosis/diagnosisFeatures.ts';
import type { MetricName, SeriesDef } from '../../../src/core/metric/metric.ts';
import { uplinkEntityId } from '../../../src/core/metric/metric.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';

type Reader = (entityId: string, metric: MetricName) => Trace | null;

/** Uplinks that were counted, each with the speed of its link. */
export function uplinksOf(
  series: readonly SeriesDef[],
  inventory: Inventory | null,
  reader: Reader,
): UplinkFeature[] {
  return (inventory?.hosts ?? []).flatMap((host) =>
    host.nics.flatMap((nic): UplinkFeature[] => {
      const id = uplinkEntityId(host.ref, nic.device),
        def = series.find((one) => one.entity.kind === 'uplink' && one.entity.id === id);
      return def === undefined
        ? []
        : [
            {
              id,
              name: def.entity.name,
              hostRef: host.ref,
              kbps: reader(id, 'netKbps'),
              speedMbps: nic.speedMbps,
              ...packetsOf(id, reader),
            },
          ];
    }),
  );
}

/** Packets of an uplink or a VM: those that got through, and the share that was dropped. */
export function packetsOf(
  id: string,
  reader: Reader,
): Pick<UplinkFeature, 'packetsPerS' | 'droppedPct'> {
  const received = reader(id, 'packetsRxPerS'),
    sent = reader(id, 'packetsTxPerS');
  const lost = [
    joined([received, reader(id, 'droppedRxPerS')], droppedShare),
    joined([sent, reader(id, 'droppedTxPerS')], droppedShare),
  ];
  return {
    packetsPerS: joined([received, sent], (values) => values.reduce((a, b) => a + b, 0)),
    // Not everybody counts both directions.
    droppedPct: joined(
      lost.filter((trace) => trace !== null),
      (values) => Math.max(...values),
    ),
  };
}
const droppedShare = ([through = 0, dropped = 0]: readonly number[]): number =>
  dropped > 0 ? (100 * dropped) / (through + dropped) : 0;

/** One trace of several, step by step; null where one of them was not measured. */
function joined(
  traces: readonly (Trace | null)[],
  join: (values: readonly number[]) => number,
): Trace | null {
  const known = traces.filter((trace) => trace !== null);
  const [first] = known;
  if (first === undefined || known.length < traces.length) return null;
  return {
    seriesIds: known.flatMap((trace) => trace.seriesIds),
    mean: join(known.map((trace) => trace.mean)),
    buckets: first.buckets.map((_value, i) => {
      const values = known.map((trace) => trace.buckets[i] ?? null);
      return values.every((value) => value !== null) ? join(values) : null;
    }),
  };
}
