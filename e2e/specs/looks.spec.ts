import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, test } from '@playwright/test';
import { build, preview } from 'vite';

import { launchChromium } from '../fixtures/consoleHost.ts';

const looks = resolve(import.meta.dirname, '../looks');
/** Of all pixels of a section: what another build of the same browser draws otherwise. */
const maxDiffPixelRatio = 0.005;

/**
 * The page of all components, built into a folder of its own; stands in no other build. Where the
 * look was changed on purpose, this makes the pictures anew:
 * `TILEBENCH_NIGHTLY=1 npm run test:e2e -- --project=chromium --update-snapshots=all looks`.
 */
test('every component in both themes looks as it did', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'tilebench-looks-'));
  const config = { configFile: false, root: looks, logLevel: 'error' } as const;
  await build({ ...config, build: { outDir, emptyOutDir: true } });
  const served = await preview({
    ...config,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const browser = await launchChromium();
  const page = await browser.newPage({
    viewport: { width: 1280, height: 1000 },
    reducedMotion: 'reduce',
  });
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(served.resolvedUrls!.local[0]!);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const section of await page.getByRole('main').locator('> section').all()) {
      const name = (await section.getByRole('heading', { level: 2 }).first().innerText()).split(
        ' ',
      )[0]!;
      await expect
        .soft(section)
        .toHaveScreenshot(`${name.toLowerCase()}-${theme}.png`, { maxDiffPixelRatio });
    }
  }
  expect(faults).toEqual([]);
  await browser.close();
  await served.close();
  rmSync(outDir, { recursive: true, force: true });
});
