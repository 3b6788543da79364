import fc from 'fast-check';

import { profileSchema } from '../profile/profile.ts';
import { formatResult, scoreAgainst } from './score.ts';
import { workloadTotals } from './totals.ts';

const profile = profileSchema.parse({
  schemaVersion: 1,
  id: 'p',
  version: '1',
  name: 'P',
  description: '',
  phases: { rampUpS: 0, staggerS: 0, steadyS: 120, periods: 2, rampDownS: 0 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: '' },
  workloads: ['db', 'web'].map((id) => ({
    id,
    role: id,
    name: id,
    driver: 'x',
    unit: 'tps',
    reference: null,
    referenceSource: '',
  })),
});
const period = (
  index: number,
  of: readonly (readonly [db: number, web: number])[],
  samples = 60,
) => ({
  index,
  workloads: of.flatMap(([db, web], tile) => [
    { tile, workloadId: 'db', samples, values: { throughput: db } },
    { tile, workloadId: 'web', samples, values: { throughput: web } },
  ]),
});

test('without a reference there is no score, whatever was measured, and it says so once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 })), {
        minLength: 1,
        maxLength: 8,
      }),
      (tiles) => {
        const score = scoreAgainst(profile, tiles.length, [period(0, tiles), period(1, tiles)], {
          references: {},
          label: 'none',
          kind: 'none',
        });
        expect(score).toMatchObject({
          total: null,
          chosenPeriod: null,
          speaking: [],
          reference: 'none',
        });
        expect(
          score.periods.every((p) => p.total === null && p.tiles.every((t) => t.score === null)),
        ).toBe(true);
        expect(score.missing).toEqual(['no reference: nothing says what scores 1.0']);
        const totals = workloadTotals(score);
        expect(totals.map((t) => t.total)).toEqual([
          tiles.reduce((sum, [db]) => sum + db, 0),
          tiles.reduce((sum, [, web]) => sum + web, 0),
        ]);
      },
    ),
  );
});

test('a run that is its own reference prints no figure of itself as a result', () => {
  const score = scoreAgainst(
    profile,
    2,
    [
      period(0, [
        [10, 10],
        [10, 10],
      ]),
    ],
    {
      references: { db: 10, web: 10 },
      label: 'this run',
      kind: 'itself',
    },
  );
  expect(formatResult(score)).toBe('reference of its study, 2 tiles');
});

test('totals go by the samples of each period, and balance is least over most', () => {
  const score = scoreAgainst(
    profile,
    2,
    [
      period(
        0,
        [
          [10, 1],
          [20, 1],
        ],
        60,
      ),
      period(
        1,
        [
          [40, 1],
          [20, 1],
        ],
        30,
      ),
    ],
    { references: {}, label: 'none', kind: 'none' },
  );
  expect(workloadTotals(score)[0]).toMatchObject({ total: 40, least: 20, most: 20, balance: 1 });
  const torn = scoreAgainst(
    profile,
    2,
    [
      {
        ...period(0, [
          [10, 1],
          [20, 1],
        ]),
        index: 0,
      },
    ],
    {
      references: {},
      label: 'none',
      kind: 'none',
    },
  );
  expect(workloadTotals(torn)[0]).toMatchObject({ total: 30, balance: 0.5 });
});

test('a tile without a measurement gives no total, never a partial sum', () => {
  const score = scoreAgainst(
    profile,
    3,
    [
      period(0, [
        [10, 1],
        [20, 1],
      ]),
    ],
    {
      references: {},
      label: 'none',
      kind: 'none',
    },
  );
  expect(workloadTotals(score).map((t) => [t.total, t.balance])).toEqual([
    [null, null],
    [null, null],
  ]);
});
