import { fail } from '../../../src/core/base/errors.ts';
import type { MetricName, SeriesDef } from '../../../src/core/metric/metric.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile, ProfileWorkload } from '../../../src/core/profile/profile.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
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
          {
            tile: index,
            workloadId: workload.id,
            parameter: issue?.path[0] === undefined ? null : String(issue.path[0]),
          },
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

/** The same workloads, aimed: what names no machine under load takes its VM's guest address. */
export function withTargets(
  units: readonly WorkloadUnit[],
  inventory: { vms: readonly Pick<Inventory['vms'][number], 'ref' | 'ip'>[] } | null,
): WorkloadUnit[] {
  const addresses = new Map(inventory?.vms.map((vm) => [vm.ref, vm.ip]));
  return units.map((unit) => {
    const { vm } = unit.assignment;
    const driver = getDriver(unit.workload.driver);
    const address = vm === null ? null : (addresses.get(vm.ref) ?? '');
    const params = driver.withTarget?.(unit.params, address);
    return params === undefined ? unit : { ...unit, params };
  });
}

/** A VM that a run puts load on. */
export interface LoadedVm {
  ref: string;
  name: string;
  /** 0-based; of a VM that several tiles use, the first. */ tile: number;
  /** null = vCenter did not tell. */ vcpus: number | null;
}

/** VMs whose counters a run follows: each that a workload is assigned to, once. */
export function watchedVms(
  units: readonly WorkloadUnit[],
  inventory: Inventory | null,
): LoadedVm[] {
  const known = new Map(inventory?.vms.map((vm) => [vm.ref, vm]));
  const loaded = new Map<string, LoadedVm>();
  for (const { tile, assignment } of units) {
    const { vm } = assignment;
    const found = vm === null ? undefined : known.get(vm.ref);
    if (found !== undefined && !loaded.has(found.ref))
      loaded.set(found.ref, { ref: found.ref, name: found.name, tile, vcpus: found.vcpus });
  }
  return [...loaded.values()];
}

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

export type SeriesIndex = (entityId: string, metric: MetricName) => number | undefined;
export function indexSeries(series: readonly SeriesDef[]): SeriesIndex {
  const byKey = new Map(series.map((def) => [`${def.entity.id}\u0000${def.metric}`, def.id]));
  return (entityId, metric) => byKey.get(`${entityId}\u0000${metric}`);
}
