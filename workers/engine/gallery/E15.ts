import { connections, expectation, idOf, plan, study, testbed } from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry } from './types.ts';
import { tileParams, tileProfile, tileServer } from './vmmark1.ts';

const galleryId = 'E15';
const lib = library(galleryId);
const tileCount = lib.given('Tiles', { tiles: 5 }, 'chosen: the blade is full').tiles;
const source = lib.line(168);
const phases = lib.given(
  'Phases',
  { rampUpS: 300, staggerS: 30, steadyS: 2_400, periods: 3, rampDownS: 60 },
  chosenTimes,
);

/** What a hypervisor build adds to the guests' work. */
const overhead = {
  'ESX 3.0.2': lib.hypervisor('ESX 3.0'),
  'ESX 3.5': lib.hypervisor('ESX 3.5'),
};
const spec = tileServer(lib, {
  id: 'e15',
  name: 'Sun Blade X8440',
  seed: 15,
  tiles: tileCount,
  version: '1.0',
  note: 'Overheads of the builds are the choice of this lab.',
  host: {
    ...lib.server('Sun Blade X8440'),
    ...lib.processor('Opteron 8222 SE', 4),
    overhead: overhead['ESX 3.5'],
    build: 'ESX 3.5',
  },
  variants: {
    '3.0.2': [
      { path: 'hosts.0.overhead', value: overhead['ESX 3.0.2'] },
      { path: 'hosts.0.build', value: 'ESX 3.0.2' },
    ],
    '3.5': [],
  },
});
const made = tileProfile(idOf(galleryId, 'tile'), 'VMmark 1.x tile, modelled', phases);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  params: tileParams(spec.id),
});

export const e15: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'ESX 3.0.2 and 3.5',
    benchmark: 'VMmark 1.0',
    year: lib.year(),
    swept: 'hypervisor version',
    shows: 'score',
    paragraph:
      'The same blade with the same tiles under two versions of the hypervisor. The newer ' +
      'one spends less of the processor on itself, on each packet and on each disk ' +
      'operation; what it saves, the guests get.',
    published: [{ label: 'Score', text: '5 % better with ESX 3.5', source }],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'ESX 3.0.2 and 3.5',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'ESX 3.0.2 and 3.5',
    reference: { version: '3.0.2' },
    stopRule: 'never',
    axes: [
      {
        name: 'version',
        label: 'Hypervisor',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['3.0.2', '3.5'],
        valueLabels: { '3.0.2': 'ESX 3.0.2', '3.5': 'ESX 3.5' },
      },
    ],
    charts: [
      { title: 'Score', measure: 'score', unit: '×', normalise: true },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [],
  basis: lib.basis(),
  expectations(view) {
    const old = view.value('score', { version: '3.0.2' }),
      now = view.value('score', { version: '3.5' });
    return [
      expectation({
        id: 'E15.gain',
        label: 'Score of ESX 3.5 over 3.0.2',
        unit: '%',
        model: old === null || now === null ? null : 100 * (now / old - 1),
        published: '5 % improvement',
        target: 5,
        low: 4,
        high: 6,
        source,
      }),
    ];
  },
};
