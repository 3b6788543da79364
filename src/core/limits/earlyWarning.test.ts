import fc from 'fast-check';

import { limitedProfile } from '../profile/testing/limitedProfile.ts';
import type { Window } from '../run/windows.ts';
import { earlyWarnings, warningText } from './earlyWarning.ts';
import { type Limit, limitsOf, type Projection, type Samples, trendOf } from './index.ts';

const period = { index: 1, startMs: 1_000_000, endMs: 1_600_000 };
const projectMean = (samples: Samples, window: Window, nowMs: number): Projection | null =>
  trendOf(samples, window, 'max').project(nowMs);
/** A sample a second for `seconds`, by seconds since the period began. */
const series = (seconds: number, value: (s: number) => number): Samples => ({
  tMs: Array.from({ length: seconds }, (_, s) => period.startMs + s * 1_000),
  value: Array.from({ length: seconds }, (_, s) => value(s)),
});
const at = (seconds: number): number => period.startMs + seconds * 1_000;

test('a straight rise goes on: the projected mean is the mean of the whole line', () => {
  // 0.5 a second over 600 s from 100: mean of what has come 149.75, of the rest 100 + 0.5 · 400 =
  // 300, a third and two thirds of the period.
  const projection = projectMean(
    series(200, (s) => 100 + s / 2),
    period,
    at(200),
  )!;
  expect(projection).toMatchObject({
    meanSoFar: 149.75,
    slopePerMin: expect.closeTo(30, 6),
    elapsedShare: expect.closeTo(1 / 3, 9),
  });
  expect(projection.projected).toBeCloseTo(149.75 / 3 + 200, 6);
});

test.each([
  ['too early', 80, 80],
  ['too few samples', 3, 300],
])('%s: nothing is projected', (_what, samples, now) =>
  expect(
    projectMean(
      series(samples, () => 5),
      period,
      at(now),
    ),
  ).toBeNull(),
);

test('samples of other periods, gaps and NaN do not count', () => {
  const { tMs, value } = series(300, (s) => (s % 50 === 7 ? NaN : 20));
  const before: Samples = {
    tMs: [at(-50), ...Array.from(tMs)],
    value: [9_999, ...Array.from(value)],
  };
  expect(projectMean(before, period, at(300))).toMatchObject({
    meanSoFar: 20,
    projected: 20,
    slopePerMin: 0,
  });
});

test('a level series projects its level, wherever it stands', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 1e6, noNaN: true }),
      fc.integer({ min: 100, max: 600 }),
      (level, seconds) => {
        const projection = projectMean(
          series(seconds, () => level),
          period,
          at(seconds),
        )!;
        expect(projection.projected / level).toBeCloseTo(1, 9);
        expect(projection.slopePerMin).toBe(0);
      },
    ),
  );
});

test('at the end of the period the projection is its mean', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1_000, noNaN: true }), { minLength: 600, maxLength: 600 }),
      (values) => {
        const projection = projectMean(
          series(600, (s) => values[s]!),
          period,
          at(600),
        )!;
        expect(projection.projected).toBeCloseTo(values.reduce((a, b) => a + b, 0) / 600, 6);
      },
    ),
    { numRuns: 20 },
  );
});

test.each(['max', 'min'] as const)(
  'without the worst sample, %s: the mean of all others',
  (kind) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 600, maxLength: 600 }),
        (values) => {
          const trend = trendOf(
            series(600, (s) => values[s]!),
            period,
            kind,
          );
          const worst = kind === 'max' ? Math.max(...values) : Math.min(...values);
          const sum = values.reduce((a, b) => a + b, 0);
          expect(trend.project(at(600))!.meanSoFar).toBeCloseTo(sum / 600, 4);
          expect(trend.project(at(600), true)!.meanSoFar).toBeCloseTo((sum - worst) / 599, 4);
        },
      ),
      { numRuns: 20 },
    );
  },
);

test('scatter alone is seldom taken for a trend', () => {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const trends = Array.from(
    { length: 400 },
    () =>
      projectMean(
        series(300, () => 100 + 40 * (random() - 0.5)),
        period,
        at(300),
      )!.slopePerMin,
  ).filter((slope) => slope !== 0).length;
  expect(trends / 400).toBeLessThan(0.12);
});

describe('warnings', () => {
  const profile = limitedProfile(
    [
      { metric: 'latencyP95Ms', max: 200, unit: 'ms', source: 's' },
      { metric: 'throughput', min: 50, unit: 'tps', source: 's' },
      { metric: 'latencyP95Ms', max: 1, unit: 'ms', source: 's', operation: 'login' },
    ],
    { steadyS: 600, periods: 1 },
  );
  const warn = (latency: (s: number) => number, throughput: (s: number) => number, now = 200) =>
    earlyWarnings(
      limitsOf(profile, 1),
      { period, steady: period },
      ({ metric, kind }, window) =>
        trendOf(series(now, metric === 'throughput' ? throughput : latency), window, kind),
      at(now),
    ).map(({ state, metric, kind, projected }) => [state, metric, kind, Math.round(projected)]);
  test('a limit still kept that will be missed at the present trend', () =>
    expect(
      warn(
        (s) => 100 + s / 2,
        () => 90,
      ),
    ).toEqual([['willMiss', 'latencyP95Ms', 'max', 250]]));
  test('a throughput that falls and stays above its limit', () =>
    expect(
      warn(
        () => 100,
        (s) => 90 - s / 10,
      ),
    ).toEqual([]));
  test('a throughput that falls below its limit', () =>
    expect(
      warn(
        () => 100,
        (s) => 90 - s / 5,
      ),
    ).toEqual([['willMiss', 'throughput', 'min', 30]]));
  test('nothing from now on can keep it', () =>
    expect(
      warn(
        () => 700,
        () => 90,
      ),
    ).toEqual([['lost', 'latencyP95Ms', 'max', 700]]));
  test('beyond the limit at first and recovering: no warning', () =>
    expect(
      warn(
        (s) => Math.max(0, 320 - s * 1.5),
        () => 90,
      ),
    ).toEqual([]));
  test('nothing to say where nothing is measured', () =>
    expect(
      earlyWarnings(limitsOf(profile, 3), { period, steady: period }, () => null, at(300)),
    ).toEqual([]));
  test('a limit over the steady state is projected to its end, not to that of the period', () => {
    const whole = {
      ...profile,
      workloads: [
        {
          ...profile.workloads[0]!,
          qos: [
            {
              metric: 'latencyP95Ms' as const,
              max: 200,
              unit: 'ms',
              source: 's',
              over: 'steady' as const,
            },
          ],
        },
      ],
    };
    // Above the limit in the first quarter, far below it ever since.
    const read = ({ kind }: Limit, window: Window) =>
      trendOf(
        series(300, (s) => (s < 100 ? 260 : 20)),
        window,
        kind,
      );
    const steady = { startMs: at(0), endMs: at(400) };
    const late = { index: 1, startMs: at(200), endMs: at(400) };
    const early = { index: 0, startMs: at(0), endMs: at(200) };
    expect(earlyWarnings(limitsOf(whole, 1), { period: late, steady }, read, at(300))).toEqual([]);
    const rising = earlyWarnings(
      limitsOf(whole, 1),
      { period: early, steady },
      ({ kind }, window) =>
        trendOf(
          series(100, (s) => 100 + s),
          window,
          kind,
        ),
      at(100),
    );
    expect(rising.map((w) => [w.state, w.over, Math.round(w.projected)])).toEqual([
      ['willMiss', 'steady', 300],
    ]);
    expect(warningText(rising[0]!)).toContain(
      'will be missed over the steady state at the present trend',
    );
  });
});
