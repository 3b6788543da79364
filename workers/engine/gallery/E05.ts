import { counted } from '../../../src/core/base/counted.ts';
import { connections, expectation, idOf, plan, study, testbed } from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry } from './types.ts';
import { tileParams, tileProfile, tileServer } from './vmmark1.ts';

const galleryId = 'E05';
const lib = library(galleryId);
const source = lib.line(247);
const phases = lib.given(
  'Phases',
  { rampUpS: 300, staggerS: 30, steadyS: 2_400, periods: 3, rampDownS: 60 },
  chosenTimes,
);
const swept = lib.swept('Tiles', [2, 4, 5], 'chosen: from half full to full');
const tileCount = Math.max(...swept);

/**
 * One server under both versions: Java, database and web run in 32 or in 64 bits, with the same
 * virtual hardware and load.
 */
const spec = tileServer(lib, {
  id: 'e05',
  name: 'One server, 32 or 64 bits',
  seed: 5,
  tiles: tileCount,
  version: '1.1',
  note: 'What 64 bits cost or save an operation is the choice of this lab: a few parts in a hundred either way.',
  host: {
    ...lib.server('Dell 2950'),
    ...lib.processor('Xeon X5365'),
    build: 'ESX 3.5 sim',
  },
});
const oldBits = lib.posted(32, source);
const moved = new Set(['java', 'web', 'database']);
spec.variants = {
  'v1.1': [],
  'v1.0': spec.vms.flatMap((vm, index) =>
    moved.has(vm.id.slice(vm.id.indexOf('-') + 1))
      ? [{ path: `vms.${index}.bits`, value: oldBits }]
      : [],
  ),
};
const made = tileProfile(idOf(galleryId, 'tile'), 'VMmark 1.x tile, modelled', phases);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  params: tileParams(spec.id),
});

export const e05: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'VMmark 1.0 and 1.1',
    benchmark: 'VMmark 1.0, 1.1',
    year: lib.year(),
    swept: 'tiles, version',
    shows: 'score',
    paragraph:
      'Version 1.1 moves three of the six virtual machines of a tile to 64 bits and leaves ' +
      'their virtual hardware and load as they were. Run side by side on one server, both ' +
      'versions give the same score at every number of tiles, so old results stay comparable.',
    published: [
      {
        label: 'Both versions',
        text: 'results stay comparable: Java, database and web move to 64 bits at the same load',
        source,
      },
    ],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'VMmark 1.0 and 1.1',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'VMmark 1.0 and 1.1',
    reference: { tiles: swept[0]!, version: 'v1.0' },
    stopRule: 'never',
    axes: [
      { name: 'tiles', label: 'Tiles', unit: 'tiles', parameter: { kind: 'tiles' }, values: swept },
      {
        name: 'version',
        label: 'Version',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['v1.0', 'v1.1'],
        valueLabels: { 'v1.0': '1.0, 32 bits', 'v1.1': '1.1, 64 bits' },
      },
    ],
    charts: [
      { title: 'Score', measure: 'score', unit: '×' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [],
  basis: lib.basis(),
  expectations(view) {
    return swept.map((tiles) => {
      const old = view.value('score', { tiles, version: 'v1.0' }),
        now = view.value('score', { tiles, version: 'v1.1' });
      return expectation({
        id: `E05.${tiles}`,
        label: `Score of 1.1 over 1.0 at ${counted(tiles, 'tile')}`,
        unit: '×',
        model: old === null || now === null ? null : now / old,
        published: 'comparable',
        target: 1,
        low: 0.985,
        high: 1.015,
        source,
      });
    });
  },
};
