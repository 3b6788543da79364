import type { RunOverview } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

const phases = { rampUpS: 20, staggerS: 10, steadyS: 80, periods: 2, rampDownS: 10 };
let harness: Harness;
let id: string;
beforeEach(async () => {
  harness = await createHarness({ ownTime: true, limits: { lostMs: 20_000 } });
  id = await harness.launch(testPlanFile({ phases }));
  await harness.clock.advanceUntil(() => last().state === 'steady', 120_000);
  await harness.clock.advance(10_500);
});
afterEach(async () => {
  await harness.close();
});

const last = (): RunOverview => harness.overviews.findLast((o) => o.id === id)!;
async function end(): Promise<RunOverview> {
  await harness.clock.advanceUntil(() => isEnd(last().state), 900_000);
  return harness.overview(id);
}
const everySecond = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** What holds of a run whose peers did nothing wrong, whatever this computer did. */
async function expectUnblamed(overview: RunOverview): Promise<void> {
  expect(overview).toMatchObject({ state: 'passed', verdict: { outcome: 'passed' } });
  const steady = overview.phases.find((p) => p.name === 'steady')!;
  expect(steady.endMs! - steady.startMs).toBe(80_000);
  expect(overview.events.filter((e) => e.kind === 'fault')).toEqual([]);
  const ids = overview.findings.map((f) => f.id);
  expect(
    ids.filter((one) => /^(silent|lost|late|late-end|workload|drift|link|outage)/.test(one)),
  ).toEqual([]);
  const def = overview.series.find((s) => s.entity.id === 't0.java' && s.metric === 'throughput')!;
  const [data] = await harness.call('run.samples', {
    runId: id,
    seriesIds: [def.id],
    maxPoints: 0,
  });
  const seconds = [...data!.tMs].map((t) => Math.round((t - overview.startedAtMs!) / 1_000));
  expect(seconds).toEqual(everySecond(1, 105));
}

test.each([
  ['back by a minute', -60_000],
  ['forward by a minute', 60_000],
  ['back by a day', -86_400_000],
  ['forward by a day', 86_400_000],
])(
  'the clock of this computer stepped %s: the run is as long as planned and says so',
  async (_name, ms) => {
    harness.time.stepWall(ms);
    const overview = await end();
    await expectUnblamed(overview);
    expect(overview.findings.find((f) => f.id === 'clock.step')?.text).toContain(
      `stepped ${ms < 0 ? 'back' : 'forward'} by ${Math.abs(ms) / 1_000} s`,
    );
    expect(overview.events.filter((e) => e.kind === 'clock')).toHaveLength(1);
  },
);

test('a clock that is set again and again: the newest steps are told with their number, each is an event', async () => {
  const steps = [-60_000, 105_000, -3_600_000, 3_600_000, 30_000];
  for (const ms of steps) {
    harness.time.stepWall(ms);
    await harness.clock.advance(3_000);
  }
  const overview = await end();
  await expectUnblamed(overview);
  const { text } = overview.findings.find((f) => f.id === 'clock.step')!;
  for (const told of ['back by 3600 s', 'forward by 3600 s', 'forward by 30 s', '5 times'])
    expect(text).toContain(told);
  expect(overview.events.filter((e) => e.kind === 'clock')).toHaveLength(steps.length);
});

test.each([['slept'], ['stood']] as const)(
  'this computer %s for 25 s: no client is blamed',
  async (how) => {
    if (how === 'slept') harness.time.sleepFor(25_000);
    else harness.time.standFor(25_000);
    const overview = await end();
    await expectUnblamed(overview);
    const [away] = overview.events.filter((e) => e.kind === 'clock');
    expect(away!.untilMs! - away!.tMs).toBeGreaterThanOrEqual(25_000);
    expect(away!.untilMs! - away!.tMs).toBeLessThanOrEqual(26_000);
    expect(overview.findings.find((f) => f.id === 'clock.away')?.text).toMatch(/for 2[56] s/);
    // One cause, one finding: the meter and the counters were not silent, nobody asked them.
    expect(overview.findings.filter((f) => f.id.startsWith('gap.'))).toEqual([]);
  },
);

test('asleep over the end of the steady state: it ended when it was due', async () => {
  await harness.clock.advance(55_000);
  harness.time.sleepFor(25_000);
  await expectUnblamed(await end());
});

test('asleep for longer than a lost client is waited for: it is not lost', async () => {
  harness.time.sleepFor(30_000);
  await harness.clock.advance(500);
  harness.time.standFor(30_000);
  const overview = await end();
  expect(overview.state).toBe('passed');
  expect(overview.events.filter((e) => e.kind === 'fault')).toEqual([]);
});

test.each([
  ['back', -60_000],
  ['forward', 60_000],
])(
  'the engine is killed, and the clock stepped %s before the next one: it reads on as planned',
  async (_name, ms) => {
    await harness.engine.close();
    await harness.clock.advance(20_000);
    harness.time.stepWall(ms);
    await harness.restart();
    const overview = await end();
    await expectUnblamed(overview);
    expect(overview.findings.find((f) => f.id === 'clock.step')?.text).toContain('by 60 s');
  },
);

test('the load ended while no engine was there, and the clock stepped: nothing ended before its time', async () => {
  await harness.engine.close();
  await harness.clock.advance(500_000);
  harness.time.stepWall(-600_000);
  await harness.restart();
  await expectUnblamed(await end());
});
