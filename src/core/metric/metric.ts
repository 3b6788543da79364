import * as z from 'zod';

import { limits } from '../base/bounds.ts';
import { field } from '../base/field.ts';

/** What a series measures. The name carries the unit where the unit is fixed. */
export const metricNames = [
  'throughput',
  'latencyMeanMs',
  'latencyP95Ms',
  'latencyP99Ms',
  'latencyMaxMs',
  'errorRate',
  'cpuPct',
  'memoryPct',
  'netKbps',
  'iops',
  'readIops',
  'writeIops',
  'deviceLatencyMs',
  'kernelLatencyMs',
  'queueDepth',
  'powerW',
  'clientCpuPct',
  // vCenter's own times of the tasks of one infrastructure operation.
  'taskQueueMs',
  'taskRunMs',
  /**
   * Of a host: cores that are busy whatever their clock; ready time summed over its vCPUs in
   * percent of one; memory swapped and ballooned; what is read back from swap; the power limit that
   * is set. Of a datastore: wait for a slot of the LUN's queue.
   */
  'cpuBusyPct',
  'readyPct',
  'swapMb',
  'balloonMb',
  'swapInKBps',
  'powerCapW',
  'queueLatencyMs',
  /**
   * Of a load, told by its own program: how late it began work (99th percentile of the interval),
   * and how much of the interval its client could not offer the load in time.
   */
  'clientLateMs',
  'clientSaturatedPct',
  /** Of a network load: TCP segments sent again a second, share of datagrams lost, jitter. */
  'retransmitRate',
  'lossPct',
  'jitterMs',
  /**
   * Of mail, whose sending has two times: until the server has taken a message, and until its
   * recipient sees it; both from when it was due. And messages, each recipient's for one, that were
   * taken and not seen yet at the end of the interval.
   */
  'acceptedMeanMs',
  'acceptedP95Ms',
  'deliveredMeanMs',
  'deliveredP95Ms',
  'undelivered',
  /** Of a load on files: what it read and wrote, in millions of bytes a second. */
  'readMBps',
  'writeMBps',
  /**
   * Of a VM: time its vCPUs waited for each other, in percent of one; memory it touched; what it
   * reads and writes; the slowest of its disks.
   */
  'costopPct',
  'activeMb',
  'diskKBps',
  'diskLatencyMs',
  /**
   * Of a Linux machine: processor time its hypervisor gave to others; share of the time in which
   * some task waited for a processor, for I/O, for memory.
   */
  'stealPct',
  'cpuPressurePct',
  'ioPressurePct',
  'memoryPressurePct',
  /** Of an uplink or a VM's adapters: packets a second received and sent, and those thrown away. */
  'packetsRxPerS',
  'packetsTxPerS',
  'droppedRxPerS',
  'droppedTxPerS',
  /**
   * Of a datastore, over the hosts that mount it: least depth that any has for a LUN of it, commands
   * that were given up, resets of the bus, commands refused because another host held the LUN.
   */
  'maxQueueDepth',
  'abortedPerS',
  'busResetsPerS',
  'reservationConflictsPerS',
  /**
   * As esxtop tells it. Of a LUN as one host sees it: commands that wait for a slot of its queue,
   * how many of its slots are used, commands over slots, and what a guest waits. Of an uplink
   * or a VM: packets that were thrown away, in percent.
   */
  'queuedCommands',
  'queueUsedPct',
  'queueLoad',
  'guestLatencyMs',
  'droppedRxPct',
  'droppedTxPct',
] as const;
export const metricName = z.enum(metricNames);
export type MetricName = z.infer<typeof metricName>;

const entitySchema = z.object({
  kind: z.enum([
    'workload',
    'operation',
    'tile',
    'host',
    'uplink',
    'datastore',
    'vm',
    'power',
    'client',
  ]),
  /** Stable in the run: `t0.database`, a moref, a client id; of an uplink `uplinkEntityId`. */
  id: field.id('entity'),
  name: field.byMember('kind', {
    host: 'host',
    uplink: 'uplink',
    datastore: 'datastore',
    vm: 'vm',
    power: 'meter',
    client: 'client',
  }),
  /** 0-based tile, for workloads, tiles and VMs. A tile keeps its colour on every chart. */
  tile: field.integer().optional(),
});
export type Entity = z.infer<typeof entitySchema>;

/**
 * Whether a power series is of one host: a meter that bears its name, or vCenter's own figure, whose
 * entity is `<connection>.<host ref>`. A meter of several hosts belongs to none.
 */
export const isPowerOf = (entity: Entity, host: { ref: string; name: string }): boolean =>
  entity.kind === 'power' &&
  (entity.id === host.ref || entity.id.endsWith(`.${host.ref}`) || entity.name === host.name);

/** Id of one physical network adapter of a host, `<host ref>/<device>`. */
export const uplinkEntityId = (hostRef: string, device: string): string => `${hostRef}/${device}`;

/** Id of a VM's series: a lab's host and VM may have one name. */
export const vmEntityId = (vmRef: string): string => `vm/${vmRef}`;

/**
 * Id of a thing as esxtop sees it: what it says stands beside what vCenter says of the same thing,
 * never in one line with it.
 */
export const esxtopEntityId = (entityId: string): string => `${entityId}@esxtop`;
export const isEsxtopEntity = ({ id }: Pick<Entity, 'id'>): boolean => id.endsWith('@esxtop');
/** A LUN as one host sees it. */
export const esxtopDeviceId = (hostRef: string, lun: string): string =>
  esxtopEntityId(`${hostRef}/${lun}`);

/** Id of a Linux machine under test that is read over SSH, by its connection: it may be a client too. */
export const linuxHostId = (connectionId: string): string => `host/${connectionId}`;

export const seriesDefSchema = z.object({
  /** Dense, from 0, unique in its run. */
  id: field.count().max(limits.series - 1),
  metric: metricName,
  entity: entitySchema,
  /** As shown on the axis: `tps`, `MB/s`, `ms`, `%`, `W`, `IOPS`. */
  unit: field.word(),
  /** Who measured: `sysbench on client-1`, `vCenter vc1`, `NUT host1`. */
  source: field.source(),
  periodMs: field.figure().positive(),
  /** Decimals the source prints; samples are stored losslessly to that precision. */
  decimals: z.number().int().min(0).max(6),
  /** Typical delay between measurement and arrival. */
  lagMs: field.figure().nonnegative().default(0),
  /** What a power source says of its readings; absent = nothing, as in runs of earlier versions. */
  meter: z
    .object({
      /** A reading is the mean between two steps of an energy counter. */ counts: z.boolean(),
      /** Of a reading, % of it; null = not stated. */
      uncertaintyPct: field.figure().nonnegative().nullable(),
    })
    .optional(),
});
export type SeriesDef = z.infer<typeof seriesDefSchema>;

/** One measurement: [seriesId, tMs (epoch, source time corrected by the clock offset), value]. */
export type Sample = readonly [seriesId: number, tMs: number, value: number];

/**
 * Whether the store, the charts and every report can take it: a time from 1970 to the year 9999, a
 * figure within the bounds of all figures.
 */
export const isSample = (tMs: number, value: number): boolean =>
  tMs >= 0 && tMs <= limits.timeMs && Math.abs(value) <= limits.figure;

/** A batch on the wire: triples (seriesId, tMs, value) laid end to end. */
export type SampleBatch = Float64Array;

export function packSamples(samples: readonly Sample[]): SampleBatch {
  const packed = new Float64Array(samples.length * 3);
  samples.forEach(([id, tMs, value], i) => packed.set([id, tMs, value], i * 3));
  return packed;
}

/** All samples of one series as a batch. */
export function packSeries({ seriesId, tMs, value }: SeriesData): SampleBatch {
  const packed = new Float64Array(tMs.length * 3);
  for (let i = 0; i < tMs.length; i += 1) packed.set([seriesId, tMs[i]!, value[i]!], i * 3);
  return packed;
}

/** Calls `visit` for each triple of a packed batch. */
export function forEachSample(
  batch: SampleBatch,
  visit: (seriesId: number, tMs: number, value: number) => void,
): void {
  for (let i = 0; i + 2 < batch.length; i += 3) visit(batch[i]!, batch[i + 1]!, batch[i + 2]!);
}

/** One series over a window, ready for a chart. `tMs` ascending, same length as `value`. */
export interface SeriesData {
  seriesId: number;
  tMs: Float64Array;
  value: Float64Array;
}
