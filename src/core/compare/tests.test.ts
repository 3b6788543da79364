import { demoDistributions, withSlots } from '../../ui/pages/runs/testing/comparison.ts';
import {
  type DemoRun,
  demoRun,
  type RunSpec,
  samplesOf,
} from '../../ui/pages/runs/testing/records.ts';
import { moments } from '../stats/moments.ts';
import { buildComparison, comparison, distributions, rowSlots, slotMeans } from './index.ts';

const run = (id: string, more: Partial<RunSpec> = {}): DemoRun =>
  demoRun({ id, name: `Run ${id}`, planHash: `hash-${id}`, ...more });
const compare = (...runs: DemoRun[]) =>
  comparison.parse(buildComparison(runs[0]!.summary.id, runs.map(withSlots)));
const test_ = (key: string, ...runs: DemoRun[]) =>
  compare(...runs).rows.find((r) => r.key === key)!.tests[1]!;

describe('stretches of the steady state', () => {
  const data = {
    tMs: Float64Array.of(0, 1_000, 2_000, 3_100, 5_000, 7_900),
    value: Float64Array.of(1, 3, 5, 7, 9, 11),
  };
  test('means over two periods each; a stretch without a sample is no number; the end is left out', () => {
    expect(slotMeans(data, 0, 9_000, 1_000)).toEqual({
      slotMs: 2_000,
      means: Float64Array.of(2, 6, 9, 11),
    });
    expect(
      slotMeans({ tMs: Float64Array.of(500, 4_500), value: Float64Array.of(1, 2) }, 0, 6_000, 1_000)
        .means,
    ).toEqual(Float64Array.of(1, NaN, 2));
  });
  test('hours become 720 stretches', () =>
    expect(slotMeans(data, 0, 4 * 3_600_000, 1_000).means).toHaveLength(720));
  const a = run('a');
  const slots = withSlots(a).slots!;
  test('the score as a sum over series has the score of the means as its mean', () => {
    const row = (key: string): number => moments(slots.get(key)!).mean;
    // Two tiles: each the geometric mean of three ratios of means.
    const expected = [0, 1].reduce(
      (sum, tile) =>
        sum +
        Math.cbrt(
          ['database', 'file', 'java'].reduce(
            (product, w) =>
              product *
              (a.aggregates.series.find(
                (s) => s.def.entity.id === `t${tile}.${w}` && s.def.metric === 'throughput',
              )!.steady!.mean /
                { database: 812.4, file: 24.31, java: 1543.2 }[w]!),
            1,
          ),
        ),
      0,
    );
    expect(row('score')).toBeCloseTo(expected, 2);
    expect(row('throughput.database.tps')).toBeCloseTo(
      compare(a).rows.find((r) => r.key === 'throughput.database.tps')!.values[0]!,
      1,
    );
  });
  test('a series that is missing, or full of holes, leaves its row without stretches', () => {
    const { overview } = a.record;
    const holed = rowSlots(a, (def) =>
      def.metric === 'latencyP95Ms'
        ? undefined
        : slotMeans(
            samplesOf(a, [def.id])[0]!,
            overview.phases[1]!.startMs,
            overview.phases[1]!.endMs!,
            def.metric === 'powerW' ? 40 : def.periodMs,
          ),
    );
    expect([...holed.keys()]).toContain('throughput.java.events/s');
    expect(holed.has('latencyP95Ms.database.ms')).toBe(false);
    expect(holed.has('power')).toBe(false);
  });
});

describe('what is told of each metric', () => {
  test('by direction of good; higher and lower where neither is; words agree with p', () => {
    const rows = compare(run('a'), run('b', { speed: 1.2, latency: 0.5 })).rows;
    const word = (key: string) => rows.find((r) => r.key === key)!.tests[1]!.word;
    expect([
      word('score'),
      word('throughput.database.tps'),
      word('latencyP95Ms.database.ms'),
      word('throughput.standby.beats/s'),
    ]).toEqual(['better', 'better', 'better', 'higher']);
    expect(test_('latencyP95Ms.database.ms', run('a'), run('b', { latency: 1.5 })).word).toBe(
      'worse',
    );
    for (const {
      tests: [, t],
    } of rows)
      if (t!.pAdjusted !== null)
        expect(['better', 'worse', 'higher', 'lower'].includes(t!.word)).toBe(t!.pAdjusted < 0.05);
  });
  test('equal runs are within noise, or cannot be told; never better', () => {
    for (const {
      tests: [own, t],
      key,
    } of compare(run('a'), run('b')).rows) {
      expect(own).toBeNull();
      expect([key, ['withinNoise', 'cannotTell'].includes(t!.word)]).toEqual([key, true]);
      if (t!.word === 'withinNoise') expect(t!.detectablePct).toBeLessThanOrEqual(5);
    }
  });
  test('the score stands alone; the others are adjusted together, and the number is said', () => {
    const { rows, testing } = compare(run('a'), run('b', { speed: 1.004 }));
    const of = rows.map((r) => r.tests[1]!);
    expect(of[0]!.pAdjusted).toBe(of[0]!.p);
    for (const t of of.slice(1)) if (t.p !== null) expect(t.pAdjusted).toBeGreaterThanOrEqual(t.p);
    const tested = of.filter((t) => t.p !== null).length;
    expect(tested).toBeLessThan(rows.length);
    expect(testing).toEqual({
      tests: tested,
      adjustment: `The score is tested by itself at 5 %; the other ${tested - 1} metrics of a side are adjusted together (Holm).`,
    });
  });
  test('a ratio has no samples: one run each cannot tell, repeats can', () => {
    expect(test_('scorePerKw', run('a'), run('b', { speed: 1.3 }))).toMatchObject({
      word: 'cannotTell',
      method: 'none',
      basis: 'one run each, and no samples of its own',
    });
    const repeats = (hash: string, ...speeds: number[]) =>
      speeds.map((speed, i) => run(`${hash}${i}`, { planHash: hash, speed }));
    expect(
      test_('scorePerKw', ...repeats('h', 1, 1.01, 0.99), ...repeats('k', 1.3, 1.31, 1.29)),
    ).toMatchObject({ word: 'better', method: 'welch' });
  });
  test('not measured, no steady state, not comparable: each in its words', () => {
    expect(test_('power', run('a'), run('b', { absent: ['powerW'] }))).toMatchObject({
      word: 'cannotTell',
      basis: 'not measured in every run',
      p: null,
    });
    const stopped = compare(run('a'), run('b', { state: 'aborted' }));
    expect(stopped.guards).toEqual(['Run b ended aborted.']);
    for (const { tests } of stopped.rows)
      expect(tests[1]).toMatchObject({ word: 'notComparable', p: null });
    expect(compare(run('a'), run('b', { state: 'rampUp' })).rows.map((r) => r.values[1])).toEqual(
      expect.arrayContaining([null]),
    );
  });
  test('the same runs, the same answer', () =>
    expect(compare(run('a'), run('b', { speed: 1.01 }))).toEqual(
      compare(run('a'), run('b', { speed: 1.01 })),
    ));
});

describe('matrix', () => {
  test('a cell for every workload of every tile, with words by the measurement periods', () => {
    const { matrix } = compare(run('a'), run('b', { speed: 1.2 }));
    expect(matrix.map((m) => [m.metric, m.better, m.cells.length])).toEqual([
      ['throughput', 'higher', 8],
      ['latencyP95Ms', 'lower', 6],
    ]);
    expect(matrix[0]!.cells[0]).toMatchObject({
      tile: 0,
      workloadId: 'database',
      workload: 'Database',
      unit: 'tps',
      deltaPct: [null, expect.closeTo(20, 0)],
      words: [null, 'better'],
    });
    expect(matrix[1]!.cells[0]!.words[1]).toBe('withinNoise');
  });
  test('a tile that one run has not is missing there; guarded runs get no word', () => {
    const { matrix } = compare(run('a'), run('b', { tiles: 1 }));
    expect(matrix[0]!.cells.find((c) => c.tile === 1 && c.workloadId === 'java')).toMatchObject({
      values: [expect.any(Number), null],
      deltaPct: [null, null],
      words: [null, null],
    });
    expect(compare(run('a'), run('b', { origin: 'simulated' })).matrix[0]!.cells[0]!.words[1]).toBe(
      'notComparable',
    );
  });
});

describe('distributions', () => {
  test('samples of every tile together, common bins, a box a period', () => {
    const of = distributions.parse(
      demoDistributions([run('a'), run('b', { speed: 1.1 })], 'throughput.database.tps'),
    );
    expect(of).toMatchObject({ label: 'Database, throughput', unit: 'tps' });
    for (const r of of.runs) {
      // Two tiles of 180 s at 1 Hz.
      expect(r.samples).toBe(360);
      expect(r.counts.reduce((x, y) => x + y, 0)).toBe(360);
      expect(r.counts).toHaveLength(of.edges.length - 1);
      expect(r.periods.map((p) => p!.count)).toEqual([120, 120, 120]);
      expect(r.ecdf.p.at(-1)).toBe(1);
    }
    expect(of.keys.some((k) => k.key.startsWith('score'))).toBe(false);
  });
  test('a run without that metric has no samples, and is still listed', () =>
    expect(
      demoDistributions([run('a'), run('b', { absent: ['powerW'] })], 'power').runs[1],
    ).toMatchObject({ samples: 0, box: null, ecdf: { x: [], p: [] } }));
});
