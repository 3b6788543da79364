import fc from 'fast-check';

import { profileSchema } from '../profile/profile.ts';
import { type PeriodMeasurement, scoreSchema } from '../run/scoreTypes.ts';
import { scoreRun } from './score.ts';

const workload = (id: string, more: object = {}) => ({
  id,
  role: id,
  name: id.toUpperCase(),
  driver: 'x',
  unit: 'op/s',
  reference: 10,
  referenceSource: 's',
  ...more,
});
const make = (
  periods: 'median' | 'mean' | 'worst' = 'median',
  workloads: object[] = [
    workload('db'),
    workload('file', { reference: 2 }),
    workload('standby', { scored: false, reference: null }),
  ],
) =>
  profileSchema.parse({
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS: 10, periods: 3, rampDownS: 0 },
    scoring: { tile: 'geometricMean', total: 'sum', periods, source: '' },
    workloads,
  });
const period = (index: number, ...tiles: [db: number, file: number][]): PeriodMeasurement => ({
  index,
  workloads: tiles.flatMap(([db, file], tile) => [
    { tile, workloadId: 'db', samples: 9, values: { throughput: db } },
    { tile, workloadId: 'file', samples: 9, values: { throughput: file } },
  ]),
});

test('ratio, geometric mean of the tile, sum, median: by hand', () => {
  // tile 1: √(20/10 · 16/2) = 4; tile 2: √(10/10 · 2/2) = 1 → 5, then 2·5 and 3·5 in the other
  // periods
  const score = scoreRun(
    make(),
    2,
    [period(0, [20, 16], [10, 2]), period(1, [40, 32], [20, 4]), period(2, [60, 48], [30, 6])],
    {},
    'profile',
  );
  expect(score.periods.map((p) => p.total)).toEqual([
    expect.closeTo(5, 12),
    expect.closeTo(10, 12),
    expect.closeTo(15, 12),
  ]);
  expect(score).toMatchObject({
    total: expect.closeTo(10, 12) as number,
    chosenPeriod: 1,
    tiles: 2,
    missing: [],
    qosPassed: true,
  });
  expect(score.periods[0]!.tiles[0]).toMatchObject({
    score: expect.closeTo(4, 12) as number,
    workloads: [{ ratio: 2, samples: 9 }, { ratio: 8 }, { ratio: null, scored: false }],
  });
});

test.each([
  ['mean', 22 / 3, null],
  ['worst', 2, 0],
  ['median', 10, 1],
] as const)('%s of the periods', (rule, total, chosen) => {
  const score = scoreRun(
    make(rule),
    1,
    [period(0, [20, 4]), period(1, [100, 20]), period(2, [100, 20])],
    {},
    '',
  );
  expect(score.total).toBeCloseTo(total, 12);
  expect(score.chosenPeriod).toBe(chosen);
});

test('an even number of periods: no period is chosen, both middle ones count', () => {
  const score = scoreRun(make(), 1, [period(0, [10, 2]), period(1, [20, 4])], {}, '');
  expect(score.total).toBeCloseTo(1.5, 12);
  expect(score.chosenPeriod).toBeNull();
});

test.each([
  ['no period was reached', [] as PeriodMeasurement[], 1, 'no measurement period was reached'],
  ['a tile has no samples', [period(0, [10, 2])], 2, 'tile 2 DB: no throughput sample in period 1'],
  [
    'a mean over no samples is NaN',
    [period(0, [NaN, 2])],
    1,
    'tile 1 DB: no throughput sample in period 1',
  ],
  ['a negative rate', [period(0, [-3, 2])], 1, 'tile 1 DB: no throughput sample in period 1'],
])('no score and its reason when %s', (_, measured, tiles, reason) => {
  const score = scoreRun(make(), tiles, measured, {}, '');
  expect(score.total).toBeNull();
  expect(score.missing).toContain(reason);
  expect(scoreSchema.parse(score)).toEqual(score);
});

test('nothing measured has not passed QoS', () =>
  expect(scoreRun(make(), 1, [], {}, '').qosPassed).toBe(false));

test.each([undefined, 0, NaN, -1])('a reference of %p is no reference', (reference) => {
  const profile = make('median', [workload('db', { reference: null })]);
  const score = scoreRun(
    profile,
    1,
    [period(0, [10, 2])],
    reference === undefined ? {} : { db: reference },
    '',
  );
  expect(score).toMatchObject({
    total: null,
    missing: ['DB: no reference value; choose a reference run'],
  });
});

test('a standby without a sample does not spoil the score, its broken limit spoils QoS', () => {
  const profile = make('median', [
    workload('db'),
    workload('standby', {
      scored: false,
      reference: null,
      qos: [{ metric: 'throughput', min: 0.5, unit: 'op/s', source: '' }],
    }),
  ]);
  const score = scoreRun(profile, 1, [period(0, [10, 2])], {}, '');
  expect(score.total).toBe(1);
  expect(score.qosPassed).toBe(false);
  expect(score.missing).toEqual(['tile 1 STANDBY: no throughput sample in period 1']);
});

test.each([
  ['max', 100, true],
  ['max', 99, false],
  ['min', 100, true],
  ['min', 101, false],
] as const)('%s limit of %d with 100 measured: %p', (kind, limit, passed) => {
  const profile = make('median', [
    workload('db', { qos: [{ metric: 'latencyP95Ms', [kind]: limit, unit: 'ms', source: '' }] }),
  ]);
  const score = scoreRun(
    profile,
    1,
    [
      {
        index: 0,
        workloads: [
          { tile: 0, workloadId: 'db', samples: 1, values: { throughput: 10, latencyP95Ms: 100 } },
        ],
      },
    ],
    {},
    '',
  );
  expect(score.periods[0]!.tiles[0]!.workloads[0]!.qos[0]!.passed).toBe(passed);
  expect(score.qosPassed).toBe(passed);
});

const rates = fc.double({ min: 0.1, max: 1e5, noNaN: true });
const tiles = fc.array(fc.tuple(rates, rates), { minLength: 1, maxLength: 6 });

test('the reference run itself scores its number of tiles', () => {
  fc.assert(
    fc.property(rates, rates, fc.integer({ min: 1, max: 8 }), (db, file, n) => {
      const profile = make('median', [
        workload('db', { reference: null }),
        workload('file', { reference: null }),
      ]);
      const same = Array.from({ length: n }, (): [number, number] => [db, file]);
      expect(scoreRun(profile, n, [period(0, ...same)], { db, file }, '').total).toBeCloseTo(n, 9);
    }),
  );
});

test('doubling every throughput doubles the score; order of tiles does not matter; the wire keeps it', () => {
  fc.assert(
    fc.property(tiles, (list) => {
      const total = (t: [number, number][]): number =>
        scoreRun(make(), t.length, [period(0, ...t)], {}, '').total!;
      const one = total(list);
      expect(total(list.map(([a, b]) => [2 * a, 2 * b])) / one).toBeCloseTo(2, 9);
      expect(total([...list].reverse()) / one).toBeCloseTo(1, 9);
      const score = scoreRun(make(), list.length, [period(0, ...list)], {}, '');
      expect(scoreSchema.parse(JSON.parse(JSON.stringify(score)))).toEqual(score);
    }),
  );
});

test('losing any one measurement loses the total, never part of it', () => {
  fc.assert(
    fc.property(tiles, fc.nat(), (list, pick) => {
      const full = period(0, ...list);
      const cut = {
        ...full,
        workloads: full.workloads.filter((_, i) => i !== pick % full.workloads.length),
      };
      expect(scoreRun(make(), list.length, [full, cut], {}, '').total).toBeNull();
    }),
  );
});
