import fc from 'fast-check';

import { createPointBuffer, decimate, lowerBound } from './decimate.ts';
import { groupBy } from './groupBy.ts';

const samples = fc.array(
  fc.record({
    dt: fc.integer({ min: 1, max: 400 }),
    v: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  }),
  { minLength: 1, maxLength: 400 },
);

function lay(list: readonly { dt: number; v: number }[]): { t: Float64Array; v: Float64Array } {
  let at = 1_000;
  return {
    t: Float64Array.from(list, (s) => (at += s.dt)),
    v: Float64Array.from(list, (s) => s.v),
  };
}

test('minimum, maximum, first and last of each bucket are kept, in order, and nothing is made up', () => {
  const out = createPointBuffer(4);
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 3_000 }), (list, bucketMs) => {
      const { t, v } = lay(list);
      decimate(t, v, 0, t.length, bucketMs, out);
      const kept = Array.from({ length: out.length }, (_, i) => ({ t: out.t[i]!, v: out.v[i]! }));
      const real = new Map(Array.from(t, (time, i) => [time, v[i]!]));
      kept.forEach((p, i) => {
        expect(real.get(p.t)).toBe(p.v);
        if (i > 0) expect(p.t).toBeGreaterThan(kept[i - 1]!.t);
      });
      const bucketOf = (time: number): number => Math.floor(time / bucketMs);
      const naive = groupBy(
        Array.from(t, (time, i) => ({ t: time, v: v[i]! })),
        (p) => bucketOf(p.t),
      );
      const mine = groupBy(kept, (p) => bucketOf(p.t));
      expect([...mine.keys()]).toEqual([...naive.keys()]);
      for (const [bucket, all] of naive) {
        const got = mine.get(bucket)!;
        expect(got.length).toBeLessThanOrEqual(4);
        expect(Math.min(...got.map((p) => p.v))).toBe(Math.min(...all.map((p) => p.v)));
        expect(Math.max(...got.map((p) => p.v))).toBe(Math.max(...all.map((p) => p.v)));
        expect(got[0]).toEqual(all[0]);
        expect(got.at(-1)).toEqual(all.at(-1));
      }
    }),
  );
});

test('a NaN never hides a value', () => {
  const out = createPointBuffer(4);
  decimate(Float64Array.of(0, 1, 2, 3), Float64Array.of(NaN, 5, NaN, 7), 0, 4, 100, out);
  expect(Array.from(out.v.slice(0, out.length))).toEqual([5, 7]);
});

test('an empty range gives nothing', () => {
  const out = createPointBuffer(4);
  decimate(new Float64Array(2), new Float64Array(2), 1, 1, 10, out);
  expect(out.length).toBe(0);
});

test('lowerBound agrees with a linear search', () => {
  fc.assert(
    fc.property(samples, fc.integer({ min: 0, max: 200_000 }), (list, value) => {
      const { t } = lay(list);
      const naive = t.findIndex((time) => time >= value);
      expect(lowerBound(t, 0, t.length, value)).toBe(naive < 0 ? t.length : naive);
    }),
  );
});
