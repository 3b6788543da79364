import type { ExpectationLine } from '../../../src/core/study/study.ts';
import {
  clients,
  connections,
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
import { before, highest, last, uplinkTraffic } from './uplinkTraffic.ts';

const galleryId = 'E09';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const phases = lib.given(
  'Phases',
  { rampUpS: 1_800, staggerS: 0, steadyS: 900, periods: 3, rampDownS: 60 },
  chosenTimes,
);
const { users } = lib.given('Load', { users: 30_000 }, source(152));
const { vms: vmCount, adapters } = lib.given('Web servers', { vms: 4, adapters: 2 }, source(146));
const { stepS, fullAtS, leastFactor } = lib.given(
  'Growth of the load',
  { stepS: 10, fullAtS: 1_740, leastFactor: 0.002 },
  'chosen: in steps too small to see, all of it shortly before the steady state',
);

/** Users grow in small steps to all of them shortly before the steady state. */
const schedule = times(fullAtS / stepS, (index) => ({
  fromS: index * stepS,
  usersFactor: Math.max(leastFactor, ((index + 1) * stepS) / fullAtS),
  ioFactor: 1,
}));

const webSupport = lib.workload('SPECweb2005 Support');
const web = { ...webSupport, users: users / vmCount, schedule };

/**
 * Four web servers with two adapters each. The first carries the pages, the second the
 * administration, which is next to nothing: the post moves one of four active ports and has 2.5 of
 * 10 Gb/s on the other uplink. All port ids are even, so they all hash to the first of two uplinks.
 */
const spec = lab({
  schemaVersion: 1,
  id: 'e09',
  name: 'DL370 G6, two 10 GbE uplinks',
  seed: 9,
  note:
    'Bytes and packets a page, think time and power are the choice of this lab; the post gives ' +
    'users, traffic and CPU.',
  hosts: hosts(1, 'esx', {
    ...lib.server('ProLiant DL370 G6'),
    ...lib.processor('Xeon W5580'),
    overhead: lib.hypervisor('ESX 4.1'),
    build: 'vSphere 4.1 sim',
    hba: lib.hba('FC 4 Gb/s', 1),
    teaming: 'loadBased',
  }),
  arrays: [{ id: 'array', ...lib.array('Fibre Channel array', 1) }],
  luns: luns(1, 'lun', {
    arrayId: 'array',
    ...lib.group('Disks of the web server'),
    ...lib.disk('FC 15k'),
  }),
  datastores: [{ id: 'local', lunIds: ['lun1'], shared: false }],
  vms: times(vmCount, (index) => ({
    id: `web${index + 1}`,
    datastoreId: 'local',
    hostId: 'esx1',
    ...lib.vm('A web server of the teaming test'),
    device: 'paravirtual' as const,
    vnics: [
      { share: 1, portId: index * 4 },
      { share: 0, portId: index * 4 + 2 },
    ],
  })),
  clients: clients(vmCount, 'client', lib.client('8 cores')),
  workloads: [web],
  drs: { enabled: false },
  variants: {
    loadBased: [],
    // Two port groups with one active uplink each: two VMs on either.
    manual: [
      { path: 'hosts.0.teaming', value: 'portHash' },
      ...times(vmCount, (index) => ({
        path: `vms.${index}.vnics`,
        value: times(adapters, (nic) => ({
          share: 1 - nic,
          portId: index * 4 + nic * 2,
          uplinkId: index < 2 ? 'vmnic0' : 'vmnic1',
        })),
      })),
    ],
    portHash: [{ path: 'hosts.0.teaming', value: 'portHash' }],
    ipHash: [{ path: 'hosts.0.teaming', value: 'ipHash' }],
  },
});

const made = profile({
  id: idOf(galleryId, 'web'),
  name: 'SPECweb2005 Support, modelled',
  phases,
  workloads: [
    {
      id: 'web',
      role: 'web',
      name: 'Web Support',
      driver: 'simload',
      params: { kind: webSupport.kind, unit: 'pages/s' },
      unit: 'pages/s',
      reference: null,
      referenceSource: 'not set: no author gives pages a second',
      qos: [
        { metric: 'errorRate', max: 0.01, unit: '%', measure: 'failurePct', source: source(152) },
      ],
    },
  ],
});
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: vmCount,
  vmOf: (tile) => `web${tile + 1}`,
});

const uplinks = ['esx1/vmnic0', 'esx1/vmnic1'] as const;
const sum = (view: StudyView, policy: string): number | null => {
  const values = uplinks.map((id) => view.value(`netGbps.uplink.${id}.mean`, { policy }));
  return values.includes(null) ? null : values.reduce<number>((total, value) => total + value!, 0);
};
const inQos = (view: StudyView, policy: string): number | null => {
  const good = view.value('throughput.web.sum', { policy }),
    failed = view.value('errorRate.web.sum', { policy });
  return good === null || failed === null || good + failed <= 0
    ? null
    : (100 * good) / (good + failed);
};

export const e09: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'Load-based teaming',
    benchmark: 'SPECweb2005 Support',
    year: lib.year(),
    swept: 'teaming policy',
    shows: 'traffic of two uplinks over time',
    paragraph:
      'Four web servers share two 10 Gb/s uplinks, and all their ports hash to the first. ' +
      'While users grow, load-based teaming looks every 30 seconds and moves a port whenever ' +
      'the mean of the busiest uplink is above 75 %. Two moves later both uplinks carry the ' +
      'same, as if someone had placed the ports by hand. Port hash and address hash are ' +
      'shown beside it.',
    published: [
      {
        label: 'Traffic',
        text: 'a little over 13 Gb/s, 6.5 Gb/s an uplink, at 30,000 users',
        source: source(152),
      },
      {
        label: 'First move',
        text: 'when the traffic exceeded 7.5 Gb/s, 75 % of the link',
        source: source(167),
      },
      {
        label: 'Second move',
        text: 'when the traffic exceeded 10 Gb/s, 7.5 and 2.5 on the uplinks',
        source: source(169),
      },
      {
        label: 'CPU and sessions in QoS',
        text: '80 % and 99.99 %, by hand and load-based',
        source: source(173),
      },
    ],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'Load-based teaming',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 10_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'Load-based teaming',
    reference: { policy: 'manual' },
    stopRule: 'never',
    axes: [
      {
        name: 'policy',
        label: 'Teaming policy',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['manual', 'loadBased', 'portHash', 'ipHash'],
        valueLabels: {
          manual: 'By hand',
          loadBased: 'Load-based',
          portHash: 'Port hash',
          ipHash: 'Address hash',
        },
      },
    ],
    charts: [
      {
        title: 'Traffic of the uplinks',
        measure: `netGbps.uplink.${uplinks[0]}.mean`,
        label: 'First uplink',
        also: [{ measure: `netGbps.uplink.${uplinks[1]}.mean`, label: 'Second uplink' }],
        unit: 'Gb/s',
        overTime: true,
        where: { policy: ['loadBased'] },
      },
      {
        title: 'Packets sent by the uplinks',
        measure: `packetsTxPerS.uplink.${uplinks[0]}.mean`,
        label: 'First uplink',
        also: [{ measure: `packetsTxPerS.uplink.${uplinks[1]}.mean`, label: 'Second uplink' }],
        unit: 'packets/s',
        overTime: true,
        where: { policy: ['loadBased'] },
      },
      { title: 'Pages a second', measure: 'throughput.web.sum', unit: 'pages/s', normalise: true },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [
    ...['manual', 'loadBased'].flatMap((policy) => [
      published(
        ['F061', 'F062'],
        'cpuPct.host.mean',
        'CPU',
        { policy },
        80,
        '%',
        source(policy === 'manual' ? 152 : 173),
      ),
      ...uplinks.map((id) =>
        published(
          ['F060'],
          `netGbps.uplink.${id}.mean`,
          'Traffic an uplink',
          { policy },
          6.5,
          'Gb/s',
          source(policy === 'manual' ? 152 : 171),
        ),
      ),
    ]),
  ],
  basis: lib.basis(),
  expectations: (view) => [...phaseLines(view), ...steadyLines(view)],
};

/** Load-based teaming as the traffic grows: when it moves which port. */
function phaseLines(view: StudyView): ExpectationLine[] {
  const samples = uplinkTraffic(
    view,
    { policy: 'loadBased' },
    uplinks,
    phases.rampUpS + phases.steadyS,
  );
  const phase1 = before(samples, 0.05);
  // One of four ports over there is a quarter; a sample in which the second one moved has more.
  const phase2 = before(samples, 0.28);
  const steady = samples.filter(({ elapsedS }) => elapsedS > phases.rampUpS + 20);
  const even =
    steady.length > 0
      ? steady.reduce(
          (worst, { first, total }) => Math.max(worst, Math.abs(first / total - 0.5)),
          0,
        ) * 200
      : null;
  return [
    line(
      'phase1',
      'Phase 1: traffic of the second uplink',
      'Gb/s',
      highest(phase1, ({ second }) => second),
      'unused',
      null,
      0.05,
      165,
      0,
    ),
    line(
      'phase2',
      'Phase 2: traffic when the first port moves',
      'Gb/s',
      last(phase1, ({ total }) => total),
      'exceeded 7.5',
      7.2,
      7.9,
      167,
      7.5,
    ),
    line(
      'phase3',
      'Phase 3: traffic when the second port moves',
      'Gb/s',
      last(phase2, ({ total }) => total),
      'exceeded 10',
      9.7,
      10.5,
      169,
      10,
    ),
    line(
      'phase3.split',
      'Phase 3: of it on the first uplink',
      'Gb/s',
      last(phase2, ({ first }) => first),
      '7.5 and 2.5',
      7.2,
      7.9,
      169,
      7.5,
    ),
    line(
      'phase4',
      'Phase 4: traffic',
      'Gb/s',
      sum(view, 'loadBased'),
      'a little over 13',
      13,
      13.6,
      171,
      13,
    ),
    line(
      'phase4.even',
      'Phase 4: largest difference of the uplinks, of their mean',
      '%',
      even,
      'the same usage',
      null,
      5,
      171,
      0,
    ),
  ];
}

/** Either policy in the steady state. */
function steadyLines(view: StudyView): ExpectationLine[] {
  return [
    line(
      'manual',
      'By hand: traffic',
      'Gb/s',
      sum(view, 'manual'),
      'a little over 13',
      13,
      13.6,
      152,
      13,
    ),
    ...(['manual', 'loadBased'] as const).flatMap((policy) => {
      const words = policy === 'manual' ? 'By hand' : 'Load-based';
      const at = policy === 'manual' ? 152 : 173;
      return [
        line(
          `${policy}.cpu`,
          `${words}: CPU`,
          '%',
          view.value('cpuPct.host.mean', { policy }),
          '80 %',
          77,
          83,
          at,
        ),
        line(
          `${policy}.qos`,
          `${words}: pages in QoS`,
          '%',
          inQos(view, policy),
          '99.99 %',
          99.98,
          100,
          at,
          99.99,
        ),
      ];
    }),
  ];
}
