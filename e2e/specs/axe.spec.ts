import { commandSpecs } from '../../src/wire/desktop.ts';
import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean, inBothThemes } from '../pages/axe.ts';
import { importLabPlan } from '../pages/planFile.ts';
import { checkAndLaunch, createPlan } from '../pages/plans.ts';
import { abortRun, chartAction, closeDialog, untilState } from '../pages/run.ts';
import { goTo, runCommand } from '../pages/shell.ts';

const screens = commandSpecs
  .filter((spec) => spec.group === 'Go' || spec.id === 'run.new')
  .map((spec) => spec.title);

test('axe finds nothing on any empty screen, light and dark', async ({ tilebench: { page } }) => {
  await expect(page.getByRole('main')).toBeVisible();
  for (const screen of screens) {
    await runCommand(page, screen);
    await inBothThemes(page, screen);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await inBothThemes(page, 'Palette');
});

test('axe finds nothing on any screen with a run in it, light and dark', async ({
  tilebench,
  lab,
}) => {
  const { page } = tilebench;
  await importLabPlan(tilebench, lab, 'Looked at', {
    rampUpS: 5,
    staggerS: 1,
    steadyS: 3_600,
    periods: 3,
    rampDownS: 2,
  });
  await inBothThemes(page, 'Plan');
  await checkAndLaunch(page);
  await untilState(page, 'Steady state');
  await inBothThemes(page, 'Live board');
  await page.getByRole('button', { name: 'Stop…', exact: true }).click();
  await expectAxeClean(page, 'Stop question');
  await page.getByRole('button', { name: 'Keep running' }).click();
  await chartAction(page, 'Database throughput tps', 'Table');
  await expectAxeClean(page, 'Table behind a chart');
  await closeDialog(page);
  await chartAction(page, 'Database throughput tps', 'Enlarge');
  await expectAxeClean(page, 'Enlarged chart');
  await closeDialog(page);
  await abortRun(page);
  await createPlan(page, 'Looked at, short', 'Practice lab', {
    rampUp: 5,
    stagger: 1,
    steady: 24,
    periods: 3,
    rampDown: 2,
  });
  await checkAndLaunch(page);
  await untilState(page, /^(Passed|Not compliant)/);
  for (const tab of ['Result', 'Charts', /^Events/, 'Set-up', 'Log']) {
    await page.getByRole('tab', { name: tab }).click();
    await inBothThemes(page, `Run, ${String(tab)}`);
  }
  await goTo(page, 'Runs');
  const both = page.getByRole('checkbox', { name: /^Select Looked at/ });
  await expect(both).toHaveCount(2);
  for (const box of await both.all()) await box.check();
  await inBothThemes(page, 'Runs, two selected');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByTestId('verdict')).toBeVisible();
  await inBothThemes(page, 'Comparison');
  for (const screen of screens) {
    await runCommand(page, screen);
    await inBothThemes(page, `${screen} with data`);
  }
  await goTo(page, 'Connections');
  await page.getByRole('button', { name: 'Lab vCenter', exact: true }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('The connection works')).toBeVisible();
  await expectAxeClean(page, 'Connection form');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await goTo(page, 'Testbeds');
  await page.getByRole('link', { name: 'Practice lab' }).click();
  await inBothThemes(page, 'Testbed layout');
  await page.getByRole('tab', { name: 'Inventory' }).click();
  await inBothThemes(page, 'Testbed inventory');
});
