import { injectFaults } from './testing/inject.ts';
import { precisionOf } from './testing/precision.ts';

jest.setTimeout(60_000);

test('causes planted in random labs are named from what two runs stored; two at once are both found, and no cause is invented', async () => {
  // Every cause once, three of two at once, one without a cause.
  const { verdicts } = await injectFaults([1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 17, 18, 19, 22, 23, 25, 26, 27, 28, 30, 31, 32, 36]);
  expect(verdicts.length).toBeGreaterThanOrEqual(22);
  const precision = precisionOf(verdicts);
  expect(precision.top1).toBeGreaterThanOrEqual(0.9);
  expect(precision.top3).toBeGreaterThanOrEqual(0.9);
  expect(precision.none).toEqual({ cases: 1, top1: 1 });
  expect(precision.cpuOnStorage).toBe(0);
  const full = verdicts.find((one) => one.planted.length === 1 && one.planted[0] === 'cpuSaturated')!;
  expect(full.healthy).toBe(true);
});
