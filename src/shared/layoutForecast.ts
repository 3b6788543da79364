import { groupBy } from './groupBy.ts';
import {
  clientFigures,
  clusterFigures,
  type Considered,
  datastoreFigures,
  hostFigures,
  hostLoads,
  uplinkRows,
} from './layoutFigures.ts';
import type { LayoutView, LayoutVm } from './layoutModel.ts';
import { outstandingOf } from './layoutOutstanding.ts';
import type { Plan } from './plan.ts';

/** `unknown`: a figure or its limit is missing, and what is known does not break the limit. */
export type Level = 'ok' | 'warn' | 'over' | 'unknown';
/** One thing against its limit. Missing figures are null, and `missing` says which. */
export interface Figure {
  id: 'vcpu' | 'memory' | 'hbaQueue' | 'space' | 'commands' | 'tiles' | 'load' | 'traffic';
  label: string;
  unit: 'vCPUs' | 'MiB' | 'commands' | 'bytes' | 'tiles' | 'workloads' | 'Mb/s';
  /** Sum of the parts that are known; null = none is. */
  value: number | null;
  /** Of the value, what is no part of the tiles: other VMs that run there. */
  others: number;
  limit: number | null;
  /** Value over limit. With parts missing it is a lower bound. */
  ratio: number | null;
  level: Level;
  /** Where the level begins to warn, as a ratio. */
  warnAt: number;
  /** Parts whose figure is missing, of all parts. */
  missingParts: number;
  parts: number;
  /** What is missing, in words; null = nothing. */
  missing: string | null;
  /** Source of limit and threshold. */
  source: string;
}
export interface ForecastRow {
  ref: string;
  name: string;
  tiles: readonly number[];
  vms: number;
  figures: readonly Figure[];
  worst: Level;
}
/** An adapter of a host. */
export interface UplinkRow extends ForecastRow {
  hostRef: string;
  device: string;
  speedMbps: number | null;
  linkUp: boolean;
}
export interface Forecast {
  hosts: readonly ForecastRow[];
  /** vCPUs and memory of all hosts of a cluster that can take VMs. */ clusters: readonly ForecastRow[];
  datastores: readonly ForecastRow[];
  clients: readonly ForecastRow[];
  uplinks: readonly UplinkRow[];
}

/** What a plan changes of the forecast: how many tiles run, and parameters that win over the testbed's. */
export type PlannedLoad = Pick<Plan, 'tiles' | 'overrides'> & Partial<Pick<Plan, 'startPlacement'>>;

/** Slots that run, with the outstanding I/Os and the places that the plan gives them: a plan that places nothing at its start leaves VMs where they are. */
export function runningSlots(view: LayoutView, plan?: PlannedLoad): LayoutVm[] {
  const running = view.tiles.slice(0, plan?.tiles ?? view.tiles.length).flatMap((tile) => tile.vms);
  if (!plan) return running;
  const start = plan.startPlacement;
  const one =
    typeof start === 'object'
      ? (view.hostByRef.get(start.allOnHostRef) ?? {
          ref: start.allOnHostRef,
          name: start.allOnHostRef,
        })
      : null;
  return running.map((vm) => {
    const params = plan.overrides[vm.workload.id];
    const placed =
      start === 'planned'
        ? vm
        : {
            ...vm,
            host: vm.actualHost ?? vm.host,
            datastore: vm.actualDatastores[0] ?? vm.datastore,
          };
    return {
      ...placed,
      ...(params
        ? { outstanding: outstandingOf(vm.workload.driver, { ...vm.params, ...params }) }
        : {}),
      ...(one ? { host: { ref: one.ref, name: one.name }, hostFrom: 'planned' as const } : {}),
    };
  });
}

/**
 * Forecast of every host, datastore, client and uplink: what the tiles and the other running VMs ask of it against what it has.
 * Pure arithmetic on the view; nothing is assumed for a figure that was not read.
 */
export function forecast(view: LayoutView, plan?: PlannedLoad): Forecast {
  const slots = runningSlots(view, plan);
  const by = (pick: (vm: LayoutVm) => string | undefined): Map<string, LayoutVm[]> =>
    groupBy(
      slots.filter((vm) => pick(vm) !== undefined),
      (vm) => pick(vm)!,
    );
  const considered: Considered = {
    view,
    slots,
    byHost: by((vm) => vm.host?.ref),
    byDatastore: by((vm) => vm.datastore?.ref),
    byClient: by((vm) => vm.clientId),
    others: hostLoads(view, slots),
  };
  const row = (
    ref: string,
    name: string,
    vms: readonly LayoutVm[],
    figures: readonly Figure[],
  ): ForecastRow => ({
    ref,
    name,
    tiles: [...new Set(vms.map((vm) => vm.tile))],
    vms: vms.length,
    figures,
    worst: worstOf(figures),
  });
  const clusters = groupBy(
    view.hosts.filter((host) => host.clusterRef !== null),
    (host) => host.clusterRef!,
  );
  return {
    clusters: [...clusters].map(([ref, hosts]) =>
      row(
        ref,
        hosts[0]!.clusterName ?? ref,
        hosts.flatMap((host) => considered.byHost.get(host.ref) ?? []),
        clusterFigures(hosts, considered),
      ),
    ),
    hosts: view.hosts.map((host) =>
      row(
        host.ref,
        host.name,
        considered.byHost.get(host.ref) ?? [],
        hostFigures(host, considered),
      ),
    ),
    datastores: view.datastores.map((store) =>
      row(
        store.ref,
        store.name,
        considered.byDatastore.get(store.ref) ?? [],
        datastoreFigures(store, considered),
      ),
    ),
    clients: view.clients.map((client) =>
      row(
        client.id,
        client.name,
        considered.byClient.get(client.id) ?? [],
        clientFigures(client, considered),
      ),
    ),
    uplinks: view.hosts.flatMap((host) =>
      uplinkRows(host, considered).map(({ figures, ...uplink }) => ({
        ...row(
          `${host.ref}/${uplink.device}`,
          `${uplink.device} of ${host.name}`,
          considered.byHost.get(host.ref) ?? [],
          figures,
        ),
        ...uplink,
        hostRef: host.ref,
      })),
    ),
  };
}

const rank: Readonly<Record<Level, number>> = { over: 3, warn: 2, unknown: 1, ok: 0 };
/** The level that needs attention most. */
export const worstOf = (figures: readonly Pick<Figure, 'level'>[]): Level =>
  figures.reduce<Level>((worst, { level }) => (rank[level] > rank[worst] ? level : worst), 'ok');
