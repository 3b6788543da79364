import { segmentKnee } from '../../../src/core/knee/kneeSegments.ts';
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

const galleryId = 'E02';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const vmCount = lib.given('Most VMs', { vms: 16 }, source(60)).vms,
  fiveDisk = lib.given('On five disks', { luns: 98 }, source(119)).luns,
  // The rest of the hundred go to the last VMs.
  lunsAVm = lib.given('A VM', { luns: 6 }, `chosen: 100 disks on 16 VMs, ${source(119)}`).luns,
  arrayIds = ['cx1', 'cx2', 'cx3'] as const;
const vmCounts = lib.swept('VMs', [2, 4, 8, 16], source(52)),
  most = lib.given('Most I/Os', { outstanding: 12 }, source(60)).outstanding,
  outstanding = times(most, (index) => index + 1),
  vmSweepAt = lib.given('While VMs are swept', { outstanding: 8 }, source(52)).outstanding;

/** Five-disk groups in turn over the three arrays, then the two single disks. */
const lunArray = (index: number): string => (index < fiveDisk ? arrayIds[index % 3]! : 'cx3');
/** Six LUNs a VM; the last four virtual disks go to the last four VMs. */
const lunIdsOf = (vm: number): string[] => [
  ...times(lunsAVm, (disk) => `lun${vm * lunsAVm + disk + 1}`),
  ...(vm >= vmCount - 4 ? [`lun${97 + vm - (vmCount - 4)}`] : []),
];

const spec = lab({
  schemaVersion: 1,
  id: 'e02',
  name: 'One host, three CX3-80',
  seed: 2,
  note:
    'Disks, cache, ports and layout are those of the post. Seek, transfer and controller times ' +
    'are the choice of this lab, as data sheets of 15k disks and of that class of array have ' +
    'them. The post has 100 virtual disks on 16 VMs and says that two had one more than the ' +
    'others: here four have seven.',
  hosts: hosts(1, 'esx', {
    ...lib.server('Four-socket server'),
    ...lib.processor('Xeon X7350', 4),
    overhead: lib.hypervisor('ESX 3.5'),
    build: 'ESX 3.5 Update 1 sim',
    hba: lib.hba('FC 4 Gb/s', 6),
  }),
  arrays: arrayIds.map((id) => ({
    id,
    ...lib.array('CX3-80', 2),
  })),
  luns: [
    ...luns(
      fiveDisk + 2,
      'lun',
      {
        arrayId: 'cx1',
        ...lib.group('A test disk'),
        ...lib.disk('FC 15k'),
      },
      (index) => ({
        arrayId: lunArray(index),
        ...(index < fiveDisk ? {} : lib.group('A test disk alone')),
      }),
    ),
    ...luns(1, 'system', {
      arrayId: 'cx3',
      ...lib.group('System disks'),
      ...lib.disk('FC 15k'),
    }),
  ],
  datastores: [
    ...times(vmCount, (vm) => ({ id: `test${vm + 1}`, lunIds: lunIdsOf(vm) })),
    { id: 'system', lunIds: ['system1'] },
  ],
  vms: times(vmCount, (vm) => ({
    id: `vm${vm + 1}`,
    datastoreId: `test${vm + 1}`,
    hostId: 'esx1',
    ...lib.vm('A VM of the I/O test'),
  })),
  workloads: [lib.workload('fio')],
  drs: { enabled: false },
});

const made = profile({
  id: idOf(galleryId, 'random'),
  name: 'Random I/O, 8 KB, half reads',
  phases: lib.given(
    'Phases',
    { rampUpS: 60, staggerS: 0, steadyS: 240, periods: 3, rampDownS: 5 },
    chosenTimes,
  ),
  workloads: [
    {
      id: 'io',
      role: 'io',
      name: 'Random I/O',
      driver: 'fio',
      params: {
        ...lib.given('Access pattern', { blockSizeKb: 8, readPct: 50, randomPct: 100 }, source(44)),
        outstanding: vmSweepAt,
        ...lib.given('Virtual disks', { sizeMb: 40_960 }, source(119)),
      },
      unit: 'IOPS',
      reference: null,
      referenceSource: 'not set: the study compares rates',
      note: 'fio in the role of Iometer: one job a virtual disk, each with its own outstanding I/Os.',
    },
  ],
});
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: vmCount,
  power: 'none',
  vmOf: (tile) => `vm${tile + 1}`,
  clientOf: () => null,
  params: (tile) => ({ jobs: lunIdsOf(tile).length }),
});

/** The post's two measures in one chart, each with its own axis. */
const rateAndLatency = {
  measure: 'throughput.io.sum',
  label: 'I/Os per second',
  unit: 'IOPS',
  also: [{ measure: 'latencyMeanMs.io.mean', label: 'Latency in the guest', unit: 'ms' }],
};

const iops = (view: StudyView, vms: number, depth: number): number | null =>
  view.value('throughput.io.sum', { vms, outstanding: depth });
const guestMs = (view: StudyView, vms: number, depth: number): number | null =>
  view.value('latencyMeanMs.io.mean', { vms, outstanding: depth });
const arrayMs = (view: StudyView, vms: number, depth: number): number | null =>
  view.value('deviceLatencyMs.datastore.mean', { vms, outstanding: depth });
const ratio = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === 0 ? null : a / b;

/**
 * The post's knee: the last number of outstanding I/Os up to which one more gives more IOPS, in
 * relation, than latency.
 */
function gainKnee(view: StudyView): number | null {
  let knee: number | null = null;
  for (const depth of outstanding.slice(0, -1)) {
    const more = ratio(iops(view, vmCount, depth + 1), iops(view, vmCount, depth)),
      slower = ratio(guestMs(view, vmCount, depth + 1), guestMs(view, vmCount, depth));
    if (more === null || slower === null) return null;
    if (more < slower) return knee;
    knee = depth + 1;
  }
  return null;
}

/** The same place by the app's own detection: where two straight lines through the rates meet. */
const bend = (view: StudyView): number | null =>
  segmentKnee(
    { x: outstanding, y: outstanding.map((depth) => iops(view, vmCount, depth) ?? NaN) },
    'concave',
  ).estimate;

export const e02: GalleryEntry = {
  item: {
    id: galleryId,
    title: '100,000 IOPS on one host',
    benchmark: 'Iometer role: fio',
    year: lib.year(),
    swept: 'virtual machines; outstanding I/Os',
    shows: 'IOPS and latency',
    paragraph:
      'One host asks three arrays with 495 fast disks for small random I/Os until the disks ' +
      'have no more to give. The rate grows with the number of virtual machines while the ' +
      'latency hardly does. With more I/Os outstanding on every disk group the rate grows ' +
      'faster than the latency up to a knee; from there on the arrays only let them wait. ' +
      'The host adds next to nothing: what the guests see is what the arrays take.',
    published: [
      {
        label: 'Rate',
        text: 'above 100,000 IOPS, until the disks were the limit',
        source: source(30),
      },
      {
        label: 'Scaling',
        text: 'scales well with the VMs, latency grows only marginally',
        source: source(58),
      },
      {
        label: 'Knee',
        text: 'beyond six outstanding I/Os latency grows faster than IOPS',
        source: source(66),
      },
      {
        label: 'Guest against array',
        text: 'the latency in the guest is very close to that of the array',
        source: source(74),
      },
    ],
  },
  labs: [spec],
  testbeds: [bed],
  profiles: [made],
  connections: connections(spec, { power: 'none', guests: guestsOf(spec, [bed]) }),
  plan: plan({
    galleryId,
    name: 'Random I/O over VMs and outstanding I/Os',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 10_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: '100,000 IOPS on one host',
    stopRule: 'never',
    reference: { outstanding: vmSweepAt, vms: vmCounts[0]! },
    axes: [
      {
        name: 'outstanding',
        label: 'Outstanding I/Os per LUN',
        parameter: { kind: 'option', workloadId: 'io', param: 'outstanding' },
        values: outstanding,
      },
      {
        name: 'vms',
        label: 'Virtual machines',
        unit: 'VMs',
        parameter: { kind: 'tiles' },
        values: vmCounts,
      },
    ],
    charts: [
      {
        title: 'I/Os per second and latency by outstanding I/Os',
        ...rateAndLatency,
        where: { vms: [vmCount] },
      },
      {
        title: 'I/Os per second and latency by virtual machines',
        ...rateAndLatency,
        over: 'vms',
        where: { outstanding: [vmSweepAt] },
      },
      {
        title: 'Latency in the guest and of the arrays',
        measure: 'latencyMeanMs.io.mean',
        label: 'In the guest',
        also: [{ measure: 'deviceLatencyMs.datastore.mean', label: 'Of the arrays' }],
        unit: 'ms',
        where: { vms: [vmCount] },
      },
      { title: 'I/Os per second', measure: 'throughput.io.sum', unit: 'IOPS' },
      { title: 'Latency in the guest', measure: 'latencyMeanMs.io.mean', unit: 'ms' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [
    published(
      ['F018'],
      'throughput.io.sum',
      'More than',
      { outstanding: 12, vms: vmCount },
      100_000,
      'IOPS',
      source(30),
    ),
  ],
  basis: lib.basis(),
  expectations(view) {
    const [few, many] = [vmCounts[0]!, vmCount];
    const worst = outstanding.reduce<number | null>((most, depth) => {
      const part = ratio(guestMs(view, many, depth), arrayMs(view, many, depth));
      return part === null || most === null ? null : Math.max(most, Math.abs(part - 1) * 100);
    }, 0);
    return [
      line(
        'rate',
        'Rate of 16 VMs with 12 outstanding I/Os',
        'IOPS',
        iops(view, many, 12),
        'over 100,000',
        100_000,
        null,
        30,
      ),
      line(
        'knee',
        'Outstanding I/Os up to which IOPS grow faster than latency',
        '',
        gainKnee(view),
        '6',
        5,
        7,
        66,
        6,
      ),
      line(
        'bend',
        'The same by two-segment regression of the rate',
        '',
        bend(view),
        '6',
        5,
        7,
        66,
        6,
      ),
      ...vmCounts
        .slice(1)
        .map((vms) =>
          line(
            `linear.${vms}`,
            `Rate of ${vms} VMs over that of ${few}, by VMs`,
            '',
            ratio(ratio(iops(view, vms, vmSweepAt), iops(view, few, vmSweepAt)), vms / few),
            'scales well',
            0.93,
            1.07,
            58,
            1,
          ),
        ),
      line(
        'latency.vms',
        'Latency of 16 VMs over that of 2',
        '',
        ratio(guestMs(view, many, vmSweepAt), guestMs(view, few, vmSweepAt)),
        'increases only marginally',
        0.98,
        1.15,
        58,
        1,
      ),
      line(
        'guest',
        "Guest latency against the array's, largest difference",
        '%',
        worst,
        'very close',
        null,
        5,
        74,
        0,
      ),
      line(
        'late',
        'Latency gain over IOPS gain from 6 to 12 outstanding',
        '',
        ratio(
          ratio(guestMs(view, many, 12), guestMs(view, many, 6)),
          ratio(iops(view, many, 12), iops(view, many, 6)),
        ),
        'above 1',
        1,
        null,
        66,
      ),
    ];
  },
};
