import { groupBy } from '../base/groupBy.ts';
import type { VmInfo } from '../testbed/inventory.ts';
import type {
  LayoutClient,
  LayoutDatastore,
  LayoutHost,
  LayoutView,
  LayoutVm,
} from '../testbed/layoutModel.ts';
import { sources } from './layoutSources.ts';
import { spaceOf } from './layoutSpace.ts';
import type { Figure, Level } from './layoutTypes.ts';
import { type Considered } from './layoutTypes.ts';

/** Commands that a LUN takes from all its hosts together. */
export const lunCommands = 256;
/** Ratios from which a figure warns. */
const warnRatios = { vcpu: 1, memory: 0.9, space: 0.9, uplink: 0.75 } as const;

/** Powered-on VMs that are no part of what runs, by host: they take their share too. */
export function hostLoads(view: LayoutView, slots: readonly LayoutVm[]): Map<string, VmInfo[]> {
  const own = new Set(slots.flatMap(({ vm }) => vm?.ref ?? []));
  const running = (view.inventory?.vms ?? []).filter(
    (vm) => vm.powerState === 'poweredOn' && vm.hostRef !== null && !own.has(vm.ref),
  );
  return groupBy(running, (vm) => vm.hostRef!);
}

type Part = number | null;
interface FigureInput extends Pick<Figure, 'id' | 'label' | 'unit' | 'limit' | 'source'> {
  parts: readonly Part[];
  others?: readonly Part[];
  warnAt?: number;
  /** Whether more than the limit is over it, or only a warning. */ hard?: boolean;
  noLimit?: string;
  part: string;
}

/** Sums what is known and holds it against the limit. */
function figureOf({
  id,
  label,
  unit,
  parts,
  others = [],
  limit,
  warnAt = 1,
  hard = true,
  noLimit = 'the limit was not read',
  part,
  source,
}: FigureInput): Figure {
  const known = [...parts, ...others].filter((one) => one !== null);
  const missingParts = parts.length + others.length - known.length;
  const sum = (list: readonly Part[]): number =>
    list.reduce<number>((total, one) => total + (one ?? 0), 0);
  const value = known.length === 0 && missingParts > 0 ? null : sum(parts) + sum(others);
  const ratio =
    value === null || limit === null
      ? null
      : limit > 0
        ? value / limit
        : value > 0
          ? Number.POSITIVE_INFINITY
          : 0;
  const missing = [
    missingParts > 0
      ? `${part} of ${missingParts} of ${parts.length + others.length} is not known`
      : null,
    limit === null ? noLimit : null,
  ]
    .filter((one) => one !== null)
    .join('; ');
  return {
    id,
    label,
    unit,
    value,
    others: sum(others),
    limit,
    ratio,
    level: levelOf(ratio, warnAt, hard, missingParts > 0),
    warnAt,
    missingParts,
    parts: parts.length + others.length,
    missing: missing === '' ? null : missing,
    source,
  };
}

function levelOf(ratio: number | null, warnAt: number, hard: boolean, partial: boolean): Level {
  if (ratio === null) return 'unknown';
  if (ratio > 1 && hard) return 'over';
  if (ratio > warnAt) return 'warn';
  return partial ? 'unknown' : 'ok';
}

/** vCPUs and memory of VMs on these cores and this memory. */
function computeFigures(
  vms: readonly LayoutVm[],
  strangers: readonly VmInfo[],
  cores: number | null,
  memoryMb: number | null,
): Figure[] {
  return [
    figureOf({
      id: 'vcpu',
      label: 'vCPUs on cores',
      unit: 'vCPUs',
      parts: vms.map((vm) => vm.vcpus),
      others: strangers.map((vm) => vm.vcpus),
      limit: cores,
      warnAt: warnRatios.vcpu,
      hard: false,
      part: 'the vCPU count',
      noLimit: 'the number of cores was not read',
      source: `${sources.own}: from one vCPU a core on, VMs share cores. Consolidation studies go there on purpose`,
    }),
    figureOf({
      id: 'memory',
      label: 'Memory',
      unit: 'MiB',
      parts: vms.map((vm) => vm.memoryMb),
      others: strangers.map((vm) => vm.memoryMb),
      limit: memoryMb,
      warnAt: warnRatios.memory,
      part: 'the memory size',
      noLimit: 'the memory of the host was not read',
      source:
        `limit: ${sources.arithmetic}; warning from 90 %: ${sources.own}, for the hypervisor ` +
        'needs memory of its own',
    }),
  ];
}

/**
 * A cluster is as large as its hosts that can take VMs; one that did not tell its size leaves the
 * cluster's unknown.
 */
export function clusterFigures(
  hosts: readonly LayoutHost[],
  { byHost, others }: Considered,
): Figure[] {
  const sum = (parts: readonly (number | null)[]): number | null =>
    parts.every((one) => one !== null) ? parts.reduce((total, one) => total + one, 0) : null;
  const ready = hosts.filter((host) => !host.maintenance && host.connected !== false);
  return computeFigures(
    hosts.flatMap((host) => byHost.get(host.ref) ?? []),
    hosts.flatMap((host) => others.get(host.ref) ?? []),
    sum(ready.map((host) => host.cores)),
    sum(ready.map((host) => host.memoryMb)),
  );
}

export function hostFigures(host: LayoutHost, { view, byHost, others }: Considered): Figure[] {
  const vms = byHost.get(host.ref) ?? [],
    strangers = others.get(host.ref) ?? [];
  const queue = fullestQueue(host, vms, view);
  return [
    ...computeFigures(vms, strangers, host.cores, host.memoryMb),
    figureOf({
      id: 'hbaQueue',
      label: queue ? `Commands to ${queue.name}` : 'Commands to a datastore',
      unit: 'commands',
      parts: queue?.parts ?? [],
      limit: queue ? queue.limit : 0,
      hard: false,
      part: 'the number of outstanding I/Os',
      noLimit: 'no queue depth was read',
      source: sources.hbaDepth,
    }),
  ];
}

/** LUNs under a datastore; VMFS stands on one at least. null = none, or not read. */
const lunsOf = ({ info, lunCount }: LayoutDatastore): number | null =>
  lunCount ? lunCount : info?.type?.toUpperCase().startsWith('VMFS') ? 1 : null;

/**
 * The queue from this host to a datastore that is fullest for its depth: of the HBAs where it was
 * read, else of the LUNs as the hosts see them, for each LUN.
 */
function fullestQueue(
  host: LayoutHost,
  vms: readonly LayoutVm[],
  view: LayoutView,
): { name: string; parts: Part[]; limit: number | null } | null {
  const hba = host.info?.hbas.flatMap((one) => one.queueDepth ?? []) ?? [];
  const queues = [
    ...groupBy(
      vms.filter((vm) => vm.datastore !== null),
      (vm) => vm.datastore!.ref,
    ),
  ].map(([ref, list]) => {
    const store = view.datastoreByRef.get(ref);
    const luns = store ? lunsOf(store) : null;
    const depth = hba.length > 0 ? Math.min(...hba) : (store?.queueDepth ?? null);
    return {
      name: list[0]!.datastore!.name,
      parts: list.map((vm) => vm.outstanding),
      limit: depth === null || luns === null ? null : depth * luns,
    };
  });
  const fill = ({ parts, limit }: (typeof queues)[number]): number =>
    parts.reduce<number>((sum, one) => sum + (one ?? 0), 0) / (limit ?? Number.POSITIVE_INFINITY);
  return queues.sort((a, b) => fill(b) - fill(a) || b.parts.length - a.parts.length)[0] ?? null;
}

export function datastoreFigures(store: LayoutDatastore, considered: Considered): Figure[] {
  const vms = considered.byDatastore.get(store.ref) ?? [];
  const tiles = new Set(vms.map((vm) => vm.tile)).size;
  const luns = lunsOf(store);
  return [
    figureOf({
      id: 'space',
      label: 'Space, swap files included',
      unit: 'bytes',
      parts: spaceOf(store, vms, considered),
      limit: store.freeBytes,
      warnAt: warnRatios.space,
      part: 'the size',
      noLimit: 'the free space was not read',
      source: `limit: ${sources.arithmetic}; swap: ${sources.swap}; warning from 90 %: ${sources.own}`,
    }),
    figureOf({
      id: 'commands',
      label: 'Commands of all hosts',
      unit: 'commands',
      parts: vms.map((vm) => vm.outstanding),
      limit: luns === null ? null : lunCommands * luns,
      hard: true,
      part: 'the number of outstanding I/Os',
      noLimit: store.info ? 'it stands on no LUN' : 'its LUNs were not read',
      source: sources.lun256,
    }),
    figureOf({
      id: 'tiles',
      label: 'Tiles',
      unit: 'tiles',
      parts: tiles === 0 ? [] : [tiles],
      limit: 1,
      hard: false,
      part: 'a tile',
      source: sources.lunEach,
    }),
  ];
}

export function clientFigures(client: LayoutClient, { byClient }: Considered): Figure[] {
  const vms = byClient.get(client.id) ?? [];
  const tiles = new Set(vms.map((vm) => vm.tile)).size;
  return [
    figureOf({
      id: 'load',
      label: 'Workloads on CPUs',
      unit: 'workloads',
      parts: vms.map(() => 1),
      limit: client.cpus,
      hard: false,
      part: 'a workload',
      noLimit: 'its CPUs were not read',
      source: `${sources.own}: a load program a CPU`,
    }),
    figureOf({
      id: 'tiles',
      label: 'Tiles',
      unit: 'tiles',
      parts: tiles === 0 ? [] : [tiles],
      limit: 1,
      hard: false,
      part: 'a tile',
      source: sources.clientATile,
    }),
  ];
}

/** Adapters with a link; traffic is null, for no driver says beforehand how much it moves. */
export function uplinkRows(
  host: LayoutHost,
  { byHost }: Considered,
): { device: string; speedMbps: number | null; linkUp: boolean; figures: Figure[] }[] {
  const vms = byHost.get(host.ref) ?? [];
  return (host.info?.nics ?? []).map(({ device, speedMbps }) => ({
    device,
    speedMbps,
    linkUp: (speedMbps ?? 0) > 0,
    figures: [
      figureOf({
        id: 'traffic',
        label: 'Traffic',
        unit: 'Mb/s',
        parts: vms.map(() => null),
        limit: speedMbps || null,
        warnAt: warnRatios.uplink,
        part: 'the traffic',
        noLimit: 'it has no link',
        source: sources.uplink75,
      }),
    ],
  }));
}
