import fc from 'fast-check';

import { strangerBounds } from './frameBounds.ts';
import { decodeText, encodeText, faultOfText } from './jsonFrame.ts';

const most = 10_000_000;

test('any JSON, numbers and bytes survive', () => {
  fc.assert(
    fc.property(fc.json(), fc.array(fc.double()), fc.uint8Array(), (json, numbers, bytes) => {
      const value = {
        json: JSON.parse(JSON.stringify(JSON.parse(json))) as unknown,
        // JSON has no negative zero, and no infinity.
        numbers: Float64Array.from(numbers, (one) => (Number.isFinite(one) ? one + 0 : NaN)),
        bytes,
      };
      expect(decodeText(encodeText(value, most), strangerBounds)).toEqual(value);
    }),
  );
});

test('typed arrays are written so that any program reads them', () => {
  expect(encodeText({ t: Float64Array.of(1, NaN, 2.5), b: Buffer.from('hi') }, most)).toBe(
    '{"t":{"$float64":[1,null,2.5]},"b":{"$bytes":"aGk="}}',
  );
});

test('too long is refused at both ends', () => {
  expect(() => encodeText('x'.repeat(100), 50)).toThrow(/larger than the 50 allowed/);
  expect(faultOfText('x'.repeat(8 * 1024 ** 2 + 1), strangerBounds)).toMatch(/longer than/);
});

test.each([
  ['nested', '['.repeat(100_000), /nests deeper than 64 levels/],
  ['nested in objects', '{"a":'.repeat(100_000), /nests deeper than 64 levels/],
  ['many values', `[${'0,'.repeat(600_000)}0]`, /more than 500000 values/],
  ['many empty lists', `[${'[],'.repeat(300_000)}0]`, /more than 500000 values/],
  ['brackets in strings count nothing', `"${'[{,:'.repeat(200_000)}"`, null],
  ['an escaped quote ends no string', `"\\"${'['.repeat(1_000)}"`, null],
])('%s', (_, text, fault) => {
  const found = faultOfText(text, strangerBounds);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toMatch(fault);
});

test('texts that are no message fail as invalidInput, whatever they are', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constant('{"$bytes":"#"}')), (text) => {
      try {
        decodeText(text, strangerBounds);
      } catch (thrown) {
        expect(thrown).toMatchObject({ kind: 'invalidInput' });
      }
    }),
  );
});
