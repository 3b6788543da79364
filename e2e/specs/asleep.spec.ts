import { setTimeout as pass } from 'node:timers/promises';

import { expect, test } from '../fixtures/test.ts';
import { importLabPlan } from '../pages/planFile.ts';
import { checkAndLaunch } from '../pages/plans.ts';
import { untilState } from '../pages/run.ts';
import { shot } from '../pages/shots.ts';

const standsStillMs = 12_000;

test('a computer that stands still during a run: told, marked, and no client is blamed', async ({
  tilebench,
  lab,
}) => {
  await importLabPlan(tilebench, lab, 'Asleep', {
    rampUpS: 5,
    staggerS: 1,
    steadyS: 60,
    periods: 3,
    rampDownS: 5,
  });
  const { page } = tilebench;
  await checkAndLaunch(page);
  await untilState(page, 'Steady state');
  const engine = await tilebench.enginePid();
  process.kill(engine, 'SIGSTOP');
  await pass(standsStillMs);
  process.kill(engine, 'SIGCONT');
  const told = page.getByText(/^The engine on this computer stood still for \d+ s during the run/);
  await expect(told.first()).toBeVisible();
  await shot(page, 'asleep-live');
  // What a busy machine makes of the limits is no fault of the sleep.
  await untilState(page, /^(Passed|Not compliant)$/);
  // One cause, one line, with the time it lasted.
  const events = page.getByRole('main');
  await expect(events.getByText(/stood still/)).toHaveCount(1);
  await expect(events.getByText(/^0:\d\d–0:\d\d$/)).toBeVisible();
  await shot(page, 'asleep-result');
});
