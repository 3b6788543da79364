import { expect, test } from '../fixtures/test.ts';
import { signalAll } from '../lab/processes.ts';
import { jobProcesses } from '../pages/jobs.ts';
import { importLabPlan } from '../pages/planFile.ts';
import { checkAndLaunch } from '../pages/plans.ts';
import { runIdOf, untilState } from '../pages/run.ts';
import { paletteCommand } from '../pages/shell.ts';

const phases = { rampUpS: 5, staggerS: 1, steadyS: 3_600, periods: 3, rampDownS: 5 };

test('a graceful abort by keyboard alone keeps what was measured and leaves nothing running', async ({
  tilebench,
  lab,
}) => {
  const { page } = tilebench;
  await importLabPlan(tilebench, lab, 'To abort', phases);
  await checkAndLaunch(page);
  const runId = runIdOf(page);
  await untilState(page, 'Steady state');
  await expect.poll(() => jobProcesses(runId).length).toBeGreaterThan(9);

  await paletteCommand(page, 'Abort active run');
  const question = page.getByRole('alertdialog', { name: 'Stop the run' });
  await expect(question.getByRole('button', { name: 'End load now' })).toBeFocused();
  await page.keyboard.press('Enter');

  await untilState(page, 'Aborted');
  await expect(page.getByTestId('verdict')).toHaveText(/^By the user\./);
  await expect.poll(() => jobProcesses(runId)).toEqual([]);
  await page.getByRole('tab', { name: 'Charts' }).click();
  const chart = page.getByRole('region', { name: 'Java throughput events/s', exact: true });
  // Values are written where they are looked at.
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.getByRole('button', { name: /^Tile 1 [\d.]+/ })).toBeVisible();
});

test('a hard abort kills what hangs, and leaves nothing running', async ({ tilebench, lab }) => {
  const { page } = tilebench;
  await importLabPlan(tilebench, lab, 'To kill', phases);
  await checkAndLaunch(page);
  const runId = runIdOf(page);
  await untilState(page, 'Steady state');
  await expect.poll(() => jobProcesses(runId).length).toBeGreaterThan(9);
  // Load that hangs does not heed a graceful end: only the hard one ends it at once.
  signalAll(jobProcesses(runId), 'SIGSTOP');
  await page.getByRole('button', { name: 'Stop…', exact: true }).click();
  await page.getByRole('button', { name: 'End load now' }).click();
  // Offered while load is given time to end; a slow machine may miss that, and then it is killed
  // all the same.
  const hard = page.getByRole('button', { name: /^Ending load. Kill it now/ });
  const over = untilState(page, 'Aborted');
  await Promise.race([hard.click(), over]);
  await over;
  await expect.poll(() => jobProcesses(runId)).toEqual([]);
});
