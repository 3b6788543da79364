import fc from 'fast-check';

import type { Profile } from '../profile/profile.ts';
import { scoreRun } from '../score/score.ts';
import type { ScoreStep } from '../score/scoreStep.ts';
import { scoreSteps, stepLines } from '../score/scoreSteps.ts';
import { weightedGeometricMean } from '../stats/summary.ts';
import { make, period, rates, workload } from './partsProfile.ts';

const runs = fc.record({
  tiles: fc.array(fc.tuple(rates, rates), { minLength: 1, maxLength: 6 }),
  vmotion: rates,
  deploy: rates,
  factor: fc.double({ min: 1.001, max: 100, noNaN: true }),
  weight: fc.double({ min: 0.1, max: 5, noNaN: true }),
});
const weighted = (weight: number): Profile =>
  make({
    workloads: [workload('db', { weight, weightSource: 's' }), workload('web', { reference: 2 })],
  });

test('scale: every rate times f gives the total times f; operations alone move the infrastructure alone', () => {
  fc.assert(
    fc.property(runs, ({ tiles, vmotion, deploy, factor, weight }) => {
      const score = (f: number, g: number) =>
        scoreRun(
          weighted(weight),
          tiles.length,
          [
            period(
              0,
              tiles.map(([a, b]) => [a * f, b * f]),
              { vmotion: vmotion * g, deploy: deploy * g },
            ),
          ],
          {},
          '',
        );
      expect(score(factor, factor).total! / score(1, 1).total!).toBeCloseTo(factor, 6);
      const infra = score(1, factor);
      expect(infra.application).toBe(score(1, 1).application);
      expect(infra.infrastructure! / score(1, 1).infrastructure!).toBeCloseTo(factor, 6);
    }),
  );
});

test('monotonic: more of any one workload never lowers the total; order of tiles and workloads does not matter', () => {
  fc.assert(
    fc.property(runs, fc.nat(), ({ tiles, vmotion, deploy, factor, weight }, pick) => {
      const at = pick % tiles.length;
      const total = (list: readonly (readonly [number, number])[]): number =>
        scoreRun(weighted(weight), list.length, [period(0, list, { vmotion, deploy })], {}, '')
          .total!;
      expect(
        total(tiles.map(([a, b], i) => (i === at ? [a * factor, b] : [a, b]))),
      ).toBeGreaterThan(total(tiles));
      expect(total([...tiles].reverse()) / total(tiles)).toBeCloseTo(1, 9);
      const measured = period(0, tiles, { vmotion, deploy });
      const shuffled = { ...measured, workloads: [...measured.workloads].reverse() };
      expect(scoreRun(weighted(weight), tiles.length, [shuffled], {}, '')).toEqual(
        scoreRun(weighted(weight), tiles.length, [measured], {}, ''),
      );
    }),
  );
});

test('a weight of 2 is the workload twice; a weight of 0 is the workload gone', () => {
  fc.assert(
    fc.property(rates, rates, (a, b) => {
      expect(weightedGeometricMean([a, b], [2, 1])).toBeCloseTo((a * a * b) ** (1 / 3), 6);
      expect(weightedGeometricMean([a, b], [1, 0])).toBeCloseTo(a, 6);
    }),
  );
  expect([
    weightedGeometricMean([0, 4], [1, 2]),
    weightedGeometricMean([0, 4], [0, 2]),
    weightedGeometricMean([1, 2], [0, 0]),
    weightedGeometricMean([1, 2], [-1, 2]),
  ]).toEqual([0, expect.closeTo(4, 12), NaN, NaN]);
});

test('each step of the tree follows from its children, whatever the weights', () => {
  fc.assert(
    fc.property(runs, ({ tiles, vmotion, deploy, weight }) => {
      const profile = weighted(weight);
      const score = scoreRun(
        profile,
        tiles.length,
        [period(0, tiles, { vmotion, deploy })],
        {},
        '',
      );
      const [application, infrastructure] = scoreSteps(score, profile).children as [
        ScoreStep,
        ScoreStep,
      ];
      expect(0.8 * application.value! + 0.2 * infrastructure.value!).toBeCloseTo(score.total!, 6);
      for (const tile of application.children[0]!.children)
        expect(
          weightedGeometricMean(
            tile.children.map((c) => c.value!),
            [weight, 1],
          ) / tile.value!,
        ).toBeCloseTo(1, 9);
      expect(
        application.children[0]!.children.reduce((sum, c) => sum + c.value!, 0) /
          application.value!,
      ).toBeCloseTo(1, 9);
    }),
    { numRuns: 50 },
  );
});

test('lines for a terminal', () => {
  const profile = make();
  const lines = stepLines(scoreRun(profile, 1, [period(0, [[20, 4]])], {}, 'profile P'), profile);
  expect(lines.slice(0, 6)).toEqual([
    '1.80 @ 1 tile (scaling study)',
    'References: profile P',
    'Result: 1.80 × reference = 0.8 × 2.00 + 0.2 × 1.00',
    '  Application: 2.00 × reference = median of 1 period: 2.00',
    '    Period 1: 2.00 × reference = sum over 1 tile: 2.00 [speaks for the run]',
    '      Tile 1: 2.00 × reference = geometric mean of 2 ratios: (2.00 × 2.00) ^ (1/2)',
  ]);
});
