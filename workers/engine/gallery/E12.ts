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

const galleryId = 'E12';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const vmCount = lib.given('Most VMs', { vms: 8 }, source(21)).vms;
const { mailboxes } = lib.given('A VM', { mailboxes: 2_000 }, source(21));
const { hours } = lib.given('Test run', { hours: 8 }, source(31));
const databaseLuns = lib.given('Database of a VM', { luns: 2 }, source(26)).luns;
const hourS = 60 * 60;
const vmCounts = times(vmCount, (index) => index + 1);
const phases = lib.given(
  'Phases',
  { rampUpS: 60, staggerS: 0, steadyS: hours * hourS, periods: hours, rampDownS: 30 },
  chosenTimes,
);
const { limitMs } = lib.given('Response that users notice', { limitMs: 1_000 }, source(48));

/**
 * A user's tasks of a minute as one operation. The mailbox store's cache fills while the test runs:
 * the reads it does not take over fall exponentially towards what it never holds. Writes and logs
 * stay. One time constant gives the first hour, the last and the mean.
 */
const mail = lib.workload('LoadGen heavy user');

const spec = lab({
  schemaVersion: 1,
  id: 'e12',
  name: 'x3850 M2 with a CX3-40',
  seed: 12,
  note:
    'Machine, memory, mailboxes, disks a LUN are those of the post. RAID level, speed of the ' +
    'disks, cache and controller times, tasks a minute and CPU a task are the choice of this ' +
    'lab.',
  hosts: hosts(1, 'esx', {
    ...lib.server('IBM x3850 M2'),
    ...lib.processor('Xeon X7350', 4),
    overhead: lib.hypervisor('ESX 3.5'),
    build: 'ESX Server 3.5 sim',
    hba: lib.hba('FC 4 Gb/s', 2),
  }),
  arrays: [{ id: 'array', ...lib.array('CX3-40', 4) }],
  luns: times(vmCount, (vm) => [
    ...luns(databaseLuns, `db${vm + 1}-`, {
      arrayId: 'array',
      ...lib.group('Mail database'),
      ...lib.disk('FC 15k'),
    }),
    ...luns(1, `log${vm + 1}-`, {
      arrayId: 'array',
      ...lib.group('Mail log'),
      ...lib.disk('FC 15k'),
    }),
  ]).flat(),
  datastores: times(vmCount, (vm) => ({
    id: `mail${vm + 1}`,
    lunIds: [`db${vm + 1}-1`, `db${vm + 1}-2`, `log${vm + 1}-1`],
  })),
  vms: times(vmCount, (vm) => ({
    id: `mail${vm + 1}`,
    datastoreId: `mail${vm + 1}`,
    hostId: 'esx1',
    ...lib.vm('A mail server'),
  })),
  clients: clients(
    lib.given(
      'Load generators',
      { clients: 4 },
      'chosen: room enough, so that no client limits a run',
    ).clients,
    'loadgen',
    lib.client('4 cores'),
  ),
  workloads: [mail],
  drs: { enabled: false },
});

const made = profile({
  id: idOf(galleryId, 'mail'),
  name: 'LoadGen heavy users, modelled',
  phases,
  workloads: [
    {
      id: 'mail',
      role: 'mail',
      name: 'Mail, 2,000 mailboxes',
      driver: 'simload',
      params: { kind: mail.kind, unit: 'ops/s' },
      unit: 'ops/s',
      reference: null,
      referenceSource: 'not set: no author gives tasks a second',
      qos: [{ metric: 'latencyP95Ms', max: limitMs, unit: 'ms', source: source(48) }],
    },
  ],
});
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: vmCount,
  power: 'none',
  vmOf: (tile) => `mail${tile + 1}`,
});

/**
 * I/Os a second and mailbox between two hours of the steady state; null where nothing was measured.
 */
function perMailbox(view: StudyView, vms: number, fromHour: number, toHour: number): number | null {
  const iops = view.series({ vms }, 'iops', { kind: 'datastore' });
  if (!iops) return null;
  const inside = [...iops.value].filter((value, index) => {
    const hour = (iops.elapsedS[index]! - phases.rampUpS) / hourS;
    return hour > fromHour && hour <= toHour && Number.isFinite(value);
  });
  return inside.length === 0
    ? null
    : inside.reduce((sum, value) => sum + value, 0) / inside.length / (vms * mailboxes);
}
const ratio = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === 0 ? null : a / b;

export const e12: GalleryEntry = {
  item: {
    id: galleryId,
    title: '16,000 mailboxes on one server',
    benchmark: 'LoadGen, Exchange 2007',
    year: lib.year(),
    swept: 'virtual machines of 2,000 mailboxes',
    shows: 'send-mail latency, mean and 95th percentile',
    paragraph:
      'A mail server of its time could not use a machine with 16 cores; eight of them in ' +
      'virtual machines can. Each brings 2,000 mailboxes, its own disk groups and a working ' +
      'day of eight hours. The time to send a mail grows with the number of machines and ' +
      'stays far from the second at which users begin to notice, with half of the processors ' +
      'idle. Caches fill over the day: the disks see fewer and fewer I/Os for each mailbox.',
    published: [
      {
        label: 'Send-mail latency',
        text: '95th percentile with headroom below 1000 ms at 8 VMs',
        source: source(48),
      },
      { label: 'CPU', text: 'about half still available at 8 VMs', source: source(38) },
      { label: 'Disk latency', text: 'around 6 ms in all runs', source: source(40) },
      {
        label: 'I/O a mailbox',
        text: '0.65 IOPS in the first hour, 0.37 in the last, 0.45 on average; reads to writes 4:1',
        source: source(40),
      },
    ],
  },
  labs: [spec],
  testbeds: [bed],
  profiles: [made],
  connections: connections(spec, { power: 'none' }),
  plan: plan({
    galleryId,
    name: 'Mail scale-out',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 30_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: '16,000 mailboxes on one server',
    stopRule: 'never',
    axes: [
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
        title: 'Send-mail latency',
        measure: 'latencyP95Ms.mail.mean',
        label: '95th percentile',
        also: [{ measure: 'latencyMeanMs.mail.mean', label: 'Mean' }],
        unit: 'ms',
      },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
      { title: 'Disk latency', measure: 'deviceLatencyMs.datastore.mean', unit: 'ms' },
    ],
  }),
  published: [
    published(
      ['F090'],
      'latencyP95Ms.mail.mean',
      'Threshold',
      { vms: vmCount },
      limitMs,
      'ms',
      source(48),
    ),
    published(
      ['F084'],
      'cpuPct.host.mean',
      'About half free',
      { vms: vmCount },
      50,
      '%',
      source(38),
    ),
    ...vmCounts.map((vms) =>
      published(['F085'], 'deviceLatencyMs.datastore.mean', 'Around', { vms }, 6, 'ms', source(40)),
    ),
  ],
  basis: lib.basis(),
  expectations(view) {
    const at = { vms: vmCount };
    const disk = vmCounts.map((vms) => view.value('deviceLatencyMs.datastore.mean', { vms }));
    const farthest = disk.includes(null)
      ? null
      : disk.reduce((far, ms) => (Math.abs(ms! - 6) > Math.abs(far! - 6) ? ms : far), 6);
    return [
      line(
        'p95',
        'Send-mail latency of 8 VMs, 95th percentile',
        'ms',
        view.value('latencyP95Ms.mail.max', at),
        'below 1000',
        null,
        limitMs,
        48,
      ),
      line(
        'rises',
        'Send-mail latency of 8 VMs over that of one',
        '',
        ratio(
          view.value('latencyMeanMs.mail.mean', at),
          view.value('latencyMeanMs.mail.mean', { vms: 1 }),
        ),
        'more with more VMs',
        1.005,
        null,
        44,
      ),
      line(
        'cpu',
        'CPU of 8 VMs',
        '%',
        view.value('cpuPct.host.mean', at),
        'about half available',
        45,
        55,
        38,
        50,
      ),
      line(
        'disk',
        'Disk latency, the run farthest from 6 ms',
        'ms',
        farthest,
        'around 6',
        5,
        7,
        40,
        6,
      ),
      line(
        'iops.first',
        'I/O a mailbox, first hour',
        'IOPS',
        perMailbox(view, vmCount, 0, 1),
        'about 0.65',
        0.63,
        0.67,
        40,
        0.65,
      ),
      line(
        'iops.last',
        'I/O a mailbox, last hour',
        'IOPS',
        perMailbox(view, vmCount, 7, 8),
        '0.37',
        0.36,
        0.38,
        40,
        0.37,
      ),
      line(
        'iops.mean',
        'I/O a mailbox, eight hours',
        'IOPS',
        perMailbox(view, vmCount, 0, 8),
        '0.45',
        0.44,
        0.46,
        40,
        0.45,
      ),
      line(
        'mix',
        'Reads to writes',
        '',
        ratio(view.value('readIops.datastore.sum', at), view.value('writeIops.datastore.sum', at)),
        '4:1',
        3.6,
        4.4,
        40,
        4,
      ),
    ];
  },
};
