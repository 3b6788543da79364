import { counted } from '../../../src/core/base/counted.ts';
import type { ExpectationLine } from '../../../src/core/study/study.ts';
import {
  clients,
  connections,
  guestsOf,
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

const galleryId = 'E11';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const tileCount = lib.given('Most tiles', { tiles: 3 }, source(6)).tiles;
const phases = lib.given(
  'Phases',
  { rampUpS: 300, staggerS: 60, steadyS: 1_800, periods: 3, rampDownS: 60 },
  chosenTimes,
);

const disk = { arrayId: 'sas', ...lib.disk('SAS 10k') };
const oneLun = luns(1, 'lun', { ...disk, ...lib.group('One LUN of six disks') });
const threeLuns = luns(tileCount, 'lun', {
  ...disk,
  ...lib.group('Three LUNs of two disks'),
});
const stores = (
  lunOf: (tile: number) => string,
): { id: string; lunIds: string[]; shared: boolean }[] =>
  times(tileCount, (tile) => ({ id: `vmfs${tile + 1}`, lunIds: [lunOf(tile)], shared: false }));

/**
 * One server with its own disks: six of them as one LUN cut into three file systems, or as three
 * LUNs of two.
 */
const spec = lab({
  schemaVersion: 1,
  id: 'e11',
  name: 'DL380 G5, six SAS disks',
  seed: 11,
  note: 'Seek and transfer times, cache and controller are what such parts have; the post gives disks and layout.',
  hosts: hosts(1, 'esx', {
    ...lib.server('HP DL380 G5'),
    ...lib.processor('Xeon 5160'),
    overhead: lib.hypervisor('ESX 3.0'),
    build: 'ESX 3.0 sim',
    hba: lib.hba('SAS', 1),
  }),
  arrays: [{ id: 'sas', ...lib.array('Built-in SAS controller', 1) }],
  luns: oneLun,
  datastores: stores(() => 'lun1'),
  vms: tileVms(tileCount, tileShapes(lib, '1.0'), (tile) => ({
    hostId: 'esx1',
    datastoreId: `vmfs${tile + 1}`,
  })),
  clients: clients(tileCount, 'client', lib.client('4 cores')),
  workloads: tileDemands(lib),
  drs: { enabled: false },
  variants: {
    single: [],
    separate: [
      { path: 'luns', value: threeLuns },
      { path: 'datastores', value: stores((tile) => `lun${tile + 1}`) },
    ],
  },
});
const made = tileProfile(idOf(galleryId, 'tile'), 'VMmark 1.x tile, modelled', phases, true);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  params: tileParams(spec.id),
  // dbench works on the file server's own disk.
  clientOf: (tile, workloadId) => (workloadId === 'file' ? null : `client${tile + 1}`),
});

const layouts = { single: 'One 6-disk LUN', separate: 'A 2-disk LUN a tile' } as const;
const fileMbps = lib.posted(
  { single: [35, 29, 23], separate: [12.5, 26, 38] } as const,
  `${lib.line(14)}, 18 and 22`,
);
const fileFacts = {
  single: [['F076'], ['F077'], ['F077']],
  separate: [['F078'], ['F079'], ['F080']],
} as const;
const fileLines = lib.posted(
  { single: [14, 14, 14], separate: [18, 22, 22] } as const,
  `${lib.line(14)}, 18 and 22`,
);
const cpuPct = lib.posted([40, 80, 100], source(6));
const at = (layout: keyof typeof layouts, tiles: number): { tiles: number; layout: string } => ({
  tiles,
  layout,
});
const ratio = (
  view: StudyView,
  measure: string,
  over: ReturnType<typeof at>,
  under: ReturnType<typeof at>,
): number | null => {
  const a = view.value(measure, over),
    b = view.value(measure, under);
  return a === null || b === null || b === 0 ? null : a / b;
};

export const e11: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'One LUN or three',
    benchmark: 'VMmark 1.0',
    year: lib.year(),
    swept: 'tiles, LUN layout',
    shows: 'file server throughput, CPU, score',
    paragraph:
      'A dual-socket server with six disks of its own runs one, two and three tiles. As one ' +
      'LUN the disks give a single file server all they have, and less in total to two or ' +
      'three of them, because their streams break each other up in one queue. As three LUNs ' +
      'each file server keeps its own two disks: slower alone, better together. The ' +
      'processor fills at three tiles, and only those who think between requests keep their ' +
      'pace.',
    published: [
      { label: 'CPU', text: '40, 80 and 100 % at 1, 2 and 3 tiles', source: source(6) },
      { label: 'File servers, one LUN', text: '35, 29 and 23 MB/s in all', source: source(14) },
      {
        label: 'File servers, three LUNs',
        text: '12.5, 26 and 38 MB/s in all',
        source: source(22),
      },
      {
        label: 'Mail',
        text: 'doubles with the second tile, 25 % more with the third',
        source: source(14),
      },
    ],
  },
  labs: [spec],
  connections: connections(spec, { guests: guestsOf(spec, [bed]) }),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'One LUN or three',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'One LUN or three',
    reference: at('single', 1),
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
        name: 'layout',
        label: 'LUN layout',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['single', 'separate'],
        valueLabels: layouts,
      },
    ],
    charts: [
      { title: 'File servers', measure: 'throughput.file.sum', unit: 'MB/s' },
      { title: 'Score', measure: 'score', unit: '×', normalise: true },
      ...Object.entries(layouts).map(([layout, words]) => ({
        title: `All workloads, ${words.slice(0, 1).toLowerCase()}${words.slice(1)}`,
        measure: 'throughput.mail.sum',
        label: 'Mail',
        also: [
          { measure: 'throughput.java.sum', label: 'Java' },
          { measure: 'throughput.web.sum', label: 'Web' },
          { measure: 'throughput.database.sum', label: 'Database' },
          { measure: 'throughput.file.sum', label: 'File server' },
        ],
        unit: '× one tile',
        normalise: true,
        where: { layout: [layout] },
      })),
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [
    ...cpuPct.map((value, i) =>
      published(
        ['F074'],
        'cpuPct.host.mean',
        'Host CPU',
        at('single', i + 1),
        value,
        '%',
        source(6),
      ),
    ),
    ...(['single', 'separate'] as const).flatMap((layout) =>
      fileMbps[layout].map((value, i) =>
        published(
          [...fileFacts[layout][i]!],
          'throughput.file.sum',
          'File servers',
          at(layout, i + 1),
          value,
          'MB/s',
          source(fileLines[layout][i]!),
        ),
      ),
    ),
  ],
  basis: lib.basis(),
  expectations: (view) => [...loadLines(view), ...scalingLines(view), ...scoreLines(view)],
};

/** CPU and file servers by tiles. */
function loadLines(view: StudyView): ExpectationLine[] {
  return [
    ...cpuPct.map((value, i) =>
      line(
        `cpu.${i + 1}`,
        `Host CPU at ${counted(i + 1, 'tile')}`,
        '%',
        view.value('cpuPct.host.mean', at('single', i + 1)),
        `roughly ${value} %`,
        value - 4,
        Math.min(100, value + 4),
        6,
        value,
      ),
    ),
    ...(['single', 'separate'] as const).flatMap((layout) =>
      fileMbps[layout].map((value, i) =>
        line(
          `file.${layout}.${i + 1}`,
          `File servers, ${layouts[layout]}, ${counted(i + 1, 'tile')}`,
          'MB/s',
          view.value('throughput.file.sum', at(layout, i + 1)),
          `${value}`,
          value * 0.95,
          value * 1.05,
          fileLines[layout][i]!,
          value,
        ),
      ),
    ),
  ];
}

/** How the workloads grow with the tiles. */
function scalingLines(view: StudyView): ExpectationLine[] {
  return [
    line(
      'mail.2',
      'Mail, second tile',
      '×',
      ratio(view, 'throughput.mail.sum', at('single', 2), at('single', 1)),
      'scales perfectly',
      1.96,
      2.04,
      14,
      2,
    ),
    line(
      'mail.3',
      'Mail, third tile over the second',
      '×',
      ratio(view, 'throughput.mail.sum', at('single', 3), at('single', 2)),
      '+25 %',
      1.21,
      1.29,
      14,
      1.25,
    ),
    line(
      'java.3',
      'Java, three tiles over one',
      '×',
      ratio(view, 'throughput.java.sum', at('single', 3), at('single', 1)),
      'scales perfectly up to 3 tiles',
      2.91,
      3.09,
      14,
      3,
    ),
    line(
      'web.3',
      'Web, third tile over the second',
      '×',
      ratio(view, 'throughput.web.sum', at('single', 3), at('single', 2)),
      'a drop',
      null,
      0.995,
      14,
      1,
    ),
  ];
}

/** Score of three LUNs over one. */
function scoreLines(view: StudyView): ExpectationLine[] {
  return [
    line(
      'score.1',
      'Score of three LUNs over one, 1 tile',
      '×',
      ratio(view, 'score', at('separate', 1), at('single', 1)),
      'slower',
      null,
      0.97,
      22,
      1,
    ),
    line(
      'score.2',
      'Score of three LUNs over one, 2 tiles',
      '×',
      ratio(view, 'score', at('separate', 2), at('single', 2)),
      'roughly equal',
      0.95,
      1.03,
      22,
      1,
    ),
    line(
      'score.3',
      'Score of three LUNs over one, 3 tiles',
      '×',
      ratio(view, 'score', at('separate', 3), at('single', 3)),
      'better',
      1.02,
      null,
      22,
      1,
    ),
  ];
}
