import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { missedIn, periodLimits } from '../limits/earlyAbort.ts';
import { earlyWarnings } from '../limits/earlyWarning.ts';
import {
  limitKey,
  limitsOf,
  overviewHeadroom,
  scoreHeadroom,
  trendOf,
  worstMeasured,
} from '../limits/index.ts';
import type { MetricName } from '../metric/metric.ts';
import type { QosLimit } from '../profile/profile.ts';
import { limitedProfile } from '../profile/testing/limitedProfile.ts';
import type { RunRecord } from '../run/run.ts';
import type { PeriodMeasurement } from '../run/scoreTypes.ts';
import { complianceFindings } from './compliance.ts';
import { scoreRun } from './score.ts';

const periodS = 60;
const metrics: readonly MetricName[] = ['throughput', 'latencyP95Ms', 'errorRate'];
const limit = fc.record(
  {
    metric: fc.constantFrom('throughput' as const, 'latencyP95Ms' as const),
    max: fc.integer({ min: 1, max: 200 }),
    min: fc.integer({ min: 1, max: 200 }),
    over: fc.constantFrom('period' as const, 'steady' as const),
    unit: fc.constant('x'),
    source: fc.constant('s'),
  },
  { requiredKeys: ['metric', 'unit', 'source'] },
);
const failures: fc.Arbitrary<QosLimit> = fc.record({
  metric: fc.constant('errorRate' as const),
  measure: fc.constant('failurePct' as const),
  max: fc.integer({ min: 1, max: 60 }),
  over: fc.constantFrom('period' as const, 'steady' as const),
  unit: fc.constant('%'),
  source: fc.constant('s'),
});

/**
 * Samples every `everyS` of a level a period, so that periods differ in how many there are as well.
 */
interface Data {
  times: number[];
  value: number[];
}
const mean = ({ times, value }: Data, fromMs: number, toMs: number): number => {
  const own = value.filter((_, i) => times[i]! >= fromMs && times[i]! < toMs);
  return own.reduce((a, b) => a + b, 0) / own.length;
};
const count = ({ times }: Data, fromMs: number, toMs: number): number =>
  times.filter((t) => t >= fromMs && t < toMs).length;
const spans = [0, 1, 2].map((index) => ({
  index,
  startMs: index * periodS * 1_000,
  endMs: (index + 1) * periodS * 1_000,
}));
const steady = { startMs: 0, endMs: 180_000 };

const level = fc.integer({ min: 0, max: 200 });
const step = fc.constantFrom(1, 2, 5);
const dataOf = fc
  .tuple(fc.tuple(level, level, level), fc.tuple(step, step, step))
  .map(([levels, steps]): Data => {
    const times = spans.flatMap(({ startMs }, i) =>
      Array.from({ length: periodS / steps[i]! }, (_, n) => startMs + n * steps[i]! * 1_000),
    );
    return { times, value: times.map((t) => levels[Math.floor(t / 60_000)]!) };
  });

test('score, live headroom, early warning, early end and compliance say the same of every limit', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(limit, failures), { minLength: 1, maxLength: 6 }),
      fc.tuple(dataOf, dataOf, dataOf),
      (qos, all) => {
        const profile = limitedProfile(qos);
        const data = new Map(metrics.map((metric, i) => [metric, all[i]!]));
        const measured: PeriodMeasurement[] = spans.map(({ index, startMs, endMs }) => ({
          index,
          workloads: [
            {
              tile: 0,
              workloadId: 'db',
              samples: count(all[0], startMs, endMs),
              values: Object.fromEntries(
                metrics.map((m) => [m, mean(data.get(m)!, startMs, endMs)]),
              ),
              counts: Object.fromEntries(
                metrics.map((m) => [m, count(data.get(m)!, startMs, endMs)]),
              ),
            },
          ],
        }));
        const score = scoreRun(profile, 1, measured, {}, '');
        const overview = {
          state: 'steady',
          score: null,
          periods: spans,
          phases: [{ name: 'steady', startMs: 0, endMs: null, plannedEndMs: 180_000 }],
          series: metrics.map((metric, id) => ({ id, metric, entity: { id: 't0.db' } })),
          workloads: [{ tile: 0 }],
        } as unknown as RunRecord['overview'];
        const scored = new Map(scoreHeadroom(score).map((h) => [limitKey(h), h]));
        const distinct = new Set(limitsOf(profile, 1).map(limitKey));
        expect(new Set(scored.keys())).toEqual(distinct);

        for (const { index, endMs } of spans) {
          const last = index === spans.length - 1;
          const now = endMs - 1;
          const live = overviewHeadroom(
            overview,
            profile,
            (id, fromMs, toMs) => mean(all[id]!, Math.max(0, fromMs), Math.min(toMs, endMs)),
            now,
          );
          for (const entry of live) {
            if (entry.over === 'steady' && !last) continue;
            const q = score.periods[index]!.tiles[0]!.workloads[0]!.qos.find(
              (one) =>
                limitKey({ ...one, entityId: 't0.db' }) === limitKey(entry) &&
                one.limit === entry.limit,
            )!;
            // Of no operations at all there is no share of failures: nothing measured, here and
            // there.
            if (q.measured === null) expect(entry.value ?? NaN).toBeNaN();
            else expect(entry.value ?? NaN).toBeCloseTo(q.measured, 6);
            if (q.passed !== null && Math.abs(q.measured! - q.limit) > 1e-6)
              expect(entry.headroom! < 0).toBe(!q.passed);
          }
          // What is certain at the end of a window is what the score says of it, and a warning
          // before it never is of another window.
          const warned = earlyWarnings(
            limitsOf(profile, 1),
            { period: spans[index]!, steady },
            (one, window) => {
              const { times, value } = data.get(one.metric)!;
              const own = times.map((t) => t >= window.startMs && t < endMs);
              return trendOf(
                { tMs: times.filter((_, i) => own[i]), value: value.filter((_, i) => own[i]) },
                window,
                one.kind,
              );
            },
            endMs,
          );
          for (const entry of warned.filter((w) => w.over === 'period' || last)) {
            const value =
              entry.over === 'steady'
                ? mean(data.get(entry.metric)!, 0, 180_000)
                : mean(data.get(entry.metric)!, spans[index]!.startMs, endMs);
            expect(entry.kind === 'max' ? value > entry.limit : value < entry.limit).toBe(true);
          }
          for (const one of periodLimits(profile, 1)) {
            const { times, value } = data.get(one.metric)!;
            const miss = missedIn(
              'certain',
              one,
              trendOf({ tMs: times, value }, spans[index]!, one.kind),
              endMs,
            );
            if (miss) expect(score.periods[index]!.qosPassed).toBe(false);
          }
        }
        const broken = complianceFindings({ profile } as RunRecord, score).some(
          (f) => f.ruleId === 'qosEveryPeriod' && f.state === 'broken',
        );
        const missed = score.periods.some((p) =>
          p.tiles.some((t) => t.workloads.some((w) => w.qos.some((q) => q.passed === false))),
        );
        expect(broken).toBe(missed);
        for (const [key, value] of worstMeasured(score))
          expect(distinct.has(key) && Number.isFinite(value)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test('a limit over the steady state and one over each period on the same metric are two limits', () => {
  const both = limitsOf(
    limitedProfile([
      { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's' },
      { metric: 'latencyP95Ms', max: 5, unit: 'ms', source: 's', over: 'steady' },
    ]),
    2,
  );
  expect(new Set(both.map(limitKey)).size).toBe(4);
});

test('a limit over the steady state is the mean of its samples, however many each period has', () => {
  const profile = limitedProfile([
    { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's', over: 'steady' },
  ]);
  const period = (index: number, latencyP95Ms: number, samples: number, of: number) => ({
    index,
    workloads: [
      {
        tile: 0,
        workloadId: 'db',
        samples,
        values: { latencyP95Ms, throughput: 1 },
        counts: { latencyP95Ms: of, throughput: samples },
      },
    ],
  });
  const score = scoreRun(profile, 1, [period(0, 4, 60, 10), period(1, 12, 60, 30)], {}, '');
  expect(score.periods.map((p) => p.tiles[0]!.workloads[0]!.qos[0]!.measured)).toEqual([10, 10]);
});

/** Product files that walk a workload's limits by their bounds: the module alone may. */
test('nothing but this module walks the bounds of limits', () => {
  const root = join(__dirname, '../../..');
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? walk(`${folder}/${entry.name}`)
        : /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)
          ? [`${folder}/${entry.name}`]
          : [],
    );
  const found = [...walk('src'), ...walk('workers')].filter((file) =>
    /\[\s*'(?:max', 'min|min', 'max)'\s*\] as const|readonly LimitKind\[\] =/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(found).toEqual(['src/core/limits/limitsOf.ts']);
});
