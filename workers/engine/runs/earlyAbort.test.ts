import type { EarlyAbortRule } from '../../../src/core/plan/earlyAbortRule.ts';
import type { RunOverview } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
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

const rule = (patch: Partial<EarlyAbortRule> = {}): EarlyAbortRule => ({
  when: 'certain',
  periods: 2,
  warnS: 9,
  ...patch,
});
const phases = { rampUpS: 6, staggerS: 0, steadyS: 90, periods: 3, rampDownS: 2 };
const last = (id: string): RunOverview | undefined =>
  harness.overviews.findLast((o) => o.id === id);
const ended = (id: string) => (): boolean => isEnd(last(id)?.state ?? 'draft');
const warned = (id: string) => (): boolean => last(id)?.earlyAbort?.state === 'warned';
const elapsedS = (overview: RunOverview, tMs: number): number =>
  Math.round((tMs - overview.startedAtMs!) / 1_000);

/**
 * One tile with a limit of 10 ms at the 95th percentile: ramp-up 6 s, then three periods of 30 s.
 * The job starts with the ramp-up.
 */
async function launch(
  p95At: (second: number) => number,
  earlyAbort: EarlyAbortRule | null,
): Promise<string> {
  harness = await createHarness();
  harness.lab.setLoad((_command, jobId) => (jobId === 't0.java' ? { p95At } : {}));
  return harness.launch({
    ...testPlanFile({
      earlyAbort,
      tiles: 1,
      phases,
      sampling: { workloadMs: 1_000, vcenterMs: 30_000 },
    }),
    profile: testProfile,
  });
}

test('two missed periods in a row: warned, then ended in order; what was measured is kept, the score says why', async () => {
  const id = await launch(() => 50, rule());
  await harness.clock.advanceUntil(warned(id), 400_000);
  const warning = last(id)!;
  // A third into the second period the mean so far is 50/3 for all of it: no value can keep 10.
  expect(elapsedS(warning, warning.earlyAbort!.atMs)).toBe(46);
  expect(warning.earlyAbort!.dueMs - warning.earlyAbort!.atMs).toBe(9_000);
  expect(warning.state).toBe('steady');
  expect(harness.events.filter((e) => e.event === 'notice')).toHaveLength(1);
  await harness.clock.advanceUntil(ended(id), 120_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({
    state: 'failed',
    abortReason: 'qos',
    earlyAbort: { state: 'ended' },
  });
  expect(overview.verdict).toMatchObject({
    outcome: 'failed',
    compliant: false,
    sentence: expect.stringMatching(
      /^Failed: Ended early by its rule, when a QoS limit is certain to be missed in 2 periods in a row\. Tile 1 Java, 95th percentile latency, limit ≤ 10\.0 ms: missed in 2 periods in a row, 1 to 2; /,
    ),
  });
  expect(overview.findings.find((f) => f.id === 'earlyAbort')).toMatchObject({ severity: 'block' });
  expect(overview.events.find((e) => e.kind === 'abort')!.text).toContain(
    'Ended early by its rule',
  );
  expect(elapsedS(overview, overview.events.find((e) => e.kind === 'abort')!.tMs)).toBe(55);
  expect(overview.score).toMatchObject({
    total: null,
    qosPassed: false,
    missing: [expect.stringContaining('no total: Ended early by its rule')],
  });
  expect(overview.score!.periods.map((p) => p.qosPassed)).toEqual([false]);
  const series = overview.series.find(
    (s) => s.entity.id === 't0.java' && s.metric === 'throughput',
  )!;
  const [data] = await harness.call('run.samples', {
    runId: id,
    seriesIds: [series.id],
    maxPoints: 0,
  });
  expect(data!.tMs.length).toBeGreaterThanOrEqual(54);
  expect(harness.lab.running).toBe(0);
  expect(harness.lab.swept).toContain(id);
});

test.each([
  [
    'one bad sample in each period',
    (s: number) => (s % 30 === 12 ? 1e6 : 1.5),
    rule({ when: 'forecast', periods: 1 }),
  ],
  ['a bad period between good ones', (s: number) => (s >= 37 && s < 66 ? 50 : 1.5), rule()],
  ['no rule', () => 50, null],
])('%s: the run goes to its planned end', async (_name, p95At, earlyAbort) => {
  const id = await launch(p95At, earlyAbort);
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'passed', abortReason: null });
  expect(overview.earlyAbort).toBeUndefined();
});

test('a forecast that no longer holds when the warning is over calls the end off', async () => {
  const id = await launch(
    (s) => (s >= 6 && s < 17 ? 12 : 1.5),
    rule({ when: 'forecast', periods: 1 }),
  );
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'passed', earlyAbort: { state: 'withdrawn' } });
  expect(overview.events.map((e) => e.text).join('\n')).toContain('The early end is called off');
});

test('let run: the rule is silent from then on, and the run says so', async () => {
  const id = await launch(() => 50, rule({ periods: 1 }));
  await expect(harness.call('run.letRun', { id })).rejects.toMatchObject({ kind: 'conflict' });
  await harness.clock.advanceUntil(warned(id), 400_000);
  await harness.call('run.letRun', { id });
  await harness.clock.advanceUntil(ended(id), 600_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({
    state: 'passed',
    abortReason: null,
    earlyAbort: { state: 'vetoed' },
  });
  expect(overview.findings.find((f) => f.id === 'earlyAbort')).toMatchObject({
    severity: 'info',
    text: expect.stringContaining('it was let run'),
  });
});

test('another engine goes on with the count', async () => {
  const id = await launch(() => 50, rule());
  await harness.clock.advanceUntil(
    () => (last(id)?.nowMs ?? 0) > (last(id)?.periods[0]?.endMs ?? Infinity) + 6_000,
    400_000,
  );
  await harness.restart();
  await harness.clock.advanceUntil(ended(id), 200_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'failed', abortReason: 'qos' });
  expect(overview.earlyAbort!.text).toContain('2 periods in a row, 1 to 2');
  expect(elapsedS(overview, overview.events.find((e) => e.kind === 'abort')!.tMs)).toBeLessThan(60);
});

test('a warning that ran out while no engine was there is given again before the end', async () => {
  const id = await launch(() => 50, rule());
  await harness.clock.advanceUntil(warned(id), 400_000);
  await harness.engine.close();
  await harness.clock.advance(12_000);
  const backMs = harness.clock.now();
  await harness.restart();
  await harness.clock.advance(5_000);
  expect(last(id)).toMatchObject({
    state: 'steady',
    earlyAbort: { state: 'warned', dueMs: expect.any(Number) },
  });
  await harness.clock.advanceUntil(ended(id), 120_000);
  const overview = await harness.overview(id);
  expect(overview).toMatchObject({ state: 'failed', abortReason: 'qos' });
  expect(overview.events.find((e) => e.kind === 'abort')!.tMs - backMs).toBeGreaterThanOrEqual(
    9_000,
  );
});

test('so near the end of the steady state that it saves nothing, nothing is ended', async () => {
  const id = await launch((s) => (s >= 66 ? 50 : 1.5), rule({ periods: 1, warnS: 30 }));
  await harness.clock.advanceUntil(ended(id), 600_000);
  expect(await harness.overview(id)).toMatchObject({ state: 'passed', abortReason: null });
});
