import fc from 'fast-check';

import { groupBy } from '../../core/base/groupBy.ts';
import { createSeriesWindow } from './series.ts';
import { createSeriesRing, ringLimits } from './seriesRing.ts';

const window = createSeriesWindow();
type Point = [tMs: number, value: number];

function readAll(
  ring: ReturnType<typeof createSeriesRing>,
  fromMs = -Infinity,
  toMs = Infinity,
): { raw: Point[]; old: Point[]; bucketMs: number } {
  ring.read(fromMs, toMs, window);
  const points = (i: number): Point[] => {
    const part = window.parts[i]!;
    return Array.from({ length: part.end - part.start }, (_, k) => [
      part.t[part.start + k]!,
      part.v[part.start + k]!,
    ]);
  };
  if (window.count === 0) return { raw: [], old: [], bucketMs: 0 };
  return window.count === 2
    ? { old: points(0), raw: points(1), bucketMs: window.parts[0].gapMs / 2.5 }
    : { old: [], raw: points(0), bucketMs: 0 };
}

const value = fc.integer({ min: -1_000, max: 1_000 });
const appended = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), value), { minLength: 1, maxLength: 600 })
  .map((list) => {
    let at = 1_000_000;
    return list.map(([dt, v]): Point => [(at += dt), v]);
  });

test('keeps the newest samples exactly and of the older ones each bucket’s minimum and maximum', () => {
  fc.assert(
    fc.property(appended, (points) => {
      const ring = createSeriesRing(1_000, { raw: 40, buckets: 16 });
      for (const [t, v] of points) ring.push(t, v);
      const { raw, old, bucketMs } = readAll(ring);
      expect(raw.length).toBeGreaterThanOrEqual(Math.min(40, points.length));
      expect(raw).toEqual(points.slice(points.length - raw.length));
      expect(old.length).toBeLessThanOrEqual(32);
      const retired = points.slice(0, points.length - raw.length);
      const bucketOf = ([t]: Point): number => Math.floor(t / bucketMs);
      const naive = groupBy(retired, bucketOf);
      const mine = groupBy(old, bucketOf);
      expect([...mine.keys()]).toEqual([...naive.keys()]);
      for (const [bucket, all] of naive) {
        const values = mine.get(bucket)!.map((p) => p[1]);
        expect(Math.min(...values)).toBe(Math.min(...all.map((p) => p[1])));
        expect(Math.max(...values)).toBe(Math.max(...all.map((p) => p[1])));
      }
      const real = new Map(points);
      old.forEach(([t, v], i) => {
        expect(real.get(t)).toBe(v);
        if (i > 0) expect(t).toBeGreaterThan(old[i - 1]![0]);
      });
      expect(ring.lastMs()).toBe(points.at(-1)![0]);
      expect(ring.lastValue()).toBe(points.at(-1)![1]);
      expect(ring.firstMs()).toBeLessThanOrEqual(Math.max(points[0]![0], ring.firstMs()));
    }),
  );
});

test('late and repeated samples end up where a sorted map puts them', () => {
  const any = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 60 }).map((s) => s * 1_000),
      value,
    ),
    { minLength: 1, maxLength: 120 },
  );
  fc.assert(
    fc.property(any, (points) => {
      const ring = createSeriesRing(1_000, { raw: 100, buckets: 8 });
      for (const [t, v] of points) ring.push(t, v);
      expect(readAll(ring).raw).toEqual([...new Map(points)].sort((a, b) => a[0] - b[0]));
    }),
  );
});

test('back-fill merges by time without duplicates; samples held already win', () => {
  const series = fc.uniqueArray(
    fc.tuple(
      fc.integer({ min: 0, max: 80 }).map((s) => s * 1_000),
      value,
    ),
    { selector: (p) => p[0], maxLength: 60 },
  );
  fc.assert(
    fc.property(series, series, (live, stored) => {
      const ring = createSeriesRing(1_000, { raw: 200, buckets: 8 });
      for (const [t, v] of live) ring.push(t, v);
      const sorted = [...stored].sort((a, b) => a[0] - b[0]);
      ring.merge(
        Float64Array.from(sorted, (p) => p[0]),
        Float64Array.from(sorted, (p) => p[1]),
      );
      expect(readAll(ring).raw).toEqual(
        [...new Map([...stored, ...live])].sort((a, b) => a[0] - b[0]),
      );
    }),
  );
});

test('a window has its samples and one neighbour on either side', () => {
  const ring = createSeriesRing(1_000, { raw: 100, buckets: 8 });
  for (let s = 0; s < 50; s++) ring.push(s * 1_000, s);
  expect(readAll(ring, 10_000, 12_000).raw.map((p) => p[1])).toEqual([9, 10, 11, 12]);
  expect(readAll(ring, 10_500, 10_600).raw.map((p) => p[1])).toEqual([10, 11]);
});

test('late samples at a full raw tier stay ordered, or are dropped when older than all of it', () => {
  const ring = createSeriesRing(1_000, { raw: 8, buckets: 4 });
  for (let s = 0; s < 40; s++) ring.push(s * 1_000, s);
  const before = readAll(ring);
  ring.push(before.raw[0]![0] - 500, 99);
  expect(readAll(ring)).toEqual(before);
  for (let k = 0; k < 20; k++) ring.push(before.raw.at(-2)![0] + 10 + k, k);
  const times = [...readAll(ring).old, ...readAll(ring).raw].map((p) => p[0]);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('no value that is not a number gets in', () => {
  const ring = createSeriesRing(1_000, { raw: 8, buckets: 4 });
  ring.push(1_000, NaN);
  ring.push(NaN, 1);
  ring.merge(Float64Array.of(2_000), Float64Array.of(NaN));
  expect(ring.size()).toBe(0);
  expect(ring.lastMs()).toBeNaN();
});

test('four hours at 1 Hz stay within the limits', () => {
  const limits = ringLimits(1_000);
  const ring = createSeriesRing(1_000);
  for (let s = 0; s < 14_400; s++) ring.push(s * 1_000, Math.sin(s));
  expect(limits.raw).toBe(1_800);
  expect(ring.size()).toBeLessThanOrEqual(limits.raw * 1.25 + limits.buckets * 2);
  expect(ring.firstMs()).toBeLessThan(60_000);
});
