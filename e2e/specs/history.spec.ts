import { join } from 'node:path';

import { storeHistory } from '../fixtures/storedRun.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { inBothThemes } from '../pages/axe.ts';
import { goTo } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';

const count = 300;
/** A data folder with runs in it, made before the console opens it. */
const test = base.extend({
  dataDir: async ({ dataDir }, use, info) => {
    storeHistory(
      (info.project.metadata as { host: string }).host === 'electron'
        ? join(dataDir, 'data')
        : dataDir,
      count,
    );
    await use(dataDir);
  },
});

test('a history is searched, tagged, filed, noted, put away and brought back, by keys', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const grid = page.getByRole('grid', { name: 'Runs and studies' });
  const rows = grid.locator('[role=row][aria-selected]');
  const search = page.getByRole('searchbox', { name: 'Search runs and studies' });
  const status = page.getByRole('search').getByRole('status');

  await test.step('what only a finding says is found, with the reason; the filter answers at once', async () => {
    await goTo(page, 'Runs');
    await expect(status).toHaveText(`${count} in all`);
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('queue');
    await expect(status).toHaveText(`60 of ${count}`);
    await expect(rows.first()).toContainText('Finding: Queue of lun2 was full');
    await expect(page).toHaveURL(/runs\?q=queue$/);
    expect(
      await page.evaluate(() => performance.getEntriesByName('history.filter').length),
    ).toBeGreaterThan(0);
    await search.press('Escape');
  });

  await test.step('several at once: favourite, tags, folder', async () => {
    await grid.focus();
    for (const key of ['Home', 'Shift+ArrowDown', 'Shift+ArrowDown', 'f'])
      await page.keyboard.press(key);
    await expect(grid.getByRole('button', { name: /^Favourite /, pressed: true })).toHaveCount(3);
    await page.keyboard.press('t');
    const tags = page.getByRole('dialog', { name: 'Tags of 3 runs' });
    await tags.getByRole('combobox', { name: 'Tags' }).fill('array-a');
    await page.keyboard.press('Enter');
    await expect(grid.locator('button', { hasText: 'array-a' })).toHaveCount(3);
    await tags.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('m');
    await page.getByRole('combobox', { name: 'Folder' }).fill('Arrays/Old');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('treeitem', { name: 'Old, 3' })).toBeVisible();
    await shot(page, 'history');
  });

  await test.step('notes in Markdown, on the page and on the run; nothing of them runs', async () => {
    await grid.focus();
    await page.keyboard.press('n');
    await page
      .getByRole('textbox', { name: 'Notes in Markdown' })
      .fill('**Rack 4** <img src=x onerror="document.title=1">');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText(
      'Rack 4',
    );
    await inBothThemes(page, 'Runs with folders, tags and notes');
    await grid.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/runs\/run-/);
    await page.getByRole('button', { name: 'Notes', exact: true }).click();
    await expect(page.getByRole('main').locator('strong', { hasText: 'Rack 4' })).toBeVisible();
    await expect(page.getByRole('main').locator('img[src="x"]')).toHaveCount(0);
  });

  await test.step('the page is as it was left; deleted, taken back, deleted, removed for good', async () => {
    await goTo(page, 'Runs');
    await expect(page.getByText('3 runs selected')).toBeVisible();
    await grid.focus();
    await page.keyboard.press('Delete');
    await expect(status).toHaveText(`${count - 3} in all`);
    await page.keyboard.press('Control+z');
    await expect(status).toHaveText(`${count} in all`);
    await page.getByRole('treeitem', { name: 'Old, 3' }).press('Enter');
    await expect(status).toHaveText(`3 of ${count}`);
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: /^Deleted/ }).click();
    await expect(rows).toHaveCount(3);
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog', { name: 'Remove 1 run for good' });
    await expect(dialog).toContainText('Gone for good');
    await dialog.getByRole('button', { name: 'Remove for good' }).click();
    await expect(rows).toHaveCount(2);
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByText(/^Nothing lies in Deleted/)).toBeVisible();
  });
  expect(faults).toEqual([]);
});
