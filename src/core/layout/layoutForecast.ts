import { groupBy } from '../base/groupBy.ts';
import { outstandingOf } from '../profile/driverKinds.ts';
import type { LayoutView, LayoutVm } from '../testbed/layoutModel.ts';
import {
  clientFigures,
  clusterFigures,
  datastoreFigures,
  hostFigures,
  hostLoads,
  uplinkRows,
} from './layoutFigures.ts';
import {
  type Figure,
  type Forecast,
  type ForecastRow,
  type Level,
  type PlannedLoad,
} from './layoutTypes.ts';
import { type Considered } from './layoutTypes.ts';

/**
 * Slots that run, with the outstanding I/Os and the places that the plan gives them: a plan that
 * places nothing at its start leaves VMs where they are.
 */
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
 * Forecast of every host, datastore, client and uplink: what the tiles and the other running VMs
 * ask of it against what it has. Pure arithmetic on the view; nothing is assumed for a figure that
 * was not read.
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
