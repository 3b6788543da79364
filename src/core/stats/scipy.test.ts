import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { incompleteBeta } from './beta.ts';
import { stationaryBlockLength } from './blockLength.ts';
import { histogramCounts, histogramEdges, leastBins, mostBins } from './histogram.ts';
import { holm } from './holm.ts';
import { moments, varianceOf } from './moments.ts';
import { noiseBand } from './noise.ts';
import { boxOf, ecdf, quantile, sorted } from './quantile.ts';
import { studentCdf, studentQuantile, studentTwoSided } from './student.ts';
import { welch } from './welch.ts';

interface DataSet {
  kind: string;
  a: number[];
  b: number[];
  mean: number;
  variance: number;
  quantiles: number[];
  cv: number;
  fdBins: number;
  edges: number[];
  counts: number[];
  welch: { df: number; p: number; low: number; high: number; detectable: number };
  ecdf: { x: number[]; p: number[] };
}
type Row3 = [number, number, number];
type Row4 = [number, number, number, number];
interface Answers {
  made: string;
  shares: number[];
  sets: DataSet[];
  student: { cdf: Row4[]; quantile: Row3[]; beta: Row4[] };
  blocks: { phi: number; values: number[]; length: number; arch: number }[];
  holm: { p: number[]; holm: number[] }[];
}
/** Made by bench/stats-check.py; no Python is needed here. */
const scipy = JSON.parse(
  readFileSync(join(process.cwd(), 'src/core/stats/testing/scipy.json'), 'utf8'),
) as Answers;

/** Equal to within a share of the expected value, or of `scale` where that is 0 or cancels. */
function expectClose(actual: number, expected: number, share: number, scale = 0): void {
  const off = Math.abs(actual - expected);
  if (!(off <= share * Math.max(Math.abs(expected), scale)))
    throw new Error(`${actual} is not ${expected} within ${share}`);
}
const named = scipy.sets.map(
  (set) => [`${set.kind}, ${set.a.length} and ${set.b.length} values`, set] as const,
);

test('there are at least fifty data sets', () =>
  expect(scipy.sets.length).toBeGreaterThanOrEqual(50));

describe.each(named)('%s', (_, set) => {
  const scale = Math.max(...set.a.concat(set.b).map(Math.abs));
  test('mean, variance and quantiles', () => {
    const of = moments(set.a);
    expectClose(of.mean, set.mean, 1e-11);
    expectClose(varianceOf(of), set.variance, 1e-8);
    scipy.shares.forEach((p, i) =>
      expectClose(quantile(set.a, p), set.quantiles[i]!, 1e-11, scale),
    );
  });
  test('Welch: df, p, interval, detectable difference', () => {
    const own = welch(set.a, set.b)!;
    const width = set.welch.high - set.welch.low;
    expectClose(own.df, set.welch.df, 1e-8);
    expectClose(own.p, set.welch.p, 1e-7);
    expectClose(own.low, set.welch.low, 1e-8, Math.max(width, scale * 1e-7));
    expectClose(own.high, set.welch.high, 1e-8, Math.max(width, scale * 1e-7));
    expectClose(own.detectable, set.welch.detectable, 1e-8);
  });
  test('noise band, histogram, distribution', () => {
    expectClose(noiseBand([set.a, set.b])!.cv, set.cv, 1e-8);
    const ascending = sorted(set.a);
    expect(histogramCounts(ascending, set.edges)).toEqual(set.counts);
    expect(histogramEdges([ascending]).length - 1).toBe(
      Math.max(leastBins, Math.min(mostBins, set.fdBins)),
    );
    const steps = ecdf(ascending);
    expect(steps.x).toEqual(set.ecdf.x);
    steps.p.forEach((p, i) => expectClose(p, set.ecdf.p[i]!, 1e-11));
    const box = boxOf(ascending)!;
    expectClose(box.q1, set.quantiles[2]!, 1e-11, scale);
    expectClose(box.q3, set.quantiles[4]!, 1e-11, scale);
    expectClose(box.mean, set.mean, 1e-11);
  });
});

test('Student: distribution, both tails, quantile', () => {
  for (const [df, t, cdf, both] of scipy.student.cdf) {
    expectClose(studentCdf(t, df), cdf, 1e-9, 1e-6);
    expectClose(studentTwoSided(t, df), both, 1e-9);
  }
  for (const [df, p, t] of scipy.student.quantile) expectClose(studentQuantile(p, df), t, 1e-8);
});
test('incomplete beta', () => {
  for (const [x, a, b, value] of scipy.student.beta)
    expectClose(incompleteBeta(x, a, b), value, 1e-10, 1e-6);
});
test('Holm', () => {
  for (const { p, holm: expected } of scipy.holm)
    holm(p).forEach((value, i) => expectClose(value, expected[i]!, 1e-11));
});
test('block length', () => {
  for (const { values, length } of scipy.blocks)
    expectClose(stationaryBlockLength(values), Math.max(1, length), 1e-9);
});
// The `arch` package takes a bandwidth one lag wider than the papers: near, but not the same.
test('block length, near that of arch', () => {
  for (const { values, arch } of scipy.blocks)
    expect(Math.abs(Math.log2(stationaryBlockLength(values) / Math.max(1, arch)))).toBeLessThan(1);
});
