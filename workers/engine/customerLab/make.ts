import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import {
  type CustomerLabDraft,
  customerLabLimits,
  groupName,
  type HostGroup,
} from '../../../src/core/customerLab/draft.ts';
import { faultsOf, gapsOf, labLimitsOf } from '../../../src/core/customerLab/gaps.ts';
import type { LabParts } from '../../../src/core/customerLab/parts.ts';
import type { LabSpec, LabVm } from '../../../src/core/lab/lab.ts';
import { labVm } from '../../../src/core/lab/lab.ts';
import type { Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { type StudySpec, studySpecSchema } from '../../../src/core/study/study.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import {
  clients,
  connections,
  hosts,
  lab,
  luns,
  plan,
  testbed,
  tileVms,
  times,
} from '../gallery/build.ts';
import { type Library, library } from '../gallery/library.ts';
import { tileDemands, tileParams, tileProfile, tileShapes } from '../gallery/vmmark1.ts';

interface Made {
  lab: LabSpec;
  connections: Connection[];
  profile: Profile;
  testbed: Testbed;
  plan: Plan;
  study: StudySpec;
}

/** Long enough that noise of a reading is small beside what is shown; all tiles start within. */
const phases: Profile['phases'] = {
  rampUpS: 900,
  staggerS: 2,
  steadyS: 1_800,
  periods: 3,
  rampDownS: 60,
};

/**
 * A simulated lab of the draft with everything that a study of it needs; ids begin with `id`. Throws
 * invalidInput for a draft in which something is missing or cannot be.
 */
export function customerLabOf(id: string, draft: CustomerLabDraft, parts: LabParts): Made {
  demandWhole(draft, parts);
  const lib = library('tile');
  const tiles = draft.tiles!;
  const spec = labOf(id, draft, { lib, tiles, parts });
  const profile = tileProfile(
    `${id}-tile`,
    `VMmark 1.x tile, modelled, for ${spec.name}`.slice(0, 120),
    phases,
  );
  const bed = testbed({
    galleryId: id,
    lab: spec,
    profile,
    tiles,
    params: tileParams(spec.id),
    notes: spec.note,
  });
  const made = plan({
    galleryId: id,
    name: `Scaling of ${spec.name}`,
    testbed: bed,
    profile,
    sampling: { workloadMs: 60_000, vcenterMs: 20_000 },
    notes: spec.note,
  });
  const swept = sweepTo(tiles);
  return {
    lab: spec,
    connections: connections(spec),
    profile,
    testbed: bed,
    plan: made,
    study: studySpecSchema.parse({
      schemaVersion: 1,
      id: `${id}-study`,
      name: `Scaling of ${spec.name}`,
      planId: made.id,
      stopRule: 'never',
      reference: { tiles: swept[0]! },
      axes: [
        {
          name: 'tiles',
          label: 'Tiles',
          unit: 'tiles',
          parameter: { kind: 'tiles' },
          values: swept,
        },
      ],
      charts: [
        { title: 'Scaling', measure: 'score', unit: '×', normalise: true },
        { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
        { title: 'Power', measure: 'powerW.sum.mean', unit: 'W' },
      ],
      notes: spec.note,
    }),
  };
}

function demandWhole(draft: CustomerLabDraft, parts: LabParts): void {
  const [fault] = [...faultsOf(draft)];
  if (fault !== undefined)
    throw fail('invalidInput', `The lab cannot be made: ${fault[1]}`, `Mend ${fault[0]} of it.`);
  const known: [string | null, readonly string[], string][] = [
    [draft.hypervisor, parts.hypervisors, 'hypervisor'],
    [draft.array, parts.arrays, 'array'],
    [draft.adapter, parts.adapters, 'adapter'],
    [draft.disk, parts.disks, 'disk'],
  ];
  for (const [said, names, what] of known)
    if (said !== null && !names.includes(said))
      throw fail(
        'invalidInput',
        `The library has no ${what} ${said}.`,
        `It has ${names.join(', ')}.`,
      );
  const gaps = gapsOf(draft, parts);
  if (gaps.length > 0)
    throw fail(
      'invalidInput',
      `${counted(gaps.length, 'figure')} of the lab ${gaps.length === 1 ? 'is' : 'are'} missing: ${gaps
        .slice(0, 3)
        .map(({ label }) => label)
        .join(', ')}${gaps.length > 3 ? ' and more' : ''}.`,
      'Fill in what is missing, or take what is offered.',
    );
}

/** From one tile to the most, closer together where a cluster fills. */
const sweepTo = (tiles: number): number[] => [
  ...new Set(
    [0, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9, 1].map((share) => Math.max(1, Math.round(share * tiles))),
  ),
];

function labOf(
  id: string,
  draft: CustomerLabDraft,
  { lib, tiles, parts }: { lib: Library; tiles: number; parts: LabParts },
): LabSpec {
  const named = idsOf();
  const machines = draft.groups.flatMap(({ names }) => names.map((name) => named(name)));
  const hostIds = machines.map((one) => one.id);
  const groups = draft.groups.flatMap((group) => group.names.map(() => group));
  const stores = draft.datastores.map(({ name }) => named(name));
  const storage = stores.map((one) => one.id);
  const overhead = lib.hypervisor(draft.hypervisor!);
  return lab({
    schemaVersion: 1,
    id,
    name: draft.name.trim(),
    note: noteOf(draft, parts),
    hosts: machines.flatMap((machine, index) =>
      hosts(1, '', {
        ...hostParts(groups[index]!),
        overhead,
        build: `${draft.hypervisor!} sim`,
        hba: lib.hba(draft.adapter!, groups[index]!.hbaPorts!),
      }).map((host) => ({ ...host, ...machine })),
    ),
    arrays: [{ id: 'array', ...lib.array(draft.array!, draft.arrayPorts!) }],
    luns: storage.flatMap((datastore, index) =>
      luns(1, 'lun', {
        arrayId: 'array',
        disks: draft.disks!,
        raid: draft.raid!,
        sizeGb: draft.datastores[index]!.capacityGb ?? 1_024,
        ...lib.disk(draft.disk!),
      }).map((lun) => ({ ...lun, id: `lun-${datastore}` })),
    ),
    datastores: stores.map((store) => ({ ...store, lunIds: [`lun-${store.id}`] })),
    vms: [
      ...tileVms(tiles, tileShapes(lib, '1.1'), (tile) => ({
        hostId: hostIds[tile % hostIds.length]!,
        datastoreId: storage[tile % storage.length]!,
      })),
      ...keptVms(draft, hostIds, storage),
    ],
    clients: clients(tiles, 'client', lib.client('4 cores')),
    workloads: tileDemands(lib),
    drs:
      draft.drs === 'off' ? { enabled: false } : { enabled: true, stars: Number(draft.drs ?? '3') },
  });
}

const hostParts = (group: HostGroup) => ({
  vendor: group.vendor === '' ? 'Sim' : group.vendor,
  model: group.model === '' ? groupName(group) : group.model,
  cpuModel: group.cpuModel === '' ? 'Processor as typed' : group.cpuModel,
  sockets: group.sockets!,
  coresPerSocket: group.coresPerSocket!,
  ghz: group.ghz!,
  coreSpeed: Number((group.workPerGhz! * group.ghz!).toPrecision(4)),
  hyperThreadGain: group.hyperThreadGain!,
  memoryGb: group.memoryGb!,
  uplinks: times(group.uplinks!, (i) => ({ id: `vmnic${i}`, gbps: group.uplinkGbps! })),
  power: { idleW: group.idleW!, busyW: group.busyW! },
});

/** VMs that are there and carry no load, evenly over hosts and datastores. */
function keptVms(
  draft: CustomerLabDraft,
  hostIds: readonly string[],
  storage: readonly string[],
): LabVm[] {
  if (draft.keepVms !== true) return [];
  return draft.vms.slice(0, customerLabLimits.vms).map(({ vcpus, memoryGb }, index) =>
    labVm.parse({
      id: `kept${index + 1}`,
      hostId: hostIds[index % hostIds.length]!,
      datastoreId: storage[index % storage.length]!,
      vcpus,
      memoryMb: Math.max(1, Math.round(memoryGb * 1_024)),
      guest: 'Kept without load',
    }),
  );
}

/**
 * Ids as the simulated world takes them, each once: what it does not take becomes a dash. A name that
 * is more than its id says stands beside it, so that a customer knows the machine again.
 */
function idsOf(): (name: string) => { id: string; name?: string } {
  const taken = new Set<string>();
  const shown = new Set<string>();
  return (name) => {
    const plain = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
    const stem = (plain === '' ? 'unnamed' : plain).slice(0, 60);
    let made = stem;
    for (let number = 2; taken.has(made.toLowerCase()); number += 1) made = `${stem}-${number}`;
    taken.add(made.toLowerCase());
    let called = name;
    for (let number = 2; shown.has(called.toLowerCase()); number += 1)
      called = `${name} (${number})`;
    shown.add(called.toLowerCase());
    return called === made ? { id: made } : { id: made, name: called };
  };
}

const noteOf = (draft: CustomerLabDraft, parts: LabParts): string =>
  [
    ...labLimitsOf(draft, parts),
    ...(draft.origin === '' ? [] : [`Made from ${draft.origin}.`]),
    ...(draft.chosen.length === 0 ? [] : [`Not from the tables: ${draft.chosen.join('; ')}.`]),
  ].join('\n');
