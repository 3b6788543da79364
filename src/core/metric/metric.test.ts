import fc from 'fast-check';

import { forEachSample, packSamples, type Sample } from './metric.ts';

test('what is packed comes out again, in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(2000), fc.double({ noNaN: true }), fc.double())),
      (samples) => {
        const out: Sample[] = [];
        forEachSample(packSamples(samples), (id, t, value) => out.push([id, t, value]));
        expect(out).toEqual(samples);
      },
    ),
  );
});

test('a torn triple at the end is left out', () => {
  const seen: number[] = [];
  forEachSample(Float64Array.of(1, 2, 3, 4, 5), (id) => seen.push(id));
  expect(seen).toEqual([1]);
});
