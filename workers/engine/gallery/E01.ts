import type { ExpectationLine } from '../../../src/core/study/study.ts';
import { hostJoinsE01 } from './actPlans.ts';
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
} from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';
import { tileDemands, tileParams, tileProfile, tileShapes } from './vmmark1.ts';

const galleryId = 'E01';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const swept = lib.swept('Tiles', [1, 4, 10, 15, 16, 17, 18, 19, 20], source(39));
const tileCount = Math.max(...swept);
const saturating = swept.filter((tiles) => tiles >= 17);
const handTiles = lib.given('Placed by hand', { tiles: 17 }, source(44)).tiles;
/** An hour to come up and to be balanced, then three periods. */
const phases = lib.given(
  'Phases',
  { rampUpS: 3_600, staggerS: 60, steadyS: 2_400, periods: 3, rampDownS: 60 },
  chosenTimes,
);

/** The four servers of the post. */
const servers = [
  { ...lib.server('Dell 2950'), ...lib.processor('Xeon X5365') },
  { ...lib.server('HP DL380 G5'), ...lib.processor('Xeon X5460') },
  { ...lib.server('IBM 3650'), ...lib.processor('Xeon X5365') },
  { ...lib.server('Sun x4150'), ...lib.processor('Xeon X5355') },
] as const;
const san = lib.given('Arrays', { arrays: 3, lunsAnArray: 7 }, source(26));
/** Every run starts with all VMs on the server with the most memory. */
const first = 'esx4';
const shapes = tileShapes(lib, '1.0');

/**
 * Cores a VM takes at rest, for placement by hand: the largest first, each to the host with the
 * most room.
 */
const takes: Readonly<Record<string, number>> = lib.posted(
  { mail: 0.42, java: 0.3, web: 0.55, database: 0.29, file: 0.1, standby: 0.003 },
  'chosen: CPU of the six VMs as the model has it at rest; only their order and proportion place them',
);
function placedByHand(tiles: number): Map<string, string> {
  const load = servers.map(() => 0);
  const vms = times(tiles, (tile) =>
    Object.keys(shapes).map((workloadId) => ({
      id: `${tile}.${workloadId}`,
      work: takes[workloadId] ?? 0,
    })),
  )
    .flat()
    .sort((a, b) => b.work - a.work);
  return new Map(
    vms.map(({ id, work }) => {
      const after = load.map((one, host) => (one + work) / servers[host]!.coreSpeed);
      const host = after.indexOf(Math.min(...after));
      load[host]! += work;
      return [id, `esx${host + 1}`];
    }),
  );
}
const byHand = placedByHand(handTiles);

const spec = lab({
  schemaVersion: 1,
  id: 'e01',
  name: 'Four servers, three CX3-20',
  seed: 1,
  note:
    'Speeds of cores, seek and transfer times are the choice of this lab; the post gives ' +
    'servers, arrays, disks and layout.',
  hosts: hosts(
    servers.length,
    'esx',
    {
      ...servers[0],
      overhead: lib.hypervisor('ESX 3.5'),
      build: 'ESX 3.5 sim',
      hba: lib.hba('FC 4 Gb/s', 2),
    },
    (index) => ({ ...servers[index]! }),
  ),
  arrays: times(san.arrays, (i) => ({
    id: `cx${i + 1}`,
    ...lib.array('CX3-20', 4),
  })),
  luns: times(san.arrays, (array) =>
    luns(san.lunsAnArray, `cx${array + 1}-lun`, {
      arrayId: `cx${array + 1}`,
      ...lib.group('A tile on a CX3-20'),
      ...lib.disk('FC 10k'),
    }),
  ).flat(),
  // Tiles go to the three arrays in turn.
  datastores: times(san.arrays * san.lunsAnArray, (tile) => ({
    id: `tile${tile + 1}`,
    lunIds: [`cx${(tile % san.arrays) + 1}-lun${Math.floor(tile / san.arrays) + 1}`],
  })),
  vms: tileVms(tileCount, shapes, (tile) => ({ hostId: first, datastoreId: `tile${tile + 1}` })),
  clients: clients(
    lib.given('Client machines', { clients: 20 }, source(29)).clients,
    'client',
    lib.client('4 cores'),
  ),
  workloads: tileDemands(lib),
  drs: { enabled: true, ...lib.given('DRS', { stars: 2 }, source(39)) },
});
spec.variants = {
  drs: [],
  hand: [
    { path: 'drs.enabled', value: false },
    ...spec.vms.map((vm, index) => {
      const [tile = '', workloadId = ''] = vm.id.slice(1).split('-');
      return {
        path: `vms.${index}.hostId`,
        value:
          byHand.get(`${Number(tile) - 1}.${workloadId}`) ??
          `esx${(Number(tile) % servers.length) + 1}`,
      };
    }),
  ],
};
const made = tileProfile(idOf(galleryId, 'tile'), 'VMmark 1.x tile, modelled', phases);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  params: tileParams(spec.id),
});

const joining = hostJoinsE01(lib, { testbed: bed, profile: made });

const scaling = new Map(
  lib.posted(
    [
      [1, 1],
      [4, 4],
      [16, 15.2],
      [17, 15.9],
    ] as const,
    source(42),
  ),
);
const at = (
  tiles: number,
  placement: 'drs' | 'hand' = 'drs',
): { tiles: number; placement: string } => ({ tiles, placement });

export const e01: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'Scaling a cluster',
    benchmark: 'VMmark 1.0',
    year: lib.year(),
    swept: 'tiles, placement',
    shows: 'scaling, CPU of the hosts',
    paragraph:
      'Up to twenty tiles, 120 virtual machines, on four unequal servers. Each run starts ' +
      'with all of them on one server, and the scheduler of the cluster spreads them while ' +
      'they come up. Throughput grows in step with the tiles until the processors fill at ' +
      'seventeen, and holds there when three more tiles are asked of them. Placed by hand, ' +
      'seventeen tiles do a little better.',
    published: [
      {
        label: 'Scaling',
        text: '1.0, 4, 15.2 and 15.9 at 1, 4, 16 and 17 tiles; about the same to 20',
        source: source(42),
      },
      { label: 'By hand', text: '16.5 at 17 tiles', source: source(44) },
      { label: 'Saturation', text: 'all four servers from 17 tiles on', source: source(39) },
    ],
    also: [joining.also],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'Scaling a cluster',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  actPlans: [joining.plan],
  study: study({
    galleryId,
    name: 'Scaling a cluster',
    reference: at(1),
    stopRule: 'never',
    axes: [
      { name: 'tiles', label: 'Tiles', unit: 'tiles', parameter: { kind: 'tiles' }, values: swept },
      {
        name: 'placement',
        label: 'Placement',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['drs', 'hand'],
        valueLabels: { drs: 'DRS from one host', hand: 'By hand for 17 tiles' },
      },
    ],
    charts: [
      { title: 'Scaling', measure: 'score', unit: '×', normalise: true },
      { title: 'Least CPU of a host', measure: 'cpuPct.host.min', unit: '%' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
      { title: 'Transactions a second', measure: 'throughput.database.sum', unit: 'tps' },
      { title: 'Pages a second', measure: 'throughput.web.sum', unit: 'pages/s' },
    ],
  }),
  published: [
    ...[...scaling].map(([tiles, value], i) =>
      published([`F00${i + 1}`], 'score', 'Scaling', at(tiles), value, '×', source(42)),
    ),
    published(['F006'], 'score', 'Scaling by hand', at(handTiles, 'hand'), 16.5, '×', source(44)),
  ],
  basis: lib.basis(),
  expectations: (view) => [...scalingLines(view), ...saturationLines(view)],
};

/** Score by tiles, over that of one tile. */
function scalingLines(view: StudyView): ExpectationLine[] {
  const one = view.value('score', at(1)),
    atSaturation = view.value('score', at(17));
  const scaled = (tiles: number, placement: 'drs' | 'hand' = 'drs'): number | null => {
    const score = view.value('score', at(tiles, placement));
    return score === null || one === null ? null : score / one;
  };
  const byDrs = view.value('score', at(handTiles)),
    best = view.value('score', at(handTiles, 'hand'));
  return [
    line('1', 'Scaling at 1 tile', '×', scaled(1), '1.0', 0.99, 1.01, 42, 1),
    line('4', 'Scaling at 4 tiles', '×', scaled(4), '4', 3.9, 4.1, 42, 4),
    line('16', 'Scaling at 16 tiles', '×', scaled(16), '15.2', 14.9, 15.5, 42, 15.2),
    line('17', 'Scaling at 17 tiles', '×', scaled(17), '15.9', 15.6, 16.2, 42, 15.9),
    ...saturating
      .filter((tiles) => tiles > 17)
      .map((tiles) =>
        line(
          String(tiles),
          `Scaling at ${tiles} tiles`,
          '×',
          scaled(tiles),
          'roughly the same',
          atSaturation === null || one === null ? null : (atSaturation / one) * 0.98,
          atSaturation === null || one === null ? null : (atSaturation / one) * 1.02,
          42,
        ),
      ),
    line(
      'hand',
      'Scaling at 17 tiles, placed by hand',
      '×',
      scaled(handTiles, 'hand'),
      '16.5',
      16.2,
      16.8,
      44,
      16.5,
    ),
    line(
      'best',
      'DRS over placement by hand, 17 tiles',
      '%',
      byDrs === null || best === null ? null : (100 * byDrs) / best,
      '96 %',
      95,
      97,
      44,
      96,
    ),
  ];
}

/** What the servers do where their processors are full. */
function saturationLines(view: StudyView): ExpectationLine[] {
  const perMinute = (workloadId: string): number | null => {
    const value = view.value(`throughput.${workloadId}.sum`, at(17));
    return value === null ? null : value * 60;
  };
  return [
    line(
      'disk',
      'Disk I/O of the file servers at 17 tiles',
      'MB/s',
      view.value('throughput.file.sum', at(17)),
      'more than 350, of all servers',
      350,
      null,
      52,
      350,
    ),
    line(
      'cpu.16',
      'Least CPU of a host at 16 tiles',
      '%',
      view.value('cpuPct.host.min', at(16)),
      'saturated at 17',
      null,
      95,
      39,
    ),
    ...saturating.map((tiles) =>
      line(
        `cpu.${tiles}`,
        `Least CPU of a host at ${tiles} tiles`,
        '%',
        view.value('cpuPct.host.min', at(tiles)),
        'saturated',
        95,
        null,
        39,
      ),
    ),
    line(
      'database',
      'Transactions per minute at 17 tiles',
      '1/min',
      perMinute('database'),
      'more than 35,000',
      35_000,
      null,
      51,
      35_000,
    ),
    line(
      'web',
      'Pages a minute at 17 tiles',
      '1/min',
      perMinute('web'),
      'more than 30,000',
      30_000,
      null,
      53,
      30_000,
    ),
  ];
}
