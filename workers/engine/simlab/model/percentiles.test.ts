import { gammaQuantile, gammaShareBelow, normalQuantile, z95, z99 } from './percentiles.ts';

test('normal quantiles are those of the tables', () => {
  expect(normalQuantile(0.95)).toBeCloseTo(z95, 7);
  expect(normalQuantile(0.99)).toBeCloseTo(z99, 7);
  expect(normalQuantile(0.5)).toBeCloseTo(0, 9);
  expect(normalQuantile(0.001)).toBeCloseTo(-3.0902, 4);
});

test('gamma quantiles: exponential, and nearly normal where it hardly varies', () => {
  // Exponential of mean 10: −10·ln(0.05) = 29.957.
  expect(Math.abs(gammaQuantile(10, 1, z95) / 29.957 - 1)).toBeLessThan(0.01);
  expect(gammaQuantile(10, 0.0001, z95)).toBeCloseTo(10 + 10 * 0.01 * z95, 2);
  expect(gammaQuantile(10, 1, z99)).toBeGreaterThan(gammaQuantile(10, 1, z95));
});

test('the share below a quantile is the quantile', () => {
  for (const scv of [0.1, 0.5, 1, 2])
    expect(gammaShareBelow(gammaQuantile(40, scv, z95), 40, scv)).toBeCloseTo(0.95, 5);
  expect(gammaShareBelow(1, 0, 1)).toBe(1);
});
