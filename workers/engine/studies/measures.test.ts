import { type StudyOverview, studySpecSchema } from '../../../src/core/study/study.ts';
import { importOwn, sourceOf } from '../../../src/wire/importOwn.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let harness: Harness;
afterEach(async () => {
  await harness.close();
});

test('few hosts are measured one by one, and uplinks in KB/s and Gb/s', async () => {
  harness = await createHarness({
    limits: { lastCountersMs: 5_000 },
    uplinks: ['vmnic0', 'vmnic2'],
  });
  await importOwn(
    harness,
    sourceOf(
      testPlanFile({ phases: { rampUpS: 5, staggerS: 1, steadyS: 60, periods: 1, rampDownS: 5 } }),
    ),
  );
  await harness.call(
    'study.save',
    studySpecSchema.parse({
      schemaVersion: 1,
      id: 's',
      name: 'Study',
      planId: 'plan',
      axes: [{ name: 'tiles', label: 'Tiles', parameter: { kind: 'tiles' }, values: [2] }],
    }),
  );
  await harness.call('study.start', { id: 's' });
  const done = (): boolean =>
    (
      harness.events.findLast((one) => one.event === 'study.changed')?.payload as
        StudyOverview | undefined
    )?.state === 'done';
  await harness.clock.advanceUntil(done, 1_000_000);
  const { measures } = (await harness.call('study.overview', { id: 's' })).points[0]!;
  expect(measures).toMatchObject({
    'cpuPct.host.mean': 50,
    'cpuPct.host.host-1.mean': 50,
    'cpuPct.host.host-2.mean': 50,
    'netKbps.uplink.host-1/vmnic0.mean': 20,
    'netKbps.uplink.host-2/vmnic2.mean': 21,
  });
  expect(measures['netGbps.uplink.host-2/vmnic2.mean']).toBeCloseTo((21 * 8) / 1e6, 12);
});
