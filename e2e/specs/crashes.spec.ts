import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type ElectronApplication, expect, test } from '@playwright/test';

import { launchElectron } from '../fixtures/consoleHost.ts';
import { pressBox, shownBox, systemBoxes } from '../fixtures/systemBoxes.ts';

let dir: string;
let app: ElectronApplication;
test.beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-e2e-crashes-'));
  app = await launchElectron(
    {
      TILEBENCH_USER_DATA: join(dir, 'user'),
      TILEBENCH_DATA: join(dir, 'data'),
      TILEBENCH_ROOT_DIR: resolve(import.meta.dirname, '../..'),
      TILEBENCH_NODE: process.execPath,
    },
    [systemBoxes],
  );
});
test.afterEach(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The reports that lie beside the logs, of this kind of process. */
const reportsOf = (kind: string): string[] =>
  readdirSync(join(dir, 'data', 'logs')).filter((name) => name.endsWith(`-${kind}.txt`));

test('an engine that ends by itself leaves a report of its owner only, and is started again', async () => {
  const page = await app.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  const pid = await app.evaluate(() =>
    (globalThis as { tilebenchEnginePid?: () => number | undefined }).tilebenchEnginePid?.(),
  );
  process.kill(pid!, 'SIGSEGV');
  await expect.poll(() => reportsOf('engine')).toHaveLength(1);
  const path = join(dir, 'data', 'logs', reportsOf('engine')[0]!);
  expect(readFileSync(path, 'utf8')).toMatch(/\nHow: signal SIGSEGV\nTilebench: [^]*\nElectron: /);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
});

test('the page of a window that ends is told of, its details are copied, and it opens again', async () => {
  const page = await app.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  await app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  const box = {
    message: 'The page of a window ended',
    buttons: ['Open it again', 'Quit', 'Copy details'],
  };
  await expect.poll(() => shownBox(app)).toMatchObject(box);
  const [name] = reportsOf('page');
  expect((await shownBox(app))?.detail).toContain(name);
  await pressBox(app, 2);
  await expect.poll(() => shownBox(app)).toMatchObject(box);
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toContain('Process: The page of a window');
  await pressBox(app, 0);
  const engineLine = (): Promise<boolean> =>
    app.evaluate(
      ({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          'document.body.innerText.includes("running")',
        ) as Promise<boolean>,
    );
  await expect.poll(engineLine).toBe(true);
});

test('a fault in the process of the windows is told of with its report, and the console goes on', async () => {
  const page = await app.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  await app.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown by a story');
    });
  });
  await expect
    .poll(() => shownBox(app))
    .toMatchObject({
      message: 'Tilebench met a fault of its own',
      detail: expect.stringContaining('thrown by a story'),
      buttons: ['Go on', 'Quit', 'Copy details'],
    });
  expect(reportsOf('window')).toHaveLength(1);
  await pressBox(app, 0);
  await expect.poll(() => shownBox(app)).toBeNull();
  // The same again and again: no box each, no report each.
  await app.evaluate(
    () =>
      new Promise<void>((done) => {
        const again = (left: number): void => {
          if (left === 0) {
            done();
            return;
          }
          setTimeout(() => again(left - 1));
          throw new Error('thrown again and again');
        };
        setTimeout(() => again(30));
      }),
  );
  await expect.poll(async () => (await shownBox(app))?.detail).toContain('thrown again and again');
  await pressBox(app, 0);
  await expect.poll(() => shownBox(app)).toBeNull();
  expect(reportsOf('window')).toHaveLength(2);
  await page.getByRole('link', { name: 'Plans' }).click();
  await expect(page.getByRole('heading', { name: 'Plans', level: 1 })).toBeVisible();
});
