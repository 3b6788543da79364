import { byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import type { PerfProvider, PerfSeries, UplinkCounted } from '../deps/vcenter.ts';
import { readClockOffset } from './clock.ts';
import type { Core } from './core.ts';
import { datastoreSeries, type HostStore } from './perfAggregate.ts';
import {
  type Counter,
  decodeCounters,
  mbOfKb,
  pctOfPeriod,
  perSecond,
  type Point,
  type RawSeries,
  scaled,
} from './perfDecode.ts';
import { lunEventCounters, storeMetricsOf } from './perfLuns.ts';
import { packetCounters } from './perfPackets.ts';
import { type Metric, readSpan } from './perfQuery.ts';
import { vmMetricsOf, vmSeries, wantedOfVms } from './perfVms.ts';
import { type ManagedObject, readObject, readObjects } from './properties.ts';
import { faultName } from './soap.ts';
import { type Volume, volumeOf } from './storage.ts';

const hostCounters = {
  cpuPct: 'cpu.usage.average',
  memoryPct: 'mem.usage.average',
  netKbps: 'net.usage.average',
  powerW: 'power.power.average',
  cpuBusyPct: 'cpu.utilization.average',
  readyPct: 'cpu.ready.summation',
  swapMb: 'mem.swapused.average',
  balloonMb: 'mem.vmmemctl.average',
  swapInKBps: 'mem.swapinRate.average',
  powerCapW: 'power.powerCap.average',
} as const;
/**
 * Where the metric's unit is not the counter's: ready time is a sum of milliseconds over the
 * period, memory comes in KB.
 */
const inMetricUnit: Readonly<Record<string, (value: number) => number>> = {
  readyPct: pctOfPeriod,
  swapMb: mbOfKb,
  balloonMb: mbOfKb,
  ...Object.fromEntries(Object.keys(packetCounters).map((metric) => [metric, perSecond])),
};
/** Asked for each physical adapter; the traffic also for the host as a whole. */
const uplinkCounters = { netKbps: hostCounters.netKbps, ...packetCounters } as const;
const everyInstance = '*';
const storeCounters = {
  readIops: 'datastore.numberReadAveraged.average',
  writeIops: 'datastore.numberWriteAveraged.average',
} as const;
const lunCounters = {
  deviceLatencyMs: 'disk.deviceLatency.average',
  kernelLatencyMs: 'disk.kernelLatency.average',
  queueLatencyMs: 'disk.queueLatency.average',
} as const;
/** Asked for where a datastore has several LUNs: what its latency is weighted by. */
const lunCommands = 'disk.commandsAveraged.average';
const entriesOf = <T extends object>(table: T): [keyof T & string, T[keyof T] & string][] =>
  Object.entries(table) as [keyof T & string, T[keyof T] & string][];

/** How far the hosts' real-time history reaches back. */
const historyMs = 3_600_000;
/** An adapter that is counted on its own has been, within this time. */
const uplinksSeenMs = 300_000;
/** Mounts and extents change rarely. */
const volumesLimitMs = 300_000;

export interface PerfReader {
  read(
    providers: readonly PerfProvider[],
    sinceMs: number,
    signal?: AbortSignal,
  ): Promise<PerfSeries[]>;
  /** What datastores are counted by, beside commands and latencies. */
  storeMetrics(signal?: AbortSignal): Promise<readonly PerfSeries['metric'][]>;
  /** What VMs are counted by. */
  vmMetrics(signal?: AbortSignal): Promise<readonly PerfSeries['metric'][]>;
  /** Adapters that reported on their own in the last minutes. */
  uplinks(hostRefs: readonly string[], signal?: AbortSignal): Promise<UplinkCounted[]>;
}

/**
 * Reads 20 s samples. Counter ids, the clock offset and the volumes' layout are kept between calls,
 * as long as the session lasts.
 */
export function createPerfReader(core: Core): PerfReader {
  let known: { generation: number; counters: Map<string, Counter>; offsetMs: number } | null = null;
  const volumes = new Map<string, { volume: Volume; atMs: number }>();

  const prepare = async (
    signal?: AbortSignal,
  ): Promise<{ counters: Map<string, Counter>; offsetMs: number }> => {
    if (known?.generation === core.generation()) return known;
    const { props } = await readObject(core, core.content().perfManager, ['perfCounter'], signal);
    known = {
      generation: core.generation(),
      counters: decodeCounters(props.get('perfCounter')),
      offsetMs: (await readClockOffset(core, signal)).offsetMs,
    };
    return known;
  };
  const volumesOf = async (
    refs: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, Volume>> => {
    const nowMs = core.clock.now();
    const stale = refs.filter(
      (ref) => nowMs - (volumes.get(ref)?.atMs ?? -Infinity) > volumesLimitMs,
    );
    for (const object of await readStores(core, stale, signal))
      volumes.set(object.ref.id, { volume: volumeOf(object.props), atMs: nowMs });
    return new Map(
      refs.flatMap((ref) => {
        const found = volumes.get(ref);
        return found ? [[ref, found.volume] as const] : [];
      }),
    );
  };

  const read: PerfReader['read'] = async (providers, sinceMs, signal) => {
    const { counters, offsetMs } = await prepare(signal);
    const stores = await volumesOf(
      providers.filter((p) => p.kind === 'datastore').map((p) => p.ref),
      signal,
    );
    const hosts = new Set(providers.filter((p) => p.kind === 'host').map((p) => p.ref));
    const vms = providers.filter((p) => p.kind === 'vm').map((p) => p.ref);
    const wanted = wantedMetrics(counters, hosts, stores);
    const nowMs = core.clock.now() + offsetMs;
    if (sinceMs >= nowMs) return [];
    const fromMs = Math.max(sinceMs, nowMs - historyMs);
    const raw = await readSpan(
      core,
      { type: 'HostSystem', metrics: wanted },
      fromMs,
      nowMs,
      signal,
    );
    const ofVms = await readSpan(core, wantedOfVms(counters, vms), fromMs, nowMs, signal);
    return [...assemble(raw, counters, hosts, stores), ...vmSeries(ofVms, counters)];
  };
  return {
    read,
    storeMetrics: async (signal) => storeMetricsOf((await prepare(signal)).counters),
    vmMetrics: async (signal) => vmMetricsOf((await prepare(signal)).counters),
    async uplinks(hostRefs, signal) {
      const { offsetMs } = await prepare(signal);
      const series = await read(
        hostRefs.map((ref) => ({ kind: 'host', ref })),
        core.clock.now() + offsetMs - uplinksSeenMs,
        signal,
      );
      const found = new Map<string, UplinkCounted>();
      for (const { ref, instance, metric } of series) {
        if (instance === undefined) continue;
        const key = `${ref} ${instance}`;
        const metrics = found.get(key)?.metrics ?? [];
        found.set(key, { hostRef: ref, device: instance, metrics: [...metrics, metric] });
      }
      return [...found.values()];
    },
  };
}

/** A datastore that was removed must not cost the others their counters. */
async function readStores(
  core: Core,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ManagedObject[]> {
  const read = (some: readonly string[]): Promise<ManagedObject[]> =>
    readObjects(
      core,
      some.map((id) => ({ type: 'Datastore', id })),
      { Datastore: ['host', 'info', 'summary'] },
      signal,
    );
  try {
    return await read(ids);
  } catch (error) {
    if (faultName(error) !== 'ManagedObjectNotFound') throw error;
    const found: ManagedObject[] = [];
    for (const id of ids) {
      found.push(
        ...(await read([id]).catch((alone: unknown) => {
          if (faultName(alone) !== 'ManagedObjectNotFound') throw alone;
          core.log.warn('A watched datastore does not exist any more', {
            vcenter: core.connection.name,
            datastore: id,
          });
          return [];
        })),
      );
    }
    return found;
  }
}

/** Per host, what to ask: its own counters, and those of each watched datastore it mounts. */
function wantedMetrics(
  counters: ReadonlyMap<string, Counter>,
  hosts: ReadonlySet<string>,
  stores: ReadonlyMap<string, Volume>,
): Map<string, Metric[]> {
  const wanted = new Map<string, Metric[]>();
  const want = (host: string, name: string, instance: string): void => {
    const counter = counters.get(name);
    if (!counter) return;
    const list = wanted.get(host) ?? [];
    list.push({ counterId: counter.id, instance });
    wanted.set(host, list);
  };
  for (const host of hosts) {
    for (const [, name] of entriesOf(hostCounters)) want(host, name, '');
    for (const [, name] of entriesOf(uplinkCounters)) want(host, name, everyInstance);
  }
  for (const { hostRefs, instance, extents } of stores.values()) {
    for (const host of hostRefs) {
      if (instance !== null)
        for (const [, name] of entriesOf(storeCounters)) want(host, name, instance);
      for (const extent of extents) {
        for (const [, name] of entriesOf(lunCounters)) want(host, name, extent);
        for (const { name } of lunEventCounters) want(host, name, extent);
        if (extents.length > 1) want(host, lunCommands, extent);
      }
    }
  }
  return wanted;
}

function assemble(
  raw: readonly RawSeries[],
  counters: ReadonlyMap<string, Counter>,
  hosts: ReadonlySet<string>,
  stores: ReadonlyMap<string, Volume>,
): PerfSeries[] {
  const byKey = new Map(
    raw.map((series) => [`${series.ref} ${series.counterId} ${series.instance}`, series.points]),
  );
  const pointsOf = (host: string, name: string, instance: string): Point[] => {
    const counter = counters.get(name);
    const points = counter && byKey.get(`${host} ${counter.id} ${instance}`);
    return points
      ? points.map(({ tMs, value }) => ({ tMs, value: scaled(value, counter.unit) }))
      : [];
  };
  /** The simulator answers a question for every instance with one called so. */
  const instancesOf = (host: string, name: string): string[] => {
    const counter = counters.get(name);
    return raw
      .filter(
        (one) =>
          one.ref === host &&
          one.counterId === counter?.id &&
          one.instance !== '' &&
          one.instance !== everyInstance &&
          one.points.length > 0,
      )
      .map((one) => one.instance)
      .sort(byNaturalOrder);
  };
  const inUnit = (metric: string, points: Point[]): Point[] => {
    const convert = inMetricUnit[metric];
    return convert === undefined
      ? points
      : points.map(({ tMs, value }) => ({ tMs, value: convert(value) }));
  };
  const series: PerfSeries[] = [];
  for (const ref of hosts) {
    for (const [metric, name] of entriesOf(hostCounters)) {
      const points = inUnit(metric, pointsOf(ref, name, ''));
      if (points.length > 0) series.push({ ref, metric, points });
    }
    for (const [metric, name] of entriesOf(uplinkCounters)) {
      for (const instance of instancesOf(ref, name))
        series.push({
          ref,
          instance,
          metric,
          points: inUnit(metric, pointsOf(ref, name, instance)),
        });
    }
  }
  for (const [ref, { hostRefs, instance, extents }] of stores) {
    const parts: HostStore[] = hostRefs.map((hostRef) => ({
      hostRef,
      readIops: instance === null ? [] : pointsOf(hostRef, storeCounters.readIops, instance),
      writeIops: instance === null ? [] : pointsOf(hostRef, storeCounters.writeIops, instance),
      deviceLatencyMs: extents.map((extent) =>
        pointsOf(hostRef, lunCounters.deviceLatencyMs, extent),
      ),
      kernelLatencyMs: extents.map((extent) =>
        pointsOf(hostRef, lunCounters.kernelLatencyMs, extent),
      ),
      queueLatencyMs: extents.map((extent) =>
        pointsOf(hostRef, lunCounters.queueLatencyMs, extent),
      ),
      lunEvents: Object.fromEntries(
        lunEventCounters.map(({ metric, name, convert }) => [
          metric,
          extents.map((extent) =>
            pointsOf(hostRef, name, extent).map(({ tMs, value }) => ({
              tMs,
              value: convert(value),
            })),
          ),
        ]),
      ),
      ...(extents.length > 1
        ? { lunCommands: extents.map((extent) => pointsOf(hostRef, lunCommands, extent)) }
        : {}),
    }));
    series.push(...datastoreSeries(ref, parts));
  }
  return series;
}
