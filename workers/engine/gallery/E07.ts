import {
  clients,
  connections,
  expectation,
  hosts,
  idOf,
  lab,
  luns,
  plan,
  profile,
  study,
  testbed,
  tileVms,
  times,
} from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';

const galleryId = 'E07';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const phases = lib.given(
  'Phases',
  { rampUpS: 120, staggerS: 0, steadyS: 1_800, periods: 3, rampDownS: 60 },
  chosenTimes,
);
/** Driver threads a node at 4 CPUs; twice as many at 8. */
const { threads } = lib.given('Load of a node', { threads: 40 }, source(60));
const cpuCounts = lib.swept('CPUs', [4, 8] as const, source(55));
const nodeCount = lib.given('Nodes', { hosts: 2 }, source(40)).hosts;
const dataLuns = lib.given('Data', { luns: 2 }, source(42)).luns;
const sockets = lib.server('PowerEdge R710').sockets;
const overhead = {
  virtual: lib.hypervisor('ESX 4.1'),
  physical: lib.hypervisor('none'),
};

/**
 * Two nodes of a cluster database, each a tile: the whole machine itself, or one VM as large.
 * Hyper-threading is off and cores are limited, as in the post.
 */
const spec = lab({
  schemaVersion: 1,
  id: 'e07',
  name: 'Two PowerEdge R710, FAS6030',
  seed: 7,
  note: 'Hyper-threading is off and cores are limited, as in the post.',
  hosts: hosts(nodeCount, 'node', {
    ...lib.server('PowerEdge R710'),
    ...lib.processor('Xeon X5680'),
    ...lib.given('Limited to', { coresPerSocket: 2, hyperThreadGain: 1 }, source(55)),
    overhead: overhead.physical,
    virtual: false,
    build: 'RHEL 5.5',
    hba: lib.hba('FC 4 Gb/s', 2),
  }),
  arrays: [{ id: 'fas', ...lib.array('FAS6030', 4) }],
  luns: [
    ...luns(dataLuns, 'data', {
      arrayId: 'fas',
      ...lib.group('Data of the cluster database'),
      ...lib.disk('FC 10k'),
    }),
  ],
  datastores: [{ id: 'asm', lunIds: ['data1', 'data2'] }],
  vms: tileVms(nodeCount, { rac: lib.vm('A node of the cluster database') }, (tile) => ({
    hostId: `node${tile + 1}`,
    datastoreId: 'asm',
  })),
  clients: clients(nodeCount, 'client', lib.client('8 cores')),
  drs: { enabled: false },
  workloads: [lib.workload('DVD Store 2.1, cluster database')],
  variants: Object.fromEntries(
    cpuCounts.flatMap((cpus) =>
      (['physical', 'virtual'] as const).map((mode) => [
        `${mode}${cpus}`,
        [
          { path: 'workloads.0.users', value: (threads * cpus) / 4 },
          ...times(nodeCount, (node) => [
            { path: `hosts.${node}.coresPerSocket`, value: cpus / sockets },
            { path: `vms.${node}.vcpus`, value: cpus },
            { path: `hosts.${node}.overhead`, value: overhead[mode] },
            { path: `hosts.${node}.virtual`, value: mode === 'virtual' },
            { path: `hosts.${node}.build`, value: mode === 'virtual' ? 'ESXi 4.1' : 'RHEL 5.5' },
          ]).flat(),
        ],
      ]),
    ),
  ),
});
const made = profile({
  id: idOf(galleryId, 'rac'),
  name: 'DVD Store 2.1 on a cluster database, modelled',
  phases,
  workloads: [
    {
      id: 'rac',
      role: 'database',
      name: 'DVD Store',
      driver: 'simload',
      params: { kind: 'dvdstore', unit: 'orders/min' },
      unit: 'orders/min',
      reference: null,
      referenceSource: 'Not set: normalised to the physical run',
    },
  ],
});
const bed = testbed({ galleryId, lab: spec, profile: made, tiles: nodeCount });
const labels = {
  physical4: '4 CPUs, physical',
  virtual4: '4 vCPUs',
  physical8: '8 CPUs, physical',
  virtual8: '8 vCPUs',
};

/** As the post has it: physical and virtual side by side, for each number of CPUs. */
const groups = {
  label: 'CPUs of a node',
  bars: ['Physical', 'Virtual'],
  places: (['4', '8'] as const).map((cpus) => ({
    label: `${cpus} CPUs`,
    values: [`physical${cpus}`, `virtual${cpus}`],
  })),
};

/** How far virtual lies behind physical, in % of the better. */
function behind(
  view: StudyView,
  measure: string,
  cpus: number,
  moreIsBetter: boolean,
): number | null {
  const physical = view.value(measure, { machine: `physical${cpus}` }),
    virtual = view.value(measure, { machine: `virtual${cpus}` });
  if (!physical || !virtual) return null;
  return 100 * (1 - (moreIsBetter ? virtual / physical : physical / virtual));
}

export const e07: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'A cluster database, physical and virtual',
    benchmark: 'DVD Store 2.1',
    year: lib.year(),
    swept: 'CPUs, physical or virtual',
    shows: 'orders a minute, response time',
    paragraph:
      'Two nodes of one database take as many orders as their processors can, first as whole ' +
      'machines and then as virtual machines of the same size. With every CPU busy, what the ' +
      'hypervisor adds to each order, each disk access and each packet shows directly in ' +
      'orders a minute and in response time.',
    published: [
      {
        label: 'Virtual',
        text: 'within 11 to 13 % of physical in orders a minute and response time, at 4 and at 8 CPUs',
        source: source(62),
      },
      { label: 'CPU', text: 'above 95 % in all tests', source: source(60) },
    ],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'A cluster database, physical and virtual',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 30_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'A cluster database, physical and virtual',
    reference: { machine: 'physical4' },
    stopRule: 'never',
    axes: [
      {
        name: 'machine',
        label: 'Node',
        parameter: { kind: 'lab', path: 'variant' },
        values: Object.keys(labels),
        valueLabels: labels,
      },
    ],
    charts: [
      { title: 'Orders a minute', measure: 'throughput.rac.sum', unit: 'orders/min', groups },
      { title: 'Response time', measure: 'latencyMeanMs.rac.mean', unit: 'ms', groups },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%', groups },
    ],
  }),
  published: [],
  basis: lib.basis(),
  expectations(view) {
    return [4, 8].flatMap((cpus) => [
      expectation({
        id: `E07.opm.${cpus}`,
        label: `Orders a minute below physical, ${cpus} CPUs`,
        unit: '%',
        model: behind(view, 'throughput.rac.sum', cpus, true),
        published: 'within 11 to 13 %',
        target: 12,
        low: 11,
        high: 13,
        source: source(62),
      }),
      expectation({
        id: `E07.rt.${cpus}`,
        label: `Response time behind physical, ${cpus} CPUs`,
        unit: '%',
        model: behind(view, 'latencyMeanMs.rac.mean', cpus, false),
        published: 'within 11 to 13 %',
        target: 12,
        low: 11,
        high: 13,
        source: source(62),
      }),
      ...(['physical', 'virtual'] as const).map((mode) =>
        expectation({
          id: `E07.cpu.${mode}${cpus}`,
          label: `Host CPU, ${mode}, ${cpus} CPUs`,
          unit: '%',
          model: view.value('cpuPct.host.min', { machine: `${mode}${cpus}` }),
          published: 'above 95 %',
          low: 95,
          high: null,
          source: source(60),
        }),
      ),
    ]);
  },
};
