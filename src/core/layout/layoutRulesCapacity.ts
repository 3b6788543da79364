import { tileWords } from '../base/tileWords.ts';
import { lunCommands } from './layoutFigures.ts';
import { sources } from './layoutSources.ts';
import type { Figure, ForecastRow } from './layoutTypes.ts';
import type { Draft, FindingAt, LayoutRule, RuleContext } from './layoutTypes.ts';

/** Rules of capacity: figures of the forecast against their limits. */

const round = (value: number, digits = 1): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });
/** A figure with its unit: MiB and bytes in GiB. */
export function amount(value: number, unit: Figure['unit']): string {
  if (unit === 'bytes') return `${round(value / 2 ** 30)} GiB`;
  return unit === 'MiB' ? `${round(value / 1_024)} GiB` : `${round(value)} ${unit}`;
}
/**
 * Highest known outstanding I/Os on a LUN before latency grows faster than IOPS, in the post that
 * measured it.
 */
const kneeOutstanding = 6;

const figure = (row: ForecastRow, id: Figure['id']): Figure | undefined =>
  row.figures.find((one) => one.id === id);
const atLeast = ({ missing, missingParts }: Figure): string =>
  missingParts > 0 ? `; ${missing}, so it is at least that` : '';

/**
 * What the host's cluster has as a whole, where DRS may balance it: a layout that starts all VMs on
 * one host is meant to be spread.
 */
function acrossCluster(
  row: ForecastRow,
  id: 'vcpu' | 'memory',
  { view, forecast }: RuleContext,
): string {
  const ref = view.hostByRef.get(row.ref)?.clusterRef;
  const cluster = view.inventory?.clusters.find((one) => one.ref === ref);
  const of = forecast.clusters.find((one) => one.ref === ref);
  const found = of && figure(of, id);
  if (
    !cluster?.drsEnabled ||
    cluster.drsBehavior !== 'fullyAutomated' ||
    cluster.hostRefs.length < 2 ||
    !found ||
    found.ratio === null
  )
    return '';
  return (
    '; its cluster as a whole, which DRS balances: ' +
    (id === 'vcpu' ? `${round(found.ratio, 2)} a core` : `${round(found.ratio * 100, 0)} %`)
  );
}

/** A rule that warns where one figure of each row passes its threshold. */
function capacityRule(
  rule: Pick<LayoutRule, 'id' | 'title' | 'severity' | 'source'>,
  kind: FindingAt['kind'],
  id: Figure['id'],
  rows: (f: Parameters<LayoutRule['find']>[0]['forecast']) => readonly ForecastRow[],
  words: (
    figure: Figure,
    row: ForecastRow,
    context: RuleContext,
  ) => { evidence: string; fix: string; severity?: Draft['severity'] },
): LayoutRule {
  return {
    ...rule,
    find: (context) =>
      rows(context.forecast).flatMap((row): Draft[] => {
        const found = figure(row, id);
        return found && (found.level === 'warn' || found.level === 'over')
          ? [{ at: { kind, ref: row.ref }, subject: row.name, ...words(found, row, context) }]
          : [];
      }),
  };
}

export const capacityRules: readonly LayoutRule[] = [
  {
    id: 'host.vmTooWide',
    title: 'A VM is wider than its host',
    severity: 'block',
    source: sources.vmWidth,
    find: ({ view, slots }) =>
      slots.flatMap((vm): Draft[] => {
        const threads = vm.host ? (view.hostByRef.get(vm.host.ref)?.threads ?? null) : null;
        return vm.vcpus === null || threads === null || vm.vcpus <= threads
          ? []
          : [
              {
                at: { kind: 'slot', ref: vm.key },
                subject: vm.vm?.name ?? `tile ${vm.tile + 1} ${vm.workload.name}`,
                evidence: `${vm.vcpus} vCPUs; ${vm.host!.name} has ${threads} logical processors`,
                fix: 'Move it to a larger host, or give it fewer vCPUs.',
              },
            ];
      }),
  },
  capacityRule(
    {
      id: 'host.vcpu',
      title: 'VMs share cores',
      severity: 'info',
      source: `${sources.own}: from one vCPU a core on; consolidation studies go there on purpose`,
    },
    'host',
    'vcpu',
    (f) => f.hosts,
    (f, row, context) => ({
      evidence:
        `${f.value} vCPUs on ${f.limit} cores, ${round(f.ratio!, 2)} a ` +
        `core${atLeast(f)}${acrossCluster(row, 'vcpu', context)}`,
      fix: 'Expect CPU contention. Spread the tiles over more hosts where the study is not about it.',
    }),
  ),
  capacityRule(
    {
      id: 'host.memory',
      title: 'Memory is short',
      severity: 'warn',
      source: `limit: the host's memory; warning from 90 %: ${sources.own}`,
    },
    'host',
    'memory',
    (f) => f.hosts,
    (f, row, context) => ({
      evidence:
        `${amount(f.value!, f.unit)} of VMs on ${amount(f.limit!, f.unit)}, ` +
        `${round(f.ratio! * 100, 0)} %${atLeast(f)}${acrossCluster(row, 'memory', context)}`,
      fix:
        f.level === 'over'
          ? 'The host will reclaim and swap. Move VMs to another host, or give them less memory.'
          : 'Leave room for the hypervisor: move a VM to another host.',
    }),
  ),
  capacityRule(
    {
      id: 'host.queue',
      title: 'The host queues commands',
      severity: 'warn',
      source: sources.hbaDepth,
    },
    'host',
    'hbaQueue',
    (f) => f.hosts,
    (f) => ({
      evidence: `${f.label}: ${f.value} outstanding I/Os, queue depth ${f.limit}${atLeast(f)}`,
      fix: 'Raise the queue depth of the HBA, spread the VMs over more LUNs or hosts, or plan fewer outstanding I/Os.',
    }),
  ),
  capacityRule(
    {
      id: 'datastore.space',
      title: 'Space is short',
      severity: 'warn',
      source: `limit: the free space; swap: ${sources.swap}; warning from 90 %: ${sources.own}`,
    },
    'datastore',
    'space',
    (f) => f.datastores,
    (f) => ({
      severity: f.level === 'over' ? 'block' : 'warn',
      evidence:
        `${amount(f.value!, f.unit)} needed for disks and swap files, ` +
        `${amount(f.limit!, f.unit)} free${atLeast(f)}`,
      fix: 'Free space, or move VMs to another datastore.',
    }),
  ),
  capacityRule(
    {
      id: 'datastore.commands',
      title: 'More commands than a LUN takes',
      severity: 'warn',
      source: sources.lun256,
    },
    'datastore',
    'commands',
    (f) => f.datastores,
    (f) => ({
      evidence: `${f.value} outstanding I/Os from all hosts, ${f.limit} at most (${lunCommands} a LUN)${atLeast(f)}`,
      fix: 'Spread the VMs over more LUNs, or plan fewer outstanding I/Os.',
    }),
  ),
  {
    id: 'datastore.knee',
    title: 'Outstanding I/Os beyond the knee of a published LUN',
    severity: 'info',
    source: sources.knee,
    find: ({ forecast, view }) =>
      forecast.datastores.flatMap((row): Draft[] => {
        const found = figure(row, 'commands'),
          luns = Math.max(1, view.datastoreByRef.get(row.ref)?.lunCount ?? 1);
        const each = (found?.value ?? 0) / luns;
        return !found || found.limit === null || found.level === 'over' || each <= kneeOutstanding
          ? []
          : [
              {
                at: { kind: 'datastore', ref: row.ref },
                subject: row.name,
                evidence:
                  `${round(each)} outstanding I/Os a LUN${atLeast(found)}; on LUNs of five ` +
                  `disks latency grew faster than IOPS beyond ${kneeOutstanding}`,
                fix: 'Nothing where the LUN has more disks or is solid-state. Otherwise expect latency.',
              },
            ];
      }),
  },
  capacityRule(
    {
      id: 'datastore.tiles',
      title: 'Tiles share a LUN',
      severity: 'warn',
      source: sources.lunEach,
    },
    'datastore',
    'tiles',
    ({ datastores }) => datastores,
    (_, row) => ({
      evidence: `${tileWords(row.tiles)} are on it`,
      fix: 'Give each tile a LUN of its own, unless the study is about a shared one.',
    }),
  ),
  capacityRule(
    {
      id: 'client.load',
      title: 'A client has more workloads than CPUs',
      severity: 'warn',
      source: `${sources.own}: a load program a CPU`,
    },
    'client',
    'load',
    (f) => f.clients,
    (f) => ({
      evidence: `${f.value} workloads on ${f.limit} CPUs`,
      fix: 'A busy client measures itself: use more client machines.',
    }),
  ),
  capacityRule(
    {
      id: 'client.tiles',
      title: 'Tiles share a client',
      severity: 'info',
      source: sources.clientATile,
    },
    'client',
    'tiles',
    ({ clients }) => clients,
    (_, row) => ({
      evidence: `${tileWords(row.tiles)} are loaded from it`,
      fix: 'Watch its CPU during the run, or use a client machine a tile.',
    }),
  ),
  {
    id: 'uplink.none',
    title: 'A host has no uplink',
    severity: 'warn',
    source: sources.arithmetic,
    find: ({ forecast, view }) =>
      forecast.hosts.flatMap((row): Draft[] => {
        const nics = view.hostByRef.get(row.ref)?.info?.nics ?? [];
        // A speed that is not told is not a link that is down.
        return row.vms === 0 ||
          nics.length === 0 ||
          nics.some(({ speedMbps }) => speedMbps === null || speedMbps > 0)
          ? []
          : [
              {
                at: { kind: 'host', ref: row.ref },
                subject: row.name,
                evidence: `${nics.map(({ device }) => device).join(', ')}: no link`,
                fix: 'Connect an adapter, or move its VMs to another host.',
              },
            ];
      }),
  },
];
