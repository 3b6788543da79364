import { connections, idOf, linesOf, plan, published, study, testbed, times } from './build.ts';
import { chosenTimes, library } from './library.ts';
import type { GalleryEntry, StudyView } from './types.ts';
import { tileParams, tileProfile, tileServer } from './vmmark1.ts';

const galleryId = 'E03';
const lib = library(galleryId);
const source = (line: number): string => lib.line(line);
const line = linesOf(galleryId, source);
const tileCount = lib.given('Tiles', { tiles: 8 }, source(229)).tiles;
/** As the post tells it: an hour of staggered starts, three hours, and the end. */
const phases = lib.given(
  'Phases',
  { rampUpS: 3_600, staggerS: 440, steadyS: 10_800, periods: 3, rampDownS: 300 },
  source(232),
);

/**
 * One server of four sockets, filled by eight tiles. Idle and full power are properties of the
 * machine; what it draws in between follows from its load.
 */
const spec = tileServer(lib, {
  id: 'e03',
  name: 'Sun Fire X4450, 8 tiles',
  seed: 3,
  tiles: tileCount,
  version: '1.0',
  note:
    'Idle power and full power are set from the two ends of the published curve; the course ' +
    'between them is modelled.',
  host: {
    ...lib.server('Sun Fire X4450'),
    ...lib.processor('Xeon X7350', 4),
    build: 'ESX 3.5 sim',
  },
});
const made = tileProfile(idOf(galleryId, 'tile'), 'VMmark 1.x tile, modelled', phases);
const bed = testbed({
  galleryId,
  lab: spec,
  profile: made,
  tiles: tileCount,
  power: 'meter',
  params: tileParams(spec.id),
});
const at = { tiles: tileCount };

export const e03: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'Power over a run',
    benchmark: 'VMmark 1.0',
    year: lib.year(),
    swept: 'time',
    shows: 'power, watts a VM',
    paragraph:
      'Eight tiles start one after the other on a server with sixteen cores. Its power ' +
      'climbs for an hour while they come up, holds for the three hours that are measured, ' +
      'and falls at once when they stop. Forty-eight virtual servers share what the machine ' +
      'draws: less than a light bulb each.',
    published: [
      { label: 'Ramp', text: 'about 600 W to about 830 W in an hour', source: source(232) },
      {
        label: 'Steady',
        text: '830 W in the mean, 850 W at most, for 3 hours',
        source: source(232),
      },
      { label: 'A server', text: '17.5 W each for 48 VMs', source: source(234) },
    ],
  },
  labs: [spec],
  connections: connections(spec, { power: 'meter' }),
  testbeds: [bed],
  profiles: [made],
  plan: plan({
    galleryId,
    name: 'Power over a run',
    testbed: bed,
    profile: made,
    sampling: lib.given('Sampling', { workloadMs: 60_000, vcenterMs: 20_000 }, chosenTimes),
  }),
  study: study({
    galleryId,
    name: 'Power over a run',
    stopRule: 'never',
    axes: [
      {
        name: 'tiles',
        label: 'Tiles',
        unit: 'tiles',
        parameter: { kind: 'tiles' },
        values: [tileCount],
      },
    ],
    charts: [
      { title: 'Power', measure: 'powerW.sum.mean', unit: 'W' },
      { title: 'Highest power', measure: 'powerW.sum.max', unit: 'W' },
      { title: 'Watts per VM', measure: 'wattsPerVm', unit: 'W' },
      { title: 'Host CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  }),
  published: [
    published(['F032'], 'powerW.sum.mean', 'Power, steady', at, 830, 'W', source(232)),
    published(['F033'], 'powerW.sum.max', 'Power, highest', at, 850, 'W', source(232)),
    published(['F036'], 'wattsPerVm', 'Watts per VM', at, 17.5, 'W', source(234)),
  ],
  basis: lib.basis(),
  expectations(view) {
    const over = powerOver(view.series(at, 'powerW', { kind: 'power' }));
    const endS = phases.rampUpS + phases.steadyS;
    const quarters = times(4, (i) => over(i * 900 + 300, i * 900 + 900));
    const climbs = quarters.every((one): one is number => one !== null)
      ? Math.min(...quarters.slice(1).map((one, i) => one - quarters[i]!))
      : null;
    return [
      line(
        'start',
        'Power in the first five minutes',
        'W',
        over(0, 300),
        'about 600',
        582,
        618,
        232,
        600,
      ),
      line(
        'ramp',
        'Least rise from quarter to quarter of the first hour',
        'W',
        climbs,
        'a 1-hour ramp',
        10,
        null,
        232,
      ),
      line(
        'top',
        'Power at the end of the ramp',
        'W',
        over(3_300, 3_600),
        'about 830',
        813.4,
        846.6,
        232,
        830,
      ),
      line(
        'steady',
        'Power over the steady state',
        'W',
        view.value('powerW.sum.mean', at),
        'about 830',
        813.4,
        846.6,
        232,
        830,
      ),
      line(
        'level',
        'Last steady hour less the first',
        'W',
        difference(over(endS - 3_600, endS), over(phases.rampUpS, phases.rampUpS + 3_600)),
        '3 hours of steady state',
        -8,
        8,
        232,
        0,
      ),
      line(
        'max',
        'Highest power',
        'W',
        view.value('powerW.sum.max', at),
        'roughly 850',
        841.5,
        858.5,
        232,
        850,
      ),
      line(
        'end',
        'Power in the last minute of the ramp-down',
        'W',
        over(endS + phases.rampDownS - 60, endS + phases.rampDownS),
        'a sharp decline',
        null,
        660,
        232,
        600,
      ),
      line(
        'vm',
        'Power a VM',
        'W',
        view.value('wattsPerVm', at),
        '17.5',
        17.5 * 0.97,
        17.5 * 1.03,
        234,
        17.5,
      ),
    ];
  },
};

/** Mean power from one second of the run to another; null where nothing was measured. */
const powerOver =
  (power: ReturnType<StudyView['series']>) =>
  (fromS: number, toS: number): number | null => {
    const values = power
      ? [...power.value].filter((_, i) => power.elapsedS[i]! > fromS && power.elapsedS[i]! <= toS)
      : [];
    return values.length > 0 ? values.reduce((sum, one) => sum + one, 0) / values.length : null;
  };

const difference = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b;
