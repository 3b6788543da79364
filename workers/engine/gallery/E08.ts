import { counted } from '../../../src/core/base/counted.ts';
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
import type { GalleryEntry } from './types.ts';
import { operationPauseS, tile2Demands, tile2Profile, tile2Shapes } from './vmmark2.ts';

const galleryId = 'E08';
const lib = library(galleryId);
const shapes = tile2Shapes(lib);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const tileCount = lib.given('Most tiles', { tiles: 5 }, source(119)).tiles;
const hostCount = lib.given('Servers', { hosts: 2 }, source(104)).hosts;
const phases = lib.given(
  'Phases',
  { rampUpS: 900, staggerS: 60, steadyS: 3_600, periods: 1, rampDownS: 60 },
  chosenTimes,
);

/**
 * A matched pair on a large array. The infrastructure load is the same at every number of tiles:
 * one loop of each operation, with a pause between two.
 */
const spec = lab({
  schemaVersion: 1,
  id: 'e08',
  name: 'Two DL380, CX3-80',
  seed: 8,
  note:
    'Disks a LUN and limits of quality of service are chosen: the post gives the pair, its ' +
    'processors, the array and what it saw.',
  hosts: hosts(hostCount, 'esx', {
    ...lib.server('ProLiant DL380 G6'),
    ...lib.processor('Xeon X5570'),
    overhead: lib.hypervisor('ESX 4.1'),
    build: 'ESX 4.1 sim',
    hba: lib.hba('FC 4 Gb/s', 2),
  }),
  arrays: [{ id: 'array', ...lib.array('CX3-80', 8) }],
  luns: luns(tileCount + 2, 'lun', {
    arrayId: 'array',
    ...lib.group('A LUN of the CX3-80'),
    ...lib.disk('FC 15k'),
  }),
  datastores: [
    ...times(tileCount, (tile) => ({ id: `tile${tile + 1}`, lunIds: [`lun${tile + 1}`] })),
    { id: 'maintenance', lunIds: [`lun${tileCount + 1}`] },
    { id: 'operations', lunIds: [`lun${tileCount + 2}`] },
  ],
  vms: [
    ...tileVms(tileCount, shapes, (tile, workloadId) => ({
      hostId: `esx${((tile + Object.keys(shapes).indexOf(workloadId)) % hostCount) + 1}`,
      datastoreId: `tile${tile + 1}`,
    })),
    // What is moved and cloned has disks of its own, so that its pace is that of the operations.
    { id: 'mover', hostId: 'esx2', datastoreId: 'operations', ...lib.vm('A VM to move') },
    {
      id: 'template',
      hostId: 'esx1',
      datastoreId: 'operations',
      ...lib.vm('A template'),
      poweredOn: false,
    },
  ],
  clients: clients(tileCount, 'client', lib.client('8 fast cores')),
  workloads: tile2Demands(lib),
  drs: { enabled: true, ...lib.given('DRS', { stars: 3 }, chosenStars) },
  maintenanceDatastoreId: 'maintenance',
});
const made = tile2Profile(lib, idOf(galleryId, 'tile'), phases);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  infrastructure: {
    vmotionVmRefs: times(tileCount, (tile) => vmName(tile, 'standby')),
    storageVmotion: { vmRefs: ['mover'], datastoreRef: 'maintenance' },
    deploy: { templateRef: 'template', datastoreRef: 'maintenance' },
    pauseS: operationPauseS(lib),
  },
});
const swept = times(tileCount, (i) => i + 1);

export const e08: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'A matched pair',
    benchmark: 'VMmark 2.0',
    year: lib.year(),
    swept: 'tiles',
    shows: 'application and infrastructure parts, CPU',
    paragraph:
      'Two equal servers run one tile after the other while virtual machines are moved, ' +
      'copied and deployed beside them. The applications do four times the work with four ' +
      'tiles. The moves and copies stay as many as they were, since they grow with the ' +
      'servers and not with the tiles, so the total rises less. With the fifth tile ' +
      'responses come too late.',
    published: [
      { label: 'Applications', text: 'nearly linear to 4 tiles', source: source(119) },
      { label: 'Infrastructure', text: 'nearly constant', source: source(119) },
      { label: 'Limit', text: 'quality of service is missed at 5 tiles', source: source(119) },
    ],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'A matched pair',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'A matched pair',
    reference: { tiles: 1 },
    stopRule: 'never',
    axes: [
      { name: 'tiles', label: 'Tiles', unit: 'tiles', parameter: { kind: 'tiles' }, values: swept },
    ],
    charts: [
      {
        title: 'Score and its parts',
        measure: 'score',
        label: 'Score',
        also: [
          { measure: 'score.application', label: 'Application part' },
          { measure: 'score.infrastructure', label: 'Infrastructure part' },
        ],
        unit: '×',
        normalise: true,
      },
      { title: 'Application part', measure: 'score.application', unit: '×' },
      { title: 'Infrastructure part', measure: 'score.infrastructure', unit: '×' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [
    published(['F054'], 'score', 'Score', { tiles: 1 }, 1, '×', source(113)),
    published(['F055'], 'score.application', 'Application part', { tiles: 4 }, 4, '×', source(119)),
  ],
  basis: lib.basis(),
  expectations(view) {
    const passed = (tiles: number): number | null => {
      const point = view.points.find(({ values }) => values.tiles === tiles);
      return point ? Number(point.state === 'passed') : null;
    };
    const infrastructure = swept.map((tiles) => view.value('score.infrastructure', { tiles }));
    const known = infrastructure.filter((one): one is number => one !== null),
      mean = known.reduce((sum, one) => sum + one, 0) / Math.max(1, known.length);
    const spread =
      known.length === swept.length && mean > 0
        ? 100 * Math.max(...known.map((one) => Math.abs(one / mean - 1)))
        : null;
    return [
      line(
        'base',
        'Score at 1 tile',
        '×',
        view.value('score', { tiles: 1 }),
        '1.0',
        0.99,
        1.01,
        113,
        1,
      ),
      line(
        'application',
        'Application part at 4 tiles',
        '×',
        view.value('score.application', { tiles: 4 }),
        'nearly linear, 4 times the work',
        3.9,
        4.1,
        119,
        4,
      ),
      line(
        'infrastructure',
        'Infrastructure part, farthest from its mean',
        '%',
        spread,
        'nearly constant',
        null,
        3,
        119,
        0,
      ),
      ...[1, 2, 3, 4].map((tiles) =>
        line(
          `pass.${tiles}`,
          `Quality of service kept at ${counted(tiles, 'tile')}`,
          '',
          passed(tiles),
          'kept',
          1,
          1,
          119,
          1,
        ),
      ),
      line('fail.5', 'Quality of service kept at 5 tiles', '', passed(5), 'missed', 0, 0, 119, 0),
    ];
  },
};
