import { formatExact } from '../base/format.ts';
import { isOfOneSeries, limitsOfWorkload } from '../limits/index.ts';
import { isEsxtopEntity, type MetricName, type SeriesDef } from '../metric/metric.ts';
import type { Profile } from '../profile/profile.ts';
import type { RunOverview } from '../run/run.ts';
import { shownUnit } from './line.ts';

/** A QoS limit as a labelled line. */
export interface ChartLimit {
  value: number;
  kind: 'max' | 'min';
  label: string;
}

export const boardGroups = [
  'throughput',
  'latency',
  'operations',
  'hosts',
  'storage',
  'vms',
  'esxtop',
  'power',
  'clients',
] as const;
export type BoardGroup = (typeof boardGroups)[number];
export const groupTitles: Readonly<Record<BoardGroup, string>> = {
  throughput: 'Throughput',
  latency: 'Latency',
  operations: 'Operations',
  hosts: 'Hosts',
  storage: 'Storage',
  vms: 'Virtual machines',
  esxtop: 'esxtop',
  power: 'Power',
  clients: 'Clients',
};

export interface BoardChart {
  id: string;
  group: BoardGroup;
  title: string;
  unit: string;
  defs: readonly SeriesDef[];
  limits: readonly ChartLimit[];
}

interface MetricPlace {
  group: BoardGroup;
  title: string;
}
/** Where a metric of a machine, datastore or meter belongs, and what its chart is called. */
const places: Readonly<Partial<Record<MetricName, MetricPlace>>> = {
  cpuPct: { group: 'hosts', title: 'Host CPU' },
  memoryPct: { group: 'hosts', title: 'Host memory' },
  netKbps: { group: 'hosts', title: 'Host network' },
  iops: { group: 'storage', title: 'Datastore I/O' },
  readIops: { group: 'storage', title: 'Datastore reads' },
  writeIops: { group: 'storage', title: 'Datastore writes' },
  deviceLatencyMs: { group: 'storage', title: 'Datastore device latency' },
  kernelLatencyMs: { group: 'storage', title: 'Datastore kernel latency' },
  queueDepth: { group: 'storage', title: 'Datastore active commands' },
  powerW: { group: 'power', title: 'Power' },
  clientCpuPct: { group: 'clients', title: 'Client CPU' },
  cpuBusyPct: { group: 'hosts', title: 'Host busy cores' },
  readyPct: { group: 'hosts', title: 'Host CPU ready time' },
  swapMb: { group: 'hosts', title: 'Host swapped memory' },
  balloonMb: { group: 'hosts', title: 'Host ballooned memory' },
  swapInKBps: { group: 'hosts', title: 'Host swap-in rate' },
  queueLatencyMs: { group: 'storage', title: 'Datastore queue latency' },
  maxQueueDepth: { group: 'storage', title: 'Depth of the LUN queues' },
  abortedPerS: { group: 'storage', title: 'Datastore aborted commands' },
  busResetsPerS: { group: 'storage', title: 'Datastore bus resets' },
  reservationConflictsPerS: { group: 'storage', title: 'Datastore reservation conflicts' },
  powerCapW: { group: 'power', title: 'Power limit' },
  costopPct: { group: 'hosts', title: 'Host CPU co-stop time' },
  activeMb: { group: 'hosts', title: 'Host active memory' },
  diskKBps: { group: 'hosts', title: 'Host disk traffic' },
  diskLatencyMs: { group: 'hosts', title: 'Host slowest disk' },
  packetsRxPerS: { group: 'hosts', title: 'Host packets received' },
  packetsTxPerS: { group: 'hosts', title: 'Host packets sent' },
  droppedRxPerS: { group: 'hosts', title: 'Host packets dropped on receipt' },
  droppedTxPerS: { group: 'hosts', title: 'Host packets dropped on sending' },
  stealPct: { group: 'hosts', title: 'Host CPU stolen by its hypervisor' },
  cpuPressurePct: { group: 'hosts', title: 'Host time waiting for CPU' },
  ioPressurePct: { group: 'hosts', title: 'Host time waiting for I/O' },
  memoryPressurePct: { group: 'hosts', title: 'Host time waiting for memory' },
  queuedCommands: { group: 'storage', title: 'Datastore queued commands' },
  queueUsedPct: { group: 'storage', title: 'Datastore used slots' },
  queueLoad: { group: 'storage', title: 'Datastore load of the queue' },
  guestLatencyMs: { group: 'storage', title: 'Datastore latency of the guest' },
  droppedRxPct: { group: 'hosts', title: 'Host packets dropped on receipt' },
  droppedTxPct: { group: 'hosts', title: 'Host packets dropped on sending' },
};
/** What is measured of a machine that is no host, with the group its charts stand in. */
const machines: Readonly<
  Partial<Record<SeriesDef['entity']['kind'], { group: BoardGroup | null; word: string }>>
> = {
  client: { group: 'clients', word: 'Client' },
  uplink: { group: null, word: 'Uplink' },
  vm: { group: 'vms', word: 'VM' },
};
const workloadMetrics: Readonly<Partial<Record<MetricName, { group: BoardGroup; word: string }>>> =
  {
    throughput: { group: 'throughput', word: 'throughput' },
    latencyP95Ms: { group: 'latency', word: 'latency, 95th percentile' },
    latencyP99Ms: { group: 'latency', word: 'latency, 99th percentile' },
    latencyMeanMs: { group: 'latency', word: 'latency, mean' },
    latencyMaxMs: { group: 'latency', word: 'latency, maximum' },
    errorRate: { group: 'throughput', word: 'errors' },
    acceptedMeanMs: { group: 'latency', word: 'time until accepted, mean' },
    acceptedP95Ms: { group: 'latency', word: 'time until accepted, 95th percentile' },
    deliveredMeanMs: { group: 'latency', word: 'time until delivered, mean' },
    deliveredP95Ms: { group: 'latency', word: 'time until delivered, 95th percentile' },
    undelivered: { group: 'throughput', word: 'mail accepted, not delivered yet' },
    readMBps: { group: 'throughput', word: 'data read' },
    writeMBps: { group: 'throughput', word: 'data written' },
    clientLateMs: { group: 'clients', word: 'lateness of the client, 99th percentile' },
    clientSaturatedPct: { group: 'clients', word: 'time the client fell behind' },
    retransmitRate: { group: 'throughput', word: 'segments sent again' },
    lossPct: { group: 'throughput', word: 'datagrams lost' },
    jitterMs: { group: 'latency', word: 'jitter' },
  };
const metricOrder: readonly MetricName[] = [
  'throughput',
  'errorRate',
  'undelivered',
  'readMBps',
  'writeMBps',
  'latencyP95Ms',
  'latencyMeanMs',
  'latencyP99Ms',
  'latencyMaxMs',
  'acceptedP95Ms',
  'acceptedMeanMs',
  'deliveredP95Ms',
  'deliveredMeanMs',
  'cpuPct',
  'memoryPct',
  'netKbps',
  'packetsRxPerS',
  'packetsTxPerS',
  'droppedRxPerS',
  'droppedTxPerS',
  'iops',
  'deviceLatencyMs',
  'readIops',
  'writeIops',
  'kernelLatencyMs',
  'queueDepth',
  'queuedCommands',
  'queueUsedPct',
  'queueLoad',
  'queueLatencyMs',
  'maxQueueDepth',
  'abortedPerS',
  'busResetsPerS',
  'reservationConflictsPerS',
  'guestLatencyMs',
  'cpuBusyPct',
  'readyPct',
  'costopPct',
  'activeMb',
  'swapMb',
  'balloonMb',
  'swapInKBps',
  'diskKBps',
  'diskLatencyMs',
  'powerW',
  'powerCapW',
  'clientCpuPct',
  'stealPct',
  'cpuPressurePct',
  'ioPressurePct',
  'memoryPressurePct',
  'clientLateMs',
  'clientSaturatedPct',
  'retransmitRate',
  'lossPct',
  'jitterMs',
  'droppedRxPct',
  'droppedTxPct',
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Name of a workload as the profile has it, else its id. */
export const workloadName = (profile: Profile | null, workloadId: string): string =>
  profile?.workloads.find((w) => w.id === workloadId)?.name ?? capital(workloadId);

/** QoS limits of one workload's metric as labelled lines. */
function chartLimits(
  profile: Profile | null,
  workloadId: string,
  metric: MetricName,
): ChartLimit[] {
  const workload = profile?.workloads.find((w) => w.id === workloadId);
  if (workload === undefined) return [];
  // A share of failures, or a limit on a named operation, is no line on the chart of the whole
  // workload's figure.
  return limitsOfWorkload(workload, 0)
    .filter((limit) => limit.metric === metric && isOfOneSeries(limit))
    .map(({ kind, limit, unit }) => ({
      value: limit,
      kind,
      label: `QoS ${kind === 'max' ? '≤' : '≥'} ${formatLimit(limit)} ${unit}`,
    }));
}
const formatLimit = (value: number): string => formatExact(value, Number.isInteger(value) ? 0 : 2);

const taskWords: Readonly<Partial<Record<MetricName, string>>> = {
  taskQueueMs: 'queued in vCenter',
  taskRunMs: 'running in vCenter',
};

/**
 * One chart a workload and metric with a line a tile; one chart a metric with a line a host,
 * datastore, meter or client. A chart has one unit.
 */
export function boardCharts(
  overview: Pick<RunOverview, 'series' | 'workloads'>,
  profile: Profile | null,
): BoardChart[] {
  const workloadOf = new Map(overview.workloads.map((w) => [w.entityId, w.workloadId]));
  const charts = new Map<string, BoardChart & { defs: SeriesDef[]; order: number }>();
  const add = (
    id: string,
    order: number,
    make: () => Omit<BoardChart, 'id' | 'defs'>,
    def: SeriesDef,
  ): void => {
    const chart = charts.get(id) ?? { id, order, ...make(), defs: [] };
    chart.defs.push(def);
    charts.set(id, chart);
  };
  for (const def of overview.series) {
    const order = metricOrder.indexOf(def.metric);
    const workload = workloadMetrics[def.metric];
    const isWorkload = def.entity.kind === 'workload' || def.entity.kind === 'tile';
    if (isWorkload && workload !== undefined) {
      const workloadId = workloadOf.get(def.entity.id) ?? def.entity.id.replace(/^t\d+\./, '');
      add(
        `${def.metric}/${workloadId}/${def.unit}`,
        order,
        () => ({
          group: workload.group,
          title: `${workloadName(profile, workloadId)} ${workload.word}`,
          unit: def.unit,
          limits: chartLimits(profile, workloadId, def.metric),
        }),
        def,
      );
    } else if (def.entity.kind === 'operation') {
      const isRate = def.metric === 'throughput';
      add(
        `${def.metric}/operation/${def.unit}`,
        order,
        () => ({
          group: 'operations',
          title: isRate
            ? 'Infrastructure operations'
            : `Infrastructure operations, ${taskWords[def.metric] ?? 'duration'}`,
          unit: def.unit,
          limits: [],
        }),
        def,
      );
    } else {
      const place = places[def.metric] ?? { group: 'hosts' as const, title: capital(def.metric) };
      const machine = machines[def.entity.kind];
      const isEsxtop = isEsxtopEntity(def.entity);
      const group = isEsxtop ? 'esxtop' : (machine?.group ?? place.group);
      const word = machine?.word ?? 'Host';
      add(
        `${isEsxtop ? 'esxtop/' : ''}${def.metric}/${def.entity.kind}/${def.unit}`,
        order,
        () => ({
          group,
          title: place.title
            .replace(/^Host/, word)
            // A LUN as one host sees it is no datastore.
            .replace(/^Datastore/, isEsxtop ? 'LUN' : 'Datastore'),
          unit: shownUnit(def).unit,
          limits: [],
        }),
        def,
      );
    }
  }
  return [...charts.values()]
    .sort(
      (a, b) => boardGroups.indexOf(a.group) - boardGroups.indexOf(b.group) || a.order - b.order,
    )
    .map(({ id, group, title, unit, defs, limits }) => ({ id, group, title, unit, defs, limits }));
}
