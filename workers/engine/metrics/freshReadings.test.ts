import fc from 'fast-check';

import { createFreshReadings, createValueGate } from './freshReadings.ts';

const periodMs = 20_000;

test('on its grid every sample is new once, however often it is told and however its clock seems to differ', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -4_000, max: 4_000 })), {
        minLength: 1,
      }),
      (told) => {
        const fresh = createFreshReadings(periodMs);
        const taken = told.flatMap(([slot, errorMs]) =>
          fresh.take(7, slot * periodMs + errorMs) ? [slot] : [],
        );
        // Each slot at most once, ascending; and none that was ever the newest is left out.
        const newest = told.reduce<number[]>(
          (all, [slot]) => (slot > (all.at(-1) ?? -1) ? [...all, slot] : all),
          [],
        );
        expect(taken).toEqual(newest);
      },
    ),
  );
});

test('series are told apart, and what was stored before counts', () => {
  const fresh = createFreshReadings(periodMs, (series) => (series === 1 ? 100_000 : -Infinity));
  expect(fresh.take(1, 101_500)).toBe(false);
  expect(fresh.take(2, 101_500)).toBe(true);
  expect(fresh.take(1, 120_000)).toBe(true);
  expect(fresh.take(1, 120_900)).toBe(false);
});

describe('a meter without times', () => {
  test('asked every second about a device that measures every five, it gives each measurement once', () => {
    const isNew = createValueGate();
    const device = [200, 210, 210, 190];
    const taken = Array.from({ length: 20 }, (_, second) => second).filter((second) =>
      isNew(device[Math.floor(second / 5)]!, second * 1_000, 5_000),
    );
    expect(taken).toEqual([0, 5, 10, 15]);
  });

  test('the mean is that of the measurements, not of how long each stood', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 400 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (device, asksEach) => {
          const isNew = createValueGate();
          const updateMs = asksEach * 1_000;
          const taken: number[] = [];
          for (let ask = 0; ask < device.length * asksEach; ask += 1) {
            const value = device[Math.floor(ask / asksEach)]!;
            if (isNew(value, ask * 1_000, updateMs)) taken.push(value);
          }
          expect(taken).toEqual(device);
        },
      ),
    );
  });

  test('a load that stands still is measured as often as the device measures', () => {
    const isNew = createValueGate();
    const taken = Array.from({ length: 11 }, (_, i) => i).filter((i) => isNew(200, i * 500, 2_000));
    expect(taken).toEqual([0, 4, 8]);
  });
});
