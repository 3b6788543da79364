import {
  clients,
  connections,
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

const galleryId = 'E10';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const phases = lib.given(
  'Phases',
  { rampUpS: 60, staggerS: 0, steadyS: 300, periods: 1, rampDownS: 20 },
  chosenTimes,
);
const rates = lib.swept(
  'Packets a second',
  [1_000, 10_000, 25_000, 50_000, 100_000] as const,
  `${lib.line(201)}: 10,000 and 100,000; those between are chosen`,
);

const netperf = lib.workload('netperf UDP_STREAM');
const web = lib.workload('SPECweb2005 Support');
/** An OLTP-like load that keeps all eight vCPUs busy, with few packets. */
const database = lib.workload('SAP with DB2');

const overhead = lib.hypervisor('ESX 4.1');
const shared = {
  build: 'vSphere 4.1 sim',
  hba: lib.hba('FC 4 Gb/s', 1),
  overhead,
};
const threadsOff = lib.given(
  'Hosts',
  { hyperThreadGain: 1 } as const,
  'chosen: without it CPU in per cent counts cores, as the post does',
);
const nehalem = {
  ...shared,
  ...lib.server('Two-socket server'),
  ...lib.processor('Xeon E5520'),
  ...threadsOff,
};
const vm = {
  datastoreId: 'store',
  device: 'paravirtual' as const,
  vnics: [{ share: 1, uplinkId: 'vmnic1' }],
};
const vms = [
  { ...vm, id: 'netperf', hostId: 'esx-netperf', ...lib.vm('A VM for packets') },
  { ...vm, id: 'web', hostId: 'esx-web', ...lib.vm('A web server of the DirectPath test') },
  { ...vm, id: 'database', hostId: 'esx-sap', ...lib.vm('A database of eight processors') },
];
const device = (kind: string): { path: string; value: unknown }[] =>
  vms.map((_, index) => ({ path: `vms.${index}.device`, value: kind }));

/**
 * Three machines side by side, as the post measured them one after the other: none of them disturbs
 * another.
 */
const spec = lab({
  schemaVersion: 1,
  id: 'e10',
  name: 'Three hosts with a spare 10 GbE adapter',
  seed: 10,
  note:
    'The post gives processors, network adapter and kinds of load; memory of the database VM, ' +
    'users and packets an operation are the choice of this lab.',
  hosts: [
    { ...nehalem, id: 'esx-netperf' },
    { ...nehalem, id: 'esx-web' },
    {
      ...shared,
      id: 'esx-sap',
      ...lib.server('Four-socket Nehalem server'),
      ...lib.processor('Xeon X7550', 4),
      ...threadsOff,
    },
  ],
  arrays: [{ id: 'array', ...lib.array('Fibre Channel array', 4) }],
  luns: luns(1, 'lun', {
    arrayId: 'array',
    ...lib.group('Disks of three servers'),
    ...lib.disk('FC 15k'),
  }),
  datastores: [{ id: 'store', lunIds: ['lun1'] }],
  vms,
  clients: clients(vms.length, 'client', lib.client('16 cores')),
  workloads: [netperf, web, database],
  drs: { enabled: false },
  variants: {
    virtual: [],
    passthrough: device('passthrough'),
    emulated: device('emulated'),
    reserved: vms.map((one, index) => ({
      path: `vms.${index}.memoryReservationMb`,
      value: one.memoryMb,
    })),
  },
});

const simulated = (
  id: string,
  kind: string,
  role: string,
  name: string,
  unit: string,
  scored: boolean,
) => ({
  id,
  role,
  name,
  driver: 'simload',
  params: { kind, unit },
  unit,
  scored,
  reference: null,
  referenceSource: 'not set: the post compares devices, it has no reference',
});
const made = profile({
  id: idOf(galleryId, 'network'),
  name: 'Packet rate, web and database',
  phases,
  workloads: [
    simulated('netperf', netperf.kind, 'network', 'netperf UDP_STREAM', 'bursts/s', true),
    simulated('web', web.kind, 'web', 'Web', 'pages/s', true),
    simulated('database', database.kind, 'database', 'SAP with DB2', 'steps/s', true),
  ],
});
const clientOf: Readonly<Record<string, string>> = {
  netperf: 'client1',
  web: 'client2',
  database: 'client3',
};
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: 1,
  vmOf: (_tile, workloadId) => workloadId,
  clientOf: (_tile, workloadId) => clientOf[workloadId]!,
});

type At = { pps: number; device: string };
/** Mean CPU of one host over the steady state, in per cent of the host. */
const cpu = (view: StudyView, at: At, hostId: string): number | null =>
  view.value(`cpuPct.host.${hostId}.mean`, at);
const cores = nehalem.sockets * nehalem.coresPerSocket;
/** CPU that pass-through saves at a packet rate, in per cent of one core. */
function saved(view: StudyView, pps: number): number | null {
  const [virtual, direct] = ['virtual', 'passthrough'].map((kind) =>
    cpu(view, { pps, device: kind }, 'esx-netperf'),
  );
  return typeof virtual === 'number' && typeof direct === 'number'
    ? (virtual - direct) * cores
    : null;
}
/** By how many per cent `of` is higher with the first device than with the second. */
const more = (first: number | null, second: number | null): number | null =>
  first === null || second === null || second <= 0 ? null : (first / second - 1) * 100;
const middle: number = rates[1]!;

export const e10: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'DirectPath I/O',
    benchmark: 'netperf UDP_STREAM, web, SAP with DB2',
    year: lib.year(),
    swept: 'packet rate and network device',
    shows: 'CPU saved against packet rate',
    paragraph:
      'A virtual machine may own a network adapter and bypass the hypervisor. What that ' +
      'saves grows with the packet rate: little at 10,000 packets a second, much at 100,000. ' +
      'A web server with many small packets serves more users for the same CPU. A big ' +
      'database gains nothing and loses a little, because pass-through pins its memory; with ' +
      'memory reserved the virtual adapter loses the same.',
    published: [
      {
        label: 'netperf',
        text: '6 % of a core saved at 10,000 packets/s, much more at 100,000',
        source: source(201),
      },
      { label: 'Web', text: '15 % more users for each per cent of CPU', source: source(205) },
      {
        label: 'SAP with DB2, 8 vCPUs',
        text: 'the virtual adapter is 3 % ahead; with memory reserved both are equal',
        source: source(209),
      },
    ],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'DirectPath I/O',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 10_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'DirectPath I/O',
    reference: { pps: middle, device: 'virtual' },
    stopRule: 'never',
    axes: [
      {
        name: 'pps',
        label: 'Packet rate',
        unit: 'packets/s',
        parameter: { kind: 'option', workloadId: 'netperf', param: 'packetsPerS' },
        values: [...rates],
      },
      {
        name: 'device',
        label: 'Network device',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['virtual', 'passthrough', 'reserved'],
        valueLabels: {
          virtual: 'vmxnet3',
          passthrough: 'DirectPath I/O',
          reserved: 'vmxnet3, memory reserved',
        },
      },
    ],
    charts: [
      {
        title: 'CPU saved against the virtual adapter',
        measure: 'cpuPct.host.esx-netperf.mean',
        unit: '% of a core',
        where: { device: ['virtual', 'passthrough'] },
        against: { curve: 'virtual', as: 'less' },
        factor: cores,
      },
      {
        title: 'Packets that reach the netperf host',
        measure: 'packetsRxPerS.uplink.esx-netperf/vmnic1.mean',
        label: 'Received',
        also: [
          { measure: 'droppedRxPerS.uplink.esx-netperf/vmnic1.mean', label: 'Dropped on receipt' },
        ],
        unit: 'packets/s',
      },
      { title: 'CPU of the netperf host', measure: 'cpuPct.host.esx-netperf.mean', unit: '%' },
      { title: 'CPU of the web host', measure: 'cpuPct.host.esx-web.mean', unit: '%' },
      { title: 'Database', measure: 'throughput.database.sum', unit: 'steps/s' },
    ],
  }),
  // The post has ratios and a picture, no figure that belongs on one of these charts.
  published: [],
  basis: lib.basis(),
  expectations(view) {
    const savings = rates.map((pps) => saved(view, pps));
    const at10k = savings[1] ?? null;
    const growth = savings.slice(1).map((value, i) => {
      const low = savings[i];
      return typeof low === 'number' && value !== null && low > 0 ? value / low : null;
    });
    const least = growth.includes(null) ? null : Math.min(...growth.map((value) => value!));
    const webCpu = (kind: string): number | null =>
      cpu(view, { pps: middle, device: kind }, 'esx-web');
    const users = (kind: string): number | null =>
      view.value('throughput.web.sum', { pps: middle, device: kind });
    // A fixed number of users: pages a per cent of CPU are users a per cent of CPU.
    const perCpu = (kind: string): number | null => {
      const pages = users(kind),
        used = webCpu(kind);
      return pages === null || used === null || used <= 0 ? null : pages / used;
    };
    const steps = (kind: string): number | null =>
      view.value('throughput.database.sum', { pps: middle, device: kind });
    return [
      line(
        'saved.10k',
        'CPU saved at 10,000 packets/s',
        '% of a core',
        at10k,
        'about 6 %',
        5,
        7,
        201,
      ),
      line(
        'saved.100k',
        'CPU saved at 100,000 packets/s, over that at 10,000',
        '×',
        savings.at(-1) !== null && at10k !== null && at10k > 0 ? savings.at(-1)! / at10k : null,
        'more (picture only)',
        2,
        10,
        201,
        2,
      ),
      line(
        'grows',
        'Saving grows from each rate to the next: least step',
        '×',
        least,
        'grows',
        1,
        null,
        201,
      ),
      line(
        'web',
        'Web: more users for each per cent of CPU',
        '%',
        more(perCpu('passthrough'), perCpu('virtual')),
        '15 %',
        13,
        17,
        205,
      ),
      line(
        'database',
        'SAP with DB2: virtual adapter ahead of DirectPath',
        '%',
        more(steps('virtual'), steps('passthrough')),
        'about 3 %',
        2,
        4,
        209,
      ),
      line(
        'reserved',
        'SAP with DB2: virtual adapter, memory reserved, ahead of DirectPath',
        '%',
        more(steps('reserved'), steps('passthrough')),
        'matched',
        -1,
        1,
        209,
      ),
    ];
  },
};
