import { groupBy } from '../base/groupBy.ts';
import { maximumTiles, vmsOfTile } from '../profile/profile.ts';
import type { LayoutVm } from '../testbed/layoutModel.ts';
import { sources } from './layoutSources.ts';
import type { Draft, LayoutRule, RuleContext } from './layoutTypes.ts';

/** Rules of tiles and their VMs: who is in a tile, once, and from where it is loaded. */

const atSlot = (vm: LayoutVm): Pick<Draft, 'at' | 'subject'> => ({
  at: { kind: 'slot', ref: vm.key },
  subject: `tile ${vm.tile + 1} ${vm.workload.name}`,
});
const list = (words: readonly string[], most = 5): string =>
  words.length > most
    ? `${words.slice(0, most).join(', ')} and ${words.length - most} more`
    : words.join(', ');
const testbed = { at: { kind: 'testbed', ref: '' }, subject: 'testbed' } as const;

const most: LayoutRule = {
  id: 'tiles.most',
  readByChecks: true,
  title: 'More tiles than the profile allows',
  severity: 'block',
  source: 'the profile',
  find({ view: { profile }, slots }) {
    const tiles = new Set(slots.map((vm) => vm.tile)).size;
    const limit = profile.maximumTiles ?? maximumTiles;
    const allows =
      profile.maximumTiles === undefined
        ? 'a plan runs at most'
        : `${profile.name} ${profile.version} allows`;
    return tiles <= limit
      ? []
      : [
          {
            ...testbed,
            evidence: `${tiles} tiles; ${allows} ${limit}`,
            fix: `Remove ${tiles - limit} tiles.`,
          },
        ];
  },
};

const complete: LayoutRule = {
  id: 'tile.workloads',
  readByChecks: true,
  title: 'A tile is not what the profile says',
  severity: 'block',
  source: 'the profile',
  find({ view, plan }) {
    const wanted = view.workloads.filter(({ known }) => known);
    return view.tiles
      .slice(0, plan?.tiles ?? view.tiles.length)
      .flatMap(({ tile, vms }): Draft[] => {
        const counts = groupBy(vms, (vm) => vm.workload.id);
        const lacks = wanted.filter(({ id }) => !counts.has(id)).map(({ name }) => `no ${name}`);
        const twice = [...counts]
          .filter(([, of]) => of.length > 1)
          .map(([id, of]) => `${id} ${of.length} times`);
        const stray = vms
          .filter((vm) => !vm.workload.known)
          .map((vm) => `${vm.workload.id}, which the profile does not have`);
        const faults = [...lacks, ...twice, ...stray];
        return faults.length === 0
          ? []
          : [
              {
                at: { kind: 'tile', ref: String(tile) },
                subject: `tile ${tile + 1}`,
                evidence: `it has ${list(faults)}`,
                fix: 'Generate the tiles again for this profile: what is assigned already stays.',
              },
            ];
      });
  },
};

const twice: LayoutRule = {
  id: 'vm.twice',
  title: 'A VM serves two workloads',
  severity: 'block',
  source: 'each workload of a tile has VMs of its own: the profile',
  find: ({ slots }) =>
    [
      ...groupBy(
        slots.filter((vm) => vm.vm !== null),
        (vm) => vm.vm!.ref,
      ).values(),
    ]
      .filter((vms) => vms.length > 1)
      .map((vms): Draft => ({
        at: { kind: 'slot', ref: vms[1]!.key },
        subject: vms[0]!.vm!.name,
        evidence: `assigned to ${list(vms.map((vm) => atSlot(vm).subject))}`,
        fix: 'Assign another VM to all but one of them.',
      })),
};

const excluded: LayoutRule = {
  id: 'vm.excluded',
  title: 'An excluded VM is in a tile',
  severity: 'warn',
  source: sources.own,
  find({ view, slots }) {
    const refs = new Set(view.testbed.layout?.excludedVms.map(({ ref }) => ref));
    return slots
      .filter((vm) => vm.vm !== null && refs.has(vm.vm.ref))
      .map((vm): Draft => ({
        at: atSlot(vm).at,
        subject: vm.vm!.name,
        evidence: `excluded from the testbed, and assigned to ${atSlot(vm).subject}`,
        fix: 'Take it off the list of excluded VMs, or assign another VM.',
      }));
  },
};

const notDiscovered: LayoutRule = {
  id: 'vm.notDiscovered',
  readByChecks: true,
  title: 'A VM is not in the vCenter',
  severity: 'block',
  source: sources.arithmetic,
  find: ({ slots }) =>
    slots
      .filter((vm) => vm.missingWhy === 'notDiscovered')
      .map((vm): Draft => ({
        at: atSlot(vm).at,
        subject: vm.vm!.name,
        evidence: `assigned to ${atSlot(vm).subject}; the last discovery did not find it`,
        fix: 'Discover again, assign another VM, or take it away and provision a new one.',
      })),
};

const unassigned: LayoutRule = {
  id: 'vm.unassigned',
  title: 'Workloads without a VM',
  severity: 'info',
  source: sources.arithmetic,
  find({ slots }) {
    const open = slots.filter((vm) => vm.missingWhy === 'unassigned');
    return open.length === 0
      ? []
      : [
          {
            at: { kind: 'slot', ref: open[0]!.key },
            subject: 'testbed',
            evidence:
              `${open.length} of ${slots.length}: ` +
              `${list(open.map((vm) => atSlot(vm).subject))}. Their load is not placed on any ` +
              'host or datastore',
            fix: 'Assign VMs by name pattern, or provision the missing ones from templates.',
          },
        ];
  },
};

const template: LayoutRule = {
  id: 'vm.template',
  title: 'A missing VM has no template',
  severity: 'warn',
  source: sources.arithmetic,
  find({ view, slots }) {
    const {
      inventory,
      testbed: { layout },
    } = view;
    const templates = layout?.templates ?? {};
    // A slot that is planned somewhere and has no VM waits for a clone.
    const waiting = groupBy(
      slots.filter(
        (vm) =>
          vm.missing &&
          (vm.hostFrom === 'planned' ||
            vm.datastoreFrom === 'planned' ||
            Object.keys(templates).length > 0),
      ),
      (vm) => vm.workload.id,
    );
    return [...waiting].flatMap(([workloadId, vms]): Draft[] => {
      const chosen = templates[workloadId];
      const found = chosen ? inventory?.vms.find(({ ref }) => ref === chosen.ref) : undefined;
      const problem = !chosen
        ? 'no template is chosen'
        : inventory && !found
          ? `template ${chosen.name} was not found by the last discovery`
          : found && !found.template && found.powerState === 'poweredOn'
            ? `${chosen.name} is no template and is powered on`
            : null;
      return problem === null
        ? []
        : [
            {
              at: { kind: 'slot', ref: vms[0]!.key },
              subject: vms[0]!.workload.name,
              evidence: `${problem}; VMs to clone: ${vms.length}`,
              fix: `Choose a template for ${vms[0]!.workload.name}.`,
            },
          ];
    });
  },
};

const client: LayoutRule = {
  id: 'client.none',
  title: 'A workload has no client machine',
  severity: 'block',
  source: sources.arithmetic,
  find({ view, slots }) {
    const known = new Set(view.clients.filter((one) => one.known).map(({ id }) => id));
    return [
      ...groupBy(
        slots.filter((vm) => !known.has(vm.clientId)),
        (vm) => vm.clientId,
      ),
    ].map(([id, vms]): Draft => ({
      at: { kind: 'slot', ref: vms[0]!.key },
      subject: id === '' ? 'testbed' : id,
      evidence:
        `${list(vms.map((vm) => atSlot(vm).subject))}: ` +
        (id === '' ? 'none is chosen' : `there is no client machine ${id}`),
      fix: 'Choose a client machine, or connect one.',
    }));
  },
};

const uncounted: LayoutRule = {
  id: 'tile.uncounted',
  title: 'VMs of a tile that the testbed does not name',
  severity: 'info',
  source: 'the profile',
  find({ view: { profile }, slots }) {
    const vms = vmsOfTile(profile),
      named = profile.workloads.length;
    return vms === null || vms <= named || slots.length === 0
      ? []
      : [
          {
            ...testbed,
            evidence: `${profile.name} has ${vms} VMs in a tile, the testbed names ${named}: those under load`,
            fix: 'The forecast counts the other VMs only where they are powered on.',
          },
        ];
  },
};

const split: LayoutRule = {
  id: 'tile.split',
  title: 'A tile is split over hosts',
  severity: 'info',
  source: sources.singleServer,
  find: ({ view: { profile, tiles }, plan, slots }: RuleContext) =>
    profile.minimumHosts > 1
      ? []
      : tiles.slice(0, plan?.tiles ?? tiles.length).flatMap(({ tile }): Draft[] => {
          const hosts = [
            ...new Set(slots.filter((vm) => vm.tile === tile).flatMap((vm) => vm.host?.name ?? [])),
          ];
          return hosts.length < 2
            ? []
            : [
                {
                  at: { kind: 'tile', ref: String(tile) },
                  subject: `tile ${tile + 1}`,
                  evidence: `on ${list(hosts)}: what its VMs say to each other crosses the network`,
                  fix: 'Place the tile on one host, unless the study is about the cluster.',
                },
              ];
        }),
};

export const tileRules: readonly LayoutRule[] = [
  most,
  complete,
  twice,
  excluded,
  notDiscovered,
  unassigned,
  template,
  client,
  uncounted,
  split,
];
