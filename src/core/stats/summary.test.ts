import fc from 'fast-check';

import { geometricMean, mean, median, standardDeviation, studentT95 } from './summary.ts';

const values = fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), {
  minLength: 1,
  maxLength: 40,
});

test.each([
  [[], NaN],
  [[3], 3],
  [[1, 3], 2],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])('median of %j is %d', (list, expected) => expect(median(list)).toBe(expected));

test.each([
  [[], NaN],
  [[0, 5], 0],
  [[-1, 4], NaN],
  [[2, 8], 4],
  [[1, 10, 100], 10],
  [[NaN, 1], NaN],
])('geometric mean of %j is %d', (list, expected) => {
  if (Number.isNaN(expected)) expect(geometricMean(list)).toBeNaN();
  else expect(geometricMean(list)).toBeCloseTo(expected, 12);
});

test('no values give NaN, never 0', () => {
  expect(mean([])).toBeNaN();
  expect(standardDeviation([1])).toBeNaN();
});

test('every mean lies between the least and the greatest value, and geometric ≤ arithmetic', () => {
  fc.assert(
    fc.property(values, (list) => {
      const [low, high] = [Math.min(...list), Math.max(...list)];
      for (const m of [mean(list), median(list), geometricMean(list)]) {
        expect(m).toBeGreaterThanOrEqual(low * (1 - 1e-9));
        expect(m).toBeLessThanOrEqual(high * (1 + 1e-9));
      }
      expect(geometricMean(list)).toBeLessThanOrEqual(mean(list) * (1 + 1e-9));
    }),
  );
});

test('median ignores order and leaves its argument alone', () => {
  fc.assert(
    fc.property(values, (list) => {
      const before = [...list];
      expect(median([...list].reverse())).toBe(median(list));
      expect(list).toEqual(before);
    }),
  );
});

test('scaling the values scales the geometric mean', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0.01, max: 100, noNaN: true }), (list, k) => {
      expect(geometricMean(list.map((v) => v * k)) / (geometricMean(list) * k)).toBeCloseTo(1, 9);
    }),
  );
});

// Published table of the t distribution, two-sided 95 %.
test.each([
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [8, 2.306],
  [10, 2.228],
  [20, 2.086],
  [30, 2.042],
  [120, 1.98],
])('t quantile of %d degrees of freedom is %d', (df, expected) =>
  expect(Math.abs(studentT95(df) - expected)).toBeLessThan(0.003),
);

test('t quantile falls with the degrees of freedom', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 200, noNaN: true }),
      fc.double({ min: 0.1, max: 50, noNaN: true }),
      (df, more) => {
        expect(studentT95(df + more)).toBeLessThan(studentT95(df));
      },
    ),
  );
  expect(studentT95(0.5)).toBeNaN();
});
