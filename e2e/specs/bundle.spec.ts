import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { storeRun } from '../fixtures/storedRun.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { exportAs } from '../pages/run.ts';
import { goTo } from '../pages/shell.ts';

/** A data folder with one stored run in it, made before the console opens it. */
const test = base.extend({
  dataDir: async ({ dataDir }, use, info) => {
    storeRun(
      (info.project.metadata as { host: string }).host === 'electron'
        ? join(dataDir, 'data')
        : dataDir,
    );
    await use(dataDir);
  },
});

test('a run leaves as a report and as a redacted bundle; the bundle opens read-only, and a damaged one is refused with its reason', async ({
  tilebench,
  dataDir,
}) => {
  const { page } = tilebench;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await goTo(page, 'Runs');
  await page.getByRole('grid', { name: 'Runs' }).getByText('Stored, 2 tiles').click();

  await test.step('the report: a page of its own, and a PDF', async () => {
    const html = await tilebench.saved(() => exportAs(page, 'Report, HTML'));
    expect(html.name).toBe('Stored-2-tiles.html');
    expect(html.text).toContain('<h1>Run Stored, 2 tiles</h1>');
    await expect(page.getByText(/^Written: /)).toBeVisible();
    const pdf = await tilebench.saved(() => exportAs(page, 'Report, PDF'));
    expect(readFileSync(pdf.path).subarray(0, 5).toString()).toBe('%PDF-');
  });
  const bundle = await test.step('the bundle: what leaves is shown first', async () => {
    await exportAs(page, 'Bundle…');
    const dialog = page.getByRole('dialog', { name: 'Bundle: what leaves' });
    await expect(
      dialog.getByRole('table', { name: 'Replacements' }).getByRole('row').nth(1),
    ).toContainText('redacted-');
    // Words that are in no list, where there are some, are looked at first.
    const looked = dialog.getByRole('checkbox', { name: /^Looked at/ });
    if ((await looked.count()) > 0) await looked.check();
    const saved = await tilebench.saved(() =>
      dialog.getByRole('button', { name: 'Write redacted bundle' }).click(),
    );
    expect(saved.name).toMatch(/\.tilebench$/);
    return saved.path;
  });
  const open = (path: string): Promise<void> =>
    tilebench.opened(path, () => page.keyboard.press('Control+Shift+o'));
  await test.step('it opens, marked and read-only, beside the run it was made from', async () => {
    await expect(page.getByText(/^Written: .*tilebench/)).toBeVisible();
    await open(bundle);
    await page.getByRole('button', { name: 'From a bundle' }).click();
    await expect(page.getByText(/redacted: measured elsewhere/)).toBeVisible();
    await page.keyboard.press('Escape');
    await goTo(page, 'Runs');
    await expect(
      page.getByRole('grid', { name: 'Runs' }).getByRole('img', { name: /^From file/ }),
    ).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(3);
  });
  await test.step('a damaged one is refused, and says why', async () => {
    const bytes = readFileSync(bundle);
    bytes[bytes.length >> 1]! ^= 0xff;
    const damaged = join(dataDir, 'damaged.tilebench');
    writeFileSync(damaged, bytes);
    await open(damaged);
    await expect(page.getByText('damaged.tilebench was refused')).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Runs' }).getByRole('row')).toHaveCount(3);
  });
  expect(faults).toEqual([]);
});
