import {
  axisFormatter,
  computedDecimals,
  formatAge,
  formatClock,
  formatComputed,
  formatElapsed,
  formatExact,
  formatPlain,
  formatQuantity,
  formatSi,
  valueAxis,
} from './format.ts';

const thin = ' ';

test.each([
  [0, '0'],
  [1, '1.00'],
  [12.34, '12.3'],
  [123.4, '123'],
  [999.4, '999'],
  [999.6, '1.00k'],
  [1234, '1.23k'],
  [99_950, '100k'],
  [123_456, '123k'],
  [999_999, '1.00M'],
  [1.5e9, '1.50G'],
  [2e12, '2.00T'],
  [0.5, '0.500'],
  [0.0123, '0.0123'],
  [0.0000004, '<0.001'],
  [-1234, '−1.23k'],
  [-0.5, '−0.500'],
  [NaN, '–'],
  [Infinity, '–'],
])('formatSi(%p) is %p', (value, text) => expect(formatSi(value)).toBe(text));

test.each([
  [1234567.891, 2, `1${thin}234${thin}567.89`],
  [999, 0, '999'],
  [1000, 0, `1${thin}000`],
  [-0.0001, 2, '0.00'],
  [-1234.5, 1, `−1${thin}234.5`],
  [NaN, 2, '–'],
])('formatExact(%p, %p) is %p', (value, decimals, text) =>
  expect(formatExact(value, decimals)).toBe(text),
);

test.each([
  [1234.5, 2, '1234.50'],
  [NaN, 2, ''],
  [-3, 0, '-3'],
])('formatPlain(%p, %p) is %p', (value, decimals, text) =>
  expect(formatPlain(value, decimals)).toBe(text),
);

test.each([
  [0, '0:00'],
  [61_000, '1:01'],
  [3_599_999, '59:59'],
  [3_600_000, '1:00:00'],
  [14_400_000, '4:00:00'],
  [-5_000, '−0:05'],
  [-500, '0:00'],
  [NaN, '–'],
])('formatElapsed(%p) is %p', (ms, text) => expect(formatElapsed(ms)).toBe(text));

test.each([
  [0, '0 s'],
  [4_400, '4 s'],
  [119_000, '119 s'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
])('formatAge(%p) is %p', (ms, text) => expect(formatAge(ms)).toBe(text));

test.each([
  [108_135.5, 1, '108\u0020136'],
  [1_000.04, 2, '1\u0020000'],
  [999.94, 1, '999.9'],
  [16.678, 2, '16.68'],
])('a computed figure has no decimal beside thousands: %p with %p is %p', (value, decimals, text) =>
  expect(formatComputed(value, decimals)).toBe(text),
);

test('a column of computed figures keeps one number of decimals', () => {
  expect(computedDecimals(2, 3.5, 999)).toBe(2);
  expect(computedDecimals(2, 3.5, 1_000)).toBe(0);
});

test('clock time is local and padded', () => {
  expect(formatClock(new Date(2026, 0, 2, 3, 4, 5).getTime())).toBe('03:04:05');
  expect(formatClock(NaN)).toBe('–');
});

test('labels of one axis share the step and the decimals', () => {
  expect([0, 500, 1000, 1500].map(axisFormatter([0, 1500], 500))).toEqual([
    '0',
    '0.5k',
    '1.0k',
    '1.5k',
  ]);
  expect([0, 25, 50].map(axisFormatter([0, 50], 25))).toEqual(['0', '25', '50']);
  expect([0, 0.05, 0.1].map(axisFormatter([0, 0.1], 0.05))).toEqual(['0', '0.05', '0.10']);
  expect([2500, 5000, 7500, 10000].map(axisFormatter([0, 10000], 2500))).toEqual([
    '2.5k',
    '5.0k',
    '7.5k',
    '10.0k',
  ]);
  expect([-20, 20].map(axisFormatter([0, 20], 20))).toEqual(['−20', '20']);
});

test.each([
  [1_607, 'W', '1.61', 'kW'],
  [403, 'W', '403', 'W'],
  [6_580, 'orders/s', '6.58k', 'orders/s'],
  [0, 'W', '0', 'W'],
  [NaN, 'W', '–', 'W'],
  [-2_500_000, 'B/s', '−2.50', 'MB/s'],
  [1_974, 'ms', '1.97', 's'],
  [999.9, 'ms', '1.00', 's'],
  [999, 'ms', '999', 'ms'],
  [0.4, 'ms', '0.400', 'ms'],
  [0.5, 's', '0.500', 's'],
  [0.0394, 'Gb/s', '39.4', 'Mb/s'],
  [12.5, 'Gb/s', '12.5', 'Gb/s'],
  [20_480, 'KB/s', '20.5', 'MB/s'],
])('%s %s as %s %s: the step stands with the unit that has one', (value, unit, figure, shown) => {
  expect(formatQuantity(value, unit)).toEqual({ figure, unit: shown });
});

test.each([
  ['ms', 1_500, 500, 's', ['0', '0.5', '1.0', '1.5']],
  ['ms', 900, 300, 'ms', ['0', '300', '600', '900']],
  ['W', 1_800, 600, 'kW', ['0', '0.6', '1.2', '1.8']],
  ['Gb/s', 0.09, 0.03, 'Mb/s', ['0', '30', '60', '90']],
  ['tps', 1_500, 500, 'tps', ['0', '0.5k', '1.0k', '1.5k']],
  ['%', 0, 1, '%', ['0']],
])(
  'an axis of %s up to %d says its unit once, beside the title',
  (unit, top, step, shown, labels) => {
    const yTicks = labels.map((_, i) => i * step);
    const axis = valueAxis({ y: [0, top], yTicks }, unit);
    expect(axis.unit).toBe(shown);
    expect(yTicks.map(axis.text)).toEqual(labels);
  },
);
