import { isBounds } from './bounds.ts';

const kept = { x: 40, y: -20, width: 1_440, height: 900, maximized: false };

test('bounds as they were kept hold', () => {
  expect(isBounds(JSON.parse(JSON.stringify(kept)))).toBe(true);
});

test.each([
  null,
  [],
  'bounds',
  {},
  { ...kept, x: '40' },
  { ...kept, y: null },
  { ...kept, width: 0 },
  { ...kept, height: -900 },
  { ...kept, width: Number.POSITIVE_INFINITY },
  { ...kept, maximized: 1 },
])('a damaged file of bounds counts as none: %j', (data) => {
  expect(isBounds(data)).toBe(false);
});
