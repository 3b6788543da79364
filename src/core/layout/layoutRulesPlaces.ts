import { groupBy } from '../base/groupBy.ts';
import type { LayoutVm } from '../testbed/layoutModel.ts';
import type { NamedRef } from '../testbed/testbed.ts';
import { sources } from './layoutSources.ts';
import type { Draft, LayoutRule, RuleContext } from './layoutTypes.ts';

/** Rules of places: whether a VM can be where it is planned, and what is kept apart. */

const names = (vms: readonly LayoutVm[], most = 4): string => {
  const words = vms.map((vm) => vm.vm?.name ?? `tile ${vm.tile + 1} ${vm.workload.name}`);
  return words.length > most
    ? `${words.slice(0, most).join(', ')} and ${words.length - most} more`
    : words.join(', ');
};
/** Slots by their host or datastore, those that have one. */
function at(slots: readonly LayoutVm[], place: 'host' | 'datastore'): [NamedRef, LayoutVm[]][] {
  return [
    ...groupBy(
      slots.filter((vm) => vm[place] !== null),
      (vm) => vm[place]!.ref,
    ).values(),
  ].map((vms) => [vms[0]![place]!, vms]);
}

const hostGone: LayoutRule = {
  id: 'host.unknown',
  readByChecks: true,
  title: 'A planned host is not in the vCenter',
  severity: 'block',
  source: sources.arithmetic,
  find: ({ view, slots }) =>
    view.inventory === null
      ? []
      : at(slots, 'host')
          .filter(([{ ref }]) => view.hostByRef.get(ref)?.info === null)
          .map(([host, vms]): Draft => ({
            at: { kind: 'host', ref: host.ref },
            subject: host.name,
            evidence: `the last discovery did not find it; planned there: ${names(vms)}`,
            fix: 'Discover again, or move them to another host.',
          })),
};
const datastoreGone: LayoutRule = {
  id: 'datastore.unknown',
  readByChecks: true,
  title: 'A planned datastore is not in the vCenter',
  severity: 'block',
  source: sources.arithmetic,
  find: ({ view, slots }) =>
    view.inventory === null
      ? []
      : at(slots, 'datastore')
          .filter(([{ ref }]) => view.datastoreByRef.get(ref)?.info === null)
          .map(([store, vms]): Draft => ({
            at: { kind: 'datastore', ref: store.ref },
            subject: store.name,
            evidence: `the last discovery did not find it; planned there: ${names(vms)}`,
            fix: 'Discover again, or move them to another datastore.',
          })),
};

const hostReady: LayoutRule = {
  id: 'host.notReady',
  readByChecks: true,
  title: 'A host takes no VMs',
  severity: 'block',
  source: sources.arithmetic,
  find: ({ view, slots }) =>
    at(slots, 'host').flatMap(([{ ref }, vms]): Draft[] => {
      const host = view.hostByRef.get(ref);
      const why = host?.maintenance
        ? 'in maintenance mode'
        : host?.connected === false
          ? host.info!.connectionState
          : null;
      return why === null
        ? []
        : [
            {
              at: { kind: 'host', ref },
              subject: host!.name,
              evidence: `${why}; to run there: ${names(vms)}`,
              fix: host!.maintenance
                ? 'Take it out of maintenance mode, or move them to another host.'
                : 'Connect it again in vCenter, or move them to another host.',
            },
          ];
    }),
};

const accessible: LayoutRule = {
  id: 'datastore.inaccessible',
  readByChecks: true,
  title: 'A datastore is not accessible',
  severity: 'block',
  source: sources.arithmetic,
  find: ({ view, slots }) =>
    at(slots, 'datastore')
      .filter(([{ ref }]) => view.datastoreByRef.get(ref)?.accessible === false)
      .map(([store, vms]): Draft => ({
        at: { kind: 'datastore', ref: store.ref },
        subject: store.name,
        evidence: `vCenter says it is not accessible; VMs there: ${names(vms)}`,
        fix: 'Look at its paths and its array, or move them to another datastore.',
      })),
};

const visible: LayoutRule = {
  id: 'place.notVisible',
  title: 'A host does not see a datastore',
  severity: 'block',
  source: sources.arithmetic,
  find: ({ view, slots }) =>
    [
      ...groupBy(
        slots.filter((vm) => vm.host !== null && vm.datastore !== null),
        (vm) => `${vm.host!.ref}\n${vm.datastore!.ref}`,
      ).values(),
    ].flatMap((vms): Draft[] => {
      const { host, datastore } = vms[0]!;
      const store = view.datastoreByRef.get(datastore!.ref);
      if (
        !store?.info ||
        !view.hostByRef.get(host!.ref)?.info ||
        store.hostRefs.includes(host!.ref)
      )
        return [];
      return [
        {
          at: { kind: 'host', ref: host!.ref },
          subject: host!.name,
          evidence: `it does not mount ${datastore!.name}; to run there with disks on it: ${names(vms)}`,
          fix: `Mount ${datastore!.name} on ${host!.name}, or move the VMs to a host that has it.`,
        },
      ];
    }),
};

const outside: LayoutRule = {
  id: 'place.outside',
  title: 'A VM is outside of what is under test',
  severity: 'warn',
  source: sources.own,
  find({
    view: {
      testbed: { layout },
    },
    slots,
  }) {
    const chosen = {
      host: new Set(layout?.hosts.map(({ ref }) => ref)),
      datastore: new Set(layout?.datastores.map(({ ref }) => ref)),
    };
    return (['host', 'datastore'] as const).flatMap((kind) =>
      chosen[kind].size === 0
        ? []
        : at(slots, kind)
            .filter(([{ ref }]) => !chosen[kind].has(ref))
            .map(([place, vms]): Draft => ({
              at: { kind, ref: place.ref },
              subject: place.name,
              evidence: `not among the ${kind}s under test; VMs there: ${names(vms)}`,
              fix: `Add ${place.name} to the ${kind}s under test, or move the VMs.`,
            })),
    );
  },
};

const maintenanceUsed: LayoutRule = {
  id: 'maintenance.used',
  title: 'The maintenance datastore holds a tile',
  severity: 'warn',
  source: sources.maintenance,
  find: ({
    slots,
    view: {
      testbed: { layout },
    },
  }) =>
    at(slots, 'datastore')
      .filter(([{ ref }]) => ref === layout?.maintenanceDatastore?.ref)
      .map(([store, vms]): Draft => ({
        at: { kind: 'datastore', ref: store.ref },
        subject: store.name,
        evidence: `clones and Storage vMotion write to it during the run; VMs there: ${names(vms)}`,
        fix: 'Move them to another datastore, or keep another one for maintenance.',
      })),
};

/** Operations that write to a datastore of their own. */
const needsScratch = /storage|deploy|xvmotion|clone/i;
const maintenanceNone: LayoutRule = {
  id: 'maintenance.none',
  title: 'No maintenance datastore',
  severity: 'warn',
  source: sources.maintenance,
  find({
    view: {
      profile,
      testbed: { layout, infrastructure },
    },
  }) {
    const operations =
      profile.scoring.infrastructure?.operations.filter(({ id, name }) =>
        needsScratch.test(`${id} ${name}`),
      ) ?? [];
    const targets = [
      infrastructure?.storageVmotion,
      infrastructure?.xvmotion,
      infrastructure?.deploy,
    ].some(Boolean);
    return operations.length === 0 || layout?.maintenanceDatastore || targets
      ? []
      : [
          {
            at: { kind: 'testbed', ref: '' },
            subject: 'testbed',
            evidence:
              `${profile.name} runs ${operations.map(({ name }) => name).join(', ')}; no ` +
              'datastore is kept for them',
            fix: 'Choose a maintenance datastore that holds no tile.',
          },
        ];
  },
};

const deployTemplate: LayoutRule = {
  id: 'deploy.template',
  title: 'No template to deploy',
  severity: 'warn',
  source: 'the profile',
  find({
    view: {
      profile,
      inventory,
      testbed: { infrastructure },
    },
  }) {
    const operation = profile.scoring.infrastructure?.operations.find(({ id }) => id === 'deploy');
    if (!operation) return [];
    const chosen = infrastructure?.deploy;
    const found = chosen ? inventory?.vms.find(({ ref }) => ref === chosen.templateRef) : undefined;
    const problem = !chosen
      ? 'none is chosen'
      : inventory && !found
        ? 'the one chosen was not found by the last discovery'
        : null;
    return problem === null
      ? []
      : [
          {
            at: { kind: 'testbed', ref: '' },
            subject: 'testbed',
            evidence: `${profile.name} runs ${operation.name}; ${problem}`,
            fix: 'Choose a template under Infrastructure operations.',
          },
        ];
  },
};

/**
 * Hosts that count: those chosen, else all of the clusters that VMs run in, for DRS may use them.
 */
function hostsUnderTest({ view, slots }: RuleContext): number {
  const chosen = view.testbed.layout?.hosts.length ?? 0;
  if (chosen > 0) return chosen;
  const used = new Set(slots.flatMap((vm) => vm.host?.ref ?? []));
  const clusters = new Set([...used].flatMap((ref) => view.hostByRef.get(ref)?.clusterRef ?? []));
  return view.hosts.filter(
    (host) =>
      used.has(host.ref) ||
      (host.clusterRef !== null &&
        clusters.has(host.clusterRef) &&
        !host.maintenance &&
        host.connected === true),
  ).length;
}

const minimumHosts: LayoutRule = {
  id: 'hosts.least',
  title: 'Fewer hosts than the profile asks for',
  severity: 'block',
  source: 'the profile',
  find(context) {
    const { profile } = context.view;
    const count = hostsUnderTest(context);
    const rule = profile.rules?.find(({ kind }) => kind === 'minimumHosts');
    // Nothing is placed yet: there is nothing to count.
    return count === 0 || count >= profile.minimumHosts
      ? []
      : [
          {
            at: { kind: 'testbed', ref: '' },
            subject: 'testbed',
            evidence: `${count} ${count === 1 ? 'host' : 'hosts'}; ${profile.name} asks for ${profile.minimumHosts}`,
            fix: 'Add hosts to the cluster or to the hosts under test.',
            ...(rule ? { source: rule.source } : {}),
          },
        ];
  },
};

export const placeRules: readonly LayoutRule[] = [
  minimumHosts,
  hostGone,
  datastoreGone,
  hostReady,
  accessible,
  visible,
  outside,
  maintenanceUsed,
  maintenanceNone,
  deployTemplate,
];
