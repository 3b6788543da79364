import { counted } from '../base/counted.ts';
import {
  type CustomerLabDraft,
  customerLabDraft,
  customerLabLimits,
  groupFigureKeys,
  groupFigures,
  groupName,
  type HostGroup,
  type HostGroupFigure,
  hostsOf,
} from './draft.ts';
import { fitProcessor, type LabParts } from './parts.ts';

/** What a draft of a customer's lab lacks, and what the library offers for it. */

type Value = number | string | boolean | CustomerLabDraft['datastores'];
export interface Gap {
  /** `groups.0.ghz`, `array`: where it stands in the draft. */
  path: string;
  /** What is missing, in words. */
  label: string;
  /** null = only who knows the lab can say it. */
  offer: { value: Value; text: string; why: string } | null;
}

/** Figures of the lab as a whole that may be missing. */
export const labFigures = {
  hypervisor: 'Hypervisor',
  array: 'Array',
  arrayPorts: 'Ports of the array',
  adapter: 'Storage links',
  disk: 'Disks are',
  disks: 'Disks under each datastore',
  raid: 'RAID',
  keepVms: 'VMs that are there',
  drs: 'DRS',
  tiles: 'Most tiles',
} as const;
export type LabFigure = keyof typeof labFigures;

/** Everything that is missing, in the order of the form. */
export function gapsOf(draft: CustomerLabDraft, parts: LabParts): Gap[] {
  const gaps: Gap[] = [];
  draft.groups.forEach((group, index) => {
    for (const key of groupFigureKeys)
      if (group[key] === null)
        gaps.push({
          path: `groups.${index}.${key}`,
          label: `${groupFigures[key].label} of ${groupName(group)}`,
          offer: groupOffer(group, key, parts),
        });
  });
  if (draft.groups.length > 0 && draft.datastores.length === 0)
    gaps.push({ path: 'datastores', label: 'Datastores', offer: datastoreOffer(draft) });
  const unsized = draft.datastores.filter(({ capacityGb }) => capacityGb === null).length;
  if (unsized > 0)
    gaps.push({
      path: 'capacities',
      label: `Capacity of ${counted(unsized, 'datastore')}`,
      offer: { value: 1_024, text: '1 TB each', why: 'chosen: the table does not say' },
    });
  for (const key of Object.keys(labFigures) as LabFigure[])
    if (draft[key] === null)
      gaps.push({ path: key, label: labFigures[key], offer: labOffer(draft, key, parts) });
  return gaps;
}

/** The library's server of this model; undefined = it has none. */
const serverOf = ({ vendor, model }: HostGroup, { servers }: LabParts) => {
  const said = `${vendor} ${model}`.toLowerCase();
  return servers.find(({ name }) => model !== '' && said.includes(name.toLowerCase()));
};

function groupOffer(group: HostGroup, key: HostGroupFigure, parts: LabParts): Gap['offer'] {
  const offer = (value: number, why: string): Gap['offer'] => ({
    value,
    text: [String(value), groupFigures[key].unit].filter(Boolean).join(' '),
    why,
  });
  const server = serverOf(group, parts);
  switch (key) {
    case 'sockets':
    case 'memoryGb':
      return server === undefined ? null : offer(server[key], `as ${server.name} in the library`);
    case 'coresPerSocket':
    case 'ghz': {
      const processor = parts.processors.find(
        ({ name }) => group.cpuModel !== '' && sameProcessor(name, group.cpuModel),
      );
      return processor === undefined
        ? null
        : offer(
            key === 'ghz' ? processor.ghz : processor.cores,
            `as ${processor.name} in the library`,
          );
    }
    case 'workPerGhz':
    case 'hyperThreadGain': {
      const fit = group.cpuModel === '' ? null : fitProcessor(group.cpuModel, parts);
      const core = parts.generations.find(({ name }) => name === fit?.generation);
      return fit === null || core === undefined ? null : offer(core[key], `as ${fit.why}`);
    }
    case 'uplinks':
      return server
        ? offer(server.uplinks, `as ${server.name} in the library`)
        : offer(2, 'usual: two, so that one may fail');
    case 'uplinkGbps':
      return server
        ? offer(server.uplinkGbps, `as ${server.name} in the library`)
        : offer(10, 'usual where no table says it');
    case 'hbaPorts':
      return offer(2, 'usual: two, so that one may fail');
    case 'idleW':
    case 'busyW': {
      const like = server ?? nearestServer(group, parts);
      return like === undefined
        ? null
        : offer(
            like[key],
            server
              ? `as ${like.name} in the library`
              : `as ${like.name}, the library’s largest of as many sockets`,
          );
    }
  }
}

/** `Xeon X5570` of `Intel(R) Xeon(R) CPU X5570 @ 2.93GHz`. */
const sameProcessor = (name: string, cpuModel: string): boolean => {
  const said = cpuModel.toLowerCase().replace(/\((r|tm)\)/g, ' ');
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => new RegExp(`\\b${word}\\b`).test(said));
};

const nearestServer = ({ sockets }: HostGroup, { servers }: LabParts) =>
  servers
    .filter((server) => sockets === null || server.sockets === sockets)
    .sort((a, b) => b.busyW - a.busyW)[0] ?? [...servers].sort((a, b) => b.busyW - a.busyW)[0];

function datastoreOffer(draft: CustomerLabDraft): Gap['offer'] {
  const count = Math.min(customerLabLimits.datastores, 2 * hostsOf(draft));
  return {
    value: Array.from({ length: count }, (_, i) => ({
      name: `datastore${i + 1}`,
      capacityGb: 1_024,
    })),
    text: `${counted(count, 'datastore')} of 1 TB`,
    why: 'two per host, so that no single LUN decides',
  };
}

function labOffer(draft: CustomerLabDraft, key: LabFigure, parts: LabParts): Gap['offer'] {
  const last = (list: readonly string[], why: string): Gap['offer'] => {
    const value = list.at(-1);
    return value === undefined ? null : { value, text: value, why };
  };
  switch (key) {
    case 'hypervisor':
      return last(parts.hypervisors, 'the newest in the library');
    case 'array':
      return parts.arrays.includes('CX3-80')
        ? { value: 'CX3-80', text: 'CX3-80', why: 'a large one in the library' }
        : last(parts.arrays, 'from the library');
    case 'arrayPorts':
      return { value: 4, text: '4', why: 'usual: two per controller' };
    case 'adapter':
      return parts.adapters.includes('FC 4 Gb/s')
        ? { value: 'FC 4 Gb/s', text: 'FC 4 Gb/s', why: 'the fastest Fibre Channel in the library' }
        : last(parts.adapters, 'from the library');
    case 'disk':
      return parts.disks.includes('FC 15k')
        ? { value: 'FC 15k', text: 'FC 15k', why: 'the fastest with spindles in the library' }
        : last(parts.disks, 'from the library');
    case 'disks':
      return { value: 8, text: '8', why: 'chosen: a shelf holds 14 or 15' };
    case 'raid':
      return { value: '5', text: 'RAID 5', why: 'the usual' };
    case 'keepVms':
      return {
        value: false,
        text: 'Left out',
        why: 'a table of inventory tells no load of theirs',
      };
    case 'drs':
      return { value: '3', text: '3 stars', why: 'the default of the field' };
    case 'tiles': {
      const value = tilesToFill(draft);
      return value === null
        ? null
        : {
            value,
            text: counted(value, 'tile'),
            why:
              value === customerLabLimits.tiles
                ? 'the most of a lab; its processors would hold more'
                : 'a fifth more than its processors hold',
          };
    }
  }
}

/**
 * Work of the reference core that one tile takes: 17 tiles fill the four servers of “Scaling a
 * cluster”, whose cores do 26.2.
 */
const coresPerTile = 26.2 / 17;

/** Tiles that fill all processors, and a fifth more; null = what they do is not said yet. */
export function tilesToFill({ groups }: Pick<CustomerLabDraft, 'groups'>): number | null {
  let work = 0;
  for (const { names, sockets, coresPerSocket, ghz, workPerGhz, hyperThreadGain } of groups) {
    if (
      sockets === null ||
      coresPerSocket === null ||
      ghz === null ||
      workPerGhz === null ||
      hyperThreadGain === null
    )
      return null;
    work += names.length * sockets * coresPerSocket * ghz * workPerGhz * hyperThreadGain;
  }
  return work === 0
    ? null
    : Math.min(customerLabLimits.tiles, Math.max(2, Math.ceil((1.2 * work) / coresPerTile)));
}

/** The draft with a value at a path of a gap. */
function withValue(draft: CustomerLabDraft, path: string, value: Value | null): CustomerLabDraft {
  const [first, index, key] = path.split('.');
  if (path === 'capacities')
    return {
      ...draft,
      datastores: draft.datastores.map(({ name, capacityGb }) => ({
        name,
        capacityGb: capacityGb ?? Number(value),
      })),
    };
  if (first !== 'groups') return { ...draft, [path]: value };
  return {
    ...draft,
    groups: draft.groups.map((group, i) =>
      i === Number(index) ? { ...group, [key!]: value } : group,
    ),
  };
}

/** The draft with a value as somebody typed it: what was offered for it is not taken any more. */
export const withTyped = (
  draft: CustomerLabDraft,
  { path, label }: Pick<Gap, 'path' | 'label'>,
  value: Value | null,
): CustomerLabDraft => ({
  ...withValue(draft, path, value),
  chosen: draft.chosen.filter((words) => !words.startsWith(`${label}: `)),
});

/** The draft with one offer taken, which is noted. */
export const withOffer = (
  draft: CustomerLabDraft,
  { path, label, offer }: Gap,
): CustomerLabDraft =>
  offer === null
    ? draft
    : {
        ...withValue(draft, path, offer.value),
        chosen: [...draft.chosen, `${label}: ${offer.text}, ${offer.why}`],
      };

/** Why a figure is what it is, where its offer was taken; undefined = somebody said it. */
export const takenWords = ({ chosen }: CustomerLabDraft, label: string): string | undefined => {
  const words = chosen.find((one) => one.startsWith(`${label}: `))?.slice(label.length + 2);
  return words?.slice(words.indexOf(', ') + 2);
};

/** The draft with every offer taken: also those that only the others make possible. */
export function withAllOffers(draft: CustomerLabDraft, parts: LabParts): CustomerLabDraft {
  let now = draft;
  for (;;) {
    const gap = gapsOf(now, parts).find(({ offer }) => offer !== null);
    if (gap === undefined) return now;
    now = withOffer(now, gap);
  }
}

/** Values that no lab can have, by path; empty = all that is there may stand. */
export function faultsOf(draft: CustomerLabDraft): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  const parsed = customerLabDraft.safeParse(draft);
  for (const issue of parsed.error?.issues ?? []) {
    const words =
      issue.code === 'too_small'
        ? `At least ${issue.minimum}.`
        : issue.code === 'too_big'
          ? `At most ${issue.maximum}.`
          : issue.code === 'invalid_type'
            ? 'A number.'
            : `${issue.message}.`;
    const path = issue.path.join('.');
    if (!faults.has(path)) faults.set(path, words);
  }
  if (draft.name.trim() === '') faults.set('name', 'A lab needs a name.');
  if (draft.groups.length === 0) faults.set('groups', 'A lab needs a host.');
  else if (hostsOf(draft) > customerLabLimits.hosts)
    faults.set('groups', `At most ${customerLabLimits.hosts} hosts.`);
  draft.groups.forEach(({ idleW, busyW }, index) => {
    if (idleW !== null && busyW !== null && busyW < idleW)
      faults.set(`groups.${index}.busyW`, `At least the ${idleW} W when idle.`);
  });
  return faults;
}

/** What the model does not know of this lab: said where it is made, and kept with it. */
export function labLimitsOf(draft: CustomerLabDraft, parts: LabParts): string[] {
  const unknown = draft.groups.filter(
    ({ cpuModel }) => cpuModel !== '' && fitProcessor(cpuModel, parts)?.exact !== true,
  );
  return [
    'Simulated. Not calibrated: no run of this lab was ever held against the model.',
    ...(unknown.length > 0
      ? [
          'The library ends with processors of 2010. Later cores do more per GHz: with the ' +
            'figure of an older one the lab fills sooner than it would.',
        ]
      : []),
    'Work grows in step with cores and clock: the model has no memory bandwidth.',
    'Datastores are LUNs of one array, each on its own disks; NFS and vSAN are modelled as that too.',
    'The load is the tile of VMmark 1.x, of small VMs of 2006; it has no QoS limits.',
    ...(draft.keepVms === true
      ? ['VMs that are kept hold memory and carry no load.']
      : draft.vms.length > 0 && draft.keepVms === false
        ? [
            `The ${counted(draft.vms.length, 'VM')} of the table are left out: the hosts start empty.`,
          ]
        : []),
  ];
}
