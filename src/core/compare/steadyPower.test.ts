import type { SeriesDef } from '../metric/metric.ts';
import { aboveIdle, powerSentences, shareOf } from '../run/steadyPower.ts';
import { counterEnergyWh, type PowerSamples, steadyPower } from './steadyPower.ts';

const window = { startMs: 100_000, endMs: 400_000 };
const def = (change: Partial<SeriesDef> = {}): SeriesDef => ({
  id: 0,
  metric: 'powerW',
  entity: { kind: 'power', id: 'p1', name: 'meter' },
  unit: 'W',
  source: 'HTTP on rack7',
  periodMs: 10_000,
  decimals: 1,
  lagMs: 0,
  meter: { counts: true, uncertaintyPct: 1 },
  ...change,
});
/** Readings every `stepS`, each at its end, of watts at that time. */
function readings(
  wattsAt: (s: number) => number | null,
  change: Partial<SeriesDef> = {},
  stepS = 10,
): PowerSamples {
  const found = Array.from({ length: Math.floor(500 / stepS) + 1 }, (_, i) => i * stepS).flatMap(
    (s) => {
      const watts = wattsAt(s);
      return watts === null ? [] : [[s * 1_000, watts] as const];
    },
  );
  return {
    def: def({ periodMs: stepS * 1_000, ...change }),
    data: {
      tMs: Float64Array.from(found, ([tMs]) => tMs),
      value: Float64Array.from(found, ([, watts]) => watts),
    },
  };
}
const of = { tiles: 4, vms: 8, idle: null };

test.each<[string, PowerSamples, number | null]>([
  ['steady 360 W for 300 s are 30 Wh', readings(() => 360), 30],
  ['steps over both edges count by their part', readings(() => 360, {}, 70), 30],
  [
    'a step that ends after the end is told by its mean',
    readings((s) => (s > 400 ? 999 : 360), {}, 40),
    30,
  ],
  [
    'a gap of half the window tells too little',
    readings((s) => (s > 150 && s < 300 ? null : 360)),
    null,
  ],
  ['a gap before the window costs nothing', readings((s) => (s < 60 ? null : 360)), 30],
  ['without samples nothing is known', readings(() => null), null],
])('%s', (_name, samples, wh) => {
  const found = counterEnergyWh(samples, window);
  if (wh === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(wh, 6);
});

test('a counter beats the mean of its samples where the steps are not equally long', () => {
  // 100 W told in steps of 10 s, then 400 W in steps of 30 s: each half of the window.
  const tMs = [
    90,
    100,
    ...Array.from({ length: 15 }, (_, i) => 110 + 10 * i),
    280,
    310,
    340,
    370,
    400,
  ].map((s) => s * 1_000);
  const value = tMs.map((t) => (t <= 250_000 ? 100 : 400));
  const samples = {
    def: def(),
    data: { tMs: Float64Array.from(tMs), value: Float64Array.from(value) },
  };
  const counted = steadyPower([samples], window, of)!;
  expect(counted).toMatchObject({ method: 'counter', windowS: 300 });
  expect(counted.meanW).toBeCloseTo(250, 6);
  expect(counted.energyWh).toBeCloseTo((250 * 300) / 3_600, 6);
  const sampled = steadyPower(
    [{ ...samples, def: def({ meter: { counts: false, uncertaintyPct: 1 } }) }],
    window,
    of,
  )!;
  expect(sampled.method).toBe('mean');
  expect(sampled.meanW).toBeCloseTo((16 * 100 + 4 * 400) / 20, 6);
});

test('two meters add up, and their uncertainties as of independent ones', () => {
  const one = readings(() => 300, { meter: { counts: false, uncertaintyPct: 1 } });
  const other = readings(() => 400, { meter: { counts: false, uncertaintyPct: 1 } });
  const both = steadyPower([one, other], window, of)!;
  expect(both).toMatchObject({ meanW: 700, method: 'mean' });
  expect(both.uncertaintyW).toBeCloseTo(5, 6);
  const unsaid = readings(() => 400, { meter: { counts: false, uncertaintyPct: null } });
  expect(steadyPower([one, unsaid], window, of)!.uncertaintyW).toBeNull();
  const { meter: _meter, ...older } = def();
  expect(steadyPower([{ ...one, def: older }], window, of)!.uncertaintyW).toBeNull();
});

test.each([
  ['no series', []],
  ['a series without samples', [readings(() => 300), readings(() => null)]],
  ['nothing but zero', [readings(() => 0)]],
])('%s: no power is told', (_name, series) => expect(steadyPower(series, window, of)).toBeNull());

test.each([
  ['measured by the same sources', 'measured' as const, Math.hypot(4, 2)],
  ['given by hand, of which nothing is stated', 'given' as const, null],
])('power above an idle baseline %s', (_name, by, uncertaintyW) => {
  const power = steadyPower([readings(() => 400)], window, {
    tiles: 4,
    vms: 8,
    idle: { watts: 200, windowS: 60, by },
  })!;
  const above = aboveIdle(power)!;
  expect(above.watts).toBeCloseTo(200, 6);
  if (uncertaintyW === null) expect(above.uncertaintyW).toBeNull();
  else expect(above.uncertaintyW).toBeCloseTo(uncertaintyW, 6);
  expect(shareOf(above, 4).watts).toBeCloseTo(50, 6);
});

test('a report says how energy was found, how shares are made, and what idle was', () => {
  const power = steadyPower([readings(() => 400)], window, {
    tiles: 4,
    vms: 8,
    idle: { watts: 200, windowS: 60, by: 'measured' },
  })!;
  expect(powerSentences(power)).toEqual([
    '400.0 W ± 4.0 W in the steady state, measured by HTTP on rack7; 33.33 Wh in 300 s, by the difference of the energy counter between the edges of the steady state.',
    'Per tile 100.0 W ± 1.0 W, per VM 50.0 W ± 0.5 W, parted equally, idle baseline included: a choice of this app.',
    'Above idle 200.0 W ± 4.5 W, per tile 50.0 W ± 1.1 W (200.0 W idle over 60 s, measured before the load).',
  ]);
  expect(powerSentences({ ...power, idle: null }).at(-1)).toBe(
    'No idle baseline: what the machines use without load is in these figures.',
  );
});
