import { expect, test } from '../fixtures/test.ts';
import { bySeries, readCsv } from '../pages/csv.ts';
import { jobProcesses } from '../pages/jobs.ts';
import { importLabPlan } from '../pages/planFile.ts';
import { checkAndLaunch } from '../pages/plans.ts';
import { printedSoFar, unlikePrinted } from '../pages/printed.ts';
import { abortRun, exportAs, runIdOf, tableBehind, untilState } from '../pages/run.ts';
import { runCommand } from '../pages/shell.ts';

test('an engine killed in steady state comes back: no gap, no duplicate', async ({
  tilebench,
  lab,
}) => {
  await importLabPlan(tilebench, lab, 'Survivor', {
    rampUpS: 5,
    staggerS: 1,
    steadyS: 3_600,
    periods: 3,
    rampDownS: 5,
  });
  await checkAndLaunch(tilebench.page);
  const runId = runIdOf(tilebench.page);
  await untilState(tilebench.page, 'Steady state');
  const before = await tableBehind(tilebench.page, 'Java throughput', 'events/s');
  await expect.poll(() => jobProcesses(runId).length).toBeGreaterThan(9);

  const page = await tilebench.killEngine();
  await expect(page.getByText(/not connected/i)).toHaveCount(0);
  await runCommand(page, 'Go to active run');
  await untilState(page, 'Steady state');
  // What needs nobody's attention stands among all findings.
  await page.getByRole('button', { name: /^\d+ (problem|finding)s?$/ }).click();
  await expect(page.getByText(/The engine was restarted during the run/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect
    .poll(async () => (await tableBehind(page, 'Java throughput', 'events/s')).samples, {
      message: 'samples from before the kill and from after it',
    })
    .toBeGreaterThan(before.samples + 20);

  const printed = printedSoFar(runId);
  expect(printed).toHaveLength(10);
  await abortRun(page);
  const csv = await tilebench.saved(() => exportAs(page, 'CSV, every sample'));
  const rows = readCsv(csv.text);
  expect(unlikePrinted(printed, rows)).toEqual([]);
  const throughputs = [...bySeries(rows).values()].filter(
    ([row]) => row!.entityKind === 'workload' && row!.metric === 'throughput',
  );
  expect(throughputs).toHaveLength(10);
  // How many of its seconds a busy client prints is its affair.
  for (const { entity, throughput } of printed)
    expect(throughput.length, entity).toBeGreaterThan(1);
  for (const rows of throughputs)
    expect(rows.filter((row) => row.phase === 'steady').length, rows[0]!.entity).toBeGreaterThan(1);
  await expect.poll(() => jobProcesses(runId)).toEqual([]);
});
