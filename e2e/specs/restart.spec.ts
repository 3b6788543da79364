import { expect, test } from '../fixtures/test.ts';
import { breaks, bySeries, readCsv } from '../pages/csv.ts';
import { jobProcesses } from '../pages/jobs.ts';
import { importLabPlan } from '../pages/planFile.ts';
import { checkAndLaunch } from '../pages/plans.ts';
import { exportAs, runIdOf, tableBehind, untilState } from '../pages/run.ts';
import { runCommand } from '../pages/shell.ts';

test('an engine killed in steady state comes back: no gap, no duplicate', async ({
  tilebench,
  lab,
}) => {
  test.setTimeout(180_000);
  await importLabPlan(tilebench, lab, 'Survivor', {
    rampUpS: 5,
    staggerS: 1,
    steadyS: 45,
    periods: 3,
    rampDownS: 5,
  });
  await checkAndLaunch(tilebench.page);
  const runId = runIdOf(tilebench.page);
  await untilState(tilebench.page, 'Steady state', 60_000);
  const before = await tableBehind(tilebench.page, 'Java throughput', 'events/s');
  const load = jobProcesses(runId).length;
  expect(load).toBeGreaterThan(9);

  const page = await tilebench.killEngine();
  await expect(page.getByText(/not connected/i)).toHaveCount(0);
  await runCommand(page, 'Go to active run');
  await untilState(page, 'Steady state', 20_000);
  await expect(page.getByText('The engine was restarted during the run.')).toBeVisible();
  expect((await tableBehind(page, 'Java throughput', 'events/s')).samples).toBeGreaterThanOrEqual(
    before.samples,
  );

  await untilState(page, /^Passed/, 90_000);
  const csv = await tilebench.saved(() => exportAs(page, 'CSV, every sample'));
  const throughputs = [...bySeries(readCsv(csv.text)).values()].filter(
    ([row]) => row!.entityKind === 'workload' && row!.metric === 'throughput',
  );
  expect(throughputs).toHaveLength(10);
  expect(throughputs.flatMap(breaks)).toEqual([]);
  for (const rows of throughputs)
    expect(rows.filter((row) => row.phase === 'steady').length, rows[0]!.entity).toBeGreaterThan(
      38,
    );
  await expect.poll(() => jobProcesses(runId)).toEqual([]);
});
