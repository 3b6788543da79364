import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type ElectronApplication, expect, test } from '@playwright/test';

import { type ServedConsole, startServe } from '../../workers/testing/served.ts';
import { launchElectron } from '../fixtures/consoleHost.ts';

interface Box {
  message: string;
  detail: string;
  buttons: string[];
}
/** What `systemBoxes.cjs` keeps of the boxes of the system. */
interface Boxes {
  shown: Box | null;
  press: ((response: number) => void) | null;
}

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
    [resolve(import.meta.dirname, '../fixtures/systemBoxes.cjs')],
  );
  return app;
}
const press = (running: ElectronApplication, button: number): Promise<void> =>
  running.evaluate((_electron, response) => {
    (globalThis as unknown as { boxes: Boxes }).boxes.press?.(response);
  }, button);
/** Settles when its process has ended. */
const endOf = (running: ElectronApplication): Promise<void> =>
  new Promise((done) => {
    running.process().once('exit', () => done());
  });
const shown = (running: ElectronApplication): Promise<Box | null> =>
  running.evaluate(() => (globalThis as unknown as { boxes: Boxes }).boxes.shown);

test('another Tilebench holds the data folder: it is said which; the desktop waits and goes on when it is free', async () => {
  served = await startServe(join(dir, 'data'));
  const running = await startDesktop();
  await expect
    .poll(() => shown(running))
    .toMatchObject({
      message: 'Another Tilebench holds the data folder',
      buttons: ['Wait for it', 'Quit'],
    });
  expect((await shown(running))?.detail).toContain(`process ${served.enginePid()} on `);
  await press(running, 0);
  await expect
    .poll(async () => (await shown(running))?.message)
    .toBe('Waiting for the other Tilebench to let go of the data folder');
  await served.stop();
  served = null;
  const page = await running.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  await expect.poll(() => shown(running)).toBeNull();
});

test('a desktop whose engine could not start ends at once when it is quit, and leaves nothing behind', async () => {
  served = await startServe(join(dir, 'data'));
  const running = await startDesktop();
  await expect.poll(async () => (await shown(running))?.buttons).toEqual(['Wait for it', 'Quit']);
  const ended = endOf(running);
  await press(running, 1);
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
  buttons: ['Try again', 'Quit'],
};

test('an engine that cannot start says why: Try again asks again as long as that holds, and starts it when it is mended', async () => {
  const path = damagedDatabase();
  const running = await startDesktop();
  await expect.poll(() => shown(running)).toMatchObject(cannotStart);
  await press(running, 0);
  await expect.poll(() => shown(running)).toMatchObject(cannotStart);
  rmSync(path);
  await press(running, 0);
  const page = await running.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
  expect(await shown(running)).toBeNull();
});

test('Quit after an engine that cannot start ends the desktop, and the next start is a new one', async () => {
  damagedDatabase();
  const first = await startDesktop();
  await expect.poll(() => shown(first)).toMatchObject(cannotStart);
  const ended = endOf(first);
  await press(first, 1);
  await ended;
  rmSync(join(dir, 'data'), { recursive: true });
  const second = await startDesktop();
  const page = await second.firstWindow();
  await expect(page.getByText(/^Engine .* running$/)).toBeVisible();
});
