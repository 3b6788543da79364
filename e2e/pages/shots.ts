import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { runCommand } from './shell.ts';

/**
 * A picture for the documentation, light and, where asked, dark; only where TILEBENCH_SHOTS names a
 * folder.
 */
export async function shot(
  page: Page,
  name: string,
  themes: 'light' | 'both' = 'both',
): Promise<void> {
  const folder = process.env['TILEBENCH_SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.screenshot({ path: join(folder, `${name}.png`) });
  if (themes === 'both') {
    await runCommand(page, 'Switch light and dark');
    await page.screenshot({ path: join(folder, `${name}-dark.png`) });
    await page.screenshot({ path: join(folder, `${name}-dark-whole.png`), fullPage: true });
    await runCommand(page, 'Switch light and dark');
  }
  await page.setViewportSize(before ?? { width: 1440, height: 900 });
}
