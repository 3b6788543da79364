import type { RunOverview } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type * as Reads from '../db/readSamples.ts';
import {
  createHarness,
  type Harness,
  testPlanFile,
  testProfile,
} from '../testing/engineHarness.ts';

/** Reads of samples from the database: of which series, and in which state the run was. */
const mockReads: { seriesId: number; state: string | undefined }[] = [];
let mockState: () => string | undefined = () => undefined;
jest.mock('../db/readSamples.ts', () => {
  const real = jest.requireActual<typeof Reads>('../db/readSamples.ts');
  return {
    ...real,
    readSamples: (...asked: Parameters<typeof Reads.readSamples>) => {
      mockReads.push(...asked[2].map((seriesId) => ({ seriesId, state: mockState() })));
      return real.readSamples(...asked);
    },
    aggregateSamples: (...asked: Parameters<typeof Reads.aggregateSamples>) => {
      mockReads.push({ seriesId: asked[2], state: mockState() });
      return real.aggregateSamples(...asked);
    },
  };
});

let harness: Harness;
beforeEach(() => {
  mockReads.length = 0;
});
afterEach(async () => {
  await harness.close();
});
const last = (id: string): RunOverview | undefined =>
  harness.overviews.findLast((o) => o.id === id);
const launch = async (p95Ms: number): Promise<string> => {
  harness = await createHarness();
  harness.lab.setLoad(() => ({ p95At: () => p95Ms }));
  const id = await harness.launch({
    ...testPlanFile({
      earlyAbort: { when: 'forecast', periods: 2, warnS: 9 },
      phases: { rampUpS: 6, staggerS: 0, steadyS: 90, periods: 3, rampDownS: 2 },
      sampling: { workloadMs: 1_000, vcenterMs: 30_000 },
    }),
    profile: testProfile,
  });
  let state: string | undefined;
  // Of an engine that has not spoken yet it is as the one before left it.
  mockState = () => (state = last(id)?.state ?? state);
  return id;
};

test('while load runs, its verdict reads no stored sample: neither warning, early end nor score', async () => {
  const id = await launch(50);
  await harness.clock.advanceUntil(() => isEnd(last(id)?.state ?? 'draft'), 400_000);
  expect(last(id)).toMatchObject({ abortReason: 'qos', earlyAbort: { state: 'ended' } });
  expect(last(id)!.events.some((e) => e.text.includes('no value from now on can keep it'))).toBe(
    true,
  );
  const sofar = harness.overviews.findLast((o) => o.id === id && o.state === 'steady')!;
  expect(sofar.score!.periods.map((p) => p.qosPassed)).toEqual([false, false]);
  expect(new Set(mockReads.map(({ state }) => state))).toEqual(new Set(['collecting']));
});

test('an engine that picks a run up reads once what another stored: its score so far is of all periods', async () => {
  const id = await launch(1.5);
  const inSecond = (s: number) => () =>
    (last(id)?.nowMs ?? 0) > (last(id)?.periods[1]?.startMs ?? Infinity) + s * 1_000;
  await harness.clock.advanceUntil(inSecond(12), 400_000);
  const before = last(id)!.score!.periods;
  expect(before).toHaveLength(2);
  mockState();
  await harness.restart();
  harness.overviews.length = 0;
  await harness.clock.advanceUntil(
    () => (last(id)?.score ?? null) !== null && inSecond(20)(),
    60_000,
  );
  expect(last(id)!.score!.periods).toHaveLength(2);
  expect(last(id)!.score!.periods[0]).toEqual(before[0]);
  const scored = last(id)!.series.filter((s) => s.entity.kind === 'workload');
  const ids = new Set(scored.map((s) => s.id));
  expect(mockReads.filter(({ seriesId }) => ids.has(seriesId))).toEqual(
    scored.map((s) => ({ seriesId: s.id, state: 'steady' })),
  );
  await harness.clock.advanceUntil(() => isEnd(last(id)?.state ?? 'draft'), 400_000);
  expect(last(id)!.state).toBe('passed');
});
