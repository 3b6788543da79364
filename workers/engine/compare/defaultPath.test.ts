import type { PlanFile } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.close());

/** A profile that says of nothing what scores 1.0, as most open ones are. */
const unreferenced: Profile = {
  ...testProfile,
  workloads: testProfile.workloads.map((w) => ({
    ...w,
    reference: null,
    referenceSource: 'not public',
  })),
};
const file = (plan: Partial<PlanFile['plan']> = {}): PlanFile => ({
  ...testPlanFile(plan),
  profile: unreferenced,
});

async function start(planId = 'plan'): Promise<string> {
  const { hash } = await harness.call('plan.check', { id: planId });
  return (await harness.call('run.start', { planId, checkedHash: hash })).runId;
}
async function toEnd(id: string): Promise<string> {
  const ended = () => harness.overviews.some((o) => o.id === id && isEnd(o.state));
  await harness.clock.advanceUntil(ended, 600_000);
  return id;
}
const scoreOf = async (id: string) => (await harness.overview(id)).score;

test('run, run again, compare: the first run is the reference of the second, and both have a score', async () => {
  const first = await toEnd(await harness.launch(file()));
  expect(await scoreOf(first)).toMatchObject({ total: null, reference: 'none' });
  const { findings } = await harness.call('plan.check', { id: 'plan' });
  expect(findings.find((f) => f.id === 'plan.reference')?.evidence).toBe(
    'normalised to run Plan #1, the first of this plan that broke no limit',
  );
  const second = await toEnd(await start());
  expect(await scoreOf(second)).toMatchObject({ referenceLabel: 'run Plan #1' });
  expect((await scoreOf(second))?.total).toBeCloseTo(2, 9);
  expect((await harness.call('run.record', { id: second })).plan.referenceRunId).toBe(first);
  // The plan itself was not edited behind anybody's back.
  expect((await harness.call('plan.list', {}))[0]).toMatchObject({ referenceRunId: null });
  for (const [baselineId, id] of [
    [first, second],
    [second, first],
  ] as const) {
    const of = await harness.call('run.compare', { baselineId, ids: [id] });
    expect(of).toMatchObject({ guards: [], scoredAgainst: { id: first, name: 'Plan #1' } });
    expect(of).not.toHaveProperty('referenceToOffer');
    expect(of.rows[0]!.values).toEqual([expect.closeTo(2, 9), expect.closeTo(2, 9)]);
    // Still repeats of one plan, though only one of them had a reference.
    expect(of.sides).toHaveLength(1);
  }
  expect(await scoreOf(first)).toMatchObject({ total: null });
  // Why a run falls short is asked against what it is scored against; the reference has only itself.
  const whyOf = (id: string) => harness.call('run.diagnose', { failId: id, passId: null });
  expect((await whyOf(second)).before).toMatchObject({ runId: first });
  expect((await whyOf(first)).before?.runId ?? first).toBe(first);
});

test('runs that were scored apart are offered one reference, and are comparable with it', async () => {
  const one = await toEnd(await harness.launch(file()));
  const other = await toEnd(await harness.launch(file({ id: 'plan2', name: 'Other', tiles: 1 })));
  const apart = await harness.call('run.compare', { baselineId: one, ids: [other] });
  expect(apart).toMatchObject({ referenceToOffer: { id: one, name: 'Plan #1' } });
  expect(apart.rows[0]!.values).toEqual([null, null]);
  const alike = await harness.call('run.compare', {
    baselineId: one,
    ids: [other],
    referenceId: apart.referenceToOffer!.id,
  });
  expect(alike.rows[0]!.values).toEqual([expect.closeTo(2, 9), expect.closeTo(1, 9)]);
  expect(alike).not.toHaveProperty('referenceToOffer');
  await expect(
    harness.call('run.compare', { baselineId: one, ids: [other], referenceId: 'gone' }),
  ).rejects.toMatchObject({ kind: 'notFound' });
});

test('a run that broke a limit, one of another profile version and a smoke run serve as no reference', async () => {
  const broken: Profile = {
    ...unreferenced,
    workloads: unreferenced.workloads.map((w) => ({
      ...w,
      qos: [{ metric: 'latencyP95Ms', max: 0.001, unit: 'ms', source: 'test' }],
    })),
  };
  await toEnd(await harness.launch({ ...file(), profile: broken }));
  await toEnd((await harness.call('plan.smoke', { id: 'plan' })).runId);
  const third = await toEnd(await start());
  expect((await harness.call('run.record', { id: third })).plan.referenceRunId).toBeNull();
});

test('a run from before its profile was edited, under the same version, serves as no reference', async () => {
  await toEnd(await harness.launch(file()));
  const edited: Profile = {
    ...unreferenced,
    workloads: unreferenced.workloads.map((w) => ({
      ...w,
      qos: [{ metric: 'latencyP95Ms', max: 1e6, unit: 'ms', source: 'test' }],
    })),
  };
  const second = await toEnd(await harness.launch({ ...file(), profile: edited }));
  expect((await harness.call('run.record', { id: second })).plan.referenceRunId).toBeNull();
});
