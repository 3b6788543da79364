import fc from 'fast-check';

import { withSlots } from '../../ui/pages/runs/testing/comparison.ts';
import {
  demoProfile,
  type DemoRun,
  demoRun,
  type RunSpec,
} from '../../ui/pages/runs/testing/records.ts';
import { threeFigures } from '../base/format.ts';
import { steadyWindow } from '../run/windows.ts';
import { setupFacts, tally } from '../snapshot/setupFacts.ts';
import { aggregateRun, buildComparison, comparison, deltaPct, intervalText } from './index.ts';

const run = (id: string, more: Partial<RunSpec> = {}): DemoRun =>
  demoRun({ id, name: `Run ${id}`, planHash: `hash-${id}`, ...more });
const compare = (...runs: DemoRun[]) => buildComparison(runs[0]!.summary.id, runs);
const row = (key: string, ...runs: DemoRun[]) => compare(...runs).rows.find((r) => r.key === key);

test('a faster run: rows, deltas from exact numbers, direction of good', () => {
  const [a, b] = [run('a'), run('b', { speed: 1.032, latency: 0.5 })];
  const result = comparison.parse(compare(a, b));
  expect(result.guards).toEqual([]);
  expect(result.rows.map((r) => r.key)).toEqual([
    'score',
    'throughput.database.tps',
    'throughput.database.tps.sum',
    'latencyP95Ms.database.ms',
    'throughput.file.MB/s',
    'throughput.file.MB/s.sum',
    'latencyP95Ms.file.ms',
    'throughput.java.events/s',
    'throughput.java.events/s.sum',
    'latencyP95Ms.java.ms',
    'throughput.standby.beats/s',
    'throughput.standby.beats/s.sum',
    'power',
    'scorePerKw',
    'cpuPct.host',
    'deviceLatencyMs.datastore',
  ]);
  const database = row('throughput.database.tps', a, b)!;
  expect(database).toMatchObject({
    better: 'higher',
    unit: 'tps',
    deltaPct: [null, expect.closeTo(3.2, 2)],
  });
  expect(database.deltaPct[1]).toBe(
    ((database.values[1]! - database.values[0]!) / database.values[0]!) * 100,
  );
  expect(row('latencyP95Ms.database.ms', a, b)).toMatchObject({
    better: 'lower',
    deltaPct: [null, expect.closeTo(-50, 1)],
  });
  expect(row('cpuPct.host', a, b)!.better).toBeNull();
  expect(row('throughput.standby.beats/s', a, b)!.better).toBeNull();
});

test('the value of a workload is the mean over its tiles of the steady-state means', () => {
  const a = run('a');
  const means = a.aggregates.series
    .filter((s) => s.def.metric === 'throughput' && s.def.entity.id.endsWith('.database'))
    .map((s) => s.steady!.mean);
  expect(means).toHaveLength(2);
  expect(row('throughput.database.tps', a, run('b'))!.values[0]).toBeCloseTo(
    (means[0]! + means[1]!) / 2,
    9,
  );
});

test('a tile without samples makes its workload missing, not smaller', () => {
  const b = run('b');
  const cut: DemoRun = {
    ...b,
    aggregates: {
      ...b.aggregates,
      series: b.aggregates.series.map((s) =>
        s.def.entity.id === 't1.database' ? { ...s, steady: null } : s,
      ),
    },
  };
  expect(row('throughput.database.tps', run('a'), cut)).toMatchObject({
    values: [expect.any(Number), null],
    deltaPct: [null, null],
  });
});

test('the baseline leads, wherever it stood', () => {
  const result = buildComparison('b', [run('a'), run('b'), run('c')]);
  expect(result.runs.map((r) => r.id)).toEqual(['b', 'a', 'c']);
  expect(result.rows[0]!.deltaPct[0]).toBeNull();
  expect(() => buildComparison('nobody', [run('a')])).toThrow(RangeError);
});

test.each([
  [110, 100, 10],
  [90, 100, -10],
  [1, 0, null],
  [null, 1, null],
  [1, null, null],
  [-5, -10, 50],
])('%p against %p is %p %%', (value, baseline, expected) =>
  expect(deltaPct(value, baseline)).toBe(expected),
);

test('swapping the baseline inverts the ratio', () => {
  const positive = fc.double({ min: 0.001, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      expect((1 + deltaPct(a, b)! / 100) * (1 + deltaPct(b, a)! / 100)).toBeCloseTo(1, 6);
    }),
  );
});

describe('what differs', () => {
  test('nothing of two equal runs', () => expect(compare(run('a'), run('b')).setup).toEqual([]));

  test('only what differs, in groups by meaning', () => {
    const other = run('b', { esxBuild: '24585383', hostCount: 3, appVersion: '0.2.0' });
    other.record.clients[0]!.facts.sysbench = '1.0.21';
    other.record.inventoryBefore!.clusters[0]!.drsBehavior = 'manual';
    other.record.testbed.tiles[0]!.workloads[0]!.params = { threads: 16 };
    const setup = compare(run('a'), other).setup;
    const at = (group: string, label: string) =>
      setup.find((s) => s.group === group && s.label === label)?.values;
    expect(at('Build', 'Host: ESXi build')).toEqual(['24022510', '24585383']);
    expect(at('Host and cluster policy', 'Cluster: DRS automation')).toEqual([
      'fullyAutomated',
      'manual',
    ]);
    expect(at('Workloads', 'Database threads, tile 1')).toEqual(['8', '16']);
    expect(at('Software', 'Tilebench')).toEqual(['0.1.0', '0.2.0']);
    expect(setup.some((s) => s.label.includes('BIOS'))).toBe(false);
    const order = ['strong', 'moderate', 'slight', 'none'];
    expect(setup.map((s) => order.indexOf(s.effect))).toEqual(
      [...setup.map((s) => order.indexOf(s.effect))].sort(),
    );
  });

  test('a moved VM, by name', () => {
    const moved = run('b');
    moved.record.inventoryBefore!.vms[0]!.hostRef = 'host-2';
    expect(compare(run('a'), moved).setup).toContainEqual(
      expect.objectContaining({
        label: 'VMs on each host',
        subjects: [{ name: 't1-database', values: ['esx1.lab', 'esx2.lab'] }],
      }),
    );
  });

  test('how many VMs moved in the run', () => {
    const moved = run('a');
    moved.record.inventoryAfter!.vms[0]!.hostRef = 'host-2';
    expect(setupFacts(moved.record)).toContainEqual([
      'VMs',
      'Moved to another host in the run',
      '1',
    ]);
  });

  test('no inventory is said, not guessed', () => {
    const blind = run('b');
    blind.record.inventoryBefore = null;
    expect(compare(run('a'), blind).setup).toEqual([
      expect.objectContaining({
        label: 'Inventory before the run',
        values: ['recorded', 'not recorded'],
      }),
    ]);
  });

  test.each([
    [[], 'none'],
    [['a'], 'a'],
    [['a', 'a'], '2 × a'],
    [['b', 'a', 'b'], '1 × a, 2 × b'],
    [[null], 'not recorded'],
  ])('tally of %j is %s', (list, text) => expect(tally(list)).toBe(text));
});

describe('guards', () => {
  const newer = { ...demoProfile, version: '1.1' };
  const worst = { ...demoProfile, scoring: { ...demoProfile.scoring, periods: 'worst' as const } };
  const edited = {
    ...demoProfile,
    workloads: demoProfile.workloads.map((w) => ({ ...w, qos: [] })),
  };
  test.each([
    [
      'profile version',
      { profile: newer },
      'Different profile or version: Open-driver tile 1.0 against Open-driver tile 1.1.',
    ],
    [
      'scoring rule',
      { profile: worst },
      /^Different scoring rule: .*median of the periods against .*worst of the periods\.$/,
    ],
    ['edited profile', { profile: edited }, /^The same profile version was edited/],
    [
      'phase lengths',
      { phases: { ...demoProfile.phases, steadyS: 240 } },
      /^Different phase lengths: 60 s up, 180 s steady in 3 periods, 20 s down against/,
    ],
    ['origin', { origin: 'simulated' as const }, 'Different origin: real against simulated.'],
    ['aborted', { state: 'aborted' as const }, 'Run b ended aborted.'],
    ['running', { state: 'steady' as const }, 'Run b is not finished (Steady state).'],
    ['not compliant', { latency: 3 }, /^Run b is not compliant: /],
    [
      'references',
      { references: { database: 400, file: 24.31, java: 1543.2 } },
      /^Different score references: Run b against Run a\./,
    ],
  ])('%s', (_, more, text) => {
    const result = compare(run('a'), run('b', more));
    expect(result.guards).toContainEqual(
      typeof text === 'string' ? text : expect.stringMatching(text),
    );
    expect(result.sentence).toMatch(/^Not comparable, for \d reasons?\.$/);
  });

  test('tile mix', () => {
    const other = run('b');
    other.record.testbed.tiles.forEach((t) => t.workloads.pop());
    expect(compare(run('a'), other).guards).toEqual([
      'Different tile mix: database + file + java + standby against database + file + java.',
    ]);
  });

  test('the number of tiles is what a scaling study sweeps: no guard, but it is shown', () => {
    const result = compare(run('a'), run('b', { tiles: 4 }));
    expect(result.guards).toEqual([]);
    expect(result.setup).toContainEqual(
      expect.objectContaining({ group: 'Plan', label: 'Tiles', values: ['2', '4'] }),
    );
  });

  test('scores to different references have no delta, their raw metrics do', () => {
    const rows = compare(
      run('a'),
      run('b', { references: { database: 400, file: 24.31, java: 1543.2 }, speed: 1.1 }),
    ).rows;
    expect(rows.find((r) => r.key === 'score')!.deltaPct).toEqual([null, null]);
    expect(rows.find((r) => r.key === 'throughput.java.events/s')!.deltaPct[1]).toBeCloseTo(10, 1);
  });
});

describe('sentence', () => {
  test('single runs without samples never claim more than they can', () => {
    expect(compare(run('a'), run('b', { speed: 1.032 })).sentence).toBe(
      "Run b scores 3.20 % higher than Run a (2.06 against 2.00): can't tell (one run each, and fewer than 20 whole stretches of the steady state).",
    );
  });
  test('single runs speak of the noise within them, and say so', () => {
    const { sentence, rows } = buildComparison(
      'a',
      [run('a'), run('b', { speed: 1.1 })].map(withSlots),
    );
    expect(sentence).toMatch(
      /^Run b scores 10\.0 % higher than Run a .*: better \(one run each: repeat to be sure\)\.$/,
    );
    expect(rows[0]!.tests[1]!.basis).toMatch(/block bootstrap, 90 and 90 values, blocks of \d/);
    expect(intervalText(rows[0]!.tests[1]!)).toMatch(
      /^95 % interval \+9\.\d+ % to \+10\.\d %; a difference of 0\.\d+ % would be found in 4 of 5 cases$/,
    );
  });
  const repeats = (hash: string, ...speeds: number[]) =>
    speeds.map((speed, i) => run(`${hash}${i}`, { planHash: hash, speed }));
  test('repeats of both plans give an interval and a word', () => {
    const { sentence, rows } = compare(
      ...repeats('h', 1, 1.01, 0.99),
      ...repeats('k', 1.2, 1.21, 1.19),
    );
    expect(sentence).toBe(
      'Run k0 (3 repeats) scores 20.0 % higher than Run h0 (3 repeats) (2.40 against 2.00): better (3 against 3 repeats, Welch).',
    );
    expect(intervalText(rows[0]!.tests[1]!)).toBe(
      '95 % interval +17.7 % to +22.3 %; a difference of 3.03 % would be found in 4 of 5 cases',
    );
    expect(
      compare(...repeats('h', 1, 1.01, 0.99), ...repeats('k', 1.004, 1.014, 0.994)).sentence,
    ).toMatch(/: within noise \(3 against/);
  });
  test('repeats that scatter too much cannot call a difference noise', () =>
    expect(
      compare(...repeats('h', 1, 1.1, 0.9), ...repeats('k', 1.02, 1.12, 0.95)).sentence,
    ).toMatch(/: can't tell \(3 against/));
  test('one run against three repeats: the noise of the repeats is taken for both', () =>
    expect(compare(...repeats('h', 1, 1.01, 0.99), run('b', { speed: 1.1 })).sentence).toMatch(
      /: better \(noise of 3 repeats of the same plan, 1\.00 % from run to run\)\.$/,
    ));
  test('two repeats are too few to learn noise from', () =>
    expect(compare(...repeats('h', 1, 1.01), run('b', { speed: 1.1 })).sentence).toMatch(
      /can't tell \(1 against 2 runs: both need repeats, or one of them 3\)\.$/,
    ));
  test('repeats that nobody chose teach the noise too', () => {
    const result = buildComparison(
      'a',
      [run('a', { planHash: 'h' }), run('b', { planHash: 'k', speed: 1.1 })],
      repeats('h', 1.01, 0.99, 1),
    );
    expect(result.sentence).toMatch(/: better \(noise of 4 repeats of the same plan/);
    expect(result.runs).toHaveLength(2);
  });
  test('the same plan on other hosts is another side, not a repeat', () => {
    const result = compare(
      run('a', { planHash: 'h' }),
      run('b', { planHash: 'h', esxBuild: '24585383' }),
    );
    expect(result.sides.map((s) => s.runs)).toEqual([[0], [1]]);
    expect(
      compare(run('a', { planHash: 'h' }), run('b', { planHash: 'h' })).sides.map((s) => s.runs),
    ).toEqual([[0, 1]]);
  });
  test('three repeats of one plan give their range', () =>
    expect(compare(...repeats('h', 1, 1.1, 0.9)).sentence).toBe(
      '3 repeats of one plan on one set-up: scores from 1.80 to 2.20, mean 2.00, 10.0 % from run to run.',
    ));
  test('one run alone', () =>
    expect(compare(run('a')).sentence).toBe('One run: nothing to compare with.'));
  test('without a score', () => {
    const b = run('b');
    b.record.overview.score!.total = null;
    expect(compare(run('a'), b).sentence).toBe(
      'No score to compare: Run b has none. The totals of each workload are compared below.',
    );
  });
});

test.each([
  [0, '0'],
  [2.0638, '2.06'],
  [15.94, '15.9'],
  [1234.5, '1235'],
  [0.01234, '0.0123'],
  [-3.2, '-3.20'],
  [9.9999, '10.0'],
  [-99.96, '-100'],
])('%d in three figures is %s', (value, text) => expect(threeFigures(value)).toBe(text));

test('steady window: none before it, up to now while it lasts, as it ended after', () => {
  expect(steadyWindow(run('a', { state: 'rampUp' }).record.overview)).toBeNull();
  const { startedAtMs } = run('a').spec;
  expect(steadyWindow(run('a', { state: 'steady' }).record.overview)).toEqual({
    startMs: startedAtMs + 60_000,
    endMs: startedAtMs + 150_000,
  });
  expect(steadyWindow(run('a').record.overview)).toEqual({
    startMs: startedAtMs + 60_000,
    endMs: startedAtMs + 240_000,
  });
});

test('an empty window becomes null, for the steady state and for each period', () => {
  const { overview } = run('a').record;
  const empty = aggregateRun(overview, () => ({ count: 0, mean: NaN, min: NaN, max: NaN }));
  expect(
    empty.series.every(
      (s) => s.steady === null && s.periods.length === 3 && s.periods.every((p) => p === null),
    ),
  ).toBe(true);
  expect(empty.steadyS).toBe(180);
});
