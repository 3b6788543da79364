import type { PlanFile } from '../../../src/core/plan/plan.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
afterEach(async () => {
  await harness.close();
});

const tiles = 60;

/** Tiles that all begin at the same moment. */
function manyTiles(): PlanFile {
  const file = testPlanFile();
  const phases = { ...file.plan.phases, staggerS: 0 };
  return {
    ...file,
    testbed: {
      ...file.testbed,
      tiles: Array.from({ length: tiles }, (_, index) => ({
        index,
        workloads: file.testbed.tiles[0]!.workloads.map((one) => ({ ...one, vm: null })),
      })),
    },
    plan: { ...file.plan, tiles, phases },
  };
}

test('loads that start together are stored and told together: not the whole run once for each', async () => {
  harness = await createHarness();
  const id = await harness.launch(manyTiles());
  const running = (): number =>
    harness.overviews
      .findLast((one) => one.id === id)
      ?.workloads.filter(({ state }) => state === 'running').length ?? 0;
  await harness.clock.advanceUntil(() => running() === tiles * 2, 120_000);
  const own = harness.overviews.filter((one) => one.id === id && one.startedAtMs !== null);
  const counts = own.map(
    ({ workloads }) => workloads.filter(({ state }) => state === 'running').length,
  );
  const steps = new Set(counts.filter((count) => count > 0));
  expect(Math.max(...steps)).toBe(tiles * 2);
  // One at a time they would be told in as many steps as there are loads.
  expect(steps.size).toBeLessThan(10);
  expect(own.at(-1)!.events.filter(({ kind }) => kind === 'tileStarted')).toHaveLength(tiles);
});

test('what was gathered is stored when the engine goes away before it was told', async () => {
  harness = await createHarness();
  const id = await harness.launch(manyTiles());
  await harness.clock.advanceUntil(
    () => harness.overviews.some((one) => one.id === id && one.startedAtMs !== null),
    120_000,
  );
  await harness.restart();
  const { events } = await harness.overview(id);
  expect(events.filter(({ kind }) => kind === 'state').map(({ text }) => text)).toContain('rampUp');
});
