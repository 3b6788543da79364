import type {
  ClientFeature,
  HostFeature,
  RunFeatures,
  Trace,
  VmFeature,
  WorkloadFeature,
} from '../../../src/core/diagnosis/diagnosisFeatures.ts';
import {
  isOfOneSeries,
  limitKey,
  limitsOfWorkload,
  worstMeasured,
} from '../../../src/core/limits/index.ts';
import type { MetricName, SeriesDef } from '../../../src/core/metric/metric.ts';
import { linuxHostId, vmEntityId } from '../../../src/core/metric/metric.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';
import { linuxHostsOf } from '../../../src/core/testbed/usedConnections.ts';
import type { Database, SampleStore } from '../db/types.ts';
import { actsOf } from './acts.ts';
import { placesIn } from './places.ts';
import { storesOf } from './stores.ts';
import { packetsOf, uplinksOf } from './uplinks.ts';

/** Traces have about this many steps, none shorter than a vCenter sample. */
const steps = 180,
  shortestStepMs = 20_000;
/** The one latency of a workload that is looked at where no limit names another. */
const latencies: readonly MetricName[] = [
  'latencyP95Ms',
  'latencyMeanMs',
  'latencyP99Ms',
  'latencyMaxMs',
];

type Samples = Pick<SampleStore, 'read' | 'aggregate'>;
export interface CollectOptions {
  /** How the run is called in sentences. */ label?: string;
  /** Window that takes the place of the steady state; absent = the steady state. */ window?: {
    fromMs: number;
    toMs: number;
  };
}

/**
 * What the rules need of one stored run, or null where it never reached its steady state. Reads one
 * series at a time and keeps its steps only, so that memory does not grow with the length of a run.
 */
export function collectFeatures(
  db: Pick<Database, 'samples'>,
  record: RunRecord,
  options: CollectOptions = {},
): RunFeatures | null {
  const { overview } = record,
    window = steadyWindow(overview);
  const steady =
    options.window ?? (window === null ? null : { fromMs: window.startMs, toMs: window.endMs });
  if (steady === null || steady.toMs <= steady.fromMs) return null;
  const startMs = Math.min(steady.fromMs, overview.phases[0]?.startMs ?? steady.fromMs);
  const bucketMs = Math.max(
    shortestStepMs,
    ...overview.series.filter((one) => one.entity.kind === 'workload').map((one) => one.periodMs),
    Math.ceil((steady.toMs - startMs) / steps / 1_000) * 1_000,
  );
  const reader = traceReader(db.samples, record, { startMs, bucketMs, steady });
  const inventory = record.inventoryBefore;
  const places = placesIn(record, (steady.fromMs + steady.toMs) / 2);
  const disks = storesOf(overview.series, inventory, reader);
  const linuxHosts = linuxHostsIn(record, reader);
  const onlyHost = linuxHosts.length === 1 ? linuxHosts[0]!.ref : null;
  return {
    runId: overview.id,
    name: overview.name,
    tiles: record.plan.tiles,
    label: options.label ?? overview.name,
    steady,
    startMs,
    bucketMs,
    workloads: workloadsOf(record, reader, places).map((one) => ({
      ...one,
      // Where no vCenter tells of VMs and one machine is under test, they are on it.
      hostRef: one.hostRef ?? (inventory === null ? onlyHost : null),
      storeRefs: [...new Set(one.storeRefs.map(disks.refOf))],
    })),
    hosts: [...hostsOf(record, reader, places), ...linuxHosts],
    stores: disks.stores,
    uplinks: uplinksOf(overview.series, inventory, reader),
    clients: clientsOf(record, reader),
    vms: vmsOf(record, reader, places, disks.refOf),
    operations: overview.events.flatMap((event) =>
      event.operation === undefined
        ? []
        : [
            {
              name: nameOfOperation(record, event.operation.id),
              fromMs: event.tMs - event.operation.tookMs,
              toMs: event.tMs,
            },
          ],
    ),
    operationsWatched:
      overview.events.some((event) => event.operation !== undefined) ||
      overview.series.some((one) => one.entity.kind === 'operation') ||
      overview.placement !== undefined,
    acts: actsOf(db.samples, record, steady),
  };
}

type Reader = (entityId: string, metric: MetricName) => Trace | null;

/** Hosts of the vCenter that were watched. */
function hostsOf(
  { overview, inventoryBefore }: RunRecord,
  reader: Reader,
  places: ReturnType<typeof placesIn>,
): HostFeature[] {
  return (inventoryBefore?.hosts ?? []).flatMap((host): HostFeature[] => {
    if (!overview.series.some((one) => one.entity.kind === 'host' && one.entity.id === host.ref))
      return [];
    const of = (metric: MetricName): Trace | null => reader(host.ref, metric);
    return [
      {
        ref: host.ref,
        name: host.name,
        cores: host.cores,
        memoryMb: host.memoryBytes === null ? null : host.memoryBytes / 2 ** 20,
        vcpus: places.vcpusOn(host.ref),
        cpuPct: of('cpuPct'),
        busyPct: of('cpuBusyPct'),
        readyPct: of('readyPct'),
        swapMb: of('swapMb'),
        balloonMb: of('balloonMb'),
        swapInKBps: of('swapInKBps'),
        powerCapW: of('powerCapW'),
        powerW: powerOf(overview.series, host.ref, reader),
      },
    ];
  });
}

/** Linux machines under test, by what they told of themselves. */
function linuxHostsIn({ overview, testbed }: RunRecord, reader: Reader): HostFeature[] {
  return linuxHostsOf(testbed).flatMap((connectionId): HostFeature[] => {
    const ref = linuxHostId(connectionId);
    const series = overview.series.find(({ entity }) => entity.id === ref);
    if (series === undefined) return [];
    const cpuPct = reader(ref, 'cpuPct');
    const untold = { readyPct: null, swapMb: null, balloonMb: null, swapInKBps: null };
    const { name } = series.entity;
    return [
      {
        ...untold,
        ref,
        name,
        cores: null,
        memoryMb: null,
        vcpus: null,
        cpuPct,
        // What /proc counts are busy processors, whatever their clock.
        busyPct: cpuPct,
        powerCapW: null,
        powerW: null,
      },
    ];
  });
}

/** Means of equal steps and over the steady state, each series read once. */
function traceReader(
  samples: Samples,
  { overview }: RunRecord,
  { startMs, bucketMs, steady }: Pick<RunFeatures, 'startMs' | 'bucketMs' | 'steady'>,
): Reader {
  const byKey = new Map(overview.series.map((def) => [`${def.entity.id} ${def.metric}`, def]));
  const known = new Map<string, Trace | null>();
  const count = Math.max(1, Math.ceil((steady.toMs - startMs) / bucketMs));
  const read = (def: SeriesDef): Trace | null => {
    const sums = new Float64Array(count),
      counts = new Float64Array(count);
    let sum = 0,
      all = 0;
    const [data] = samples.read(overview.id, [def.id], {
      fromMs: startMs,
      toMs: steady.toMs,
      maxPoints: 0,
    });
    data?.tMs.forEach((tMs, i) => {
      const value = data.value[i]!,
        step = Math.min(count - 1, Math.floor((tMs - startMs) / bucketMs));
      sums[step]! += value;
      counts[step]! += 1;
      if (tMs >= steady.fromMs && tMs < steady.toMs) {
        sum += value;
        all += 1;
      }
    });
    return all === 0
      ? null
      : {
          seriesIds: [def.id],
          mean: sum / all,
          buckets: Array.from(sums, (value, i) => (counts[i]! > 0 ? value / counts[i]! : null)),
        };
  };
  return (entityId, metric) => {
    const key = `${entityId} ${metric}`,
      def = byKey.get(key);
    if (def === undefined) return null;
    if (!known.has(key)) known.set(key, read(def));
    return known.get(key) ?? null;
  };
}

function workloadsOf(
  record: RunRecord,
  reader: Reader,
  places: ReturnType<typeof placesIn>,
): WorkloadFeature[] {
  const { profile, plan, testbed, overview } = record;
  // Each limit in the window in which it was worst, as the run was scored.
  const worst = worstMeasured(overview.score);
  return testbed.tiles.slice(0, plan.tiles).flatMap((tile) =>
    profile.workloads.map((workload): WorkloadFeature => {
      const entityId = `t${tile.index}.${workload.id}`;
      const assignment = tile.workloads.find((one) => one.workloadId === workload.id);
      const place = places.of(assignment?.vm?.ref ?? null);
      const metric = latencies.find((one) => reader(entityId, one) !== null);
      const limits = limitsOfWorkload(workload, tile.index)
        .filter(isOfOneSeries)
        .map((limit) => ({
          metric: limit.metric,
          kind: limit.kind,
          limit: limit.limit,
          unit: limit.unit,
          source: limit.source,
          worst: worst.get(limitKey(limit)) ?? null,
          trace: reader(entityId, limit.metric),
        }));
      return {
        entityId,
        name: `Tile ${tile.index + 1} ${workload.name}`,
        tile: tile.index,
        workloadId: workload.id,
        scored: workload.scored,
        hostRef: place.hostRef,
        storeRefs: place.storeRefs,
        clientId: assignment?.clientId ?? '',
        throughput: reader(entityId, 'throughput'),
        latency: metric === undefined ? null : { ...reader(entityId, metric)!, metric, unit: 'ms' },
        limits,
      };
    }),
  );
}

function powerOf(series: readonly SeriesDef[], hostRef: string, reader: Reader): Trace | null {
  const def = series.find(
    (one) =>
      one.metric === 'powerW' &&
      one.entity.kind === 'power' &&
      one.entity.id.endsWith(`.${hostRef}`),
  );
  return def === undefined ? null : reader(def.entity.id, 'powerW');
}

function clientsOf(
  { clients, testbed, plan, overview }: RunRecord,
  reader: Reader,
): ClientFeature[] {
  const used = new Set(
    testbed.tiles.slice(0, plan.tiles).flatMap((tile) => tile.workloads.map((one) => one.clientId)),
  );
  return [...used].map((id) => ({
    id,
    name:
      clients.find((one) => one.id === id)?.name ??
      overview.series.find((one) => one.entity.id === id)?.entity.name ??
      id,
    cpuPct: reader(id, 'clientCpuPct'),
    stealPct: reader(id, 'stealPct'),
    behindPct: mostOf(
      overview.workloads
        .filter((one) => one.clientId === id)
        .flatMap((one) => reader(one.entityId, 'clientSaturatedPct') ?? []),
    ),
  }));
}

/** VMs whose counters were kept. */
function vmsOf(
  { overview, inventoryBefore }: RunRecord,
  reader: Reader,
  places: ReturnType<typeof placesIn>,
  storeOf: (ref: string) => string,
): VmFeature[] {
  const watched = new Set(
    overview.series.flatMap(({ entity }) => (entity.kind === 'vm' ? [entity.id] : [])),
  );
  return (inventoryBefore?.vms ?? []).flatMap(({ ref, name, vcpus }): VmFeature[] => {
    const entityId = vmEntityId(ref);
    if (!watched.has(entityId)) return [];
    const { hostRef, storeRefs } = places.of(ref);
    return [
      {
        ref,
        entityId,
        name,
        vcpus,
        hostRef,
        storeRefs: [...new Set(storeRefs.map(storeOf))],
        cpuPct: reader(entityId, 'cpuPct'),
        readyPct: reader(entityId, 'readyPct'),
        diskKBps: reader(entityId, 'diskKBps'),
        ...packetsOf(entityId, reader),
      },
    ];
  });
}

/** Step by step the greatest of several traces; the mean is of the one whose mean is greatest. */
function mostOf(traces: readonly Trace[]): Trace | null {
  if (traces.length === 0) return null;
  const steps = Math.max(...traces.map((one) => one.buckets.length));
  return {
    seriesIds: traces.flatMap((one) => one.seriesIds),
    mean: Math.max(...traces.map((one) => one.mean)),
    buckets: Array.from({ length: steps }, (_, i) => {
      const told = traces.flatMap((one) => one.buckets[i] ?? []);
      return told.length === 0 ? null : Math.max(...told);
    }),
  };
}

const nameOfOperation = ({ profile }: RunRecord, id: string): string =>
  profile.scoring.infrastructure?.operations.find((one) => one.id === id)?.name ?? id;
