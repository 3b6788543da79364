import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean, inBothThemes } from '../pages/axe.ts';
import {
  curve,
  expectSimulated,
  openDemoLab,
  points,
  runEntry,
  setSpeed,
  untilPoints,
  untilStudy,
} from '../pages/demo.ts';
import { chartAction, closeDialog } from '../pages/run.ts';
import { goTo, runCommand } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';

test('two clicks from the first start to a study that climbs; a point opens its run; everything says SIMULATED', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));

  await test.step('first click, second click, a moving chart', async () => {
    await expect(page.getByRole('heading', { name: 'Three ways in' })).toBeVisible();
    await shot(page, 'first-start');
    await openDemoLab(page);
    await expectSimulated(page, 'lab');
    await shot(page, 'demo-lab');
    await page.getByRole('button', { name: 'Run study: Scaling a cluster' }).click();
    await untilStudy(page, 'Running');
    await expectSimulated(page, 'Study');
  });

  await test.step('points appear while it runs', async () => {
    await untilPoints(page, 4);
    await shot(page, 'study-running');
    await page.getByRole('button', { name: 'Pause now' }).click();
    await untilStudy(page, 'Paused');
  });

  await test.step('the published figures stand beside, in the table too', async () => {
    await expect(
      curve(page)
        .getByRole('img', { name: /^Published, .*Source: / })
        .first(),
    ).toBeVisible();
    await expect(
      page.getByRole('table', { name: 'Compared with what was published' }),
    ).toBeVisible();
  });

  await test.step('a point opens its run by keyboard', async () => {
    await points(page).first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/runs\/run/);
    await expectSimulated(page, 'Run');
    await page.getByRole('tab', { name: 'Charts' }).click();
    const charts = page.getByRole('slider', { name: /^Time cursor of / });
    await expect(charts.nth(5)).toBeAttached();
    await expectSimulated(page, 'Charts');
  });

  await test.step('every screen wears the marks', async () => {
    for (const screen of [
      'Home',
      'Connections',
      'Testbeds',
      'Plans',
      'Runs',
      'Studies',
      'Compare',
      'Demo lab',
      'Settings',
    ]) {
      await goTo(page, screen);
      await expectSimulated(page, screen);
    }
  });

  await test.step('the real lab has none of it', async () => {
    await runCommand(page, 'Back to the real lab');
    await expect(page.getByRole('heading', { name: 'Three ways in' })).toBeVisible();
    await expect(page.getByText('SIMULATED', { exact: true })).toHaveCount(0);
    await goTo(page, 'Runs');
    await expect(page.getByText(/^No runs yet/)).toBeVisible();
    await page.goBack();
  });
  expect(faults).toEqual([]);
});

test('time is paused and resumed; a fault is injected, listed and cleared', async ({
  tilebench: { page },
}) => {
  await openDemoLab(page);
  await runEntry(page, 'E10');
  await setSpeed(page, '60×');
  await page.getByRole('button', { name: 'Pause time' }).click();
  const clock = page.getByRole('group', { name: 'Simulated time' });
  await expect(clock.getByRole('button', { name: 'Resume time' })).toBeVisible();
  const stood = await clock.textContent();
  await goTo(page, 'Demo lab');
  await page.getByRole('tab', { name: /^Faults/ }).click();
  await page.getByRole('button', { name: 'Inject' }).click();
  await expect(
    page.getByRole('table', { name: 'Faults' }).getByRole('row', { name: /LUN slow/ }),
  ).toContainText('Active');
  await page.getByRole('button', { name: /^Clear LUN slow/ }).click();
  await expect(page.getByText('No fault is active or planned.')).toBeVisible();
  expect(await clock.textContent()).toBe(stood);
  await page.keyboard.press('Control+Shift+p');
  await expect(clock.getByRole('button', { name: 'Pause time' })).toBeVisible();
});

test('axe finds nothing in the demo lab, light and dark', async ({ tilebench: { page } }) => {
  await openDemoLab(page);
  await inBothThemes(page, 'Gallery');
  await page.getByRole('tab', { name: 'Clock' }).click();
  await inBothThemes(page, 'Clock');
  await page.getByRole('tab', { name: 'Studies' }).click();
  await runEntry(page, 'E10');
  await setSpeed(page, 'As fast as it goes');
  await untilStudy(page, 'Done');
  await inBothThemes(page, 'Study, done');
  await shot(page, 'study');
  const title = (await curve(page).getByRole('heading').textContent())?.trim() ?? '';
  await chartAction(page, title, 'Table');
  await expectAxeClean(page, 'Table behind the curve');
  await closeDialog(page);
  await chartAction(page, title, 'Enlarge');
  await expectAxeClean(page, 'Enlarged curve');
  await closeDialog(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit study' }).click();
  await expect(page.getByRole('button', { name: 'Save study' })).toBeVisible();
  await inBothThemes(page, 'Study editor');
  for (const screen of ['Studies', 'Demo lab', 'Runs', 'Home']) {
    await goTo(page, screen);
    await inBothThemes(page, `${screen}, simulated`);
  }
  await goTo(page, 'Demo lab');
  await page.getByRole('tab', { name: /^Faults/ }).click();
  await inBothThemes(page, 'Faults');
});
