import fc from 'fast-check';

import { formatDuration, parseDuration } from './duration.ts';

test.each([
  ['1:00:00', 3_600],
  ['4:00:00', 14_400],
  ['5:00', 300],
  ['90:00', 5_400],
  ['0:05', 5],
  ['90m', 5_400],
  ['2h', 7_200],
  ['2 hours', 7_200],
  ['1h30', 5_400],
  ['1h 30m 10s', 5_410],
  ['1.5h', 5_400],
  ['1.1h', 3_960],
  ['4.1m', 246],
  ['20 s', 20],
  ['20 seconds', 20],
  ['3 min', 180],
  ['5m30', 330],
  [' 600 ', 600],
  ['0', 0],
  ['0.5', 0.5],
])('%s is %d seconds', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  '',
  ' ',
  'soon',
  '-5',
  '1:75',
  '1:75:00',
  '1::0',
  '1,5h',
  '10m 2h',
  '5 5',
  '1h2m3s4',
  ':',
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeNull();
});

test('what a field shows is read back to the same second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 * 3_600 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds))).toBe(seconds);
    }),
  );
  expect([0, 20, 1.5, 60, 300, 3_600, 14_400].map(formatDuration)).toEqual([
    '0 s',
    '20 s',
    '1.5 s',
    '1:00',
    '5:00',
    '1:00:00',
    '4:00:00',
  ]);
});

test('any text is read or refused', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const seconds = parseDuration(text);
      expect(seconds === null || (Number.isFinite(seconds) && seconds >= 0)).toBe(true);
    }),
  );
});
