import type { StudyOverview, StudySpec } from '../../../src/core/study/study.ts';
import { studySpecSchema } from '../../../src/core/study/study.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';

let harness: Harness;
afterEach(async () => {
  await harness.close();
});

const tiles = (values: number[]): Record<string, unknown> => ({
  name: 'tiles',
  label: 'Tiles',
  unit: 'tiles',
  parameter: { kind: 'tiles' },
  values,
});
const spec = (change: Record<string, unknown> = {}): StudySpec =>
  studySpecSchema.parse({
    schemaVersion: 1,
    id: 's',
    name: 'Study',
    planId: 'plan',
    axes: [tiles([1, 2])],
    charts: [{ title: 'Score', measure: 'score', unit: '' }],
    ...change,
  });
/** Short runs; a steady state holds two samples of a counter. */
const phases = { rampUpS: 5, staggerS: 1, steadyS: 45, periods: 1, rampDownS: 5 };
// A study is several runs, each second of which waits for the disk.
const snapshots = (): StudyOverview[] =>
  harness.events.flatMap((e) => (e.event === 'study.changed' ? [e.payload as StudyOverview] : []));
async function start(
  change: Record<string, unknown> = {},
  options: { tiles?: number; references?: boolean } = {},
): Promise<void> {
  harness = await createHarness({ limits: { lastCountersMs: 5_000 } });
  const file = testPlanFile({ phases });
  const tile = file.testbed.tiles[0]!;
  const count = options.tiles ?? 4;
  const profile =
    options.references === false
      ? { ...testProfile, workloads: testProfile.workloads.map((w) => ({ ...w, reference: null })) }
      : testProfile;
  await importOwn(
    harness,
    sourceOf({
      ...file,
      profile,
      testbed: {
        ...file.testbed,
        tiles: Array.from({ length: count }, (_, index) => ({
          index,
          workloads: tile.workloads.map((w, i) => ({
            ...w,
            vm: { ref: `vm-${(index * 2 + i) % 8}`, name: `vm${(index * 2 + i) % 8}` },
          })),
        })),
      },
    }),
  );
  await harness.call('study.save', spec(change));
}
const overview = (): Promise<StudyOverview> => harness.call('study.overview', { id: 's' });
const last = (): StudyOverview | undefined =>
  harness.events.findLast((e) => e.event === 'study.changed')?.payload as StudyOverview | undefined;
const stateIs =
  (...states: string[]) =>
  (): boolean =>
    states.includes(last()?.state ?? '');
const until = (...states: string[]): Promise<void> =>
  harness.clock.advanceUntil(stateIs(...states), 4_000_000);
const runs = async (): Promise<string[]> =>
  (await harness.call('run.list', {})).map((r) => `${r.study?.key ?? 'none'} ${r.state}`).reverse();
const pointStates = (o: StudyOverview): string[] => o.points.map((p) => `${p.key} ${p.state}`);

test('a sweep of tiles runs each point as a user would, with its measures, and says which study made a run', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await until('done');
  const done = await overview();
  expect(pointStates(done)).toEqual(['tiles=1;repeat=1 passed', 'tiles=2;repeat=1 passed']);
  expect(await runs()).toEqual(['tiles=1;repeat=1 passed', 'tiles=2;repeat=1 passed']);
  const [one, two] = done.points;
  expect(one!.measures).toMatchObject({
    score: 1,
    'throughput.java.sum': 100,
    'throughput.java.mean': 100,
    'latencyP95Ms.java.max': 1.5,
    'cpuPct.host.mean': 50,
    'cpuPct.host.min': 50,
    'iops.datastore.sum': 50,
    'deviceLatencyMs.datastore.mean': 50,
    'powerW.sum.mean': 200,
    'powerW.sum.max': 200,
    wattsPerVm: 100,
  });
  expect(two!.measures).toMatchObject({
    score: 2,
    'throughput.java.sum': 200,
    'throughput.java.mean': 100,
    wattsPerVm: 50,
  });
  expect((await harness.call('run.overview', { id: two!.runId! })).name).toBe('Study: 2 tiles');
  expect((await harness.call('run.record', { id: two!.runId! })).plan).toMatchObject({
    id: 'plan',
    tiles: 2,
    study: { id: 's', key: 'tiles=2;repeat=1' },
  });
  // The plan itself is as it was, and the list has no other.
  expect((await harness.call('plan.list', {})).map((p) => [p.id, p.tiles, p.study])).toEqual([
    ['plan', 2, null],
  ]);
  expect(snapshots().every((s, i, all) => i === 0 || s.rev > all[i - 1]!.rev)).toBe(true);
  expect(await harness.call('study.list', {})).toEqual([
    expect.objectContaining({
      id: 's',
      state: 'done',
      done: 2,
      total: 2,
      axis: 'Tiles',
      origin: 'real',
    }),
  ]);
  await expect(harness.call('study.start', { id: 's' })).rejects.toMatchObject({
    kind: 'conflict',
  });
});

test('a driver parameter is swept, and reaches the command of every tile', async () => {
  await start({
    axes: [
      {
        name: 'threads',
        label: 'Threads',
        parameter: { kind: 'option', workloadId: 'java', param: 'threads' },
        values: [1, 2, 4],
      },
    ],
  });
  harness.lab.setLoad((command) => ({
    throughput: 10 * Number(/--threads=(\d+)/.exec(command)?.[1]),
  }));
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect(
    (await overview()).points.map((p) => [
      p.measures['throughput.java.mean'],
      p.measures['throughput.batch.mean'],
    ]),
  ).toEqual([
    [10, 10],
    [20, 10],
    [40, 10],
  ]);
});

test('without reference values the reference point scores 1.0 and the others against it', async () => {
  await start(
    {
      axes: [
        {
          name: 'threads',
          label: 'Threads',
          parameter: { kind: 'option', workloadId: 'java', param: 'threads' },
          values: [4, 1],
        },
      ],
      reference: { threads: 1 },
    },
    { references: false },
  );
  harness.lab.setLoad((command, id) =>
    id.endsWith('java') ? { throughput: 10 * Number(/--threads=(\d+)/.exec(command)?.[1]) } : {},
  );
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect(await runs()).toEqual(['threads=1;repeat=1 passed', 'threads=4;repeat=1 passed']);
  // Java fourfold, batch as it was: two tiles of √4.
  expect((await overview()).points.map((p) => p.measures['score'])).toEqual([
    expect.closeTo(4, 6),
    expect.closeTo(2, 6),
  ]);
});

test('the first QoS failure ends its curve and is told with the limit', async () => {
  await start({ axes: [tiles([1, 2, 3, 4])], stopRule: 'firstQosFailure' });
  harness.lab.setLoad((_command, id) => (id === 't2.java' ? { p95Ms: 12 } : {}));
  await harness.call('study.start', { id: 's' });
  await until('done');
  const done = await overview();
  expect(pointStates(done)).toEqual([
    'tiles=1;repeat=1 passed',
    'tiles=2;repeat=1 passed',
    'tiles=3;repeat=1 qosFailed',
    'tiles=4;repeat=1 skipped',
  ]);
  expect(done.points[2]!.detail).toBe('Java 95th percentile latency 12 ms, at most 10 ms (tile 3)');
  expect(done.points[3]!.detail).toContain('3 tiles missed');
  expect(done.points[2]!.measures['score']).toBe(3);
});

test('a run that its rule ends early is a QoS failure of its point: the stop rule goes on from there', async () => {
  await start({ axes: [tiles([1, 2, 3])], stopRule: 'firstQosFailure' });
  const [plan] = await harness.call('plan.list', {});
  await harness.call('plan.save', {
    ...plan!,
    earlyAbort: { when: 'certain', periods: 1, warnS: 5 },
  });
  harness.lab.setLoad((_command, id) => (id === 't1.java' ? { p95Ms: 90 } : {}));
  await harness.call('study.start', { id: 's' });
  await until('done');
  const { points } = await overview();
  expect(points.map((p) => p.state)).toEqual(['passed', 'qosFailed', 'skipped']);
  expect(points[1]!.detail).toContain('Ended early by its rule');
  expect(points[1]!.measures).toEqual({});
  expect(await harness.call('run.overview', { id: points[1]!.runId! })).toMatchObject({
    state: 'failed',
    abortReason: 'qos',
  });
});

test('two axes: a QoS failure ends one curve only', async () => {
  await start({
    axes: [
      tiles([1, 2]),
      {
        name: 'threads',
        label: 'Threads',
        parameter: { kind: 'option', workloadId: 'java', param: 'threads' },
        values: [1, 2],
      },
    ],
    stopRule: 'firstQosFailure',
  });
  harness.lab.setLoad((command, id) =>
    id === 't0.java' && command.includes('threads=1') ? { p95Ms: 11 } : {},
  );
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect(pointStates(await overview())).toEqual([
    'tiles=1;threads=1;repeat=1 qosFailed',
    'tiles=2;threads=1;repeat=1 skipped',
    'tiles=1;threads=2;repeat=1 passed',
    'tiles=2;threads=2;repeat=1 passed',
  ]);
});

test('find the limit: coarse steps, bisection, confirmation', async () => {
  await start({ findLimit: { from: 1, to: 4, coarseStep: 3, resolution: 1, confirmations: 1 } });
  harness.lab.setLoad((_command, id) => (id === 't2.java' ? { p95Ms: 12 } : {}));
  await harness.call('study.start', { id: 's' });
  await until('done');
  const done = await overview();
  expect(await runs()).toEqual([
    'tiles=1;repeat=1 passed',
    'tiles=4;repeat=1 passed',
    'tiles=3;repeat=1 passed',
    'tiles=2;repeat=1 passed',
    'tiles=2;repeat=2 passed',
    'tiles=3;repeat=2 passed',
  ]);
  expect(done.limit).toEqual({ lastPass: 2, firstFail: 3, confirmed: 1 });
  expect(done.detail).toContain('2 passed, 3 failed');
});

test('pause ends after the run in progress; start goes on; the pause between runs is kept', async () => {
  await start({ axes: [tiles([1, 2, 3])], pauseS: 100 });
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[1]?.state === 'running', 600_000);
  const first = (await harness.call('run.list', {})).find(
    (r) => r.study?.key === 'tiles=1;repeat=1',
  )!;
  expect(
    harness.clock.now() - (await harness.overview(first.id)).endedAtMs!,
  ).toBeGreaterThanOrEqual(100_000);
  await harness.call('study.pause', { id: 's' });
  expect((await overview()).state).toBe('pausing');
  await until('paused');
  expect(pointStates(await overview())).toEqual([
    'tiles=1;repeat=1 passed',
    'tiles=2;repeat=1 passed',
    'tiles=3;repeat=1 pending',
  ]);
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect(await runs()).toHaveLength(3);
});

test('pause now aborts the run too, and its point is run again', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  await harness.clock.advance(20_000);
  await harness.call('study.pause', { id: 's', now: true });
  await until('paused');
  const paused = (await overview()).points[0]!;
  expect([paused.state, paused.measures]).toEqual(['aborted', {}]);
  await harness.call('study.start', { id: 's' });
  await until('done');
  const again = (await overview()).points[0]!;
  expect([again.state, again.earlierRunIds]).toEqual(['passed', [paused.runId]]);
});

test('an engine killed in the middle of a point goes on with the run that was picked up', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  await harness.clock.advance(30_000);
  await harness.restart();
  expect((await overview()).state).toBe('running');
  await until('done');
  expect(await runs()).toEqual(['tiles=1;repeat=1 passed', 'tiles=2;repeat=1 passed']);
  expect((await overview()).points[0]!.measures['throughput.java.mean']).toBe(100);
});

test('an engine that does not stay leaves a running study alone; the next goes on', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  await harness.restart(undefined, { resumeStudies: false });
  await harness.clock.advance(600_000);
  expect(await runs()).toEqual(['tiles=1;repeat=1 passed']);
  expect((await overview()).state).toBe('running');
  await harness.restart();
  await until('done');
  expect(await runs()).toEqual(['tiles=1;repeat=1 passed', 'tiles=2;repeat=1 passed']);
});

test('a point whose run was lost before its load started is repeated', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  const lost = last()!.points[0]!.runId!;
  // As the journal stands when the process dies while the run is being checked.
  await harness.restart((db) => {
    const record = db.runs.get(lost)!;
    db.runs.save({
      ...record,
      overview: { ...record.overview, state: 'checking', phases: [], startedAtMs: null },
    });
  });
  await until('done');
  const point = (await overview()).points[0]!;
  expect([point.state, point.earlierRunIds]).toEqual(['passed', [lost]]);
  expect((await runs()).sort()).toEqual([
    'tiles=1;repeat=1 aborted',
    'tiles=1;repeat=1 passed',
    'tiles=2;repeat=1 passed',
  ]);
});

test('a point whose load went down with the engine is repeated, not failed', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  await harness.clock.advance(20_000);
  const lost = last()!.points[0]!.runId!;
  // The machine of engine and clients was switched off: no job of the run is left anywhere.
  await harness.restart(() => harness.lab.jobs.clear());
  await until('done', 'failed');
  expect((await overview()).points.map((p) => [p.state, p.earlierRunIds])).toEqual([
    ['passed', [lost]],
    ['passed', []],
  ]);
  expect((await harness.overview(lost)).state).toBe('failed');
});

test('a re-run replaces the point and keeps the earlier run', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await until('done');
  const before = (await overview()).points[1]!;
  harness.lab.setLoad(() => ({ throughput: 50 }));
  await harness.call('study.rerun', { id: 's', key: 'tiles=2;repeat=1' });
  await expect(
    harness.call('study.rerun', { id: 's', key: 'tiles=1;repeat=1' }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  await until('done');
  const [one, two] = (await overview()).points;
  expect(two).toMatchObject({
    state: 'passed',
    earlierRunIds: [before.runId],
    measures: { 'throughput.java.mean': 50 },
  });
  expect(one!.measures['throughput.java.mean']).toBe(100);
  await expect(
    harness.call('study.rerun', { id: 's', key: 'tiles=9;repeat=1' }),
  ).rejects.toMatchObject({ kind: 'notFound' });
});

test('a manual axis waits for a person before each value, also over a restart', async () => {
  await start({
    axes: [
      {
        name: 'cable',
        label: 'Cable',
        parameter: { kind: 'manual', instruction: 'Plug the cable.' },
        values: ['a', 'b'],
        valueLabels: { a: 'port A', b: 'port B' },
      },
    ],
  });
  await harness.call('study.start', { id: 's' });
  await until('waiting');
  expect((await overview()).instruction).toBe('Plug the cable. Next value: port A.');
  expect(await runs()).toEqual([]);
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(
    () => last()?.state === 'waiting' && last()?.points[0]?.state === 'passed',
    600_000,
  );
  await harness.restart();
  expect(await overview()).toMatchObject({
    state: 'waiting',
    instruction: 'Plug the cable. Next value: port B.',
  });
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect(pointStates(await overview())).toEqual([
    'cable=a;repeat=1 passed',
    'cable=b;repeat=1 passed',
  ]);
});

test('a failed run stops the study; starting again repeats it', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  await harness.clock.advance(20_000);
  harness.lab.crash('t0.java', 3);
  await until('failed');
  expect(await overview()).toMatchObject({
    detail: expect.stringContaining('exit code 3'),
    activeKey: null,
  });
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect((await overview()).points[0]).toMatchObject({
    state: 'passed',
    earlierRunIds: [expect.any(String)],
  });
});

test('a run that a person aborts pauses the study', async () => {
  await start({ stopRule: 'never' });
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.runId != null, 60_000);
  await harness.clock.advance(20_000);
  await harness.call('run.abort', { id: last()!.points[0]!.runId! });
  await until('paused');
  expect((await overview()).detail).toContain('Aborted by the user');
});

test('a plan that cannot be launched fails its point with the blocking findings', async () => {
  await start({ axes: [tiles([1, 9])] });
  await harness.call('study.start', { id: 's' });
  await until('failed');
  expect((await overview()).points[1]).toMatchObject({
    state: 'failed',
    runId: null,
    detail: expect.stringContaining('The plan runs 9 tiles, the testbed Bed has 4'),
  });
});

test('one study at a time; a running one is not changed or removed; a lab property needs the simulated lab', async () => {
  await start();
  await harness.call('study.save', spec({ id: 's2', name: 'Second' }));
  await harness.call('study.start', { id: 's' });
  await expect(harness.call('study.start', { id: 's2' })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('one runs at a time'),
  });
  await expect(harness.call('study.start', { id: 's' })).rejects.toMatchObject({
    kind: 'conflict',
  });
  await expect(harness.call('study.save', spec())).rejects.toMatchObject({ kind: 'conflict' });
  await expect(harness.call('study.remove', { id: 's' })).rejects.toMatchObject({
    kind: 'conflict',
  });
  await expect(
    harness.call(
      'study.save',
      spec({
        id: 's3',
        axes: [
          {
            name: 'stars',
            label: 'Stars',
            parameter: { kind: 'lab', path: 'drs.stars' },
            values: [1, 2],
          },
        ],
      }),
    ),
  ).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('simulated lab') });
  await expect(
    harness.call(
      'study.save',
      spec({ id: 's3', axes: [tiles(Array.from({ length: 100 }, (_, i) => i + 1))], repeats: 20 }),
    ),
  ).rejects.toMatchObject({ kind: 'invalidInput', message: expect.stringContaining('2000 runs') });
  await expect(harness.call('study.overview', { id: 'none' })).rejects.toMatchObject({
    kind: 'notFound',
  });
  await until('done');
  await harness.call('study.remove', { id: 's2' });
  expect((await harness.call('study.list', {})).map((s) => s.id)).toEqual(['s']);
});

test('a study that is changed keeps the points it still has', async () => {
  await start();
  await harness.call('study.start', { id: 's' });
  await until('done');
  await harness.call('study.save', spec({ axes: [tiles([2, 3])] }));
  expect((await overview()).state).toBe('paused');
  expect(pointStates(await overview())).toEqual([
    'tiles=2;repeat=1 passed',
    'tiles=3;repeat=1 pending',
  ]);
  await harness.call('study.start', { id: 's' });
  await until('done');
  expect(await runs()).toHaveLength(3);
});

test('a plan or testbed that a study needs is not removed; a removed reference run is told', async () => {
  await start(
    {
      axes: [
        {
          name: 'threads',
          label: 'Threads',
          parameter: { kind: 'option', workloadId: 'java', param: 'threads' },
          values: [1, 2],
        },
        { name: 'bed', label: 'Bed', parameter: { kind: 'testbed' }, values: ['tb', 'tb2'] },
      ],
    },
    { references: false },
  );
  const testbed = (await harness.call('testbed.list', {})).find((t) => t.id === 'tb')!;
  await harness.call('testbed.save', { ...testbed, id: 'tb2', name: 'Other bed' });
  await expect(harness.call('plan.remove', { id: 'plan' })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('swept by study Study'),
  });
  await expect(harness.call('testbed.remove', { id: 'tb2' })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('a value of study Study'),
  });
  await harness.call('study.start', { id: 's' });
  await harness.clock.advanceUntil(() => last()?.points[0]?.state === 'passed', 600_000);
  await harness.call('study.pause', { id: 's' });
  await until('paused');
  await harness.call('run.remove', { id: (await overview()).points[0]!.runId! });
  await harness.call('study.start', { id: 's' });
  await until('failed');
  expect((await overview()).detail).toContain('Run the reference point again');
  await harness.call('study.rerun', { id: 's', key: 'threads=1;bed=tb;repeat=1' });
  await until('paused');
  await harness.call('study.start', { id: 's' });
  await until('done');
  const done = await overview();
  expect(done.points.map((p) => p.state)).toEqual(['passed', 'passed', 'passed', 'passed']);
  expect(
    await Promise.all(
      done.points.map(async (p) => (await harness.call('run.record', { id: p.runId! })).testbed.id),
    ),
  ).toEqual(['tb', 'tb', 'tb2', 'tb2']);
});

test("knees of a response time: plateau, stressed region, and the highest load within the profile's own limit", async () => {
  await start({
    axes: [
      {
        name: 'threads',
        label: 'Threads',
        parameter: { kind: 'option', workloadId: 'java', param: 'threads' },
        values: [1, 2, 3, 4, 5, 6, 7],
      },
    ],
    charts: [
      { title: 'p95', measure: 'latencyP95Ms.java.max', unit: 'ms' },
      { title: 'CPU', measure: 'cpuPct.host.mean', unit: '%' },
    ],
  });
  // A queue with room for eight: 1.5 ms over what is left.
  harness.lab.setLoad((command) => ({
    p95Ms: 1.5 / (1 - Number(/--threads=(\d+)/.exec(command)?.[1] ?? 1) / 8),
  }));
  await harness.call('study.start', { id: 's' });
  await until('done');
  const { knees } = await overview();
  expect(knees.map((k) => k.measure)).toEqual(['latencyP95Ms.java.max']);
  const of = (method: string): unknown =>
    knees[0]!.results.find((r) => r.method.startsWith(method));
  // 12 ms at 7 threads, 6 ms at 6: the limit of 10 ms is crossed between them.
  expect(of('highest load within 10')).toMatchObject({
    low: 6,
    high: 7,
    estimate: expect.closeTo(6 + 4 / 6, 1),
  });
  expect(of('performance plateau')).toMatchObject({ low: 1, high: 2 });
  expect(of('stressed region')).toMatchObject({ low: 2, high: expect.closeTo(6.67, 1) });
  expect((await overview()).points.at(-1)!.state).toBe('qosFailed');
});

test('repeats are runs of their own; knees are told only where there are enough points', async () => {
  await start({ repeats: 2 });
  await harness.call('study.start', { id: 's' });
  await until('done');
  const done = await overview();
  expect(done.points.map((p) => p.key)).toEqual([
    'tiles=1;repeat=1',
    'tiles=1;repeat=2',
    'tiles=2;repeat=1',
    'tiles=2;repeat=2',
  ]);
  expect(done.knees).toEqual([
    {
      measure: 'score',
      series: '',
      results: expect.arrayContaining([
        expect.objectContaining({
          method: 'two-segment regression',
          estimate: null,
          note: 'needs 6 values, has 2',
        }),
      ]),
    },
  ]);
});
