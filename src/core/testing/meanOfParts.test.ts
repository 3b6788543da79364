import fc from 'fast-check';

import { overSteady } from '../limits/index.ts';
import type { PeriodMeasurement } from '../run/scoreTypes.ts';
import { mergeMoments, moments } from '../stats/moments.ts';
import { weightedMean } from '../stats/summary.ts';

const samples = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 80 });
/** Where a series is cut: places within it, some of them twice, so that parts differ in length. */
const cuts = fc.array(fc.nat({ max: 80 }), { maxLength: 6 });
const mean = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / values.length;
/** The parts between the cuts that have samples. */
function partsOf(values: readonly number[], at: readonly number[]): number[][] {
  const edges = [
    0,
    ...[...at].map((one) => one % values.length).sort((a, b) => a - b),
    values.length,
  ];
  return edges.slice(1).flatMap((to, i) => (to > edges[i]! ? [values.slice(edges[i], to)] : []));
}

test('however a series is cut, its parts weighted by their samples have its mean', () => {
  fc.assert(
    fc.property(samples, cuts, (values, at) => {
      const parts = partsOf(values, at);
      expect(
        weightedMean(
          parts.map(mean),
          parts.map((part) => part.length),
        ),
      ).toBeCloseTo(mean(values), 6);
    }),
  );
});

test('moments of parts taken together are those of the whole', () => {
  fc.assert(
    fc.property(samples, cuts, (values, at) => {
      const together = partsOf(values, at).map(moments).reduce(mergeMoments);
      const whole = moments(values);
      expect(together.count).toBe(whole.count);
      expect(together.mean).toBeCloseTo(whole.mean, 6);
    }),
  );
});

test('a limit over the steady state is held against the mean of all samples, whatever its periods', () => {
  fc.assert(
    fc.property(samples, cuts, (values, at) => {
      const periods = partsOf(values, at).map((part, index): PeriodMeasurement => ({
        index,
        workloads: [
          {
            tile: 0,
            workloadId: 'db',
            samples: part.length,
            values: { latencyMeanMs: mean(part) },
            counts: { latencyMeanMs: part.length },
          },
        ],
      }));
      expect(overSteady(periods, 0, 'db')?.values.latencyMeanMs).toBeCloseTo(mean(values), 6);
    }),
  );
});

test.each([
  ['no values', [], []],
  ['no weight', [1, 2], [0, 0]],
  ['a negative weight', [1, 2], [3, -1]],
  ['a weight that is not known', [1, 2], [1, NaN]],
  ['a weight too few', [1, 2], [1]],
])('%s has no mean', (_what, values, weights) => {
  expect(weightedMean(values, weights)).toBeNaN();
});

test('what nothing stands behind says nothing', () => {
  expect(weightedMean([8, NaN], [5, 0])).toBe(8);
});
