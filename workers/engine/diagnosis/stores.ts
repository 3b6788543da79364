import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import type { StoreFeature, Trace } from '../../../src/core/diagnosis/diagnosisFeatures.ts';
import {
  esxtopDeviceId,
  type MetricName,
  type SeriesDef,
} from '../../../src/core/metric/metric.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';

type Reader = (entityId: string, metric: MetricName) => Trace | null;
const least = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
};

/**
 * Datastores of a run; those that lie on the same LUNs are one, since they share its disks and its
 * queue. `refOf` gives the one a datastore belongs to.
 */
export function storesOf(
  series: readonly SeriesDef[],
  inventory: Inventory | null,
  reader: Reader,
): { stores: StoreFeature[]; refOf: (ref: string) => string } {
  const watched = (inventory?.datastores ?? []).filter((store) =>
    series.some((one) => one.entity.kind === 'datastore' && one.entity.id === store.ref),
  );
  const groups = new Map<string, typeof watched>();
  for (const store of watched) {
    const key =
      store.luns.length === 0
        ? store.ref
        : store.luns
            .map((lun) => lun.canonicalName)
            .sort(byNaturalOrder)
            .join();
    groups.set(key, [...(groups.get(key) ?? []), store]);
  }
  const first = new Map(
    [...groups.values()].flatMap((group) =>
      group.map((store) => [store.ref, group[0]!.ref] as const),
    ),
  );
  return {
    refOf: (ref) => first.get(ref) ?? ref,
    stores: [...groups.values()].map((group): StoreFeature => {
      const refs = group.map((store) => store.ref),
        [store] = group;
      const sum = (metric: MetricName): Trace | null =>
        together(
          refs.map((ref) => reader(ref, metric)),
          null,
        );
      const latency = (metric: MetricName): Trace | null =>
        together(
          refs.map((ref) => reader(ref, metric)),
          refs.map((ref) => reader(ref, 'iops')),
        );
      return {
        ref: store!.ref,
        name: group.map((one) => one.name).join(' + '),
        hosts: store!.hostRefs.length,
        queueDepth: least(store!.luns.map((lun) => lun.queueDepth)),
        iops: sum('iops'),
        deviceMs: latency('deviceLatencyMs'),
        kernelMs: latency('kernelLatencyMs'),
        queueMs: latency('queueLatencyMs'),
        abortedPerS: sum('abortedPerS'),
        conflictsPerS: sum('reservationConflictsPerS'),
        fullest: fullestOf(store!, inventory, reader),
      };
    }),
  };
}

/** The queue of the datastore's LUNs in which most commands waited, over its LUNs and hosts. */
function fullestOf(
  store: Inventory['datastores'][number],
  inventory: Inventory | null,
  reader: Reader,
): StoreFeature['fullest'] {
  const nameOf = new Map(inventory?.hosts.map(({ ref, name }) => [ref, name]));
  return store.hostRefs
    .flatMap((hostRef) =>
      store.luns.flatMap(({ canonicalName }): NonNullable<StoreFeature['fullest']>[] => {
        const id = esxtopDeviceId(hostRef, canonicalName);
        const queued = reader(id, 'queuedCommands');
        return queued === null
          ? []
          : [
              {
                host: nameOf.get(hostRef) ?? hostRef,
                slots: reader(id, 'maxQueueDepth')?.mean ?? null,
                active: reader(id, 'queueDepth'),
                queued,
              },
            ];
      }),
    )
    .reduce<StoreFeature['fullest']>(
      (most, one) => (most === null || one.queued.mean > most.queued.mean ? one : most),
      null,
    );
}

/**
 * Sum of traces, or with weights their weighted mean: a datastore without commands says nothing of
 * a latency. A step that none has is a gap.
 */
function together(
  traces: readonly (Trace | null)[],
  weights: readonly (Trace | null)[] | null,
): Trace | null {
  const known = traces.flatMap((trace, i) =>
    trace === null ? [] : [{ trace, weight: weights?.[i] ?? null }],
  );
  const [only] = known;
  if (only === undefined || known.length === 1) return only?.trace ?? null;
  const join = (pick: (trace: Trace) => number | null): number | null => {
    const values = known.flatMap(({ trace, weight }) => {
      const value = pick(trace);
      return value === null ? [] : [{ value, share: weight === null ? 1 : (pick(weight) ?? 0) }];
    });
    if (values.length === 0) return null;
    const sum = values.reduce((total, { value, share }) => total + value * share, 0);
    if (weights === null) return sum;
    const all = values.reduce((total, { share }) => total + share, 0);
    return all > 0 ? sum / all : 0;
  };
  return {
    seriesIds: known.flatMap(({ trace }) => trace.seriesIds),
    mean: join((trace) => trace.mean) ?? 0,
    buckets: only.trace.buckets.map((_value, i) => join((trace) => trace.buckets[i] ?? null)),
  };
}
