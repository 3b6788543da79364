import { repeatedGroups, repeatSpec } from '../../../src/core/study/repeatBoth.ts';
import type { StudyOverview } from '../../../src/core/study/study.ts';
import { smallEntry } from '../gallery/testing/smallEntry.ts';
import { createFakeModel } from '../simlab/testing/fakeModel.ts';
import { createSimEngine, type SimEngine } from '../simlab/testing/simEngine.ts';

let sim: SimEngine;
beforeEach(async () => {
  sim = await createSimEngine({
    createModel: createFakeModel,
    gallery: [smallEntry],
    limits: { lastCountersMs: 20_000 },
  });
  await sim.call('gallery.install', { id: smallEntry.item.id });
});
afterEach(async () => {
  await sim.close();
});

const until = (is: (overview: StudyOverview) => boolean): Promise<StudyOverview> =>
  new Promise((resolve) => {
    sim.on((event, payload) => {
      if (event === 'study.changed' && is(payload as StudyOverview))
        resolve(payload as StudyOverview);
    });
  });
const over = ({ state }: StudyOverview): boolean => state !== 'running' && state !== 'pausing';

/** Two runs of two plans that differ in their tiles. */
async function twoRuns(): Promise<[string, string]> {
  const [plan] = await sim.call('plan.list', {});
  const ids: string[] = [];
  for (const tiles of [1, 2]) {
    const { id } = await sim.call('plan.save', {
      ...plan!,
      id: `with-${tiles}`,
      tiles,
      referenceRunId: ids[0] ?? null,
    });
    const { hash } = await sim.call('plan.check', { id });
    const ended = new Promise<void>((resolve) => {
      sim.on((event, payload) => {
        if (event === 'run.changed' && (payload as { state: string }).state === 'passed') resolve();
      });
    });
    const { runId } = await sim.call('run.start', { planId: id, checkedHash: hash });
    await ended;
    ids.push(runId);
  }
  return [ids[0]!, ids[1]!];
}

test('two runs are run again in turns with the plans they had, over an engine that ends in between', async () => {
  const [a, b] = await twoRuns();
  const spec = repeatSpec(
    'repeat-1',
    [
      { id: a, name: 'One', planId: 'with-1' },
      { id: b, name: 'Two', planId: 'with-2' },
    ],
    { ofEach: 2 },
  );
  // What is planned now is not what the runs were.
  const plans = await sim.call('plan.list', {});
  for (const plan of plans.filter(({ id }) => id.startsWith('with-')))
    await sim.call('plan.save', { ...plan, tiles: 2 });
  await sim.call('study.save', spec);
  const second = until(({ points }) => points[1]?.runId != null && points[1].state === 'running');
  await sim.call('study.start', { id: spec.id });
  await second;
  await sim.restart();
  const end = await until(over);
  expect([end.state, end.detail]).toEqual(['done', '']);
  expect(end.points.map(({ key, state }) => `${key} ${state}`)).toEqual(
    [`run=${a};repeat=1`, `run=${b};repeat=1`, `run=${a};repeat=2`, `run=${b};repeat=2`].map(
      (key) => `${key} passed`,
    ),
  );
  const groups = repeatedGroups(end.spec, end.points)!;
  const tiles = await Promise.all(
    groups.map((group) =>
      Promise.all(group.map(async (id) => (await sim.call('run.record', { id })).plan.tiles)),
    ),
  );
  expect(tiles).toEqual([
    [1, 1],
    [2, 2],
  ]);
  // One reference for all, though the second run was scored against the first.
  const [first, ...rest] = groups.flat();
  const comparison = await sim.call('run.compare', { baselineId: first!, ids: rest });
  expect(comparison.guards).toEqual([]);
  expect(comparison.sides.map(({ runs }) => runs.length)).toEqual([2, 2]);
});

test('a run that was removed is told as what cannot be repeated', async () => {
  const [a, b] = await twoRuns();
  const spec = repeatSpec(
    'repeat-2',
    [
      { id: a, name: 'One', planId: 'with-1' },
      { id: b, name: 'Two', planId: 'with-2' },
    ],
    { ofEach: 2 },
  );
  await sim.call('study.save', spec);
  await sim.call('run.remove', { id: a });
  const failed = until(({ state }) => state === 'failed');
  await sim.call('study.start', { id: spec.id });
  const end = await failed;
  expect(end.detail).toContain(`The run ${a}, which is to be run again, was removed.`);
});
