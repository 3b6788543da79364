import { responseRegions } from '../../../src/core/knee/kneeRegions.ts';
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
  study,
  testbed,
} from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';

const galleryId = 'E13';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const phases = lib.given(
  'Phases',
  { rampUpS: 60, staggerS: 0, steadyS: 600, periods: 1, rampDownS: 20 },
  chosenTimes,
);
const overhead = {
  virtual: lib.hypervisor('ESX 3.5'),
  native: lib.hypervisor('none'),
};
/**
 * Slowest mean response that still counts as met, ms; the benchmark limits shares of pages instead.
 */
const limitMs = lib.limit('A page of SPECweb2005');

const kinds = lib.posted(
  {
    banking: { name: 'Banking', peakPct: 90 },
    ecommerce: { name: 'E-commerce', peakPct: 80 },
    support: { name: 'Support', peakPct: 85 },
  } as const,
  source(119),
);
type Kind = keyof typeof kinds;
type Machine = 'native' | 'virtual';
const demands = {
  banking: lib.workload('SPECweb2005 Banking'),
  ecommerce: lib.workload('SPECweb2005 E-commerce'),
  support: lib.workload('SPECweb2005 Support'),
};
const series = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  (['native', 'virtual'] as const).map((machine) => ({ kind, machine, id: `${kind}-${machine}` })),
);

const server = lib.server('HP DL385 G1'),
  processor = lib.processor('Opteron 275');
/** One core of one server, booted with one CPU or carrying one VM of one vCPU. */
const spec = lab({
  schemaVersion: 1,
  id: 'e13',
  name: 'DL385 G1, one CPU',
  seed: 13,
  note:
    'The adapter of the VM is chosen: the post does not name it. 1.2 s in the back-end ' +
    'simulator and on the way are chosen too.',
  hosts: hosts(1, 'host', {
    ...server,
    ...processor,
    ...lib.given('Booted natively with', { sockets: 1, coresPerSocket: 1 }, source(80)),
    overhead: overhead.native,
    virtual: false,
    build: 'RHEL 4',
    hba: lib.hba('FC 2 Gb/s', 1),
  }),
  arrays: [{ id: 'array', ...lib.array('Fibre Channel array, 2 Gb/s', 2) }],
  luns: luns(1, 'lun', {
    arrayId: 'array',
    ...lib.group('Files of the web server'),
    ...lib.disk('FC 10k'),
  }),
  datastores: [{ id: 'files', lunIds: ['lun1'], shared: false }],
  vms: [
    {
      id: 'web',
      hostId: 'host1',
      datastoreId: 'files',
      ...lib.vm('A web server of one processor'),
      device: 'paravirtual',
    },
  ],
  clients: clients(1, 'client', lib.client('16 fast cores')),
  drs: { enabled: false },
  workloads: [{ ...demands.banking, kind: 'specweb' }],
  variants: Object.fromEntries(
    series.map(({ kind, machine, id }) => [
      id,
      [
        { path: 'workloads.0', value: { ...demands[kind], kind: 'specweb' } },
        { path: 'hosts.0.overhead', value: overhead[machine] },
        { path: 'hosts.0.virtual', value: machine === 'virtual' },
        { path: 'hosts.0.build', value: machine === 'virtual' ? 'ESX Server 3.5' : 'RHEL 4' },
        // The virtual server has the whole machine; its VM has one vCPU of it.
        ...(machine === 'virtual'
          ? [
              { path: 'hosts.0.sockets', value: server.sockets },
              { path: 'hosts.0.coresPerSocket', value: processor.coresPerSocket },
            ]
          : []),
      ],
    ]),
  ),
});
const made = profile({
  id: idOf(galleryId, 'web'),
  name: 'SPECweb2005, modelled',
  phases,
  workloads: [
    {
      id: 'web',
      role: 'web',
      name: 'Web server',
      driver: 'simload',
      params: { kind: 'specweb', unit: 'pages/s' },
      unit: 'pages/s',
      reference: null,
      referenceSource: 'Not set: normalised to the first run',
    },
  ],
});
const bed = testbed({ galleryId, lab: spec, profile: made, tiles: 1, vmOf: () => 'web' });
const users = lib.swept(
  'Users',
  [
    500, 1_000, 1_500, 1_700, 1_900, 2_000, 2_100, 2_300, 3_000, 3_500, 4_000, 4_300, 4_500, 4_700,
    4_800, 4_900, 5_000, 5_100, 5_200, 5_300, 5_400, 5_500, 5_600, 5_700, 5_800, 5_900, 6_000,
  ],
  'chosen: closer together where a knee is',
);

const at = (kind: Kind, machine: Machine, count: number): { users: number; server: string } => ({
  users: count,
  server: `${kind}-${machine}`,
});
const curve = (view: StudyView, kind: Kind, machine: Machine): { x: number[]; y: number[] } => {
  const found = users.flatMap((count) => {
    const y = view.value('latencyMeanMs.web.mean', at(kind, machine, count));
    return y === null ? [] : [{ count, y }];
  });
  return { x: found.map(({ count }) => count), y: found.map(({ y }) => y) };
};
/**
 * The measured load next below 80 % of the native peak: the post's load point is "approximately 80
 * %".
 */
const loadPoint = (peak: number | null): number | null =>
  peak === null ? null : (users.filter((count) => count <= peak * 0.8).at(-1) ?? null);

export const e13: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'Response time against load',
    benchmark: 'SPECweb2005',
    year: lib.year(),
    swept: 'users',
    shows: 'response time, knee',
    paragraph:
      'A web server on one CPU, native and virtual, under ever more users and three kinds of ' +
      'pages. Response time stays flat on a plateau, grows in a stressed region, and breaks ' +
      'away at a knee. Both curves have the same shape; the virtual one bends a little ' +
      'earlier, and how much depends on how many packets a page takes.',
    published: [
      {
        label: 'Highest load',
        text: '90, 80 and 85 % of native for Banking, E-commerce and Support',
        source: source(119),
      },
      {
        label: 'Response at 80 % of the native peak',
        text: 'no appreciable difference',
        source: source(105),
      },
      {
        label: 'Plateau and stressed region',
        text: 'CPU below 50 % and above 60 %',
        source: source(92),
      },
    ],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'Response time against load',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 30_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'Response time against load',
    reference: at('banking', 'native', users[0]!),
    stopRule: 'never',
    axes: [
      {
        name: 'users',
        label: 'Users',
        unit: 'users',
        parameter: { kind: 'option', workloadId: 'web', param: 'users' },
        values: users,
      },
      {
        name: 'server',
        label: 'Pages and server',
        parameter: { kind: 'lab', path: 'variant' },
        values: series.map(({ id }) => id),
        valueLabels: Object.fromEntries(
          series.map(({ kind, machine, id }) => [id, `${kinds[kind].name}, ${machine}`]),
        ),
      },
    ],
    charts: [
      { title: 'Response time', measure: 'latencyMeanMs.web.mean', unit: 'ms' },
      { title: 'Pages a second', measure: 'throughput.web.sum', unit: 'pages/s' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [],
  basis: lib.basis(),
  expectations(view) {
    return (Object.keys(kinds) as Kind[]).flatMap((kind) => {
      const native = curve(view, kind, 'native'),
        virtual = curve(view, kind, 'virtual'),
        { name, peakPct } = kinds[kind];
      const regions = responseRegions(native, limitMs),
        slower = responseRegions(virtual, limitMs);
      const peak = regions.knee.estimate,
        virtualPeak = slower.knee.estimate;
      const load = loadPoint(peak);
      const response = (machine: Machine): number | null =>
        load === null ? null : view.value('latencyMeanMs.web.mean', at(kind, machine, load));
      const calm = response('native'),
        calmVirtual = response('virtual');
      const plateauCpu =
        regions.plateau === null
          ? null
          : view.value('cpuPct.host.mean', at(kind, 'native', regions.plateau.from));
      return [
        line(
          `peak.${kind}`,
          `Highest load of ${name}, virtual`,
          '% of native',
          peak === null || virtualPeak === null ? null : (100 * virtualPeak) / peak,
          `close to ${peakPct} %`,
          peakPct - 2,
          peakPct + 2,
          119,
          peakPct,
        ),
        line(
          `latency.${kind}`,
          `Response of ${name} at 80 % of the native peak, virtual over native`,
          '×',
          calm === null || calmVirtual === null ? null : calmVirtual / calm,
          'no appreciable difference',
          0.9,
          1.1,
          105,
          1,
        ),
        line(
          `cpu.${kind}`,
          `CPU of ${name} at that load, native`,
          '%',
          load === null ? null : view.value('cpuPct.host.mean', at(kind, 'native', load)),
          '70 % to 80 %',
          69.5,
          80.5,
          103,
          75,
        ),
        line(
          `stressed.${kind}`,
          `Stressed region of ${name}, native, as part of the load at the knee`,
          '%',
          regions.stressed === null || peak === null
            ? null
            : (100 * (regions.stressed.to - regions.stressed.from)) / peak,
          'plateau, stressed region, knee',
          0.3,
          40,
          94,
        ),
        line(
          `plateau.${kind}`,
          `CPU at the lowest load of ${name}, native`,
          '%',
          plateauCpu,
          'well below 50 %',
          null,
          50,
          92,
        ),
      ];
    });
  },
};
