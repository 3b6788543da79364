import type { QosResult, Score } from '../run/scoreTypes.ts';
import { leftOfLimit, limitValue, missedLimits, missedText } from './index.ts';

const qos = (measured: number | null, over: Partial<QosResult> = {}): QosResult => ({
  metric: 'latencyP95Ms',
  unit: 'ms',
  limit: 500,
  kind: 'max',
  measured,
  passed: measured === null ? null : measured <= 500,
  source: 's',
  ...over,
});
/** `values`: a row a period, a figure a tile. */
const periods = (
  values: (number | null)[][],
  over: Partial<QosResult> = {},
): Pick<Score, 'periods'> => ({
  periods: values.map((tiles, index) => ({
    index,
    total: null,
    qosPassed: false,
    tiles: tiles.map((measured, tile) => ({
      tile,
      score: null,
      workloads: [
        {
          workloadId: 'db',
          name: 'Database',
          unit: 'tps',
          scored: true,
          throughput: 1,
          samples: 1,
          reference: null,
          ratio: null,
          qos: [qos(measured, over)],
        },
      ],
    })),
  })),
});

test.each([
  [
    [
      [1970, 620],
      [900, 100],
    ],
    {},
    ['Database p95 1.97 s, limit 500 ms (tiles 1, 2; periods 1, 2)'],
  ],
  [[[501, 400, 600]], {}, ['Database p95 600 ms, limit 500 ms (tiles 1, 3; period 1)']],
  [
    [[501], [501]],
    { over: 'steady' as const },
    ['Database p95 501 ms, limit 500 ms (tile 1; over the steady state)'],
  ],
  [[[500, null]], {}, []],
  [
    [[40]],
    { metric: 'throughput', unit: 'tps', limit: 50, kind: 'min' as const },
    ['Database throughput 40 tps, at least 50 tps (tile 1; period 1)'],
  ],
])('%j breaks %j', (values, over, expected) => {
  expect(missedLimits(periods(values, over)).map(missedText)).toEqual(expected);
});

test.each([
  ['max', 100, 25, '75 % left'],
  ['max', 100, 100, '0 % left'],
  ['max', 100, 104, '4 % over'],
  ['max', 100, 100.2, '1 % over'],
  ['max', 500, 1970, '3.9× the limit'],
  ['min', 100, 60, '40 % short'],
  ['min', 100, 180, '80 % left'],
  ['min', 100, 436, '4.4× the limit'],
  ['max', 0, 3, 'over a limit of 0'],
] as const)('%s %d with %d: %s', (kind, limit, value, expected) => {
  const share = (kind === 'max' ? limit - value : value - limit) / limit;
  const headroom = limit === 0 ? -1 : share;
  const { figure, word } = leftOfLimit({ kind, limit, value, headroom })!;
  expect(`${figure} ${word}`).toBe(expected);
});

test('what was not measured has nothing left; seconds stand for a thousand milliseconds', () => {
  expect(leftOfLimit({ kind: 'max', limit: 1, value: null, headroom: null })).toBeNull();
  expect(limitValue(999, 'ms')).toBe('999 ms');
  expect(limitValue(1_000, 'ms')).toBe('1.00 s');
  expect(limitValue(2_000, 'tps')).toBe('2000 tps');
});
