import { powerScore } from '../compare/index.ts';
import type { SeriesDef } from '../metric/metric.ts';
import { scoreSchema } from '../run/scoreTypes.ts';
import { formatResult, scoreRun } from '../score/score.ts';
import { weightedGeometricMean } from '../stats/summary.ts';
import { make, operation, period, workload } from './partsProfile.ts';

describe('the 3.x rule', () => {
  /*
   * Dell Technologies, "World record VMmark 3 … R7515 … PowerMax 8000", table 10: application,
   * infrastructure, and the operations an hour of each (vMotion, SvMotion, XvMotion, deploy). The
   * total 9.16 is printed there; the other two totals are the rule applied to printed parts.
   */
  test.each([
    ['EPYC 7002', 11.18, 1.07, '9.16'],
    ['EPYC 7003', 13.9, 1.11, '11.34'],
    ['EPYC 7003 with 3D V-Cache', 14.81, 1.09, '12.07'],
  ])(
    '0.8 and 0.2 of the published parts of %s print %d, %d as %s',
    (_name, application, infrastructure, printed) => {
      const profile = make({
        workloads: [workload('all', { reference: 1 })],
        operations: [operation('all', 1)],
      });
      const score = scoreRun(
        profile,
        1,
        [
          {
            index: 0,
            workloads: [
              { tile: 0, workloadId: 'all', samples: 1, values: { throughput: application } },
            ],
            infrastructure: { all: infrastructure },
          },
        ],
        {},
        'published',
      );
      expect(formatResult(score, profile.scoring)).toBe(`${printed} @ 1 tile`);
    },
  );

  test('published operations an hour and published infrastructure scores agree with a geometric mean', () => {
    const published = [
      [[28, 24, 20, 6.5], 1.07],
      [[28.5, 26, 21, 6.5], 1.11],
      [[28, 25, 21, 6.5], 1.09],
    ] as const;
    const ids = ['vmotion', 'svmotion', 'xvmotion', 'deploy'];
    // The references are not public: one common value that fits the first row must fit the others
    // within the two printed decimals.
    const common = weightedGeometricMean(published[0][0], [1, 1, 1, 1]) / published[0][1];
    const profile = make({ operations: ids.map((id) => operation(id, common)) });
    for (const [rates, expected] of published) {
      const score = scoreRun(
        profile,
        1,
        [period(0, [[10, 2]], Object.fromEntries(ids.map((id, i) => [id, rates[i]!])))],
        {},
        '',
      );
      expect(Math.abs(score.infrastructure! - expected)).toBeLessThan(0.011);
    }
  });
});

test('by hand: weights in the tile, no sum in the infrastructure, 0.8 and 0.2 of the chosen period', () => {
  // tile 1: (4² · 0.5)^(1/3) = 2; tile 2: (1² · 1)^(1/3) = 1 → application 3; infrastructure
  // √(40/20 · 40/5) = 4 → 0.8·3 + 0.2·4 = 3.2
  const profile = make({
    workloads: [
      workload('db', { weight: 2, weightSource: 's' }),
      workload('web', { reference: 2 }),
    ],
  });
  const score = scoreRun(
    profile,
    2,
    [
      period(
        0,
        [
          [40, 1],
          [10, 2],
        ],
        { vmotion: 40, deploy: 40 },
      ),
      period(1, [
        [10, 2],
        [10, 2],
      ]),
      period(
        2,
        [
          [80, 2],
          [80, 2],
        ],
        { vmotion: 40, deploy: 40 },
      ),
    ],
    {},
    'profile',
  );
  expect(score.periods[0]).toMatchObject({
    total: expect.closeTo(3.2, 12),
    application: expect.closeTo(3, 12),
    infrastructure: { score: expect.closeTo(4, 12) },
  });
  expect(score).toMatchObject({
    total: expect.closeTo(3.2, 12),
    application: expect.closeTo(3, 12),
    infrastructure: expect.closeTo(4, 12),
    chosenPeriod: 0,
    speaking: [0],
    missing: [],
  });
  expect(scoreSchema.parse(JSON.parse(JSON.stringify(score)))).toEqual(score);
});

test('weights that are not set: the parts stay, no total is claimed, and it is said', () => {
  const score = scoreRun(
    make({ overall: { application: null, infrastructure: null, source: 'not public for 2.x' } }),
    1,
    [period(0, [[20, 4]]), period(1, [[30, 6]]), period(2, [[40, 8]])],
    {},
    '',
  );
  expect(score).toMatchObject({
    total: null,
    application: expect.closeTo(3, 12),
    infrastructure: 1,
    weights: null,
  });
  expect(score.missing).toEqual([
    'no total: the weights of application and infrastructure are not set in the profile; the parts are shown apart',
  ]);
});

test.each([
  [1, 1, []],
  [2, null, ['no total: the profile does not say which of the 2 periods speaks for the run']],
])('no period rule and %d periods: total %p', (count, total, missing) => {
  const score = scoreRun(
    make({ periods: null }),
    1,
    Array.from({ length: count }, (_, i) => period(i, [[10, 2]])),
    {},
    '',
  );
  expect(score).toMatchObject({ total, missing, periodRule: 'notSet' });
});

test.each([
  [
    'operations that were not counted',
    { vmotion: 20 },
    'deploy: no operations counted in period 1',
  ],
  [
    'a count that is NaN',
    { vmotion: NaN, deploy: 5 },
    'vmotion: no operations counted in period 1',
  ],
])('%s leave no total, and the application part stays', (_what, infrastructure, reason) => {
  const score = scoreRun(make(), 1, [period(0, [[10, 2]], infrastructure)], {}, '');
  expect(score).toMatchObject({ total: null, infrastructure: null });
  expect(score.periods[0]!.application).toBe(1);
  expect(score.missing).toContain(reason);
});

test('a zero scores zero, and never silently', () => {
  const score = scoreRun(make(), 1, [period(0, [[0, 2]], { vmotion: 0, deploy: 5 })], {}, '');
  expect(score).toMatchObject({ total: 0, application: 0, infrastructure: 0 });
  expect(score.notes).toEqual([
    'tile 1 DB: throughput is 0 in period 1, so its ratio and its tile score 0',
    'vmotion: no operation ended in period 1, so the infrastructure scores 0',
  ]);
});

test('references of a run serve operations that have none of their own', () => {
  const score = scoreRun(
    make({ operations: [operation('vmotion', null)] }),
    1,
    [period(0, [[10, 2]], { vmotion: 30 })],
    { 'infra.vmotion': 15 },
    'run x',
  );
  expect(score.infrastructure).toBe(2);
});

describe('limits', () => {
  const one = (qos: object, values: object, more: object = {}) =>
    scoreRun(
      make({ workloads: [workload('db', { unit: 'ops/min', qos: [qos] })] }),
      1,
      [0, 1].map((index) => ({
        index,
        infrastructure: { vmotion: 20, deploy: 5 },
        workloads: [
          {
            tile: 0,
            workloadId: 'db',
            samples: 10 * (index + 1),
            values: { throughput: 60, ...values },
            ...more,
          },
        ],
      })),
      {},
      '',
    ).periods[0]!.tiles[0]!.workloads[0]!.qos;
  test('a share of failures counts completed and failed a second', () => {
    // 60 operations a minute = 1 a second; 0.25 failures a second → 20 %
    const [found] = one(
      { metric: 'errorRate', measure: 'failurePct', max: 0.5, unit: '%', source: 's' },
      { errorRate: 0.25 },
    );
    expect(found).toMatchObject({ measured: 20, passed: false, measure: 'failurePct' });
    expect(
      one(
        { metric: 'errorRate', measure: 'failurePct', max: 0.5, unit: '%', source: 's' },
        { errorRate: 0, throughput: 0 },
      )[0],
    ).toMatchObject({ measured: null, passed: null });
  });
  test('a named operation is looked up by its name, and is missing where the tool does not tell it apart', () => {
    const limit = { metric: 'latencyP99Ms', operation: 'login', max: 100, unit: 'ms', source: 's' };
    expect(
      one(limit, { latencyP99Ms: 900 }, { operations: { login: { latencyP99Ms: 40 } } })[0],
    ).toMatchObject({ measured: 40, passed: true, operation: 'login' });
    expect(one(limit, { latencyP99Ms: 900 })[0]).toMatchObject({ measured: null, passed: null });
  });
  test('a limit over the steady state takes all periods by their samples', () => {
    const measured = [10, 40].map((latency, index) => ({
      index,
      workloads: [
        {
          tile: 0,
          workloadId: 'db',
          samples: [30, 10][index]!,
          values: { throughput: 10, latencyP95Ms: latency },
        },
      ],
    }));
    const profile = make({
      workloads: [
        workload('db', {
          qos: [{ metric: 'latencyP95Ms', max: 20, unit: 'ms', source: 's', over: 'steady' }],
        }),
      ],
    });
    expect(
      scoreRun(profile, 1, measured, {}, '').periods.map(
        (p) => p.tiles[0]!.workloads[0]!.qos[0]!.measured,
      ),
    ).toEqual([17.5, 17.5]);
  });
  test('a limit without a figure is told and does not judge', () => {
    const score = scoreRun(
      make({
        workloads: [
          workload('db', { qos: [{ metric: 'latencyP99Ms', unit: 'ms', source: 'not public' }] }),
        ],
      }),
      1,
      [period(0, [[10, 2]])],
      {},
      '',
    );
    expect(score).toMatchObject({
      qosPassed: true,
      notes: ['DB: the limit on latencyP99Ms is not set, so it is not judged'],
    });
  });
});

describe('power', () => {
  const def = (periodMs: number, source = 'PDU'): SeriesDef => ({
    id: 0,
    metric: 'powerW',
    unit: 'W',
    source,
    periodMs,
    decimals: 0,
    lagMs: 0,
    entity: { kind: 'power', id: 'm', name: 'meter' },
  });
  const windows = [0, 1, 2].map((index) => ({
    index,
    startMs: index * 100_000,
    endMs: (index + 1) * 100_000,
  }));
  const stat = (mean: number, count = 100) => ({ count, mean, min: mean, max: mean });
  const score = scoreRun(
    make(),
    1,
    [period(0, [[10, 2]]), period(1, [[20, 4]]), period(2, [[30, 6]])],
    {},
    '',
  );
  const rule = { kind: 'server', maxPeriodMs: 5_000, source: 's' };
  test('the score over the kilowatts of the very period that speaks', () => {
    // The median period is the second: 0.8·2 + 0.2·1 = 1.8, at 450 W.
    const power = powerScore(
      make({ power: rule }),
      score,
      {
        steadyS: 300,
        series: [
          { def: def(1_000), steady: stat(500), periods: [stat(100), stat(450), stat(900)] },
        ],
      },
      windows,
    );
    expect(power).toMatchObject({
      kind: 'server',
      meanW: 450,
      value: expect.closeTo(4, 12),
      refused: null,
    });
  });
  test.each([
    [
      'a source slower than the profile allows',
      def(20_000),
      [stat(450, 5), stat(450, 5), stat(450, 5)],
      'PDU measures every 20 s, longer than the 5 s that the profile allows',
    ],
    [
      'missing samples',
      def(1_000),
      [stat(450), stat(450, 90), stat(450)],
      'meter (PDU) gave 90 of 100 samples in period 2',
    ],
    [
      'a period without a sample',
      def(1_000),
      [stat(450), null, stat(450)],
      'meter (PDU) gave 0 of 100 samples in period 2',
    ],
    ['a meter at zero', def(1_000), [stat(0), stat(0), stat(0)], 'PDU measured 0 W'],
  ])('%s: no figure, and words', (_what, series, periods, refused) => {
    expect(
      powerScore(
        make({ power: rule }),
        score,
        { steadyS: 300, series: [{ def: series, steady: stat(450), periods }] },
        windows,
      ),
    ).toMatchObject({ value: null, refused });
  });
  test('a source slower than the period is refused without a rule too; no source and no rule is no figure at all', () => {
    const slow = {
      steadyS: 300,
      series: [
        {
          def: def(300_000),
          steady: stat(450, 1),
          periods: [stat(450, 1), stat(450, 1), stat(450, 1)],
        },
      ],
    };
    expect(powerScore(make(), score, slow, windows)).toMatchObject({
      value: null,
      refused: 'PDU measures every 300 s, longer than the 100 s that a measurement period lasts',
    });
    expect(powerScore(make(), score, { steadyS: 300, series: [] }, windows)).toBeUndefined();
    expect(
      powerScore(make({ power: rule }), score, { steadyS: 300, series: [] }, windows),
    ).toMatchObject({ refused: 'the profile asks for power, and no power source was recorded' });
  });
});
