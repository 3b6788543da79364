import { isLongStale, staleAfterMs } from './stale.ts';

test.each([
  [1_000, 0, 10_000],
  [1_000, 500, 10_500],
  [3_000, 0, 10_000],
  [20_000, 5_000, 65_000],
])('a series of %d ms with a lag of %d ms is stale after %d ms', (periodMs, lagMs, afterMs) => {
  expect(staleAfterMs({ periodMs, lagMs })).toBe(afterMs);
  expect(isLongStale(afterMs + 1, { periodMs, lagMs })).toBe(false);
  expect(isLongStale(3 * afterMs + 1, { periodMs, lagMs })).toBe(true);
});
