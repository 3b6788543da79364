import { join } from 'node:path';

import { storeRun } from '../fixtures/storedRun.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { expectAxeClean, inBothThemes } from '../pages/axe.ts';
import { chartAction, closeDialog, untilState } from '../pages/run.ts';
import { goTo } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';

/** A data folder with one stored run in it, made before the console opens it. */
const test = base.extend({
  dataDir: async ({ dataDir }, use, info) => {
    storeRun(
      (info.project.metadata as { host: string }).host === 'electron'
        ? join(dataDir, 'data')
        : dataDir,
      // Two hours: at the speed a replay begins with it must still play when it is looked at.
      7_200,
    );
    await use(dataDir);
  },
});

test('a stored run is played again: from the history, by keys, with its marks, at the address; then for a room', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const position = page.getByRole('slider', { name: 'Position' });

  await test.step('from the history; it plays at once, is paused, and wears its mark once', async () => {
    await goTo(page, 'Runs');
    await page.getByRole('gridcell', { name: 'Run Stored, 2 tiles' }).first().click();
    await page
      .getByRole('region', { name: 'Preview' })
      .getByRole('link', { name: 'Replay' })
      .click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    const before = Number(await position.inputValue());
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(before);
    // Before all else: it would come to its end while a slow machine looks at the marks.
    await page.keyboard.press('Space');
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    await expect(page.getByRole('banner').first().getByText('REPLAY')).toBeVisible();
    await expect(page.getByText('REPLAY', { exact: true })).toHaveCount(1);
  });

  await test.step('keys: ends, a moment; the address holds it', async () => {
    await position.press('End');
    await untilState(page, /^(Passed|Not compliant)/);
    await position.press('Home');
    await untilState(page, 'Ramp-up');
    for (let i = 0; i < 9; i++) await position.press('ArrowRight');
    await expect(position).toHaveAttribute('aria-valuetext', '1:30 of 2:01:20, Steady state');
    await expect(page).toHaveURL(/\/replay\?at=90&speed=60&paused=1$/);
    // What lies half behind the transport counts as small, though it scrolls out from there.
    await inBothThemes(page, 'Replay', ['target-size']);
    await shot(page, 'replay');
  });

  await test.step('what is made of it says so', async () => {
    await chartAction(page, 'Database throughput tps', 'Text summary');
    await expect(page.getByRole('dialog')).toContainText('Database throughput, REPLAY');
    await closeDialog(page);
  });

  await test.step('another window at the same address stands at the same moment', async () => {
    await page.reload();
    await expect(position).toHaveAttribute('aria-valuetext', '1:30 of 2:01:20, Steady state');
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  });

  await test.step('for a room: big numbers, keys, back', async () => {
    await page.getByRole('link', { name: 'Present' }).click();
    await expect(
      page.getByRole('heading', { name: 'Stored, 2 tiles: Overview', level: 1 }),
    ).toBeVisible();
    await expect(page.locator('[data-number="tiles"] dd')).toHaveText('2');
    await expect(page.locator('[data-number="tiles"] dd')).toHaveCSS('font-size', '96px');
    await page.keyboard.press('Space');
    await expect(page.getByRole('status', { name: 'Pace' })).toHaveText(/paused$/);
    await expectAxeClean(page, 'Presenter view');
    await shot(page, 'presenter', 'light');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Throughput/);
    await page.keyboard.press('b');
    await expect(page.getByRole('banner').first().getByText('REPLAY')).toBeVisible();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await expectAxeClean(page, 'Keys of the presenter view');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Escape');
    // Escape may end the full screen first.
    await expect(page).toHaveURL(/#\/runs\/run-stored$/);
  });
  expect(faults).toEqual([]);
});
