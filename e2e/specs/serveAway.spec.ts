import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean } from '../pages/axe.ts';

const schemes = ['light', 'dark'] as const;
/** Readable in light and dark, and no cover over where one is: the page under it stays in use. */
async function expectSeen(
  page: Page,
  name: string,
  among: readonly (typeof schemes)[number][] = schemes,
): Promise<void> {
  for (const colorScheme of among) {
    await page.emulateMedia({ colorScheme });
    await expectAxeClean(page, `${name}, ${colorScheme}`);
    await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`) });
  }
  const notice = (await page.getByRole('alert').boundingBox())!;
  const heading = (await page.getByRole('heading').first().boundingBox())!;
  expect(notice.y, 'below the heading').toBeGreaterThan(heading.y + heading.height);
}

test('a page outlives its console: a hung engine, a stop and a start, a forgotten cookie', async ({
  tilebench,
}) => {
  const { page, dataDir } = tilebench;
  const served = tilebench.served!;
  const notice = page.getByRole('alert');
  const engineBack = page.getByText(/^Engine .* running$/);
  await expect(engineBack).toBeVisible();

  // A hung engine is started again by itself after a minute: each look has one for itself.
  for (const scheme of schemes) {
    process.kill(await tilebench.enginePid(), 'SIGSTOP');
    await expect(notice).toContainText('The engine does not answer');
    await expect(notice).toContainText('Load on clients goes on meanwhile.');
    await expectSeen(page, 'hung', [scheme]);
    await notice.getByRole('button', { name: 'Start it again' }).click();
    await expect(notice).toHaveCount(0);
    await expect(engineBack).toBeVisible();
  }

  await served.stop();
  await expect(notice).toContainText('Tilebench is not running');
  await expect(notice).toContainText(/tilebench serve --port \d+/);
  await expectSeen(page, 'away');
  await served.start();
  await expect(notice).toHaveCount(0);
  await expect(engineBack).toBeVisible();

  await served.stop();
  rmSync(join(dataDir, 'sessions.json'));
  await served.start();
  await expect(notice).toContainText('This browser is no longer let in');
  await expect(notice).toContainText('console.html');
  await expectSeen(page, 'shut');
  const other = await page.context().newPage();
  await other.goto(`file://${join(dataDir, 'console.html')}`);
  await expect(notice).toHaveCount(0);
  await expect(engineBack).toBeVisible();
  await other.close();
});
