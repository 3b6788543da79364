import { fail } from '../../../src/core/base/errors.ts';
import {
  type MetricName,
  type SeriesDef,
  uplinkEntityId,
} from '../../../src/core/metric/metric.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile, ProfileWorkload } from '../../../src/core/profile/profile.ts';
import { infraKey } from '../../../src/core/run/scoreTypes.ts';
import type {
  Assignment,
  Connection,
  Inventory,
  PowerConnection,
  Testbed,
} from '../../../src/core/testbed/testbed.ts';
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

/**
 * Every series of a run, with dense ids from 0: workloads by tile, then hosts, their uplinks,
 * datastores, clients, power.
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
  powers: readonly {
    connection: PowerConnection;
    source: string;
    periodMs: number;
    lagMs: number;
    decimals: number;
  }[];
}): SeriesDef[] {
  const { plan, units, operations = [], inventory, uplinks = [], connections, powers } = options;
  const nameOf = (id: string): string => connections.find((c) => c.id === id)?.name ?? id;
  const defs: Omit<SeriesDef, 'id'>[] = [];
  for (const unit of units) {
    for (const series of getDriver(unit.workload.driver).series(unit.params)) {
      defs.push({
        ...series,
        lagMs: 0,
        periodMs: plan.sampling.workloadMs,
        source: `${unit.workload.driver} on ${nameOf(unit.assignment.clientId)}`,
        entity: {
          kind: 'workload',
          id: unit.entityId,
          name: `Tile ${unit.tile + 1} ${unit.workload.name}`,
          tile: unit.tile,
        },
      });
    }
  }
  const { hosts, datastores } = watchedProviders(units, inventory);
  const vcenter = inventory ? `vCenter ${nameOf(inventory.vcenterId)}` : '';
  // 20 s is the period of vCenter's real-time samples, whatever interval it is asked at.
  const counter = { periodMs: 20_000, lagMs: 20_000, source: vcenter };
  for (const {
    operation: { id, name },
  } of operations) {
    const own = {
      source: `vCenter operations of this run`,
      periodMs: 60_000,
      entity: { kind: 'operation' as const, id: infraKey(id), name },
    };
    // A rate is known when the last operation that began in its interval has ended.
    defs.push(
      { metric: 'throughput', unit: 'operations/h', decimals: 3, lagMs: 600_000, ...own },
      { metric: 'latencyMeanMs', unit: 'ms', decimals: 0, ...own, lagMs: 0 },
      { metric: 'taskQueueMs', unit: 'ms', decimals: 0, ...own, source: vcenter, lagMs: 0 },
      { metric: 'taskRunMs', unit: 'ms', decimals: 0, ...own, source: vcenter, lagMs: 0 },
    );
  }
  for (const host of hosts)
    for (const metric of hostMetrics)
      defs.push({ ...metric, ...counter, entity: { kind: 'host', id: host.ref, name: host.name } });
  for (const host of hosts) {
    for (const { device } of uplinks.filter((one) => one.hostRef === host.ref))
      defs.push({
        metric: 'netKbps',
        unit: 'KB/s',
        decimals: 0,
        ...counter,
        entity: {
          kind: 'uplink',
          id: uplinkEntityId(host.ref, device),
          name: `${host.name} ${device}`,
        },
      });
  }
  for (const store of datastores)
    for (const metric of datastoreMetrics)
      defs.push({
        ...metric,
        ...counter,
        entity: { kind: 'datastore', id: store.ref, name: store.name },
      });
  for (const id of new Set(units.map((unit) => unit.assignment.clientId)))
    defs.push({
      metric: 'clientCpuPct',
      unit: '%',
      decimals: 1,
      periodMs: plan.sampling.vcenterMs,
      lagMs: plan.sampling.vcenterMs,
      source: `/proc/stat of ${nameOf(id)}`,
      entity: { kind: 'client', id, name: nameOf(id) },
    });
  for (const power of powers) {
    if (power.connection.source.type === 'vcenter') {
      for (const host of hosts)
        defs.push({
          metric: 'powerW',
          unit: 'W',
          decimals: 0,
          ...counter,
          entity: { kind: 'power', id: `${power.connection.id}.${host.ref}`, name: host.name },
        });
    } else {
      defs.push({
        metric: 'powerW',
        unit: 'W',
        decimals: power.decimals,
        periodMs: power.periodMs,
        lagMs: power.lagMs,
        source: power.source,
        entity: { kind: 'power', id: power.connection.id, name: power.connection.name },
      });
    }
  }
  return defs.map((def, id) => ({ ...def, id }));
}

export type SeriesIndex = (entityId: string, metric: MetricName) => number | undefined;
export function indexSeries(series: readonly SeriesDef[]): SeriesIndex {
  const byKey = new Map(series.map((def) => [`${def.entity.id}\u0000${def.metric}`, def.id]));
  return (entityId, metric) => byKey.get(`${entityId}\u0000${metric}`);
}
