import fc from 'fast-check';

import { expectation } from './build.ts';
import { judgeLines } from './judge.ts';

const line = (model: number | null, low: number | null = 9, high: number | null = 11) =>
  expectation({
    id: 'X.1',
    label: 'Line',
    unit: '',
    model,
    published: '10',
    low,
    high,
    source: 'test',
  });
const judged = (models: readonly (number | null)[], known: Record<string, string> = {}) =>
  judgeLines(
    models.map((model) => [line(model)]),
    known,
  )[0]!;

test.each([
  ['all inside', [10, 10.5, 9.5], true],
  ['the mean outside', [11.5, 11.5, 10], false],
  ['the mean inside by luck: half of the seeds outside on either side', [8, 12, 10, 10], false],
  ['one of five outside', [10, 10, 10, 10, 11.2], true],
  ['one without a value', [10, null, 10], false],
])('%s', (_what, models, met) => {
  expect(judged(models).met).toBe(met);
});

test('a miss that is known says why, and a line that is met says nothing', () => {
  const known = { 'X.1': 'too coarse' };
  expect(judged([12], known)).toMatchObject({ met: false, knownMiss: 'too coarse' });
  expect(judged([12])).toMatchObject({ met: false, knownMiss: null });
  expect(judged([10], known)).toMatchObject({ met: true, knownMiss: null });
});

test('mean and spread are those of the seeds, and more of the same seed add no spread', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (model) => {
      const { mean, spread } = judged([model, model, model]);
      expect(mean).toBeCloseTo(model, 6);
      expect(spread).toBeCloseTo(0, 6);
    }),
  );
  expect(judged([9, 11]).spread).toBeCloseTo(Math.SQRT2);
});

test('a bound that hangs on the same run is judged by its mean, and other lines are refused', () => {
  expect(judgeLines([[line(10, 8)], [line(10, 10)]], {})[0]).toMatchObject({ low: 9 });
  expect(() => judgeLines([[line(10)], [{ ...line(10), id: 'X.2' }]], {})).toThrow('X.1 is X.2');
});
