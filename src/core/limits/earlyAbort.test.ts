import type { EarlyAbortRule, EarlyAbortState } from '../plan/earlyAbortRule.ts';
import { limitedProfile } from '../profile/testing/limitedProfile.ts';
import type { Window } from '../run/windows.ts';
import {
  judgeRule,
  missedIn as missedBy,
  missedRow,
  periodLimits,
  rowWords,
} from './earlyAbort.ts';
import { type Limit, type Projection, type Samples, trendOf } from './index.ts';

const period = { index: 0, startMs: 0, endMs: 120_000 };
const atMost = (limit: number) => ({ kind: 'max' as const, limit });
const missedIn = (
  when: EarlyAbortRule['when'],
  limit: Pick<Limit, 'kind' | 'limit'>,
  samples: Samples,
  window: Window,
  nowMs: number,
) => missedBy(when, limit, trendOf(samples, window, limit.kind), nowMs);
/** One sample a second up to `untilS`. */
const seconds = (untilS: number, value: (s: number) => number): Samples => ({
  tMs: Array.from({ length: untilS }, (_, s) => s * 1_000),
  value: Array.from({ length: untilS }, (_, s) => value(s)),
});

test('certain: what was summed up so far is beyond the limit for the whole period, whatever comes', () => {
  const samples = seconds(80, () => 20);
  expect(missedIn('certain', atMost(10), samples, period, 80_000)).toMatchObject({
    meanSoFar: 20,
    elapsedShare: 2 / 3,
  });
  expect(missedIn('certain', atMost(14), samples, period, 80_000)).toBeNull();
  expect(missedIn('forecast', atMost(14), samples, period, 80_000)).toMatchObject({
    projected: 20,
  });
  expect(
    missedIn(
      'certain',
      atMost(14),
      seconds(120, () => 20),
      period,
      125_000,
    ),
  ).toMatchObject({ meanSoFar: 20 });
});

test('a least throughput is certain to be missed only when the period is over', () => {
  const least = { kind: 'min' as const, limit: 100 };
  expect(
    missedIn(
      'certain',
      least,
      seconds(110, () => 10),
      period,
      110_000,
    ),
  ).toBeNull();
  expect(
    missedIn(
      'forecast',
      least,
      seconds(110, () => 10),
      period,
      110_000,
    ),
  ).not.toBeNull();
  expect(
    missedIn(
      'certain',
      least,
      seconds(120, () => 10),
      period,
      120_000,
    ),
  ).not.toBeNull();
});

test.each(['certain', 'forecast'] as const)(
  'one bad sample is no miss, %s, however bad; a bad stretch is',
  (when) => {
    expect(
      missedIn(
        when,
        atMost(10),
        seconds(120, (s) => (s === 30 ? 1e9 : 1)),
        period,
        120_000,
      ),
    ).toBeNull();
    expect(
      missedIn(
        when,
        atMost(10),
        seconds(120, (s) => (s >= 30 && s < 60 ? 100 : 1)),
        period,
        120_000,
      ),
    ).not.toBeNull();
  },
);

test('too little measured is no miss', () => {
  expect(
    missedIn(
      'forecast',
      atMost(10),
      seconds(4, () => 99),
      period,
      120_000,
    ),
  ).toBeNull();
  expect(missedIn('forecast', atMost(10), { tMs: [], value: [] }, period, 120_000)).toBeNull();
});

const projection: Projection = { meanSoFar: 20, projected: 20, slopePerMin: 0, elapsedShare: 1 };
const limitOf = (tile: number): Limit => ({
  rateUnit: 'tps',
  over: 'period',
  source: 's',
  tile,
  workloadId: 'db',
  name: 'Database',
  entityId: `t${tile}.db`,
  metric: 'latencyP95Ms',
  unit: 'ms',
  kind: 'max',
  limit: 10,
});
/** `x` = missed, `.` = kept or not known; a string a tile. */
const rowOf = (rows: readonly string[], periods: number, current: number, lasts = false) => {
  const rule: EarlyAbortRule = { when: 'certain', periods, warnS: 60 };
  return missedRow(
    rule,
    rows.map((_, tile) => limitOf(tile)),
    current,
    (limit, index) => (rows[limit.tile]![index] === 'x' ? projection : null),
    lasts,
  );
};

test.each([
  [['x'], 1, 0, { tile: 0, periods: 1, lastIndex: 0 }],
  [['.xx'], 2, 2, { tile: 0, periods: 2, lastIndex: 2 }],
  [['xx.'], 2, 2, { tile: 0, periods: 2, lastIndex: 1 }],
  [['x.x'], 2, 2, null],
  [['x..'], 1, 2, null],
  [['x.', '.x'], 2, 1, null],
  [['xx', '.x'], 2, 1, { tile: 0 }],
  [['...'], 1, 2, null],
])('%j in a row of %d at period %d', (rows, periods, current, expected) => {
  const found = rowOf(rows, periods, current);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test('the row in words', () => {
  expect(rowWords(rowOf(['.xx'], 2, 2, true)!)).toBe(
    'Tile 1 Database, 95th percentile latency, limit ≤ 10.0 ms: missed in 2 periods in a row, 2 to 3; mean 20.0 ms so far in the last, 20.0 ms at its end',
  );
  expect(rowWords(rowOf(['x'], 1, 0)!)).toBe(
    'Tile 1 Database, 95th percentile latency, limit ≤ 10.0 ms: missed in period 1; mean 20.0 ms in the last',
  );
});

test('limits that a running mean does not tell of are left alone', () => {
  const profile = limitedProfile([
    { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's' },
    { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's', over: 'steady' },
    { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's', operation: 'login' },
    { metric: 'throughput', min: 3, unit: 'tps', source: 's' },
  ]);
  expect(
    periodLimits(profile, 2).map((l) => `${l.entityId} ${l.metric} ${l.kind} ${l.limit}`),
  ).toEqual([
    't0.db latencyP95Ms max 10',
    't0.db throughput min 3',
    't1.db latencyP95Ms max 10',
    't1.db throughput min 3',
  ]);
});

describe('the rule', () => {
  const rule: EarlyAbortRule = { when: 'certain', periods: 1, warnS: 10 };
  const row = rowOf(['x'], 1, 0)!;
  const judged = (
    standing: EarlyAbortState['state'] | null,
    { found = true, first = false, isDue = true, nowMs = 50_000, steadyEndMs = 1e6 } = {},
  ) =>
    judgeRule(
      rule,
      standing === null ? undefined : { state: standing, text: 'x', atMs: 40_000, dueMs: 50_000 },
      { nowMs, first, steadyEndMs, isDue: () => isDue, row: () => (found ? row : null) },
    );
  test.each([
    ['warns where a look is due', null, {}, ['warned', 60_000, true]],
    ['looks only where a look is due', null, { isDue: false }, null],
    ['says nothing of kept limits', null, { found: false }, null],
    ['saves nothing near the end', null, { steadyEndMs: 60_000 }, null],
    ['waits for the end of its warning', 'warned', { nowMs: 49_999 }, null],
    ['ends the run when its warning is over', 'warned', { isDue: false }, ['ended', 50_000, true]],
    ['calls the end off', 'warned', { found: false }, ['withdrawn', 50_000, false]],
    ['warns again where nobody heard it', 'warned', { first: true }, ['warned', 60_000, false]],
    ['warns again later', 'withdrawn', {}, ['warned', 60_000, true]],
    ['keeps to a veto', 'vetoed', {}, null],
    ['ends once', 'ended', {}, null],
  ] as const)('%s', (_what, standing, now, expected) => {
    const found = judged(standing, now);
    expect(found && [found.standing.state, found.standing.dueMs, found.row !== null]).toEqual(
      expected,
    );
  });
});
