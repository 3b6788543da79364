import { demoRun, type RunSpec } from '../../ui/pages/runs/testing/records.ts';
import { type ComparedStudy, compareStudies } from './compareStudies.ts';
import { qosSentence } from './compareStudyQos.ts';
import type { StudyOverview, StudyPoint } from './study.ts';
import { studyComparison } from './studyComparison.ts';
import { gapInterval } from './studyCurves.ts';

type Values = Readonly<Record<string, readonly (number | null)[]>>;
/**
 * A study over tiles with a curve a name; each number is a run, an array of them is a place's
 * repeats.
 */
function study(
  id: string,
  curves: Values,
  {
    label = 'Tiles',
    runs = {},
  }: { label?: string; runs?: Readonly<Record<string, Partial<RunSpec>>> } = {},
): ComparedStudy {
  const second = Object.keys(curves);
  const points = second.flatMap((array) =>
    curves[array]!.flatMap((score, i): StudyPoint[] => [
      {
        key: `tiles=${i + 1};array=${array};repeat=1`,
        values: { tiles: i + 1, array },
        repeat: 1,
        state: 'passed',
        runId: score === null ? null : `${id} ${array}`,
        earlierRunIds: [],
        detail: '',
        measures:
          score === null
            ? {}
            : { score, 'latencyP95Ms.db.mean': 10 * score, 'cpuPct.host.mean': 50 },
      },
    ]),
  );
  const spec = {
    schemaVersion: 1 as const,
    id,
    name: `Study ${id}`,
    version: 1,
    planId: 'p',
    axes: [
      {
        name: 'tiles',
        label,
        unit: label.toLowerCase(),
        parameter: { kind: 'tiles' as const },
        values: [1, 2, 3],
        valueLabels: {},
      },
      {
        name: 'array',
        label: 'Array',
        unit: '',
        parameter: { kind: 'testbed' as const },
        values: second,
        valueLabels: {},
      },
    ],
    order: 'asGiven' as const,
    repeats: 1,
    pauseS: 0,
    stopRule: 'never' as const,
    charts: [{ title: 'Score', measure: 'score', unit: '×', normalise: true }],
    galleryId: null,
    notes: '',
  };
  const overview = {
    spec,
    rev: 1,
    state: 'done',
    origin: 'real',
    instruction: null,
    points,
    activeKey: null,
    startedAtMs: 0,
    endedAtMs: 1,
    nowMs: 1,
    detail: '',
    limit: null,
    knees: [],
    published: [],
    expectations: [],
  } satisfies StudyOverview;
  return {
    overview,
    recordOf: (runId) => demoRun({ id: runId, name: runId, ...runs[runId] }).record,
    workloads: { db: { name: 'Database', unit: 'tps' } },
  };
}
const one = (study_: ComparedStudy, edit: (overview: StudyOverview) => void): ComparedStudy => {
  const overview = structuredClone(study_.overview);
  edit(overview);
  return { ...study_, overview };
};
const measure = (of: ReturnType<typeof compareStudies>, name: string) =>
  of.measures.find((m) => m.measure === name)!;

test('two curves of one study: gaps absolute and in percent, only where both measured', () => {
  const of = studyComparison.parse(
    compareStudies([study('s', { old: [1, 2, null], new: [1.1, 1.8, 4] })]),
  );
  expect(of.curves.map((c) => c.name)).toEqual(['old', 'new']);
  const score = measure(of, 'score');
  expect(score.values).toEqual([
    [1, 2, null],
    [1.1, 1.8, 4],
  ]);
  expect(score.gap[1]).toEqual([expect.closeTo(0.1, 9), expect.closeTo(-0.2, 9), null]);
  expect(score.gapPct).toEqual([
    [null, null, null],
    [expect.closeTo(10, 9), expect.closeTo(-10, 9), null],
  ]);
  expect(score.summary).toEqual([
    null,
    {
      places: 2,
      least: expect.closeTo(-10, 9),
      greatest: expect.closeTo(10, 9),
      mean: expect.closeTo(0, 9),
    },
  ]);
  expect(of.sentence).toBe('Score against old: new from −10.0 % at 2 tiles to +10.0 % at 1 tile.');
  expect([
    score.better,
    measure(of, 'latencyP95Ms.db.mean').better,
    measure(of, 'cpuPct.host.mean').better,
  ]).toEqual(['higher', 'lower', null]);
});

test('any curve can be the baseline; an unknown one is refused', () => {
  const s = study('s', { old: [1, 2, 3], new: [2, 4, 6] });
  const of = compareStudies([s], 's/array=new');
  expect(of.curves.map((c) => c.name)).toEqual(['new', 'old']);
  expect(measure(of, 'score').gapPct[1]).toEqual([-50, -50, -50]);
  expect(() => compareStudies([s], 's/array=none')).toThrow(RangeError);
});

test('repeats are averaged, counted, and tested where both have them', () => {
  const s = one(study('s', { old: [1, 2, 3], new: [1.1, 2, 3] }), (o) => {
    for (const [array, base] of [
      ['old', 1],
      ['new', 1.1],
    ] as const)
      for (const [i, off] of [-0.01, 0.01].entries())
        o.points.push({
          ...o.points.find((p) => p.values['array'] === array)!,
          key: `r${array}${i}`,
          repeat: i + 2,
          measures: { score: base + off },
        });
  });
  const score = measure(compareStudies([s]), 'score');
  expect(score.repeats).toEqual([
    [3, 1, 1],
    [3, 1, 1],
  ]);
  expect(score.values[1]![0]).toBeCloseTo(1.1, 9);
  expect(score.words).toEqual([
    [null, null, null],
    ['better', null, null],
  ]);
  // Two means of three values with s = 0.01 each: SE = 0.01·√(2/3), df = 4, t(0.975) = 2.776.
  const half = 100 * 2.776 * 0.01 * Math.sqrt(2 / 3);
  expect(score.tests[1]![0]).toMatchObject({
    lowPct: expect.closeTo(10 - half, 2),
    highPct: expect.closeTo(10 + half, 2),
    detectablePct: expect.closeTo(100 * (2.776 + 0.941) * 0.01 * Math.sqrt(2 / 3), 2),
  });
  expect(score.tests[1]!.slice(1)).toEqual([null, null]);
  expect(gapInterval(score, 1, 0)).toBe('+7.73 % to +12.3 %; 3.04 % would be found');
  expect(compareStudies([s]).sentence).toBe(
    'Score against old: new from 0 % at 2 tiles to +10.0 % at 1 tile: better at 1 of 1 values with repeats.',
  );
});

test('a gap that repeats could not have found is not called noise', () => {
  const scattered = one(study('s', { old: [1, null, null], new: [1.05, null, null] }), (o) => {
    for (const array of ['old', 'new'])
      o.points.push({
        ...o.points.find((p) => p.values['array'] === array)!,
        key: `r${array}`,
        repeat: 2,
        measures: { score: array === 'old' ? 1.3 : 1.4 },
      });
  });
  const score = measure(compareStudies([scattered]), 'score');
  expect(score.tests[1]![0]!.detectablePct).toBeGreaterThan(5);
  expect(score.words[1]![0]).toBe('cannotTell');
});

test('where each curve keeps its QoS limits, and which it misses first', () => {
  const s = one(study('s', { old: [1, 2, 3], new: [1.1, 2, 3] }), (o) => {
    const miss = (array: string, tiles: number, detail: string): void => {
      const point = o.points.find(
        (p) => p.values['array'] === array && p.values['tiles'] === tiles,
      )!;
      point.state = 'qosFailed';
      point.detail = detail;
    };
    miss('old', 2, 'Mail 95th percentile latency 12 ms, at most 10 ms (tile 2)');
    miss('old', 3, 'Mail 95th percentile latency 22 ms, at most 10 ms (3 tiles)');
  });
  const of = compareStudies([s]);
  expect(of.qos).toEqual([
    'old keeps its QoS limits up to 1 tile and misses them at 2 tiles and 3 tiles: Mail 95th percentile latency 12 ms, at most 10 ms (tile 2).',
    'new misses no QoS limit.',
  ]);
  expect(of.places[0]!.map(({ kept, missed, runIds }) => [kept, missed, runIds.length])).toEqual([
    [1, 0, 1],
    [0, 1, 1],
    [0, 1, 1],
  ]);
});

test.each([
  [
    'never kept',
    [{ runIds: ['a'], kept: 0, missed: 1, detail: 'Slow.' }],
    'A misses its QoS limits: Slow.',
  ],
  [
    'some repeats',
    [
      { runIds: ['a', 'b', 'c'], kept: 1, missed: 2, detail: 'Slow' },
      { runIds: ['d'], kept: 1, missed: 0, detail: '' },
    ],
    'A misses its QoS limits at 1 tile in 2 of 3 runs: Slow.',
  ],
  [
    'a pass above a miss',
    [
      { runIds: ['a'], kept: 0, missed: 1, detail: '' },
      { runIds: ['b'], kept: 1, missed: 0, detail: '' },
    ],
    'A misses its QoS limits at 1 tile.',
  ],
  ['nothing measured', [{ runIds: [], kept: 0, missed: 0, detail: '' }], ''],
])('quality of service in words: %s', (_what, places, words) =>
  expect(qosSentence('A', places, ['1 tile', '2 tiles'], true)).toBe(words),
);

test('an only axis of names: each name is a curve at one place', () => {
  const s = one(study('s', { old: [1, 2, 3] }), (o) => {
    o.spec.axes = [
      {
        name: 'version',
        label: 'Hypervisor',
        unit: '',
        parameter: { kind: 'lab', path: 'variant' },
        values: ['3.0', '3.5'],
        valueLabels: { '3.0': 'ESX 3.0', '3.5': 'ESX 3.5' },
      },
    ];
    o.points = [
      ['3.0', 5],
      ['3.5', 5.2],
    ].map(([version, score]) => ({
      ...o.points[0]!,
      key: String(version),
      values: { version: String(version) },
      measures: { score: Number(score) },
    }));
  });
  const of = compareStudies([s]);
  expect(of.curves.map((c) => c.name)).toEqual(['ESX 3.0', 'ESX 3.5']);
  expect(of.sentence).toBe('Score against ESX 3.0: ESX 3.5 +4.00 %.');
});

test('studies side by side: places of both, curves named by study', () => {
  const of = compareStudies([study('a', { x: [1, 2, 3] }), study('b', { x: [null, 2.2, null] })]);
  expect(of.curves.map((c) => c.name)).toEqual(['Study a, x', 'Study b, x']);
  expect(measure(of, 'score').gapPct[1]).toEqual([null, expect.closeTo(10, 9), null]);
  expect(of.sentence).toBe(
    'Score against Study a, x: Study b, x +10.0 % at 2 tiles, the one value both measured.',
  );
});

test.each([
  [
    'another axis',
    compareStudies([
      study('a', { x: [1, 2, 3] }),
      study('b', { x: [1, 2, 3] }, { label: 'Users' }),
    ]),
    /^Different swept parameter: Tiles against Users\.$/,
  ],
  [
    'simulated against real',
    compareStudies([
      study('a', { x: [1, 2, 3] }),
      study('b', { x: [1, 2, 3] }, { runs: { 'b x': { origin: 'simulated' } } }),
    ]),
    /^Different origin: real against simulated\.$/,
  ],
])('%s is not compared, and says why', (_what, of, guard) => {
  expect(of.guards).toEqual([expect.stringMatching(guard)]);
  expect(of.sentence).toBe('Not comparable, for 1 reason.');
});

test('nothing measured, one curve, no place in common: each says so', () => {
  expect(
    compareStudies([study('s', { a: [null, null, null], b: [null, null, null] })]).sentence,
  ).toBe('Nothing measured yet.');
  expect(compareStudies([study('s', { a: [1, 2, 3] })]).sentence).toBe(
    'One curve: nothing to compare with.',
  );
  expect(compareStudies([study('s', { a: [1, null, null], b: [null, 2, null] })]).sentence).toBe(
    'No value was measured on a and another curve.',
  );
});
