import type { Page } from '@playwright/test';

import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean } from '../pages/axe.ts';
import { installEntry, launchPlan, openDemoLab } from '../pages/demo.ts';
import { shot } from '../pages/shots.ts';

const scheme = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));

test('the live board and one chart in windows of their own: same run, same theme; closing them ends nothing', async ({
  tilebench,
}) => {
  const { page, kind } = tilebench;
  const faults: string[] = [];
  await openDemoLab(page);
  await installEntry(page, 'E07');
  await launchPlan(page, /^A cluster database/);
  await expect(page.getByRole('slider', { name: /^Time cursor of / }).first()).toBeAttached();
  const name = (await page.getByRole('heading', { level: 1 }).textContent())?.trim() ?? '';

  const board = await tilebench.opensWindow(() => page.keyboard.press('Control+Shift+e'));
  board.on('pageerror', (error) => faults.push(error.message));
  await test.step('the board, by its keys', async () => {
    await expect(board.getByRole('heading', { level: 1 })).toHaveText(`${name}: Live board`);
    await expect(board.getByRole('banner').getByText('SIMULATED', { exact: true })).toBeVisible();
    await expect(board).toHaveTitle(/ – SIMULATED – Tilebench$/);
    await expect(board.getByRole('slider', { name: /^Time cursor of / }).first()).toBeAttached();
    expect(board.url()).not.toContain('token');
    expect(
      await board.evaluate(() => ['require', 'process', 'module'].filter((one) => one in window)),
    ).toEqual([]);
    await shot(board, 'detached-board', 'light');
  });

  await test.step('the theme follows the first window', async () => {
    const before = await scheme(board);
    await page.keyboard.press('Control+Shift+l');
    await expect.poll(() => scheme(board)).not.toBe(before);
    expect(await scheme(board)).toBe(await scheme(page));
  });

  await test.step('one chart, by the menu', async () => {
    await page.bringToFront();
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await expect(items.nth(6)).toBeVisible();
    const title = (await items.nth(6).textContent()) ?? '';
    const chart = await tilebench.opensWindow(() => items.nth(6).click());
    chart.on('pageerror', (error) => faults.push(error.message));
    await expect(chart.getByRole('heading', { level: 1 })).toHaveText(`${name}: ${title}`);
    await expect(chart.getByRole('slider', { name: `Time cursor of ${title}` })).toBeVisible();
    await expect(chart.getByRole('slider', { name: /^Time cursor of / })).toHaveCount(1);
    await expectAxeClean(chart, 'Detached chart');
    await shot(chart, 'detached-chart', 'light');
    await Promise.all([
      chart.waitForEvent('close'),
      chart.getByRole('button', { name: 'Close window' }).click(),
    ]);
    await expect(page.getByRole('status', { name: 'State of the run' })).toHaveText(
      /Starting|Ramp-up|Steady state/,
    );
  });

  await test.step(
    kind === 'electron'
      ? 'an engine that was killed is found again, and the window says that the run is over'
      : 'an aborted run is over there too',
    async () => {
      if (kind === 'electron') await tilebench.killEngine();
      else {
        await page.bringToFront();
        await page.getByRole('button', { name: 'Stop…', exact: true }).press('Enter');
        await page.getByRole('button', { name: 'End load now' }).press('Enter');
      }
      await expect(board.getByText('This run is over')).toBeVisible();
      await expect(board.getByText(/not connected/)).toHaveCount(0);
      await expect(board.getByRole('status', { name: 'State of the run' })).toHaveText(
        kind === 'electron' ? 'Failed' : 'Aborted',
      );
    },
  );
  expect(faults).toEqual([]);
});

test('a browser that blocks the window is told of, with what to do', async ({
  tilebench: { page, kind },
}) => {
  test.skip(kind === 'electron', 'Nothing blocks a window of the application.');
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.keyboard.press('Control+Shift+e');
  await expect(page.getByText('No run to detach: open one, or start one.')).toBeVisible();
  await page.evaluate(() => {
    window.location.hash = '#/runs/any';
  });
  await expect(page.getByText('The run cannot be shown')).toBeVisible();
  await page.keyboard.press('Control+Shift+e');
  await expect(page.getByText('The browser blocked the second window')).toBeVisible();
  await expect(page.getByRole('link', { name: 'open it in a tab' })).toHaveAttribute(
    'rel',
    'noopener',
  );
});
