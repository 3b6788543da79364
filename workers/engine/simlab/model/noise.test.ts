import { createNoise, hashName } from './noise.ts';

const entity = hashName('t0.mail/rate');

test('equal for the same seed in any order, different for another', () => {
  const first = createNoise(7),
    second = createNoise(7),
    other = createNoise(8);
  const forward = Array.from({ length: 50 }, (_, i) =>
    first.mean(entity, i * 1000, (i + 1) * 1000),
  );
  const backward = Array.from({ length: 50 }, (_, i) =>
    second.mean(entity, (49 - i) * 1000, (50 - i) * 1000),
  ).reverse();
  expect(forward).toEqual(backward);
  expect(other.mean(entity, 0, 1000)).not.toBe(forward[0]);
});

test('unit variance by the second, less over longer spans, mean zero', () => {
  const noise = createNoise(3),
    n = 6000,
    start = 1_700_000_000_000;
  const spread = (spanS: number): { mean: number; deviation: number } => {
    const values = Array.from({ length: n }, (_, i) =>
      noise.mean(entity, start + i * spanS * 1000, start + (i + 1) * spanS * 1000),
    );
    const mean = values.reduce((a, b) => a + b, 0) / n;
    return { mean, deviation: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / n) };
  };
  const second = spread(1),
    minute = spread(60);
  expect(Math.abs(second.mean)).toBeLessThan(0.06);
  expect(second.deviation).toBeGreaterThan(0.93);
  expect(second.deviation).toBeLessThan(1.07);
  expect(minute.deviation).toBeLessThan(0.5);
});
