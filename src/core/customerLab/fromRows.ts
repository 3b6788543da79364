import { counted } from '../base/counted.ts';
import { groupBy } from '../base/groupBy.ts';
import { byName } from '../base/naturalOrder.ts';
import {
  type CustomerLabDraft,
  customerLabLimits,
  emptyDraft,
  emptyGroup,
  type HostGroup,
} from './draft.ts';
import { fitProcessor, type LabParts } from './parts.ts';
import type { DatastoreRow, HostRow, InventoryRows } from './rows.ts';

/** Clusters of an inventory, with how many hosts each has; hosts of none under ''. */
export function clustersOf({ hosts }: InventoryRows): { name: string; hosts: number }[] {
  return [...groupBy(hosts, ({ cluster }) => cluster ?? '')]
    .map(([name, members]) => ({ name, hosts: members.length }))
    .sort((a, b) => b.hosts - a.hosts || byName(a, b));
}

export interface TakenRows {
  draft: CustomerLabDraft;
  /** What was left out, and why: one sentence each. */
  leftOut: string[];
}

/**
 * The draft of a lab with what an inventory says of one cluster (null = of all). What it does not
 * say stays null; a processor that the library has brings the work of its cores along.
 */
export function draftOf(
  rows: InventoryRows,
  cluster: string | null,
  from: { name: string; origin: string; parts: LabParts },
): TakenRows {
  const leftOut: string[] = [];
  const inCluster = (one: { cluster: string | null }): boolean =>
    cluster === null || (one.cluster ?? '') === cluster;
  const all = rows.hosts.filter(inCluster);
  const atWork = hostsAtWork(all, leftOut);
  const hosts = atWork.slice(0, customerLabLimits.hosts);
  if (atWork.length > hosts.length)
    leftOut.push(
      `${atWork.length - hosts.length} hosts beyond the ${customerLabLimits.hosts} of the largest lab.`,
    );
  const names = new Set(hosts.map(({ name }) => name));
  const elsewhere = rows.hosts.length > all.length;
  const datastores = datastoresOf(rows.datastores, {
    names,
    hosts: hosts.length,
    elsewhere,
    leftOut,
  });
  const on = rows.vms.filter(
    (vm) =>
      !vm.template &&
      vm.poweredOn !== false &&
      (vm.host === null ? inCluster(vm) : names.has(vm.host)),
  );
  const sized = on.flatMap(({ vcpus, memoryGb }) =>
    vcpus === null || memoryGb === null ? [] : [{ vcpus, memoryGb }],
  );
  if (sized.length < on.length)
    leftOut.push(`${counted(on.length - sized.length, 'VM')} whose vCPUs or memory no table says.`);
  if (sized.length > customerLabLimits.vms)
    leftOut.push(
      `${sized.length - customerLabLimits.vms} VMs beyond the ${customerLabLimits.vms} of the largest lab.`,
    );
  return {
    draft: {
      ...emptyDraft(),
      name: from.name.slice(0, 80),
      origin: from.origin,
      groups: groupsOf(hosts, from.parts),
      datastores,
      vms: sized.slice(0, customerLabLimits.vms),
      keepVms: sized.length === 0 ? false : null,
    },
    leftOut,
  };
}

/** Those that can run a VM; where all are in maintenance mode, all: the export was made then. */
function hostsAtWork(all: readonly HostRow[], leftOut: string[]): readonly HostRow[] {
  const atWork = all.filter(({ maintenance }) => maintenance !== true);
  if (atWork.length === 0 || atWork.length === all.length) return all;
  const away = all.filter(({ maintenance }) => maintenance === true).map(({ name }) => name);
  leftOut.push(
    `${counted(away.length, 'host')} in maintenance mode: ` +
      `${away.slice(0, 5).join(', ')}${away.length > 5 ? ' and more' : ''}.`,
  );
  return atWork;
}

/** Equal hosts as one group, in the order of the first of each. */
function groupsOf(hosts: readonly HostRow[], parts: LabParts): HostGroup[] {
  const groups = groupBy(
    hosts.map((host) => ({ name: host.name, group: groupOf(host, parts) })),
    ({ group }) => JSON.stringify({ ...group, names: [] }),
  );
  return [...groups.values()].map((members) => ({
    ...members[0]!.group,
    names: members.map(({ name }) => name),
  }));
}

function groupOf(host: HostRow, parts: LabParts): HostGroup {
  const fit = host.cpuModel === null ? null : fitProcessor(host.cpuModel, parts);
  const core =
    fit?.exact === true ? parts.generations.find(({ name }) => name === fit.generation) : undefined;
  return {
    ...emptyGroup([host.name]),
    vendor: host.vendor ?? '',
    model: host.model ?? '',
    cpuModel: host.cpuModel ?? '',
    sockets: host.sockets,
    coresPerSocket: host.coresPerSocket,
    ghz: host.ghz === null ? null : Number(host.ghz.toPrecision(3)),
    memoryGb: host.memoryGb === null ? null : Math.round(host.memoryGb * 10) / 10,
    workPerGhz: core?.workPerGhz ?? null,
    hyperThreadGain: host.hyperThreads === false ? 1 : (core?.hyperThreadGain ?? null),
    uplinks: host.uplinks,
    uplinkGbps: host.uplinkGbps,
    hbaPorts: host.hbas,
  };
}

/** Those that the hosts share; one that a single host of several sees is its own disk. */
function datastoresOf(
  rows: readonly DatastoreRow[],
  of: { names: ReadonlySet<string>; hosts: number; elsewhere: boolean; leftOut: string[] },
): CustomerLabDraft['datastores'] {
  const seen = rows.filter(
    ({ hostNames }) =>
      hostNames === null || !of.elsewhere || hostNames.some((name) => of.names.has(name)),
  );
  const shared = seen.filter(
    ({ hosts, hostNames }) => of.hosts < 2 || (hosts ?? hostNames?.length ?? 2) > 1,
  );
  const own = seen.length - shared.length;
  if (rows.length > seen.length)
    of.leftOut.push(
      `${counted(rows.length - seen.length, 'datastore')} that none of these hosts sees.`,
    );
  if (own > 0)
    of.leftOut.push(`${counted(own, 'datastore')} that one host alone sees: DRS cannot use them.`);
  if (shared.length > customerLabLimits.datastores)
    of.leftOut.push(
      `${shared.length - customerLabLimits.datastores} datastores beyond the ` +
        `${customerLabLimits.datastores} of the largest lab.`,
    );
  return shared.slice(0, customerLabLimits.datastores).map(({ name, capacityGb }) => ({
    name,
    capacityGb: capacityGb === null ? null : Math.max(1, Math.round(capacityGb)),
  }));
}
