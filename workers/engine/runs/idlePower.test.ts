import { isEnd } from '../../../src/core/run/states.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
afterEach(async () => {
  await harness.close();
});

async function runWith(idlePower: Testbed['idlePower'], powerIds = ['p1']) {
  harness = await createHarness();
  const file = testPlanFile();
  const id = await harness.launch({
    ...file,
    testbed: { ...file.testbed, powerIds, idlePower },
  });
  await harness.clock.advanceUntil(() => {
    const last = harness.overviews.findLast((one) => one.id === id);
    return last !== undefined && isEnd(last.state);
  }, 900_000);
  return harness.call('run.record', { id });
}

test('an idle baseline is measured when all is prepared and nothing is loaded, and stands in the result', async () => {
  const { overview, idleBefore } = await runWith({ by: 'measured', windowS: 30 });
  const [one] = idleBefore!;
  expect(one).toMatchObject({ connectionId: 'p1' });
  expect(one!.windowS).toBeGreaterThanOrEqual(30);
  const starting = overview.events.find(
    ({ kind, text }) => kind === 'state' && text === 'starting',
  )!;
  expect(overview.startedAtMs! - starting.tMs).toBeGreaterThanOrEqual(30_000);
  const { steady } = overview.score!.power!;
  expect(steady).toMatchObject({
    method: 'mean',
    windowS: 300,
    tiles: 2,
    vms: 4,
    idle: { by: 'measured', watts: one!.watts },
  });
  expect(steady!.energyWh).toBeCloseTo((steady!.meanW * 300) / 3_600, 6);
});

test('a baseline given by hand is taken as it is, and nothing is waited for', async () => {
  const { overview, idleBefore } = await runWith({ by: 'given', watts: 150, windowS: 600 });
  expect(idleBefore).toBeUndefined();
  expect(overview.score!.power!.steady!.idle).toEqual({ by: 'given', watts: 150, windowS: 600 });
});

test.each([undefined, null])(
  'without a baseline (%s) a run tells its power alone',
  async (idle) => {
    const { overview } = await runWith(idle);
    expect(overview.score!.power!.steady!.idle).toBeNull();
  },
);

test('without a power source nothing is measured and nothing is told', async () => {
  const record = await runWith({ by: 'measured', windowS: 30 }, []);
  expect(record.idleBefore).toEqual([]);
  expect(record.overview.score!.power).toBeUndefined();
});
