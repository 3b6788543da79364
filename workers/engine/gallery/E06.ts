import { counted } from '../../../src/core/base/counted.ts';
import type { ExpectationLine } from '../../../src/core/study/study.ts';
import { haTimes, hostFailsE06 } from './actPlans.ts';
import {
  clients,
  connections,
  hosts,
  idOf,
  lab,
  linesOf,
  luns,
  plan,
  published,
  study,
  testbed,
  tileVms,
  times,
  vmName,
} from './build.ts';
import { chosenStars, chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';
import { operationPauseS, tile2Demands, tile2Profile, tile2Shapes } from './vmmark2.ts';

const galleryId = 'E06';
const lib = library(galleryId);
const shapes = tile2Shapes(lib);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const tileCount = lib.given('Most tiles', { tiles: 4 }, source(24)).tiles;
const hostCount = lib.given('Servers', { hosts: 4 }, source(13)).hosts;
const phases = lib.given(
  'Phases',
  { rampUpS: 900, staggerS: 60, steadyS: 2_400, periods: 1, rampDownS: 60 },
  chosenTimes,
);

type Array_ = 'CX500' | 'CX3-20';
const disks = {
  CX500: { ...lib.group('A LUN of the CX500'), ...lib.disk('FC 10k') },
  'CX3-20': { ...lib.group('A LUN of the CX3-20'), ...lib.disk('FC 15k') },
};
const controllers = {
  CX500: { id: 'array', ...lib.array('CX500', 4) },
  'CX3-20': { id: 'array', ...lib.array('CX3-20', 4) },
};
/** An application LUN a tile and one for maintenance, equal on either array. */
const lunsOf = (array: Array_) => luns(tileCount + 1, 'lun', { arrayId: 'array', ...disks[array] });
const firstHost = (tile: number, workloadId: string): string =>
  `esx${((tile + Object.keys(shapes).indexOf(workloadId)) % hostCount) + 1}`;

const spec = lab({
  schemaVersion: 1,
  id: 'e06',
  name: 'Four PowerEdge R310, CX500 or CX3-20',
  seed: 6,
  note: 'Disks a LUN are the choice of this lab: the table of the post is a picture.',
  hosts: hosts(hostCount, 'esx', {
    ...lib.server('PowerEdge R310'),
    ...lib.processor('Xeon X3460', 1),
    overhead: lib.hypervisor('ESX 4.1'),
    build: 'ESX 4.1 sim',
    hba: lib.hba('FC 4 Gb/s', 2),
  }),
  arrays: [controllers.CX500],
  luns: lunsOf('CX500'),
  datastores: [
    ...times(tileCount, (tile) => ({ id: `tile${tile + 1}`, lunIds: [`lun${tile + 1}`] })),
    { id: 'maintenance', lunIds: [`lun${tileCount + 1}`] },
  ],
  vms: [
    ...tileVms(tileCount, shapes, (tile, workloadId) => ({
      hostId: firstHost(tile, workloadId),
      datastoreId: `tile${tile + 1}`,
    })),
    {
      id: 'template',
      hostId: 'esx1',
      datastoreId: 'maintenance',
      ...lib.vm('A template'),
      poweredOn: false,
    },
  ],
  clients: clients(tileCount, 'client', lib.client('8 fast cores')),
  workloads: tile2Demands(lib),
  drs: { enabled: true, ...lib.given('DRS', { stars: 3 }, chosenStars) },
  ha: haTimes(lib),
  maintenanceDatastoreId: 'maintenance',
  variants: {
    CX500: [],
    'CX3-20': [
      { path: 'arrays', value: [controllers['CX3-20']] },
      { path: 'luns', value: lunsOf('CX3-20') },
    ],
  },
});
const made = tile2Profile(lib, idOf(galleryId, 'tile'), phases);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  infrastructure: {
    vmotionVmRefs: times(tileCount, (tile) => vmName(tile, 'standby')),
    storageVmotion: { vmRefs: [vmName(tileCount - 1, 'standby')], datastoreRef: 'maintenance' },
    deploy: { templateRef: 'template', datastoreRef: 'maintenance' },
    pauseS: operationPauseS(lib),
  },
});
const failing = hostFailsE06(lib, { testbed: bed, profile: made });
const gains = lib.posted([15, 14, 12], source(26));
const arrays = ['CX500', 'CX3-20'] as const;
const at = (tiles: number, array: Array_): { tiles: number; array: string } => ({ tiles, array });
const dvdStores = ['dvdstore-a', 'dvdstore-b', 'dvdstore-c'];
const sumOf = (
  view: StudyView,
  workloadIds: readonly string[],
  where: ReturnType<typeof at>,
): number | null => {
  const values = workloadIds.map((id) => view.value(`throughput.${id}.sum`, where));
  return values.includes(null) ? null : values.reduce<number>((sum, one) => sum + one!, 0);
};
const over = (a: number | null, b: number | null): number | null =>
  a === null || b === null || b === 0 ? null : a / b;

export const e06: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'An entry-level cluster',
    benchmark: 'VMmark 2.0',
    year: lib.year(),
    swept: 'tiles, disk array',
    shows: 'score, CPU, quality of service',
    paragraph:
      'Four single-socket servers run one to four tiles on an older disk array and on a ' +
      'newer one. The newer disks answer sooner, so the shops sell more with the same users, ' +
      'and moving and cloning virtual machines takes less time. Three tiles fit on either; ' +
      'with the fourth the processors are full and responses come too late.',
    published: [
      {
        label: 'CX3-20 over CX500',
        text: '15, 14 and 12 % at 1, 2 and 3 tiles',
        source: source(26),
      },
      {
        label: 'Limit',
        text: 'a quality-of-service requirement is missed at 4 tiles',
        source: source(24),
      },
      {
        label: 'CX500',
        text: '220 DVD Store operations, 16 send-mail actions, 235 Olio updates a second',
        source: source(28),
      },
      {
        label: 'CX3-20',
        text: '270 DVD Store operations a second, latencies 20 % lower',
        source: source(28),
      },
    ],
    also: [failing.also],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'An entry-level cluster',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  actPlans: [failing.plan],
  study: study({
    galleryId,
    name: 'An entry-level cluster',
    reference: at(1, 'CX500'),
    stopRule: 'never',
    axes: [
      {
        name: 'tiles',
        label: 'Tiles',
        unit: 'tiles',
        parameter: { kind: 'tiles' },
        values: times(tileCount, (i) => i + 1),
      },
      {
        name: 'array',
        label: 'Disk array',
        parameter: { kind: 'lab', path: 'variant' },
        values: [...arrays],
      },
    ],
    charts: [
      { title: 'Score', measure: 'score', unit: '×', normalise: true },
      { title: 'Application part', measure: 'score.application', unit: '×' },
      { title: 'Infrastructure part', measure: 'score.infrastructure', unit: '×' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
      { title: 'DVD Store A', measure: 'throughput.dvdstore-a.sum', unit: 'ops/s' },
    ],
  }),
  published: [
    published(['F042'], 'cpuPct.host.mean', 'Host CPU', at(2, 'CX500'), 50, '%', source(24)),
    published(
      ['F044'],
      'throughput.mail.sum',
      'Send-mail actions',
      at(3, 'CX500'),
      16,
      'actions/s',
      source(28),
    ),
    published(
      ['F045'],
      'throughput.olio.sum',
      'Olio updates',
      at(3, 'CX500'),
      235,
      'ops/s',
      source(28),
    ),
  ],
  basis: lib.basis(),
  expectations: (view) => [
    ...gainLines(view),
    ...qualityLines(view),
    line(
      'cpu.2',
      'Host CPU at 2 tiles',
      '%',
      view.value('cpuPct.host.mean', at(2, 'CX500')),
      '50 %',
      45,
      55,
      24,
      50,
    ),
    ...rateLines(view),
    ...newerArrayLines(view),
  ],
};

/** Score of the newer array over the older, by tiles. */
function gainLines(view: StudyView): ExpectationLine[] {
  const gain = (tiles: number): number | null => {
    const ratio = over(
      view.value('score', at(tiles, 'CX3-20')),
      view.value('score', at(tiles, 'CX500')),
    );
    return ratio === null ? null : 100 * (ratio - 1);
  };
  return [
    ...gains.map((value, i) =>
      line(
        `gain.${i + 1}`,
        `CX3-20 over CX500, ${counted(i + 1, 'tile')}`,
        '%',
        gain(i + 1),
        `${value} %`,
        value - 1.5,
        value + 1.5,
        26,
        value,
      ),
    ),
  ];
}

/** Quality of service: kept up to three tiles, missed at four. */
function qualityLines(view: StudyView): ExpectationLine[] {
  const passed = (tiles: number, array: Array_): number | null => {
    const point = view.points.find(
      ({ values }) => values.tiles === tiles && values.array === array,
    );
    return point ? Number(point.state === 'passed') : null;
  };
  return [
    ...arrays.flatMap((array) =>
      times(tileCount - 1, (i) => i + 1).map((tiles) =>
        line(
          `pass.${tiles}.${array}`,
          `Quality of service kept, ${counted(tiles, 'tile')}, ${array}`,
          '',
          passed(tiles, array),
          'kept',
          1,
          1,
          24,
          1,
        ),
      ),
    ),
    ...arrays.map((array) =>
      line(
        `fail.4.${array}`,
        `Quality of service kept, 4 tiles, ${array}`,
        '',
        passed(4, array),
        'missed',
        0,
        0,
        24,
        0,
      ),
    ),
  ];
}

/** Rates of the workloads at three tiles. */
function rateLines(view: StudyView): ExpectationLine[] {
  return [
    line(
      'dvd.CX500',
      'DVD Store operations, 3 tiles, CX500',
      'ops/s',
      sumOf(view, dvdStores, at(3, 'CX500')),
      'approximately 220',
      209,
      231,
      28,
      220,
    ),
    line(
      'dvd.CX3-20',
      'DVD Store operations, 3 tiles, CX3-20',
      'ops/s',
      sumOf(view, dvdStores, at(3, 'CX3-20')),
      '270',
      256.5,
      283.5,
      28,
      270,
    ),
    ...arrays.flatMap((array) => [
      line(
        `mail.${array}`,
        `Send-mail actions, 3 tiles, ${array}`,
        'actions/s',
        sumOf(view, ['mail'], at(3, array)),
        '16',
        15.2,
        16.8,
        28,
        16,
      ),
      line(
        `olio.${array}`,
        `Olio updates, 3 tiles, ${array}`,
        'ops/s',
        sumOf(view, ['olio'], at(3, array)),
        '235',
        223.25,
        246.75,
        28,
        235,
      ),
    ]),
  ];
}

/** Response and CPU of the newer array over the older, at three tiles. */
function newerArrayLines(view: StudyView): ExpectationLine[] {
  const latency = ['olio', 'mail', ...dvdStores].map((id) =>
    over(
      view.value(`latencyMeanMs.${id}.mean`, at(3, 'CX3-20')),
      view.value(`latencyMeanMs.${id}.mean`, at(3, 'CX500')),
    ),
  );
  const lower = latency.includes(null)
    ? null
    : 100 * (1 - latency.reduce<number>((sum, one) => sum + one!, 0) / latency.length);
  const cpu = over(
    view.value('cpuPct.host.mean', at(3, 'CX3-20')),
    view.value('cpuPct.host.mean', at(3, 'CX500')),
  );
  return [
    line(
      'latency',
      'Mean response lower on CX3-20, 3 tiles',
      '%',
      lower,
      '20 % lower on average',
      17,
      23,
      28,
      20,
    ),
    line(
      'cpu.more',
      'Host CPU more on CX3-20, 3 tiles',
      '%',
      cpu === null ? null : 100 * (cpu - 1),
      'approximately 10 % higher',
      5,
      15,
      26,
      10,
    ),
  ];
}
