import {
  connections,
  guestsOf,
  hosts,
  idOf,
  lab,
  linesOf,
  luns,
  plan,
  profile,
  published,
  study,
  testbed,
  times,
} from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';

const galleryId = 'E14';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const hostCounts = lib.swept(
    'Hosts',
    [1, 2, 4, 8, 16, 32, 64],
    `${lib.line(143)}: 64; the others by doubling`,
  ),
  hostCount = Math.max(...hostCounts),
  commands = lib.given('A host', { outstanding: 32 }, source(143)).outstanding;

const patterns = lib.posted(
  {
    randomRead: { words: 'Random read', readPct: 100, randomPct: 100 },
    randomWrite: { words: 'Random write', readPct: 0, randomPct: 100 },
    sequentialRead: { words: 'Sequential read', readPct: 100, randomPct: 0 },
    sequentialWrite: { words: 'Sequential write', readPct: 0, randomPct: 0 },
  } as const,
  source(155),
);
type Pattern = keyof typeof patterns;
const patternIds = Object.keys(patterns) as Pattern[];
const profileId = (pattern: Pattern): string => idOf(galleryId, pattern.toLowerCase());

const spec = lab({
  schemaVersion: 1,
  id: 'e14',
  name: '64 blades on one volume',
  seed: 14,
  note:
    'Hosts, links, queue depth and commands are those of the post. It names neither the array ' +
    'nor the block size: 28 mirrored disks of 15,000 rpm, commands of 16 KB and an array that ' +
    'works on 32 commands of a LUN side by side are the choice of this lab.',
  hosts: hosts(hostCount, 'blade', {
    ...lib.server('Blade server'),
    ...lib.processor('Xeon 5140'),
    overhead: lib.hypervisor('ESX 3.5'),
    build: 'ESX 3.5 sim',
    hba: lib.hba('FC 2 Gb/s', 1),
  }),
  // The volume is owned by one controller of the array and reached through its one port.
  arrays: [{ id: 'array', ...lib.array('Fibre Channel array, 2 Gb/s', 1) }],
  luns: luns(1, 'lun', {
    arrayId: 'array',
    ...lib.group('The shared volume'),
    ...lib.disk('FC 15k'),
  }),
  datastores: [{ id: 'shared', lunIds: ['lun1'], shared: true }],
  vms: times(hostCount, (index) => ({
    id: `vm${index + 1}`,
    datastoreId: 'shared',
    hostId: `blade${index + 1}`,
    ...lib.vm('A VM of the shared volume'),
  })),
  workloads: [lib.workload('fio')],
  drs: { enabled: false },
});

const size = lib.given(
  'Commands',
  { blockSizeKb: 16, sizeMb: 20_480 },
  'chosen: the post names no block size; files larger than any cache',
);
const made = patternIds.map((pattern) =>
  profile({
    id: profileId(pattern),
    name: `${patterns[pattern].words}, 32 commands a host`,
    phases: lib.given(
      'Phases',
      { rampUpS: 60, staggerS: 0, steadyS: 180, periods: 3, rampDownS: 5 },
      chosenTimes,
    ),
    workloads: [
      {
        id: 'io',
        role: 'io',
        name: patterns[pattern].words,
        driver: 'fio',
        params: {
          ...size,
          readPct: patterns[pattern].readPct,
          randomPct: patterns[pattern].randomPct,
          outstanding: commands,
        },
        unit: 'IOPS',
        reference: null,
        referenceSource: 'not set: the study compares rates',
        note: 'fio in the role of Iometer; one virtual machine a host generates all its commands.',
      },
    ],
  }),
);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made[0]!,
  tiles: hostCount,
  power: 'none',
  vmOf: (tile) => `vm${tile + 1}`,
  clientOf: () => null,
});

const total = (view: StudyView, hostsNow: number, pattern: Pattern): number | null =>
  view.value('throughput.io.sum', { hosts: hostsNow, pattern: profileId(pattern) });
const delay = (view: StudyView, hostsNow: number, pattern: Pattern): number | null =>
  view.value('latencyMeanMs.io.mean', { hosts: hostsNow, pattern: profileId(pattern) });
/** Largest distance of any number of hosts from one host, in % of it. */
function spreadPct(view: StudyView, pattern: Pattern): number | null {
  const one = total(view, 1, pattern);
  const all = hostCounts.map((count) => total(view, count, pattern));
  return one === null || all.includes(null)
    ? null
    : Math.max(...all.map((value) => Math.abs(value! / one - 1) * 100));
}

export const e14: GalleryEntry = {
  item: {
    id: galleryId,
    title: '64 hosts on one volume',
    benchmark: 'Iometer role: fio',
    year: lib.year(),
    swept: 'hosts; access pattern',
    shows: 'aggregate throughput and mean latency',
    paragraph:
      'Up to 64 blades share one VMFS volume, each with 32 commands under way. The volume ' +
      'gives what its disks and its link can give, from the first host on, so more hosts ' +
      'change the sum of the rates little and the latency much: it is the commands of all ' +
      'hosts over that rate. Only sequential reads lose, because streams of several hosts ' +
      'that meet at the array are no longer sequential.',
    published: [
      {
        label: 'Aggregate throughput',
        text: 'no drop with the number of hosts, except for sequential read',
        source: source(155),
      },
      {
        label: 'Writes',
        text: 'generally better than reads, as the write cache absorbs them',
        source: source(155),
      },
      {
        label: 'Latency',
        text: 'beyond eight hosts, 256 commands, upwards of 100 ms',
        source: source(162),
      },
    ],
  },
  labs: [spec],
  testbeds: [bed],
  profiles: made,
  connections: connections(spec, { power: 'none', guests: guestsOf(spec, [bed]) }),
  plan: plan({
    galleryId,
    name: 'Hosts on one volume',
    testbed: bed,
    profile: made[0]!,
    sampling: lib.given('Sampling', { workloadMs: 10_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: '64 hosts on one volume',
    stopRule: 'never',
    reference: { hosts: 1, pattern: profileId('randomRead') },
    axes: [
      {
        name: 'hosts',
        label: 'Hosts',
        unit: 'hosts',
        parameter: { kind: 'tiles' },
        values: hostCounts,
      },
      {
        name: 'pattern',
        label: 'Access pattern',
        parameter: { kind: 'profile' },
        values: patternIds.map(profileId),
        valueLabels: Object.fromEntries(
          patternIds.map((pattern) => [profileId(pattern), patterns[pattern].words]),
        ),
      },
    ],
    charts: [
      { title: 'Aggregate throughput', measure: 'throughput.io.sum', unit: 'IOPS' },
      { title: 'Mean latency', measure: 'latencyMeanMs.io.mean', unit: 'ms' },
      { title: 'Latency of the array', measure: 'deviceLatencyMs.datastore.mean', unit: 'ms' },
    ],
  }),
  published: [
    published(
      ['F101', 'F102'],
      'latencyMeanMs.io.mean',
      'Exceeded beyond 8 hosts',
      { hosts: 8, pattern: profileId('randomRead') },
      100,
      'ms',
      source(162),
    ),
  ],
  basis: lib.basis(),
  expectations(view) {
    const one = total(view, 1, 'sequentialRead'),
      many = total(view, hostCount, 'sequentialRead');
    const writes = total(view, hostCount, 'randomWrite'),
      reads = total(view, hostCount, 'randomRead');
    return [
      ...(['randomRead', 'randomWrite', 'sequentialWrite'] as const).map((pattern) =>
        line(
          `flat.${pattern}`,
          `${patterns[pattern].words}: largest change of the sum over 1 to 64 hosts`,
          '%',
          spreadPct(view, pattern),
          'no drop',
          null,
          5,
          155,
          0,
        ),
      ),
      line(
        'drop',
        'Sequential read: sum of 64 hosts over that of one',
        '',
        one === null || many === null ? null : many / one,
        'drops',
        null,
        0.8,
        155,
      ),
      line(
        'latency.8',
        'Random read: mean latency at 8 hosts',
        'ms',
        delay(view, 8, 'randomRead'),
        '256 commands reached',
        null,
        100,
        162,
      ),
      line(
        'latency.16',
        'Random read: mean latency at 16 hosts',
        'ms',
        delay(view, 16, 'randomRead'),
        'upwards of 100 ms',
        100,
        null,
        162,
      ),
      line(
        'writes',
        'Random writes over random reads, 64 hosts',
        '',
        writes === null || reads === null ? null : writes / reads,
        'better than reads',
        1,
        null,
        155,
      ),
    ];
  },
};
