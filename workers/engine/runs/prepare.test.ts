import { offPct } from './prepare.ts';

test.each([
  [100, 100, 0],
  [0, 0, 0],
  [101, 100, 1],
  [50, 100, -50],
  [1, 0, Infinity],
])('a stored mean of %d is off a report of %d by %d %%', (stored, reported, off) => {
  expect(offPct(stored, reported)).toBe(off);
});
