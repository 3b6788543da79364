import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type ElectronApplication, expect, test } from '@playwright/test';
import { build } from 'esbuild';

import { enginePidOf, launchElectron } from '../fixtures/consoleHost.ts';

const root = resolve(import.meta.dirname, '../..');
let dir: string;
let app: ElectronApplication | null = null;

test.beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-e2e-utility-'));
});
test.afterEach(async () => {
  await app?.close();
  rmSync(dir, { recursive: true, force: true });
});

/**
 * The built application, but for its engine: the stand-in's Node is too old for the real one's
 * database.
 */
async function applicationWith(engine: string): Promise<string> {
  const workers = join(dir, 'dist', 'workers');
  mkdirSync(workers, { recursive: true });
  for (const part of ['ui', 'electron'])
    symlinkSync(join(root, 'dist', part), join(dir, 'dist', part));
  await build({
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node16',
    entryPoints: [engine],
    outfile: join(workers, 'utility.cjs'),
    logLevel: 'error',
  });
  return dir;
}

test("the way Electron proper takes: calls, refusals and events of a utility process, over a port of the page's own", async ({}, info) => {
  test.skip(
    (info.project.metadata as { host: string }).host !== 'electron',
    'A browser has no utility process.',
  );
  app = await launchElectron({
    TILEBENCH_USER_DATA: join(dir, 'user'),
    TILEBENCH_ROOT_DIR: await applicationWith('e2e/fixtures/utilityEnd.ts'),
  });
  const running = app;
  const page = await app.firstWindow();
  await expect(page.getByRole('heading', { name: 'Three ways in' })).toBeVisible();
  await expect(page.getByText('An event of the utility process').first()).toBeVisible();
  const pid = await enginePidOf(running);
  expect(pid).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Testbeds' }).click();
  await expect(page.getByText('testbed.list is not here.').first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('testbed.list is not here.').first()).toBeVisible();
  expect(await enginePidOf(running), 'the engine is the one of the start').toBe(pid);
  await expect(page.getByText(/^Unheard/)).toHaveCount(0);
});
