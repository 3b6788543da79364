import fc from 'fast-check';

import { decodeFrame, encodeFrame, maxFrameBytes } from './frameCodec.ts';

test('any JSON and typed arrays survive', () => {
  // A key __proto__ is refused by the decoder, for safety.
  const text = fc.json().filter((json) => !json.includes('__proto__'));
  fc.assert(
    fc.property(text, fc.array(fc.double()), (json, numbers) => {
      // Written as text first: JSON has no negative zero.
      const value = {
        json: JSON.parse(JSON.stringify(JSON.parse(json))) as unknown,
        list: [Float64Array.from(numbers)],
      };
      expect(decodeFrame(encodeFrame(value))).toEqual(value);
    }),
  );
});

test('a view into a larger buffer carries only its part', () => {
  expect(decodeFrame(encodeFrame(Float64Array.of(1, 2, 3, 4).subarray(1, 3)))).toEqual(
    Float64Array.of(2, 3),
  );
});

test('too large is refused at both ends', () => {
  expect(() => encodeFrame('x'.repeat(100), 50)).toThrow(/larger than the 50 allowed/);
  expect(() => decodeFrame(new Uint8Array(maxFrameBytes + 1))).toThrow(
    /larger than the \d+ allowed/,
  );
});

test('bytes that are no message fail as invalidInput, whatever they are', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      try {
        decodeFrame(bytes);
      } catch (thrown) {
        expect(thrown).toMatchObject({ kind: 'invalidInput' });
      }
    }),
  );
});

test('typed arrays are read from a Node Buffer that is part of a larger memory', () => {
  const frame = encodeFrame({ list: [Float64Array.of(1.5, -2)] });
  const held = Buffer.alloc(frame.byteLength + 11, 0xff);
  held.set(frame, 3);
  expect(decodeFrame(held.subarray(3, 3 + frame.byteLength))).toEqual({
    list: [Float64Array.of(1.5, -2)],
  });
});
