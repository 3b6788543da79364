import fc from 'fast-check';

import { effectOf, type Sampled } from './effect.ts';

/** One sample a second at 1…n s, time 0 = the act. */
const seconds = (fromS: number, toS: number, value: (s: number) => number | null): Sampled => {
  const all = Array.from({ length: toS - fromS }, (_, i) => fromS + i + 1).flatMap((s) => {
    const one = value(s);
    return one === null ? [] : [[s * 1_000, one] as const];
  });
  return { tMs: all.map(([t]) => t), value: all.map(([, v]) => v) };
};
const effect = (
  throughput: (s: number) => number | null,
  {
    latency = () => 5,
    untilS = 600,
    limit,
    rateS = 1,
    fromS = -300,
  }: {
    latency?: (s: number) => number | null;
    untilS?: number;
    limit?: number;
    rateS?: number;
    fromS?: number;
  } = {},
) =>
  effectOf({
    throughput: seconds(fromS, untilS, throughput),
    latencyMs: seconds(fromS, untilS, latency),
    limits:
      limit === undefined ? [] : [{ samples: seconds(fromS, untilS, latency), kind: 'max', limit }],
    atMs: 0,
    fromMs: fromS * 1_000,
    untilMs: untilS * 1_000,
    periodMs: 1_000,
    rateS,
  });

test.each([
  ['nothing happens', () => 100, 'even', null, 0],
  ['more is done', (s: number) => (s > 0 ? 150 : 100), 'even', null, 0],
  ['down for 60 s', (s: number) => (s > 0 && s <= 60 ? 0 : 100), 'recovered', 60, 6_000],
  ['down later', (s: number) => (s > 100 && s <= 160 ? 0 : 100), 'recovered', 160, 6_000],
  ['half for 90 s', (s: number) => (s > 0 && s <= 90 ? 50 : 100), 'recovered', 90, 4_500],
  ['never back', (s: number) => (s > 0 ? 80 : 100), 'lost', null, 12_000],
  ['one bad interval', (s: number) => (s > 50 && s <= 60 ? 0 : 100), 'even', null, 0],
  [
    'down twice',
    (s: number) => ((s > 0 && s <= 40) || (s > 200 && s <= 240) ? 0 : 100),
    'recovered',
    240,
    8_000,
  ],
])('%s', (_what, throughput, outcome, recoveryS, workLost) => {
  expect(effect(throughput)).toMatchObject({
    outcome,
    recoveryS,
    workLost,
    throughputBefore: 100,
    missingS: 0,
    violatedS: null,
  });
});

test('latency alone disturbs, and a limit counts its seconds', () => {
  expect(
    effect(() => 100, { latency: (s) => (s > 0 && s <= 70 ? 30 : 5), limit: 20 }),
  ).toMatchObject({ outcome: 'recovered', recoveryS: 70, violatedS: 70, workLost: 0 });
});

test('a workload that comes and goes by itself is not judged', () => {
  expect(effect((s) => (Math.floor(s / 50) % 2 === 0 ? 100 : 20))).toMatchObject({
    outcome: 'uneven',
    workLost: null,
  });
});

test('work is counted in operations where throughput is a minute', () => {
  expect(effect((s) => (s > 0 && s <= 60 ? 0 : 120), { rateS: 60 })).toMatchObject({
    workLost: 120,
  });
});

test('what was not measured is missing, and neither in nor out', () => {
  expect(effect((s) => (s > 0 ? null : 100))).toMatchObject({
    outcome: 'unknown',
    missingS: 600,
    workLost: null,
  });
  expect(effect(() => 100, { fromS: -20 })).toMatchObject({
    outcome: 'unknown',
    throughputBefore: null,
  });
  // Down, then not heard of for a minute, then back: back is when it is seen to be.
  expect(effect((s) => (s <= 0 ? 100 : s <= 30 ? 0 : s <= 90 ? null : 100))).toMatchObject({
    outcome: 'recovered',
    recoveryS: 90,
    workLost: 3_000,
    missingS: 60,
  });
});

test('the end of what is looked at ends it', () => {
  expect(effect((s) => (s > 0 && s <= 60 ? 0 : 100), { untilS: 50 })).toMatchObject({
    outcome: 'lost',
    workLost: 5_000,
  });
  expect(effect(() => 100, { untilS: 0 })).toMatchObject({ outcome: 'unknown' });
});

test('whatever happens, figures fit together', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.float({ min: 0, max: 200, noNaN: true }), { nil: null }), {
        minLength: 5,
        maxLength: 60,
      }),
      (bins) => {
        const untilS = bins.length * 10;
        const found = effect((s) => (s <= 0 ? 100 : (bins[Math.ceil(s / 10) - 1] ?? null)), {
          untilS,
        });
        expect(found.missingS).toBe(bins.filter((one) => one === null).length * 10);
        expect(found.recoveryS === null).toBe(found.outcome !== 'recovered');
        if (found.recoveryS !== null) {
          expect(found.recoveryS).toBeGreaterThan(0);
          expect(found.recoveryS).toBeLessThanOrEqual(untilS - 30);
        }
        if (found.outcome === 'even') expect(found.workLost).toBe(0);
        expect(found.workLost ?? 0).toBeLessThanOrEqual(100 * untilS);
      },
    ),
  );
});

test('what is scaled is scaled', () => {
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: 1, max: 200, noNaN: true }), { minLength: 5, maxLength: 40 }),
      (bins) => {
        const of = (factor: number) =>
          effect((s) => factor * (s <= 0 ? 100 : bins[Math.ceil(s / 10) - 1]!), {
            untilS: bins.length * 10,
          });
        const [one, two] = [of(1), of(2)];
        expect(two.outcome).toBe(one.outcome);
        expect(two.recoveryS).toBe(one.recoveryS);
        expect(two.workLost!).toBeCloseTo(2 * one.workLost!, 3);
      },
    ),
  );
});
