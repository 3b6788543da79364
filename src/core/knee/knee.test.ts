import fc from 'fast-check';

import { randomFrom } from '../study/sweep.ts';
import { kneedle, kneesOf, saturationPoint } from './knee.ts';
import { f95of2 } from './kneeCurve.ts';
import { responseRegions } from './kneeRegions.ts';
import { segmentKnee } from './kneeSegments.ts';
import { uslAt, uslFit, uslKnee } from './usl.ts';

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);
/** Normal deviates by Box and Muller. */
function noise(seed: string): () => number {
  const random = randomFrom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
const bent = (x: number, tau: number, before: number, after: number): number =>
  10 + before * Math.min(x, tau) + after * Math.max(0, x - tau);

test('the F quantile with 2 and df degrees of freedom', () => {
  // Tables: F(2,5) 5.786, F(2,10) 4.103, F(2,30) 3.316.
  expect([5, 10, 30].map((df) => Number(f95of2(df).toFixed(3)))).toEqual([5.786, 4.103, 3.316]);
});

describe('two-segment regression', () => {
  test('finds a bend without noise exactly', () => {
    const x = range(1, 20);
    const found = segmentKnee({ x, y: x.map((v) => bent(v, 12, 2, 0.1)) }, 'concave');
    expect(found.estimate).toBeCloseTo(12, 6);
  });
  test('the 95 % interval covers planted bends about as often as it says, and is not the whole range', () => {
    let covered = 0,
      width = 0;
    const rounds = 300;
    for (let i = 0; i < rounds; i += 1) {
      const draw = noise(`cover${i}`);
      const x = range(1, 24);
      const tau = 8 + (i % 9);
      const found = segmentKnee({ x, y: x.map((v) => bent(v, tau, 3, 0.5) + draw()) }, 'concave');
      if (found.low! <= tau && tau <= found.high!) covered += 1;
      width += found.high! - found.low!;
    }
    expect(covered / rounds).toBeGreaterThan(0.9);
    expect(width / rounds).toBeLessThan(5);
  });
  test('pure noise around a line has a bend about as rarely as the test says', () => {
    let found = 0;
    for (let i = 0; i < 300; i += 1) {
      const draw = noise(`line${i}`);
      const x = range(1, 12);
      if (segmentKnee({ x, y: x.map((v) => 5 + v + draw()) }, 'concave').estimate !== null)
        found += 1;
    }
    expect(found / 300).toBeLessThan(0.1);
  });
  test.each([
    ['too few values', range(1, 5), (v: number) => v, 'concave', /needs 6 values, has 5/],
    ['repeats are no values', [1, 1, 2, 2, 3, 3, 4, 4], (v: number) => v, 'concave', /has 4/],
    ['a line', range(1, 12), (v: number) => 3 * v, 'concave', /one straight line/],
    ['a constant', range(1, 12), () => 7, 'concave', /one straight line/],
    ['the wrong way', range(1, 12), (v: number) => bent(v, 6, 1, 5), 'concave', /steepens/],
    ['the other wrong way', range(1, 12), (v: number) => bent(v, 6, 5, 1), 'convex', /flattens/],
    ['a bend at the edge', range(1, 12), (v: number) => bent(v, 1.5, 20, 1), 'concave', /edge/],
  ] as const)('%s: none, with words', (_what, x, f, shape, words) => {
    const found = segmentKnee({ x, y: x.map(f) }, shape);
    expect(found).toMatchObject({
      estimate: null,
      low: null,
      high: null,
      note: expect.stringMatching(words),
    });
  });
});

describe('universal scalability law', () => {
  const truth = { lambda: 20, sigma: 0.05, kappa: 0.004 };
  test('recovers σ, κ and the peak', () => {
    const x = range(1, 32, 2).concat(32);
    const fit = uslFit({ x, y: x.map((n) => uslAt(truth, n)) })!;
    expect(fit.sigma).toBeCloseTo(0.05, 2);
    expect(fit.kappa).toBeCloseTo(0.004, 3);
    expect(fit.lambda).toBeCloseTo(20, 1);
    const knee = uslKnee({ x, y: x.map((n) => uslAt(truth, n)) });
    expect(knee.estimate).toBeCloseTo(Math.sqrt(0.95 / 0.004), 0);
  });
  test('the interval covers the planted peak under noise', () => {
    let covered = 0;
    for (let i = 0; i < 60; i += 1) {
      const draw = noise(`usl${i}`);
      const x = range(1, 31, 2);
      const knee = uslKnee({ x, y: x.map((n) => uslAt(truth, n) * (1 + 0.01 * draw())) });
      if (knee.low! <= 15.41 && 15.41 <= knee.high!) covered += 1;
    }
    expect(covered / 60).toBeGreaterThan(0.85);
  });
  test('a peak beyond the measured values is not told', () => {
    const x = range(1, 8);
    expect(uslKnee({ x, y: x.map((n) => uslAt(truth, n)) })).toMatchObject({
      estimate: null,
      low: null,
      high: null,
      note: expect.stringContaining('beyond'),
    });
    expect(uslKnee({ x, y: x.map((n) => 5 * n) })).toMatchObject({ estimate: null });
  });
  test('six values are needed', () =>
    expect(uslKnee({ x: range(1, 5), y: range(1, 5) })).toMatchObject({
      estimate: null,
      note: expect.stringContaining('needs 6'),
    }));
});

describe('saturation', () => {
  test.each([
    [
      'E01 as published',
      [1, 4, 10, 15, 16, 17, 18, 19, 20],
      [1, 4, 9.9, 14.5, 15.2, 15.9, 15.9, 15.85, 15.9],
      17,
      16,
    ],
    ['a peak that falls again', [1, 2, 3, 4, 5], [1, 2, 3, 2.5, 2], 3, 2],
  ])('%s', (_what, x, y, estimate, low) =>
    expect(saturationPoint({ x, y })).toMatchObject({ estimate, low, high: estimate }),
  );
  test.each([
    ['still growing', [1, 2, 3, 4], [1, 2, 3, 4], /still growing/],
    ['flat', [1, 2, 3, 4], [5, 5, 5, 5], /flat/],
    ['two values', [1, 2], [1, 1], /needs 3/],
    ['zeros', [1, 2, 3], [0, 0, 0], /flat/],
  ])('%s: none', (_what, x, y, words) =>
    expect(saturationPoint({ x, y })).toMatchObject({
      estimate: null,
      note: expect.stringMatching(words),
    }),
  );
});

describe('Kneedle', () => {
  test('y = 5 − 1/x from 0.1 to 1 is farthest from its chord at 1/√10', () => {
    const x = range(0.1, 1, 0.1);
    expect(kneedle({ x, y: x.map((v) => 5 - 1 / v) }, 'concave').estimate).toBeCloseTo(0.3, 9);
    const fine = range(0.1, 1, 0.001);
    expect(kneedle({ x: fine, y: fine.map((v) => 5 - 1 / v) }, 'concave').estimate).toBeCloseTo(
      Math.sqrt(0.1),
      2,
    );
  });
  test.each([
    ['line', (v: number) => v, 'concave'],
    ['falling', (v: number) => -v, 'concave'],
    ['flat', () => 1, 'convex'],
  ] as const)('%s: none', (_what, f, shape) => {
    const x = range(1, 10);
    expect(kneedle({ x, y: x.map(f) }, shape).estimate).toBeNull();
  });
});

describe('regions of a response-time curve', () => {
  /** Response time of a queue with one server, S/(1 − ρ): doubles at half load. */
  const x = range(50, 950, 50);
  const y = x.map((load) => 10 / (1 - load / 1_000));
  test('plateau, stressed, knee by a limit', () => {
    const regions = responseRegions({ x, y }, 51);
    // Baseline: mean of the lowest loads, 50 to 200; a twentieth of the way to 51 ms is 13.4 ms,
    // passed between 250 and 300.
    expect(regions.baseline).toBeCloseTo((10 / 0.95 + 10 / 0.9 + 10 / 0.85 + 10 / 0.8) / 4, 6);
    expect(regions.plateau).toEqual({ from: 50, to: 250 });
    expect(regions.knee).toMatchObject({ low: 800, high: 850 });
    expect(regions.knee.estimate).toBeCloseTo(803, 6);
    expect(regions.stressed).toEqual({ from: 250, to: regions.knee.estimate });
  });
  test('a long constant part does not hide the stressed region', () => {
    const slow = responseRegions({ x, y: y.map((ms) => 1_200 + ms) }, 1_251);
    expect(slow.plateau).toEqual({ from: 50, to: 250 });
    expect(slow.stressed).toEqual({ from: 250, to: slow.knee.estimate });
  });
  test('a curve that never rises is all plateau', () =>
    expect(responseRegions({ x, y: x.map(() => 5) })).toMatchObject({
      plateau: { from: 50, to: 950 },
      stressed: null,
      knee: { estimate: null },
    }));
  test('without a limit the bend is the knee', () => {
    const regions = responseRegions({ x, y });
    expect(regions.knee.estimate).toBeGreaterThan(800);
    expect(regions.knee.estimate).toBeLessThanOrEqual(900);
  });
  test.each([
    ['four loads', [1, 2, 3, 4], [1, 1, 1, 9], 5, /needs 5/],
    [
      'a limit that is always kept',
      range(1, 8),
      range(1, 8).map(() => 2),
      5,
      /every measured load/,
    ],
    ['a limit that is never kept', range(1, 8), range(1, 8).map(() => 9), 5, /lowest load/],
  ])('%s: no knee', (_what, loads, times, limit, words) =>
    expect(responseRegions({ x: loads, y: times }, limit).knee).toMatchObject({
      estimate: null,
      note: expect.stringMatching(words),
    }),
  );
});

test('no method tells a knee outside of the measured values, whatever it is given', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.double({ min: -10, max: 1_000, noNaN: true }),
          fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(NaN)),
        ),
        { maxLength: 25 },
      ),
      fc.constantFrom('concave' as const, 'convex' as const),
      (points, shape) => {
        const curve = { x: points.map(([a]) => a), y: points.map(([, b]) => b) };
        const xs = points.filter(([, b]) => Number.isFinite(b)).map(([a]) => a);
        for (const found of [...kneesOf(curve, shape), responseRegions(curve, 100).knee]) {
          expect(found.note).not.toBe('');
          expect([found.low, found.high, found.estimate].filter((v) => v === null).length % 3).toBe(
            0,
          );
          if (found.estimate === null) continue;
          expect(found.low!).toBeLessThanOrEqual(found.estimate);
          expect(found.high!).toBeGreaterThanOrEqual(found.estimate);
          expect(found.low!).toBeGreaterThanOrEqual(Math.min(...xs));
          expect(found.high!).toBeLessThanOrEqual(Math.max(...xs));
        }
      },
    ),
    { numRuns: 300 },
  ));
