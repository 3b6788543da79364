import fc from 'fast-check';

import { stationaryBlockLength } from './blockLength.ts';
import { batchMeans, bootstrapMean } from './bootstrap.ts';
import { histogramCounts, histogramEdges, leastBins, mostBins } from './histogram.ts';
import { holm } from './holm.ts';
import { mergeMoments, moments, varianceOf } from './moments.ts';
import { estimateByNoise, noiseBand } from './noise.ts';
import { boxOf, ecdf, quantile, quantileSorted, sorted } from './quantile.ts';
import { createRandom, seedOf } from './random.ts';
import { studentCdf, studentQuantile } from './student.ts';
import { estimateOf, meanDifference, welch } from './welch.ts';

const value = fc.double({ min: -1e5, max: 1e5, noNaN: true });
const list = fc.array(value, { minLength: 1, maxLength: 60 });
const several = fc.array(value, { minLength: 2, maxLength: 20 });

// Looked up once: in the sandbox of a test each look-up of a global costs more than the arithmetic.
const { sqrt, log, cos, PI } = Math;
/** A seeded first-order autoregression around `mean` with normal innovations (Box and Muller). */
function autoregression(random: () => number, n: number, phi: number, mean: number): Float64Array {
  const normal = (): number => sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
  const out = new Float64Array(n);
  let last = normal() / Math.sqrt(1 - phi * phi);
  for (let i = 0; i < n; i += 1) {
    last = phi * last + normal();
    out[i] = mean + last;
  }
  return out;
}

describe('moments', () => {
  test('two halves together are the whole', () =>
    fc.assert(
      fc.property(list, list, (a, b) => {
        const [whole, merged] = [moments([...a, ...b]), mergeMoments(moments(a), moments(b))];
        expect(merged.count).toBe(whole.count);
        expect(merged.mean).toBeCloseTo(whole.mean, 5);
        expect(merged.m2).toBeCloseTo(whole.m2, -2);
        expect([merged.min, merged.max]).toEqual([whole.min, whole.max]);
      }),
    ));
  test('adding a constant moves the mean and leaves the variance', () =>
    fc.assert(
      fc.property(several, value, (a, c) => {
        const moved = moments(a.map((v) => v + c));
        expect(moved.mean).toBeCloseTo(moments(a).mean + c, 5);
        expect(Math.abs(varianceOf(moved) - varianceOf(moments(a)))).toBeLessThanOrEqual(
          1e-9 * (1 + varianceOf(moments(a))) + 1e-4,
        );
      }),
    ));
  test('nothing is no number', () => {
    expect(moments([]).mean).toBeNaN();
    expect(varianceOf(moments([4]))).toBeNaN();
  });
});

describe('Student', () => {
  test('the quantile is the inverse of the distribution, odd around ½', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 1e-4, max: 0.9999, noNaN: true }),
        fc.double({ min: 0.3, max: 500, noNaN: true }),
        (p, df) => {
          const t = studentQuantile(p, df);
          expect(studentCdf(t, df)).toBeCloseTo(p, 9);
          expect(studentQuantile(1 - p, df)).toBeCloseTo(-t, Math.abs(t) > 1e3 ? -3 : 5);
        },
      ),
    ));
  test('outside its domain it is no number', () => {
    for (const [p, df] of [
      [0, 3],
      [1, 3],
      [0.5, 0],
      [NaN, 3],
    ] as const)
      expect(studentQuantile(p, df)).toBeNaN();
  });
});

describe('difference of two means', () => {
  test('swapping the sides mirrors the interval and keeps p and what is detectable', () =>
    fc.assert(
      fc.property(several, several, (a, b) => {
        const [one, other] = [welch(a, b)!, welch(b, a)!];
        expect(one.low).toBeCloseTo(-other.high, 6);
        expect(one.p).toBeCloseTo(other.p, 9);
        expect(one.detectable).toBeCloseTo(other.detectable, 6);
      }),
    ));
  test('the interval leaves out 0 exactly where p is under 5 %', () =>
    fc.assert(
      fc.property(several, several, (a, b) => {
        const of = welch(a, b)!;
        if (Math.abs(of.p - 0.05) > 1e-6) expect(of.low > 0 || of.high < 0).toBe(of.p < 0.05);
      }),
    ));
  test('degrees of freedom lie between the smaller side and both together', () =>
    fc.assert(
      fc.property(several, several, (a, b) => {
        const { df } = welch(a, b)!;
        if (df === Infinity) return;
        expect(df).toBeGreaterThanOrEqual(Math.min(a.length, b.length) - 1 - 1e-9);
        expect(df).toBeLessThanOrEqual(a.length + b.length - 2 + 1e-9);
      }),
    ));
  // The definition of power, by simulation: at the detectable difference a test finds it in four of
  // five.
  test('what is detectable is detected with the stated power', () => {
    const random = createRandom(11);
    let found = 0;
    for (let trial = 0; trial < 300; trial += 1) {
      const sides = [0, 0].map(() =>
        Array.from({ length: 6 }, () => autoregression(random, 1, 0, 100)[0]!),
      );
      // True standard error √(2/6) and 10 degrees of freedom.
      const shift = (studentQuantile(0.975, 10) + studentQuantile(0.8, 10)) * Math.sqrt(2 / 6);
      if (
        welch(
          sides[0]!,
          sides[1]!.map((v) => v + shift),
        )!.p < 0.05
      )
        found += 1;
    }
    expect(found / 300).toBeGreaterThan(0.74);
    expect(found / 300).toBeLessThan(0.88);
  });
  test('one value a side has no scatter of its own', () => {
    expect(estimateOf([3])).toBeNull();
    expect(welch([1], [2, 3])).toBeNull();
    expect(welch([1, 1], [2, 2])).toMatchObject({ p: 0, low: 1, high: 1 });
  });
});

describe('noise band', () => {
  test('it does not depend on the means of the groups', () =>
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 90, max: 110, noNaN: true }), { minLength: 2, maxLength: 8 }),
        fc.double({ min: 0.1, max: 1e4, noNaN: true }),
        (a, factor) => {
          expect(noiseBand([a, a.map((v) => v * factor)])!.cv).toBeCloseTo(noiseBand([a])!.cv, 9);
        },
      ),
    ));
  test('single runs teach nothing', () => {
    expect(noiseBand([[5], [7]])).toBeNull();
    expect(noiseBand([[5], [10, 12, 11]])).toMatchObject({ df: 2, runs: 3, groups: 1 });
  });
  test('two single runs against a known band', () => {
    const band = noiseBand([[100, 101, 99, 100, 102, 98]])!;
    const of = meanDifference(estimateByNoise(100, 1, band), estimateByNoise(110, 1, band));
    expect(of.p).toBeLessThan(0.01);
    expect(
      meanDifference(estimateByNoise(100, 1, band), estimateByNoise(101, 1, band)).p,
    ).toBeGreaterThan(0.3);
  });
});

describe('distributions', () => {
  test('a quantile that falls on a value is that value, a negative zero too', () => {
    expect([quantile([-0, 0], 0), quantile([-0, 0], 1), quantile([-0], 1)]).toEqual([-0, 0, -0]);
  });
  test('quantiles rise with p and lie within the values', () =>
    fc.assert(
      fc.property(
        list,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, p, q) => {
          const ascending = sorted(a);
          expect(quantileSorted(ascending, Math.min(p, q))).toBeLessThanOrEqual(
            quantileSorted(ascending, Math.max(p, q)) + 1e-9,
          );
          expect([quantile(a, 0), quantile(a, 1)]).toEqual([ascending[0], ascending.at(-1)]);
        },
      ),
    ));
  test('every value is in exactly one bin; bins are 5 to 60', () =>
    fc.assert(
      fc.property(list, list, (a, b) => {
        const sides = [sorted(a), sorted(b)];
        const edges = histogramEdges(sides);
        for (const side of sides)
          expect(histogramCounts(side, edges).reduce((x, y) => x + y, 0)).toBe(side.length);
        const bins = edges.length - 1;
        expect(bins === 1 || (bins >= leastBins && bins <= mostBins)).toBe(true);
        expect(edges.every((e, i) => i === 0 || e >= edges[i - 1]!)).toBe(true);
      }),
    ));
  test('the distribution climbs to 1 and tells the share at or below', () =>
    fc.assert(
      fc.property(list, (a) => {
        const { x, p } = ecdf(sorted(a), 10);
        expect(p.at(-1)).toBe(1);
        x.forEach((at, i) =>
          expect(p[i]).toBeCloseTo(a.filter((v) => v <= at).length / a.length, 12),
        );
      }),
    ));
  test('the box holds the quartiles, its whiskers are values, the rest is counted', () =>
    fc.assert(
      fc.property(list, (a) => {
        const box = boxOf(sorted(a))!;
        expect(a).toContain(box.whiskerLow);
        expect(a).toContain(box.whiskerHigh);
        expect(box.whiskerLow).toBeLessThanOrEqual(box.median);
        expect(a.filter((v) => v < box.whiskerLow || v > box.whiskerHigh)).toHaveLength(
          box.outliers,
        );
      }),
    ));
  test('of nothing there is nothing', () => {
    expect(histogramEdges([[]])).toEqual([]);
    expect(boxOf([])).toBeNull();
    expect(ecdf([])).toEqual({ x: [], p: [] });
    expect(quantile([], 0.5)).toBeNaN();
  });
});

test('Holm: never below its own p, order kept, one test unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
      (p) => {
        const adjusted = holm(p);
        adjusted.forEach((q, i) => {
          expect(q).toBeGreaterThanOrEqual(p[i]!);
          expect(q).toBeLessThanOrEqual(1);
          p.forEach((other, j) => {
            if (p[i]! < other) expect(q).toBeLessThanOrEqual(adjusted[j]!);
          });
        });
        expect(holm([p[0]!])).toEqual([p[0]]);
      },
    ),
  );
});

describe('stationary bootstrap', () => {
  const series = autoregression(createRandom(5), 400, 0.6, 100);
  test('the same seed, the same answer; another seed, nearly', () => {
    const [one, again, other] = [7, 7, 8].map((seed) => bootstrapMean(series, { seed })!) as [
      NonNullable<ReturnType<typeof bootstrapMean>>,
      object,
      NonNullable<ReturnType<typeof bootstrapMean>>,
    ];
    expect(again).toEqual(one);
    expect(other.standardError).not.toBe(one.standardError);
    expect(other.standardError / one.standardError).toBeCloseTo(1, 0);
  });
  // Lemma 1 of Politis and Romano (1994) gives the variance of the resampled mean without
  // resampling.
  test.each([1, 4, 12, 40])(
    'its standard error is the one of the closed form, blocks of %d',
    (blockLength) => {
      const n = series.length;
      const centre = moments(series).mean;
      const covariance = (lag: number): number => {
        let sum = 0;
        for (let i = 0; i + lag < n; i += 1)
          sum += (series[i]! - centre) * (series[i + lag]! - centre);
        return sum / n;
      };
      const stay = 1 - 1 / blockLength;
      let total = covariance(0);
      for (let i = 1; i < n; i += 1)
        total += 2 * ((1 - i / n) * stay ** i + (i / n) * stay ** (n - i)) * covariance(i);
      const found = bootstrapMean(series, {
        seed: 3,
        blockLength,
        replicates: 4_000,
      })!.standardError;
      expect(found / Math.sqrt(total / n)).toBeGreaterThan(0.95);
      expect(found / Math.sqrt(total / n)).toBeLessThan(1.05);
    },
  );
  // Shorter than some 500 values with an autocorrelation of 0.8 it covers less: 85 % at 400 values.
  // docs/guide/compare.md says so.
  test.each([
    [0, 400],
    [0.5, 400],
    [0.8, 700],
  ])(
    'the 95 %% interval holds the known mean in 90 to 98 %% of series: autocorrelation %d, %d values',
    (phi, length) => {
      const random = createRandom(seedOf(`coverage ${phi}`));
      const trials = 250;
      let inside = 0;
      for (let trial = 0; trial < trials; trial += 1) {
        const of = bootstrapMean(autoregression(random, length, phi, 100), {
          seed: trial,
          replicates: 199,
        })!;
        const half = studentQuantile(0.975, of.df) * of.standardError;
        if (Math.abs(of.mean - 100) <= half) inside += 1;
      }
      expect(inside / trials).toBeGreaterThanOrEqual(0.9);
      expect(inside / trials).toBeLessThanOrEqual(0.98);
    },
  );
  test('means of stretches keep the mean and the error of it', () => {
    const long = autoregression(createRandom(21), 7_200, 0.6, 50);
    const short = batchMeans(long);
    expect(short).toHaveLength(720);
    expect(moments(short).mean).toBeCloseTo(moments(long).mean, 9);
    expect(
      bootstrapMean(short, { seed: 1, replicates: 999 })!.standardError /
        bootstrapMean(long, { seed: 1, replicates: 999 })!.standardError,
    ).toBeCloseTo(1, 0);
    expect(batchMeans([1, 2, 3, 4, 9], 2)).toEqual(Float64Array.of(2));
    expect(batchMeans([])).toHaveLength(0);
  });
  test('independent values have short blocks, correlated ones long', () => {
    const at = (phi: number): number =>
      stationaryBlockLength(autoregression(createRandom(9), 1_000, phi, 0));
    expect(at(0)).toBeLessThan(4);
    expect(at(0.9)).toBeGreaterThan(3 * at(0.3));
    expect(stationaryBlockLength(new Array<number>(50).fill(7))).toBe(1);
  });
  test('too short, or not finite: nothing is said; constant: no scatter', () => {
    expect(bootstrapMean(new Array<number>(19).fill(1), { seed: 1 })).toBeNull();
    expect(bootstrapMean([...new Array<number>(30).fill(1), NaN], { seed: 1 })).toBeNull();
    expect(bootstrapMean(new Array<number>(30).fill(4), { seed: 1 })).toMatchObject({
      mean: 4,
      standardError: 0,
      low: 4,
      high: 4,
    });
  });
});
