import fc from 'fast-check';

import {
  growingDomain,
  liveDomain,
  makeAxes,
  niceStep,
  ticksBetween,
  timeStep,
  valueDomain,
  windowStep,
  withinShare,
} from './scale.ts';

test.each([
  [10, 5, 2],
  [1, 4, 0.25],
  [97, 5, 20],
  [0.3, 3, 0.1],
  [0, 5, 1],
])('niceStep(%p, %p) is %p', (span, count, step) =>
  expect(niceStep(span, count)).toBeCloseTo(step, 12),
);

test('ticks lie inside their domain, in even steps, without rounding dirt', () => {
  expect(ticksBetween(0, 0.3, 0.1)).toEqual([0, 0.1, 0.2, 0.3]);
  expect(ticksBetween(-20, 45, 20)).toEqual([-20, 0, 20, 40]);
});

test('a live window stands still for a step, then moves by one', () => {
  expect(windowStep(300_000)).toBe(30_000);
  expect(windowStep(1_800_000)).toBe(120_000);
  expect(liveDomain(12_000, 300_000)).toEqual([0, 300_000]);
  expect(liveDomain(301_000, 300_000)).toEqual([30_000, 330_000]);
  expect(liveDomain(329_999, 300_000)).toEqual([30_000, 330_000]);
  expect(liveDomain(330_000, 300_000)).toEqual([60_000, 360_000]);
});

test('now always lies inside a live and a growing domain', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000_000 }),
      fc.constantFrom(60_000, 300_000, 1_800_000),
      (now, window) => {
        for (const [from, to] of [liveDomain(now, window), growingDomain(0, now)]) {
          expect(from).toBeLessThanOrEqual(now);
          expect(to).toBeGreaterThan(now);
        }
        expect(liveDomain(now, window)[1] - liveDomain(now, window)[0]).toBe(window);
      },
    ),
  );
});

test('time steps give round labels', () => {
  expect(timeStep(300_000, 6)).toBe(60_000);
  expect(timeStep(14_400_000, 8)).toBe(1_800_000);
  expect(timeStep(400 * 86_400_000, 4)).toBe(100 * 86_400_000);
});

test('the value domain holds the data and keeps still while it may', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      fc.boolean(),
      (low, span, zero) => {
        const high = low + span;
        const [bottom, top] = valueDomain(low, high, zero, 5, null);
        const dirt = (top - bottom) * 1e-6;
        expect(bottom).toBeLessThanOrEqual(low + dirt);
        expect(top).toBeGreaterThanOrEqual(high - dirt);
        expect(top).toBeGreaterThan(bottom);
      },
    ),
  );
  expect(valueDomain(0, 90, true, 5, null)).toEqual([0, 100]);
  expect(valueDomain(10, 95, true, 5, [0, 100])).toEqual([0, 100]);
  // A host that is nearly full has no axis to 120 %; ready time summed over vCPUs has.
  expect(withinShare(valueDomain(0, 97, true, 5, null), '%', 97)).toEqual([0, 100]);
  expect(withinShare([0, 120], '%', 110)).toEqual([0, 120]);
  expect(withinShare([0, 120], 'W', 97)).toEqual([0, 120]);
  expect(valueDomain(0, 30, true, 5, [0, 100])).toEqual([0, 40]);
  expect(valueDomain(NaN, NaN, true, 5, null)).toEqual([0, 1]);
  expect(valueDomain(7, 7, true, 5, null)[1]).toBeGreaterThan(7);
});

test('axes have ticks for their size', () => {
  const axes = makeAxes([0, 300_000], [0, 100], 600, 170);
  expect(axes.xTicks).toEqual(Array.from({ length: 11 }, (_, i) => i * 30_000));
  expect(axes.yTicks).toEqual([0, 20, 40, 60, 80, 100]);
});
