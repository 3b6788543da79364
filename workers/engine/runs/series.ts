import { fail } from '../../../src/core/base/errors.ts';
import {
  type MetricName,
  type SeriesDef,
  uplinkEntityId,
} from '../../../src/core/metric/metric.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile, ProfileWorkload } from '../../../src/core/profile/profile.ts';
import { infraKey } from '../../../src/core/run/scoreTypes.ts';
import type { Connection, PowerConnection } from '../../../src/core/testbed/connection.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import { isMetered } from '../../../src/core/testbed/powerSources.ts';
import type { Assignment, Testbed } from '../../../src/core/testbed/testbed.ts';
import { getDriver } from '../workloads/index.ts';

/** One workload of one tile, with everything the runner needs of it. */
export interface WorkloadUnit {
  entityId: string;
  tile: number;
  workload: ProfileWorkload;
  assignment: Assignment;
  /**
   * The driver's parameters: the profile's, overridden by the testbed's, then by the plan's, parsed
   * by the driver.
   */
  params: Record<string, unknown>;
}

/**
 * The workloads that run, tile by tile in the profile's order. Throws invalidInput where the
 * testbed lacks one or a parameter is wrong.
 */
export function workloadUnits(
  profile: Profile,
  testbed: Testbed,
  { tiles, overrides }: Pick<Plan, 'tiles' | 'overrides'>,
): WorkloadUnit[] {
  const stray = Object.keys(overrides).find((id) => !profile.workloads.some((w) => w.id === id));
  if (stray !== undefined)
    throw fail(
      'invalidInput',
      `The plan overrides parameters of ${stray}; profile ${profile.name} has no such workload.`,
      `Workloads are ${profile.workloads.map((w) => w.id).join(', ')}.`,
    );
  return Array.from({ length: tiles }, (_, index) => index).flatMap((index) => {
    const tile = testbed.tiles[index];
    if (!tile)
      throw fail(
        'invalidInput',
        `The plan runs ${tiles} tiles, the testbed ${testbed.name} has ${testbed.tiles.length}.`,
        'Add tiles to the testbed or lower the number in the plan.',
      );
    return profile.workloads.map((workload): WorkloadUnit => {
      const assignment = tile.workloads.find((w) => w.workloadId === workload.id);
      if (!assignment)
        throw fail(
          'invalidInput',
          `Tile ${index + 1} has no client for ${workload.name}.`,
          'Assign a client machine in the testbed.',
        );
      const parsed = getDriver(workload.driver).params.safeParse({
        ...workload.params,
        ...assignment.params,
        ...overrides[workload.id],
      });
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw fail(
          'invalidInput',
          `Tile ${index + 1} ${workload.name}: parameter ${issue?.path.join('.') ?? '?'}: ` +
            `${issue?.message ?? 'invalid'}.`,
          'Correct the driver parameters in the plan, the testbed or the profile.',
        );
      }
      return {
        entityId: `t${index}.${workload.id}`,
        tile: index,
        workload,
        assignment,
        params: parsed.data,
      };
    });
  });
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

/**
 * Hosts and datastores whose counters a run follows: every host of the clusters its VMs live in
 * (DRS may move them), and the VMs' datastores.
 */
export function watchedProviders(
  units: readonly WorkloadUnit[],
  inventory: Inventory | null,
): { hosts: Inventory['hosts']; datastores: Inventory['datastores'] } {
  if (!inventory) return { hosts: [], datastores: [] };
  const vmRefs = new Set(units.flatMap((u) => (u.assignment.vm ? [u.assignment.vm.ref] : [])));
  const vms = inventory.vms.filter((vm) => vmRefs.has(vm.ref));
  const hostRefs = new Set(vms.flatMap((vm) => (vm.hostRef ? [vm.hostRef] : [])));
  const clusters = inventory.clusters.filter((c) => c.hostRefs.some((ref) => hostRefs.has(ref)));
  for (const ref of clusters.flatMap((c) => c.hostRefs)) hostRefs.add(ref);
  const datastoreRefs = new Set(vms.flatMap((vm) => vm.datastoreRefs));
  return {
    hosts: inventory.hosts.filter((h) => hostRefs.has(h.ref)),
    datastores: inventory.datastores.filter((d) => datastoreRefs.has(d.ref)),
  };
}

/** A power source of a run, and how it is read. */
interface ReadPower {
  connection: PowerConnection;
  source: string;
  periodMs: number;
  lagMs: number;
  decimals: number;
}
type Def = Omit<SeriesDef, 'id'>;
/** What all series of vCenter's counters say of themselves. */
type Counter = Pick<SeriesDef, 'periodMs' | 'lagMs' | 'source'>;

/**
 * Every series of a run, with dense ids from 0: workloads by tile, then operations, hosts, their
 * uplinks, datastores, clients, power.
 */
export function seriesOf(options: {
  plan: Plan;
  units: readonly WorkloadUnit[];
  /** Infrastructure operations that are driven. */ operations?: readonly {
    operation: { id: string; name: string };
  }[];
  inventory: Inventory | null;
  /** Adapters that vCenter counts one by one. */ uplinks?: readonly {
    hostRef: string;
    device: string;
  }[];
  connections: readonly Connection[];
  powers: readonly ReadPower[];
}): SeriesDef[] {
  const { plan, units, operations = [], inventory, uplinks = [], connections, powers } = options;
  const { sampling } = plan;
  const nameOf = (id: string): string => connections.find((c) => c.id === id)?.name ?? id;
  const { hosts, datastores } = watchedProviders(units, inventory);
  // 20 s is the period of vCenter's real-time samples, whatever interval it is asked at.
  const counter: Counter = {
    periodMs: 20_000,
    lagMs: 20_000,
    source: inventory ? `vCenter ${nameOf(inventory.vcenterId)}` : '',
  };
  const clientIds = [...new Set(units.map((unit) => unit.assignment.clientId))];
  return [
    ...units.flatMap((unit) =>
      workloadSeries(unit, sampling.workloadMs, nameOf(unit.assignment.clientId)),
    ),
    ...operations.flatMap(({ operation }) => operationSeries(operation, counter.source)),
    ...hosts.flatMap((host) => hostSeries(host, counter)),
    ...hosts.flatMap((host) => uplinkSeries(host, uplinks, counter)),
    ...datastores.flatMap((store) => datastoreSeries(store, counter)),
    ...clientIds.map((id) => clientSeries(id, nameOf(id), sampling.vcenterMs)),
    ...powers.flatMap((power) => powerSeries(power, hosts, counter)),
  ].map((def, id) => ({ ...def, id }));
}

function workloadSeries(
  { workload, params, entityId, tile }: WorkloadUnit,
  periodMs: number,
  clientName: string,
): Def[] {
  return getDriver(workload.driver)
    .series(params)
    .map((series) => ({
      ...series,
      lagMs: 0,
      periodMs,
      source: `${workload.driver} on ${clientName}`,
      entity: { kind: 'workload', id: entityId, name: `Tile ${tile + 1} ${workload.name}`, tile },
    }));
}

function operationSeries({ id, name }: { id: string; name: string }, vcenter: string): Def[] {
  const own = {
    source: `vCenter operations of this run`,
    periodMs: 60_000,
    entity: { kind: 'operation' as const, id: infraKey(id), name },
  };
  // A rate is known when the last operation that began in its interval has ended.
  return [
    { metric: 'throughput', unit: 'operations/h', decimals: 3, lagMs: 600_000, ...own },
    { metric: 'latencyMeanMs', unit: 'ms', decimals: 0, ...own, lagMs: 0 },
    { metric: 'taskQueueMs', unit: 'ms', decimals: 0, ...own, source: vcenter, lagMs: 0 },
    { metric: 'taskRunMs', unit: 'ms', decimals: 0, ...own, source: vcenter, lagMs: 0 },
  ];
}

function hostSeries(host: Inventory['hosts'][number], counter: Counter): Def[] {
  const entity = { kind: 'host' as const, id: host.ref, name: host.name };
  return hostMetrics.map((metric) => ({ ...metric, ...counter, entity }));
}

function uplinkSeries(
  host: Inventory['hosts'][number],
  uplinks: readonly { hostRef: string; device: string }[],
  counter: Counter,
): Def[] {
  return uplinks
    .filter((one) => one.hostRef === host.ref)
    .map(({ device }) => ({
      metric: 'netKbps',
      unit: 'KB/s',
      decimals: 0,
      ...counter,
      entity: {
        kind: 'uplink',
        id: uplinkEntityId(host.ref, device),
        name: `${host.name} ${device}`,
      },
    }));
}

function datastoreSeries(store: Inventory['datastores'][number], counter: Counter): Def[] {
  const entity = { kind: 'datastore' as const, id: store.ref, name: store.name };
  return datastoreMetrics.map((metric) => ({ ...metric, ...counter, entity }));
}

const clientSeries = (id: string, name: string, periodMs: number): Def => ({
  metric: 'clientCpuPct',
  unit: '%',
  decimals: 1,
  periodMs,
  lagMs: periodMs,
  source: `/proc/stat of ${name}`,
  entity: { kind: 'client', id, name },
});

/** One for a meter; one for each host where vCenter is the source. */
function powerSeries(
  { connection, source, periodMs, lagMs, decimals }: ReadPower,
  hosts: Inventory['hosts'],
  counter: Counter,
): Def[] {
  const watts = { metric: 'powerW' as const, unit: 'W' };
  if (!isMetered(connection.source))
    return hosts.map((host) => ({
      ...watts,
      decimals: 0,
      ...counter,
      entity: { kind: 'power', id: `${connection.id}.${host.ref}`, name: host.name },
    }));
  return [
    {
      ...watts,
      decimals,
      periodMs,
      lagMs,
      source,
      entity: { kind: 'power', id: connection.id, name: connection.name },
    },
  ];
}

export type SeriesIndex = (entityId: string, metric: MetricName) => number | undefined;
export function indexSeries(series: readonly SeriesDef[]): SeriesIndex {
  const byKey = new Map(series.map((def) => [`${def.entity.id}\u0000${def.metric}`, def.id]));
  return (entityId, metric) => byKey.get(`${entityId}\u0000${metric}`);
}
