import fc from 'fast-check';

import { decodeChunk, encodeChunk } from './codec.ts';

const roundTrip = (
  tMs: number[],
  values: number[],
  decimals: number,
): { tMs: number[]; value: number[] } => {
  const decoded = decodeChunk(
    encodeChunk(Float64Array.from(tMs), Float64Array.from(values), tMs.length, decimals),
  );
  return { tMs: [...decoded.tMs], value: [...decoded.value] };
};
const times = (count: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: count, maxLength: count })
    .map((steps) =>
      steps.reduce<number[]>((all, step) => [...all, (all.at(-1) ?? 1_700_000_000_000) + step], []),
    );

test('any doubles come back to the bit, at any precision', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true }), { maxLength: 60 }),
      fc.integer({ min: 0, max: 6 }),
      (values, decimals) => {
        const t = values.map((_, i) => 1_700_000_000_000 + i * 1_000);
        expect(roundTrip(t, values, decimals)).toEqual({ tMs: t, value: values });
      },
    ),
  );
});

test('any times come back', () => {
  fc.assert(
    fc.property(times(40), (t) => {
      expect(
        roundTrip(
          t,
          t.map(() => 1),
          0,
        ).tMs,
      ).toEqual(t);
    }),
  );
});

test('a steady series of two decimals takes under three bytes a sample', () => {
  const t = Array.from({ length: 300 }, (_, i) => 1_700_000_000_000 + i * 1_000);
  const values = t.map((_, i) => Math.round((1_000 + 30 * Math.sin(i)) * 100) / 100);
  expect(
    encodeChunk(Float64Array.from(t), Float64Array.from(values), 300, 2).length / 300,
  ).toBeLessThan(3.5);
});
