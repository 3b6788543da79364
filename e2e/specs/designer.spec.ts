import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean, inBothThemes } from '../pages/axe.ts';
import { installEntry, openDemoLab } from '../pages/demo.ts';
import { goTo } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';

test('twenty tiles are laid out by keys alone, with a readable tree, at 200 %, in light and dark', async ({
  tilebench: { page },
}) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await openDemoLab(page);
  await installEntry(page, 'E01');
  await goTo(page, 'Testbeds');
  await page.getByRole('table', { name: 'Testbeds' }).getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Inventory' }).click();
  await page.getByRole('button', { name: 'Discover' }).click();
  await expect(page.getByRole('tab', { name: /^Hosts \(4\)/ })).toBeVisible();
  await page.getByRole('tab', { name: 'Layout' }).click();
  const grid = page.getByRole('grid', { name: 'Tiles by host' });
  const said = page.getByRole('status', { name: 'What was done' });

  await test.step('generate, choose, move, undo, copy and paste without a pointer', async () => {
    await grid.focus();
    await page.keyboard.press('g');
    const dialog = page.getByRole('dialog', { name: 'Generate a layout' });
    await expect(dialog.getByText(/of 120 match/).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(said).toHaveText(/^Lay out 20 tiles/);
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Move 6 VMs' })).toBeVisible();
    await page.keyboard.type('esx3');
    await page.keyboard.press('Enter');
    await expect(said).toHaveText('Move tile 1 to esx3.');
    await expect(
      grid
        .getByRole('row')
        .first()
        .getByRole('gridcell', { name: /^Tile 1 .*host esx3/ }),
    ).toHaveCount(6);
    await expect(grid).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(said).toHaveText('Undone: Move tile 1 to esx3.');
    await page.keyboard.press('Control+Shift+Z');
    await page.keyboard.press('Control+c');
    await expect(said).toHaveText(/^1 tile copied|^Copied, for this window/);
    await page.keyboard.press('Control+v');
    await expect(said).toHaveText('Paste 1 tile.');
    await expect(page.getByText('21 tiles', { exact: true })).toBeVisible();
    await page.keyboard.press('Control+z');
  });

  await test.step('a drag with the pointer does the same, and Escape takes it back', async () => {
    const from = await grid.getByRole('rowheader', { name: /^Tile 2,/ }).boundingBox();
    const to = await page
      .getByRole('list', { name: 'Load of hosts' })
      .getByRole('button', { name: 'esx4' })
      .boundingBox();
    for (const end of ['drop', 'escape'] as const) {
      await page.mouse.move(from!.x + 20, from!.y + 8);
      await page.mouse.down();
      await page.mouse.move(from!.x + 60, from!.y + 12);
      await page.mouse.move(to!.x + 10, from!.y + 12, { steps: 4 });
      if (end === 'escape') await page.keyboard.press('Escape');
      await page.mouse.up();
      await expect(said).toHaveText(end === 'drop' ? 'Move tile 2 to esx4.' : 'Nothing was moved.');
    }
  });

  await test.step('light, dark, and half the width at 200 %', async () => {
    await shot(page, 'designer');
    await inBothThemes(page, 'Designer');
    await page.setViewportSize({ width: 640, height: 400 });
    await expectAxeClean(page, 'Designer at 200 %');
    await grid.focus();
    await page.keyboard.press('Control+End');
    await expect(grid.getByRole('rowheader', { name: /^Tile 20,/ })).toBeInViewport();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      'nothing is cut off at the side',
    ).toBe(true);
  });
  expect(faults).toEqual([]);
});
