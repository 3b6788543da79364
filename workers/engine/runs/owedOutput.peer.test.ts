import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RunOverview } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { createHarness, type Harness, testPlanFile } from '../testing/engineHarness.ts';

let dir: string;
let mount: string;
let harness: Harness;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-owed-'));
  mount = join(dir, 'small');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', mount]);
  harness = await createHarness({ dataDir: mount, limits: { storePatienceMs: 20_000 } });
});
afterEach(async () => {
  await harness.close();
  execFileSync('umount', ['-l', mount]);
  rmSync(dir, { recursive: true, force: true });
});

/** Leaves not one byte. */
const fill = (): void => {
  execFileSync('sh', ['-c', 'cat /dev/zero >"$0" 2>/dev/null || true', join(mount, 'filler')]);
};

test('seconds that could not be stored stay on the client until they could be; the run is stored as what it is', async () => {
  const id = await harness.launch(
    testPlanFile({
      phases: { rampUpS: 20, staggerS: 10, steadyS: 200, periods: 2, rampDownS: 10 },
    }),
  );
  const last = (): RunOverview => harness.overviews.findLast((o) => o.id === id)!;
  await harness.clock.advanceUntil(() => last().state === 'steady', 60_000);
  fill();
  await harness.clock.advanceUntil(() => isEnd(last().state), 600_000);
  const failed = await harness.overview(id);
  expect(failed).toMatchObject({ state: 'failed', abortReason: 'storeFailed' });
  expect(failed.findings.find((f) => f.id === 'owed.c1')).toMatchObject({
    severity: 'warn',
    text: expect.stringContaining(`~/.tilebench/${id}`) as string,
  });
  // The only copy is not removed.
  expect(harness.lab.swept).not.toContain(id);
  const secondsStored = async (): Promise<number[]> => {
    const def = failed.series.find((s) => s.entity.id === 't0.java' && s.metric === 'throughput')!;
    const [data] = await harness.call('run.samples', {
      runId: id,
      seriesIds: [def.id],
      maxPoints: 0,
    });
    return [...data!.tMs].map((t) => Math.round((t - failed.startedAtMs!) / 1_000));
  };
  const before = await secondsStored();

  rmSync(join(mount, 'filler'));
  await harness.clock.advanceUntil(() => harness.lab.swept.includes(id), 120_000);
  await harness.clock.advance(1_000);
  const after = await secondsStored();
  expect(after.length).toBeGreaterThan(before.length);
  expect(after).toEqual(Array.from({ length: after.length }, (_, i) => i + 1));
  const told = await harness.overview(id);
  expect(told.state).toBe('failed');
  expect(told.findings.find((f) => f.id === 'owed.c1')).toMatchObject({
    severity: 'info',
    text: expect.stringContaining('read and stored later') as string,
  });
  // What is on disk says the same.
  await harness.restart();
  expect((await harness.overview(id)).state).toBe('failed');
});
