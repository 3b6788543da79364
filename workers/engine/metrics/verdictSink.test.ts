import fc from 'fast-check';

import { type MissedRow, missedRow } from '../../../src/core/limits/earlyAbort.ts';
import type { EarlyWarning } from '../../../src/core/limits/earlyWarning.ts';
import { type Limit, limitsOf, type Projection } from '../../../src/core/limits/index.ts';
import { packSamples, type Sample, type SeriesDef } from '../../../src/core/metric/metric.ts';
import type { EarlyAbortRule, EarlyAbortState } from '../../../src/core/plan/earlyAbortRule.ts';
import type { Profile, QosLimit } from '../../../src/core/profile/profile.ts';
import { limitedProfile } from '../../../src/core/profile/testing/limitedProfile.ts';
import { createVerdictSink, type VerdictSink } from './verdictSink.ts';

const periodS = 30;
const startMs = 1_000_000;
const periods = [0, 1, 2].map((index) => ({
  index,
  startMs: startMs + index * periodS * 1_000,
  endMs: startMs + (index + 1) * periodS * 1_000,
}));
const windows = { periods, steady: { startMs, endMs: periods[2]!.endMs } };
const metrics = ['throughput', 'latencyP95Ms'] as const;
const tiles = 2;
const series: SeriesDef[] = [0, 1].flatMap((tile) =>
  metrics.map((metric, i) => ({
    id: tile * metrics.length + i,
    metric,
    entity: { kind: 'workload' as const, id: `t${tile}.db`, name: 'Database', tile },
    unit: 'x',
    source: 'test',
    periodMs: 1_000,
    decimals: 2,
    lagMs: 0,
  })),
);
const profileWith = (qos: readonly QosLimit[]): Profile =>
  limitedProfile(qos, { steadyS: 3 * periodS });

/** What a sink told, in order. */
interface Told {
  warnings: EarlyWarning[];
  rows: (MissedRow | null)[];
}
function sinkOf(profile: Profile, rule: EarlyAbortRule): { sink: VerdictSink; told: Told } {
  const told: Told = { warnings: [], rows: [] };
  let standing: EarlyAbortState | undefined;
  const sink = createVerdictSink({
    profile,
    tiles,
    series,
    rule,
    standing: () => standing,
    onWarning: (warning) => told.warnings.push(warning),
    onStanding: (next, row) => {
      standing = next;
      told.rows.push(row);
    },
  });
  sink.begin(windows);
  return { sink, told };
}

/** No mean of whole numbers, however many, is a limit. */
const figure = fc.integer({ min: 1, max: 100 }).map((n) => n + Math.SQRT2 / 100);
const limit = fc.record(
  {
    metric: fc.constantFrom(...metrics),
    max: figure,
    min: figure,
    over: fc.constantFrom('period' as const, 'steady' as const),
    unit: fc.constant('x'),
    source: fc.constant('s'),
  },
  { requiredKeys: ['metric', 'unit', 'source'] },
);
/** By series and period a level with scatter, a sample a second; null = nothing came. */
const level = fc.option(fc.tuple(fc.nat(100), fc.nat(60)), { freq: 8 });
const record = fc
  .array(fc.tuple(level, level, level), { minLength: series.length, maxLength: series.length })
  .chain((levels) =>
    fc.infiniteStream(fc.nat(1_000)).map((random) =>
      levels.map((own, id) =>
        own.flatMap((one, period) =>
          one === null
            ? []
            : Array.from({ length: periodS }, (_, s): Sample => {
                const scatter = Number(random.next().value) % (one[1] + 1);
                return [id, periods[period]!.startMs + s * 1_000, one[0] + scatter];
              }),
        ),
      ),
    ),
  );

/** All samples, each series in its order, dealt into batches as `picks` say. */
function deal(all: readonly (readonly Sample[])[], picks: readonly number[]): Sample[][] {
  const rest = all.map((own) => [...own]);
  const batches: Sample[][] = [];
  let turn = 0;
  while (rest.some((own) => own.length > 0)) {
    const open = rest.filter((own) => own.length > 0);
    const pick = picks[turn % picks.length]!;
    const taken = open[pick % open.length]!.splice(0, 1 + (pick % 17));
    if (pick % 3 === 0 || batches.length === 0) batches.push(taken);
    else batches.at(-1)!.push(...taken);
    turn += 1;
  }
  return batches;
}
const write = (sink: VerdictSink, samples: readonly Sample[]): void => {
  sink.accept(packSamples(samples));
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((a, b) => a + b, 0) / values.length;

/** By how much a limit is certain to be missed, from the plain means of what is stored. */
function plainMiss(
  all: readonly (readonly Sample[])[],
  nowMs: number,
  { kind, limit: bound, entityId, metric }: Limit,
  index: number,
): Projection | null {
  const { id } = series.find((s) => s.entity.id === entityId && s.metric === metric)!;
  const { startMs: fromMs, endMs: toMs } = periods[index]!;
  const own = all[id]!.flatMap(([, tMs, v]) => (tMs >= fromMs && tMs < toMs ? [v] : []));
  const share = (Math.min(nowMs, toMs) - fromMs) / (toMs - fromMs);
  const sorted = own.toSorted((a, b) => (kind === 'max' ? b - a : a - b));
  const isMissed = (values: readonly number[]): boolean => {
    const mean = meanOf(values);
    return kind === 'max' ? mean * share > bound : share >= 1 && mean < bound;
  };
  return own.length > 6 && isMissed(own) && isMissed(sorted.slice(1))
    ? { meanSoFar: meanOf(own), projected: 0, slopePerMin: 0, elapsedShare: share }
    : null;
}

test('however samples are split into batches and series follow each other, the verdict is that of the whole record', () => {
  fc.assert(
    fc.property(
      fc.array(limit, { minLength: 1, maxLength: 5 }),
      record,
      fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 3 * periodS + 10 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom('certain' as const, 'forecast' as const),
      (qos, whole, picks, untilS, inARow, when) => {
        const profile = profileWith(qos);
        const nowMs = startMs + untilS * 1_000;
        const all = whole.map((own) => own.filter(([, tMs]) => tMs < nowMs));
        const rule: EarlyAbortRule = { when, periods: inARow, warnS: 0 };
        const [together, apart, again] = [0, 1, 2].map(() => sinkOf(profile, rule));
        write(together!.sink, all.flat());
        for (const batch of deal(all, picks)) write(apart!.sink, batch);
        // As an engine does that picks the run up, after one that was given some of it.
        write(again!.sink, all.flat().slice(0, 50));
        again!.sink.begin(windows);
        for (const own of all) write(again!.sink, own);

        for (const { sink } of [together!, apart!, again!]) sink.judge(nowMs);
        expect(apart!.told).toEqual(together!.told);
        expect(again!.told).toEqual(together!.told);
        expect(apart!.sink.measurements()).toEqual(together!.sink.measurements());

        for (const { index, workloads } of together!.sink.measurements()) {
          for (const { tile, values, counts } of workloads) {
            for (const { id, metric } of series.filter((s) => s.entity.tile === tile)) {
              const own = all[id]!.flatMap(([, tMs, v]) =>
                tMs >= periods[index]!.startMs && tMs < periods[index]!.endMs ? [v] : [],
              );
              expect(counts?.[metric] ?? 0).toBe(own.length);
              if (own.length > 0) expect(values[metric]).toBeCloseTo(meanOf(own), 9);
            }
          }
        }
        const current = periods.findLastIndex((p) => p.startMs <= nowMs);
        const expected =
          untilS < periodS / 3 || nowMs >= windows.steady.endMs
            ? null
            : missedRow(
                { ...rule, when: 'certain' },
                limitsOf(profile, tiles).filter((one) => one.over === 'period'),
                current,
                (one, index) => plainMiss(all, nowMs, one, index),
                nowMs < periods[current]!.endMs,
              );
        if (when === 'certain')
          expect(together!.told.rows.map((row) => row?.periods)).toEqual(
            expected ? [expected.periods] : [],
          );
        else if (expected) expect(together!.told.rows).toHaveLength(1);
        const [row] = together!.told.rows;
        if (when === 'certain' && row)
          expect(row.meanSoFar).toBeCloseTo(
            plainMiss(all, nowMs, row, row.lastIndex)!.meanSoFar,
            9,
          );
      },
    ),
    { numRuns: 120 },
  );
});

test('what is beyond its limit on the whole steady state is told once, of each period again', () => {
  const { sink, told } = sinkOf(
    profileWith([
      { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's' },
      { metric: 'latencyP95Ms', max: 10, unit: 'ms', source: 's', over: 'steady' },
    ]),
    { when: 'certain', periods: 3, warnS: 0 },
  );
  for (let s = 0; s < 3 * periodS; s += 1) {
    write(sink, [[1, startMs + s * 1_000, 99]]);
    sink.judge(startMs + s * 1_000 + 1);
  }
  expect(told.warnings.map((w) => `${w.over} ${w.tile} ${w.periodIndex}`).sort()).toEqual([
    'period 0 0',
    'period 0 1',
    'period 0 2',
    'steady 0 0',
  ]);
});

test('neither rates of hosts nor what lies outside the steady state is part of it', () => {
  const host: SeriesDef = {
    ...series[0]!,
    id: 9,
    entity: { kind: 'host', id: 'host-1', name: 'host-1' },
  };
  const sink = createVerdictSink({
    profile: profileWith([]),
    tiles,
    series: [...series, host],
    rule: null,
    standing: () => undefined,
    onWarning: () => undefined,
    onStanding: () => undefined,
  });
  sink.begin(windows);
  write(sink, [
    [9, startMs, 1],
    [0, startMs - 1, 1],
    [0, startMs, 5],
    [0, windows.steady.endMs, 1],
  ]);
  expect([...sink.wanted]).toEqual(series.map((s) => s.id));
  expect(sink.measurements().map((p) => p.workloads[0]!.samples)).toEqual([1, 0, 0]);
});
