import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type ElectronApplication, expect, test } from '@playwright/test';

import { type ServedConsole, startServe } from '../../workers/testing/served.ts';
import { launchElectron } from '../fixtures/consoleHost.ts';
import { pressBox, shownBox, systemBoxes } from '../fixtures/systemBoxes.ts';

let dir: string;
let app: ElectronApplication | null = null;
let served: ServedConsole | null = null;
test.beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-e2e-held-'));
});
test.afterEach(async () => {
  await app?.close();
  await served?.stop();
  app = served = null;
  rmSync(dir, { recursive: true, force: true });
});

/** The desktop on the folder of this test. */
async function startDesktop(): Promise<ElectronApplication> {
  app = await launchElectron(
    {
      TILEBENCH_USER_DATA: join(dir, 'user'),
      TILEBENCH_DATA: join(dir, 'data'),
      TILEBENCH_ROOT_DIR: resolve(import.meta.dirname, '../..'),
      TILEBENCH_NODE: process.execPath,
    },
    [systemBoxes],
  );
  return app;
}
/** Settles when its process has ended. */
const endOf = (running: ElectronApplication): Promise<void> =>
  new Promise((done) => {
    running.process().once('exit', () => done());
  });
test('another Tilebench holds the data folder: it is said which; the desktop waits and goes on when it is free', async () => {
  served = await startServe(join(dir, 'data'));
  const running = await startDesktop();
  await expect
    .poll(() => shownBox(running))
    .toMatchObject({
      message: 'Another Tilebench holds the data folder',
      buttons: ['Wait for it', 'Quit'],
    });
  expect((await shownBox(running))?.detail).toContain(`process ${served.enginePid()} on `);
  await pressBox(running, 0);
  await expect
    .poll(async () => (await shownBox(running))?.message)
    .toBe('Waiting for the other Tilebench to let go of the data folder');
  await served.stop();
  served = null;
  const page = await running.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  await expect.poll(() => shownBox(running)).toBeNull();
});

test('a desktop whose engine could not start ends at once when it is quit, and leaves nothing behind', async () => {
  served = await startServe(join(dir, 'data'));
  const running = await startDesktop();
  await expect
    .poll(async () => (await shownBox(running))?.buttons)
    .toEqual(['Wait for it', 'Quit']);
  const ended = endOf(running);
  await pressBox(running, 1);
  await ended;
  app = null;
});

/** A database that is none: the engine says why, and cannot start. */
function damagedDatabase(): string {
  const path = join(dir, 'data', 'tilebench.sqlite');
  mkdirSync(join(dir, 'data'), { mode: 0o700 });
  writeFileSync(path, 'no database '.repeat(1_000), { mode: 0o600 });
  return path;
}
const cannotStart = {
  message: 'The engine cannot start',
  detail: expect.stringContaining('tilebench.sqlite') as unknown,
  buttons: ['Try again', 'Quit', 'Copy details'],
};

test('an engine that cannot start says why: Try again asks again as long as that holds, and starts it when it is mended', async () => {
  const path = damagedDatabase();
  const running = await startDesktop();
  await expect.poll(() => shownBox(running)).toMatchObject(cannotStart);
  await pressBox(running, 0);
  await expect.poll(() => shownBox(running)).toMatchObject(cannotStart);
  await pressBox(running, 2);
  await expect.poll(() => shownBox(running)).toMatchObject(cannotStart);
  const copied = await running.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toMatch(/^The engine cannot start\n[^]*tilebench\.sqlite[^]*\nElectron: /);
  rmSync(path);
  await pressBox(running, 0);
  const page = await running.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  expect(await shownBox(running)).toBeNull();
});

test('Quit after an engine that cannot start ends the desktop, and the next start is a new one', async () => {
  damagedDatabase();
  const first = await startDesktop();
  await expect.poll(() => shownBox(first)).toMatchObject(cannotStart);
  const ended = endOf(first);
  await pressBox(first, 1);
  await ended;
  rmSync(join(dir, 'data'), { recursive: true });
  const second = await startDesktop();
  const page = await second.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
});
