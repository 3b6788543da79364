import { connections, expectation, idOf, plan, study, testbed } from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';
import { tileParams, tileProfile, tileServer } from './vmmark1.ts';

const galleryId = 'E04';
const lib = library(galleryId);
const source = lib.line(243);
const phases = lib.given(
  'Phases',
  { rampUpS: 300, staggerS: 20, steadyS: 1_800, periods: 3, rampDownS: 60 },
  chosenTimes,
);
const swept = lib.swept(
  'Tiles',
  [4, 6, 7, 12, 13, 14],
  'chosen: around the fullest of either machine',
);
const tileCount = Math.max(...swept);
const four = lib.server('PowerEdge R905');

/**
 * Two machines of one family: a core does less among four sockets (resources/lab/processors.json).
 */
const spec = tileServer(lib, {
  id: 'e04',
  name: 'PowerEdge R805 and R905',
  seed: 4,
  tiles: tileCount,
  version: '1.0',
  note: 'What a core loses among four sockets is the result of this study, and chosen.',
  host: {
    ...lib.server('PowerEdge R805'),
    ...lib.processor('Opteron 2356', 2),
    build: 'ESX 3.5 sim',
  },
  variants: {
    two: [],
    four: [
      { path: 'hosts.0.sockets', value: four.sockets },
      { path: 'hosts.0.model', value: four.model },
      { path: 'hosts.0.coreSpeed', value: lib.processor('Opteron 2356', 4).coreSpeed },
      { path: 'hosts.0.power', value: four.power },
    ],
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
const labels = { two: '2 sockets, 8 cores', four: '4 sockets, 16 cores' };

/** Best score of a machine over all tile counts. */
const best = (view: StudyView, sockets: string): number | null => {
  const scores = swept.flatMap((tiles) => view.value('score', { tiles, sockets }) ?? []);
  return scores.length === swept.length ? Math.max(...scores) : null;
};

export const e04: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'Two sockets or four',
    benchmark: 'VMmark 1.0',
    year: lib.year(),
    swept: 'tiles, sockets',
    shows: 'score',
    paragraph:
      'Two servers of one family, one with eight cores and one with sixteen, are filled tile ' +
      'by tile until the score grows no more. Twice the cores give less than twice the ' +
      'score, because a core waits longer for memory where four sockets share it.',
    published: [{ label: 'Scaling', text: '1.8 × from two sockets to four', source }],
  },
  labs: [spec],
  connections: connections(spec),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'Two sockets or four',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'Two sockets or four',
    reference: { tiles: swept[0]!, sockets: 'two' },
    stopRule: 'never',
    axes: [
      { name: 'tiles', label: 'Tiles', unit: 'tiles', parameter: { kind: 'tiles' }, values: swept },
      {
        name: 'sockets',
        label: 'Machine',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['two', 'four'],
        valueLabels: labels,
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
    const two = best(view, 'two'),
      four = best(view, 'four');
    return [
      expectation({
        id: 'E04.scaling',
        label: 'Best score of four sockets over two',
        unit: '×',
        model: two === null || four === null ? null : four / two,
        published: '1.8',
        target: 1.8,
        low: 1.75,
        high: 1.85,
        source,
      }),
    ];
  },
};
