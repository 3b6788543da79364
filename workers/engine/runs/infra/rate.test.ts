import fc from 'fast-check';

import { createRateMeter } from './rate.ts';

const minute = 60_000;

test('an operation of ninety seconds counts two thirds in its first minute and a third in the next', () => {
  const meter = createRateMeter(0, 3 * minute, minute);
  meter.end(meter.start(0), 1.5 * minute, true);
  expect(meter.take(3 * minute).map((b) => b.perHour)).toEqual([
    expect.closeTo(40, 9),
    expect.closeTo(20, 9),
    0,
  ]);
});

test('a bucket waits for the operation that began in it, and is told once', () => {
  const meter = createRateMeter(0, 3 * minute, minute);
  const token = meter.start(10_000);
  expect(meter.take(2 * minute)).toEqual([]);
  meter.end(token, 2 * minute, true);
  expect(meter.take(2 * minute)).toHaveLength(2);
  expect(meter.take(2 * minute)).toEqual([]);
});

test('what failed, and the part before the first and after the last bucket, is not counted', () => {
  const meter = createRateMeter(minute, 2 * minute, minute);
  meter.end(meter.start(minute), 1.5 * minute, false);
  meter.end(meter.start(1.5 * minute), 2.5 * minute, true);
  expect(meter.take(9 * minute)).toEqual([{ tMs: 2 * minute, perHour: expect.closeTo(30, 9) }]);
});

test('over all buckets the operations come out whole, whatever their times', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.integer({ min: 0, max: 590_000 }), fc.integer({ min: 1, max: 10_000 })),
        { maxLength: 40 },
      ),
      fc.integer({ min: 1_000, max: 200_000 }),
      (spans, bucketMs) => {
        const meter = createRateMeter(0, 600_000, bucketMs);
        for (const [startMs, lasts] of spans)
          meter.end(meter.start(startMs), startMs + lasts, true);
        let before = 0;
        const counted = meter.take(600_000).reduce((sum, { tMs, perHour }) => {
          const share = (perHour * (tMs - before)) / 3_600_000;
          before = tMs;
          return sum + share;
        }, 0);
        expect(counted).toBeCloseTo(spans.length, 6);
      },
    ),
  );
});
