import { createEnergyReader } from './energy.ts';

/** Asks each second; `whAt` gives the counter at a second. */
function wattsOf(
  seconds: readonly number[],
  whAt: (second: number) => number,
  usualMs: number | null = null,
): number[] {
  const read = createEnergyReader(usualMs);
  return seconds.flatMap((second) => read(whAt(second), second * 1_000).map(({ watts }) => watts));
}
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test('a counter that moves with each question gives the mean of each second', () => {
  const watts = wattsOf(upTo(11), (second) => (second * 360) / 3_600);
  expect(watts).toHaveLength(9);
  for (const one of watts) expect(one).toBeCloseTo(360, 6);
});

test('a coarse counter gives means between its steps, and they add up to what it counted', () => {
  // 300 W in whole watt-hours: a step every 12 s.
  const watts = wattsOf(upTo(121), (second) => Math.floor((second * 300) / 3_600));
  expect(watts).toHaveLength(9);
  for (const one of watts) expect(one).toBeCloseTo(300, 6);
});

test('the time before the first step, of a reset and of a silence gives nothing', () => {
  // First asked 3 s before a step: a whole watt-hour in 3 s would be 1,200 W.
  expect(wattsOf([9, 10, 11, 12, 13], (s) => Math.floor((s * 300) / 3_600))).toEqual([]);
  const reset = (second: number): number => (second < 5 ? 1_000 + second : second - 5) / 10;
  const watts = wattsOf(upTo(10), reset);
  expect(watts).toHaveLength(6);
  for (const one of watts) expect(one).toBeCloseTo(360, 6);
  const silent = wattsOf([0, 1, 2, 3, 63, 64, 65], (second) => second / 10, 1_000);
  expect(silent).toHaveLength(3);
  for (const one of silent) expect(one).toBeCloseTo(360, 6);
});
