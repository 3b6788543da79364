import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';

import { faultOfFrame, ownBounds, strangerBounds } from './frameBounds.ts';
import { decodeFrame, encodeFrame, maxFrameBytes } from './frameCodec.ts';

const nested = (head: readonly number[], depth: number): Uint8Array => {
  const bytes = new Uint8Array(head.length * depth + 1);
  for (let i = 0; i < depth; i += 1) bytes.set(head, i * head.length);
  bytes[bytes.length - 1] = 0xc0;
  return bytes;
};
const filled = (head: readonly number[], byte: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length).fill(byte);
  bytes.set(head);
  return bytes;
};
const claim = [0xff, 0xff, 0xff, 0xff];
const much = maxFrameBytes;

test.each<[string, Uint8Array, RegExp]>([
  ['arrays, 100,000 deep', nested([0x91], 100_000), /deeper than 64/],
  ['maps, 100,000 deep', nested([0x81, 0xa1, 0x61], 100_000), /deeper than 64/],
  [
    'arrays with a long header, 100,000 deep',
    nested([0xdd, 0, 0, 0, 1], 100_000),
    /deeper than 64/,
  ],
  ['arrays as deep as a frame is long', filled([0x91], 0x91, much), /deeper than 64/],
  ['an array of 2³² entries', Uint8Array.of(0xdd, ...claim, 0xc0), /claims more/],
  ['a map of 2³² entries', Uint8Array.of(0xdf, ...claim, 0xc0), /claims more/],
  ['an array of 2¹⁶ entries', Uint8Array.of(0xdc, 0xff, 0xff, 0xc0), /claims more/],
  ['text of 2³² bytes', Uint8Array.of(0xdb, ...claim, 0x61), /claims more/],
  ['bytes of 2³²', Uint8Array.of(0xc6, ...claim, 0x61), /claims more/],
  ['an extension of 2³² bytes', Uint8Array.of(0xc9, ...claim, 1, 0), /claims more/],
  ['a fixed extension that is cut', Uint8Array.of(0xd8), /claims more/],
  ['an extension of a strange type', Uint8Array.of(0xd4, 42, 0), /extension of type 42/],
  ['a time', encode(new Date(0)), /extension of type -1/],
  [
    '64 million empty arrays',
    filled([0xdd, 3, 0xff, 0xff, 0xfb], 0x90, much),
    /more than 500000 values/,
  ],
  [
    '64 million empty maps',
    filled([0xdd, 3, 0xff, 0xff, 0xfb], 0x80, much),
    /more than 500000 values/,
  ],
  ['small arrays by the million', filled([0xdc, 0xff, 0xff], 0x9f, much), /more than|deeper/],
  ['nothing', new Uint8Array(0), /claims more/],
  ['a byte that begins nothing', Uint8Array.of(0xc1), /begins nothing/],
  ['two messages', Uint8Array.of(0xc0, 0xc0), /more than one message/],
])('%s: refused in words, before anything is made of it', (_name, bytes, words) => {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  let thrown: unknown;
  try {
    decodeFrame(bytes, strangerBounds);
  } catch (error) {
    thrown = error;
  }
  // Of this process alone: the machine may be busy with others.
  expect(process.cpuUsage(cpu).user).toBeLessThan(1_000_000);
  const { heapUsed, external } = process.memoryUsage();
  expect(heapUsed + external - memory.heapUsed - memory.external).toBeLessThan(16e6);
  expect(thrown).toMatchObject({ kind: 'invalidInput', message: expect.stringMatching(words) });
});

test('what the encoder writes is within the bounds of our own messages', () => {
  const text = fc.json().filter((json) => !json.includes('__proto__'));
  fc.assert(
    fc.property(text, fc.array(fc.double()), fc.uint8Array(), (json, numbers, bytes) => {
      const value = {
        json: JSON.parse(json) as unknown,
        list: [Float64Array.from(numbers)],
        bytes,
      };
      expect(faultOfFrame(encodeFrame(value), ownBounds)).toBeNull();
    }),
  );
});

test('the reader of headers and the decoder agree on what is whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      if (faultOfFrame(bytes, ownBounds) !== null) return;
      // Left for the decoder to refuse: keys that are no text, a __proto__, an array of half a
      // number.
      try {
        decodeFrame(bytes);
      } catch (thrown) {
        expect(String(thrown)).toMatch(/key|Float64Array|multiple of 8/i);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('what is cut anywhere is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const frame = encodeFrame({
        value: JSON.stringify(value),
        list: [1, 2.5, Float64Array.of(1)],
      });
      expect(faultOfFrame(frame.subarray(0, cut % frame.byteLength), ownBounds)).toMatch(
        /claims more/,
      );
    }),
  );
});
