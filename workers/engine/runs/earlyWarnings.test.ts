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

/** The fake lab answers in 1.5 ms at the 95th percentile, second after second. */
async function warningsWith(
  maxMs: number,
): Promise<{ text: string; entityId: string | undefined; elapsedS: number }[]> {
  harness = await createHarness();
  const profile = {
    ...testProfile,
    workloads: testProfile.workloads.map((w) => ({
      ...w,
      qos: w.qos.map((limit) => ({ ...limit, max: maxMs })),
    })),
  };
  const id = await harness.launch({ ...testPlanFile(), profile });
  await harness.clock.advanceUntil(() => {
    const last = harness.overviews.findLast((o) => o.id === id);
    return last !== undefined && isEnd(last.state);
  }, 600_000);
  const overview = await harness.overview(id);
  return overview.events
    .filter((e) => e.kind === 'fault')
    .map((e) => ({
      text: e.text,
      entityId: e.entityId,
      elapsedS: Math.round((e.tMs - overview.startedAtMs!) / 1_000),
    }));
}

test('a limit that will be missed is marked a third into each period, once a tile', async () => {
  const told = await warningsWith(1.4);
  expect(told.map((w) => `${w.entityId} near ${Math.round(w.elapsedS / 10) * 10} s`)).toEqual(
    [90, 190, 290].flatMap((s) => [`t0.java near ${s} s`, `t1.java near ${s} s`]),
  );
  expect(told[0]!.text).toBe(
    'Tile 1 Java, 95th percentile latency, limit ≤ 1.40 ms: will be missed in this period at the present trend; mean 1.50 ms so far, 1.50 ms at the end.',
  );
});

test.each([2, 10])('a limit of %d ms that will hold is not spoken of', async (maxMs) =>
  expect(await warningsWith(maxMs)).toEqual([]),
);
