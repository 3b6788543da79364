import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '../fixtures/test.ts';

test('a page outlives its console: a hung engine, a stop and a start, a forgotten cookie', async ({
  tilebench,
}) => {
  const { page, dataDir } = tilebench;
  const served = tilebench.served!;
  const notice = page.getByRole('alert');
  const engineBack = page.getByText(/^Engine .* running$/);
  await expect(engineBack).toBeVisible();

  process.kill(await tilebench.enginePid(), 'SIGSTOP');
  await expect(notice).toContainText('The engine does not answer', { timeout: 60_000 });
  await expect(notice).toContainText('Load on clients goes on meanwhile.');
  await page.screenshot({ path: test.info().outputPath('hung.png') });
  await notice.getByRole('button', { name: 'Start it again' }).click();
  await expect(notice).toHaveCount(0);
  await expect(engineBack).toBeVisible();

  await served.stop();
  await expect(notice).toContainText('Tilebench is not running');
  await expect(notice).toContainText(/tilebench serve --port \d+/);
  await page.screenshot({ path: test.info().outputPath('away.png') });
  await served.start();
  await expect(notice).toHaveCount(0);
  await expect(engineBack).toBeVisible();

  await served.stop();
  rmSync(join(dataDir, 'sessions.json'));
  await served.start();
  await expect(notice).toContainText('This browser is no longer let in');
  await expect(notice).toContainText('console.html');
  await page.screenshot({ path: test.info().outputPath('shut.png') });
  const other = await page.context().newPage();
  await other.goto(`file://${join(dataDir, 'console.html')}`);
  await expect(notice).toHaveCount(0);
  await expect(engineBack).toBeVisible();
  await other.close();
});
