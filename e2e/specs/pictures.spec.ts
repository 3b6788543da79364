import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Page } from '@playwright/test';

import { expect, test } from '../fixtures/test.ts';
import { drawContactSheet, type Picture } from '../pages/contactSheet.ts';
import { openDemoLab, runEntry, setSpeed, untilStudy } from '../pages/demo.ts';
import {
  fileRuns,
  holdAnnouncedAct,
  holdSteadyBoard,
  letItEnd,
  writeStory,
} from '../pages/pictureStates.ts';
import { unnamedPlaces } from '../pages/spoken.ts';

const sizes = [
  [1280, 800],
  [1440, 900],
  [1920, 1080],
  [3840, 2160],
] as const;
const themes = ['light', 'dark'] as const;
/** Where all pictures go; those of the README and the contact sheet go to `docs/images` too. */
const folder = resolve('.cache/pictures');
const docs = resolve('docs/images');

/** Same pixels twice, or the third try: what lives never stands still. */
async function photograph(page: Page, path: string): Promise<void> {
  let before: Buffer | null = null;
  for (let tries = 0; tries < 3; tries += 1) {
    const now = await page.screenshot({ path });
    if (before?.equals(now)) return;
    before = now;
  }
}

/** A screen at four sizes in both themes; what overflows its window or has no name is told. */
async function look(page: Page, screen: string, taken: Picture[]): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      const path = join(folder, `${screen.replace(/\W+/g, '-')}-${width}-${theme}.png`);
      await photograph(page, path);
      taken.push({ screen, widthPx: width, heightPx: height, theme, path });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect.soft(over, `${screen} at ${width} px is wider than its window`).toBeLessThanOrEqual(0);
    }
  }
  expect.soft(await unnamedPlaces(page), `what has no name on ${screen}`).toEqual([]);
}

const idsIn = (page: Page, place: string): Promise<string[]> =>
  page
    .getByRole('main')
    .locator(`a[href*="#/${place}/"]`)
    .evaluateAll((links) => [
      ...new Set(links.map((link) => (link as HTMLAnchorElement).hash.split(/[/?]/)[2]!)),
    ]);

/** Walks to the screens of one page, and photographs each. */
const walker = (page: Page, taken: Picture[]) => {
  const go = async (path: string): Promise<void> => {
    await page.goto(page.url().replace(/#.*/, `#/${path}`));
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  };
  return {
    go,
    visit: async (screen: string, path: string): Promise<void> => {
      await go(path);
      await look(page, screen, taken);
    },
    look: (screen: string): Promise<void> => look(page, screen, taken),
  };
};
type Walker = ReturnType<typeof walker>;

/** Lists and pages of what a study left behind. */
async function lookAround(page: Page, walk: Walker, study: string): Promise<void> {
  const { go, visit } = walk;
  await go('runs');
  // The first of the list may be answered for after the page stands.
  await expect(page.getByRole('main').locator('a[href*="#/runs/"]').first()).toBeVisible();
  const runs = await idsIn(page, 'runs');
  await visit('Home', '');
  await visit('Demo lab', 'lab');
  await visit('Connections', 'connections');
  await visit('Testbeds', 'testbeds');
  const [testbed = ''] = await idsIn(page, 'testbeds');
  await visit('Testbed', `testbeds/${testbed}`);
  await visit('Parameters', `testbeds/${testbed}?tile=1&workload=web`);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Prepare guests' }).click();
  await walk.look('Prepare guests');
  await visit('Plans', 'plans');
  for (const name of [/^Scaling a cluster/, /^A host joins/]) {
    await go('plans');
    await page.getByRole('link', { name }).first().click();
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
    await walk.look(name.source.includes('host') ? 'Plan with acts' : 'Plan');
  }
  await fileRuns(page);
  await walk.look('Runs, tags and a folder');
  for (const tab of ['Result', 'Charts', /^Events/, 'Set-up', 'Log']) {
    await go(`runs/${runs[0]!}`);
    await page.getByRole('tab', { name: tab }).click();
    await walk.look(`Run, ${String(tab).replace(/\W/g, '')}`);
  }
  await visit('Replay', `runs/${runs[0]!}/replay`);
  await visit('Studies', 'studies');
  await visit('Study', `studies/${study}`);
  await visit('What if', `studies/${study}/what-if`);
  await visit('Compare, nothing chosen', 'compare');
  await visit('Compare', `compare?base=${runs[0]!}&ids=${runs[9]!}`);
  await page.getByRole('button', { name: 'Repeat both…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await walk.look('Repeat both');
  await page.keyboard.press('Escape');
  await go('studies/stories/new');
  await writeStory(page);
  await walk.look('Story with notes');
  await visit('Profiles', 'profiles');
  const [profile = ''] = await idsIn(page, 'profiles');
  await visit('Profile', `profiles/${profile}`);
  await visit('Settings', 'settings');
}

/** The pages did not arrive: the console says so in place of the screen. */
async function lookAtFault(page: Page, walk: Walker): Promise<void> {
  await page.route('**/assets/pages-*.js', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toBeVisible();
  await walk.look('Screen that could not be drawn');
  await page.unroute('**/assets/pages-*.js');
  await page.reload();
}

test('every screen at four sizes, light and dark, as one sheet', async ({ tilebench }) => {
  mkdirSync(folder, { recursive: true });
  const { page } = tilebench;
  const taken: Picture[] = [];
  const walk = walker(page, taken);

  await walk.look('Home, first start');
  await openDemoLab(page);
  await walk.look('Demo lab, nothing run');
  await runEntry(page, 'E01');
  await setSpeed(page, 'As fast as it goes');
  await untilStudy(page, 'Done');
  const study = page.url().split('/').at(-1)!;
  await lookAround(page, walk, study);
  await holdSteadyBoard(page, /^Scaling a cluster/);
  await walk.look('Live board');
  await page.getByRole('tab', { name: 'Workloads' }).click();
  await walk.look('Live board, workloads');
  await letItEnd(page);
  await holdAnnouncedAct(page, /^A host joins/);
  await walk.look('Live board, an act is announced');
  await walk.visit('Presenter', 'present');
  await walk.visit('Presenter, study', `present/study/${study}`);
  await walk.go('settings');
  await lookAtFault(page, walk);

  const board = taken.find(
    (one) => one.screen === 'Live board' && one.widthPx === 1440 && one.theme === 'light',
  );
  if (board) copyFileSync(board.path, join(docs, 'live-board.png'));
  await drawContactSheet(page, taken, join(docs, 'contact-sheet.jpg'));
});
