import { copyFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Page } from '@playwright/test';

import { expect, test } from '../fixtures/test.ts';
import { drawContactSheet, type Picture } from '../pages/contactSheet.ts';
import { launchPlan, openDemoLab, runEntry, setSpeed, untilStudy } from '../pages/demo.ts';
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

test('every screen at four sizes, light and dark, as one sheet', async ({ tilebench }) => {
  mkdirSync(folder, { recursive: true });
  const { page } = tilebench;
  const taken: Picture[] = [];
  const go = async (path: string): Promise<void> => {
    await page.goto(page.url().replace(/#.*/, `#/${path}`));
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
  };
  const visit = async (screen: string, path: string): Promise<void> => {
    await go(path);
    await look(page, screen, taken);
  };

  await look(page, 'Home, first start', taken);
  await openDemoLab(page);
  await look(page, 'Demo lab, nothing run', taken);
  await runEntry(page, 'E01');
  await setSpeed(page, 'As fast as it goes');
  await untilStudy(page, 'Done');
  const study = page.url().split('/').at(-1)!;

  await go('runs');
  const runs = await idsIn(page, 'runs');
  await visit('Home', '');
  await visit('Demo lab', 'lab');
  await visit('Connections', 'connections');
  await visit('Testbeds', 'testbeds');
  const [testbed = ''] = await idsIn(page, 'testbeds');
  await visit('Testbed', `testbeds/${testbed}`);
  await visit('Plans', 'plans');
  const [plan = ''] = await idsIn(page, 'plans');
  await visit('Plan', `plans/${plan}`);
  await visit('Runs', 'runs');
  for (const tab of ['Result', 'Charts', /^Events/, 'Set-up', 'Log']) {
    await go(`runs/${runs[0]!}`);
    await page.getByRole('tab', { name: tab }).click();
    await look(page, `Run, ${String(tab).replace(/\W/g, '')}`, taken);
  }
  await visit('Replay', `runs/${runs[0]!}/replay`);
  await visit('Studies', 'studies');
  await visit('Study', `studies/${study}`);
  await visit('What if', `studies/${study}/what-if`);
  await visit('Compare, nothing chosen', 'compare');
  await visit('Compare', `compare?base=${runs[0]!}&ids=${runs[9]!}`);
  await visit('Profiles', 'profiles');
  const [profile = ''] = await idsIn(page, 'profiles');
  await visit('Profile', `profiles/${profile}`);
  await visit('Settings', 'settings');
  await launchPlan(page, /^Scaling a cluster/);
  // A board is looked at where most of a run is: in its steady state.
  await setSpeed(page, '600×');
  await expect(page.getByText(/period [23] of 3|Run ended/).first()).toBeVisible();
  await setSpeed(page, '1×');
  await look(page, 'Live board', taken);
  await visit('Presenter', 'present');
  await visit('Presenter, study', `present/study/${study}`);

  for (const [screen, name] of [
    ['Live board', 'live-board'],
    ['Run, Result', 'result'],
    ['Compare', 'compare'],
    ['Presenter, study', 'presenter'],
  ] as const) {
    const picture = taken.find(
      (one) => one.screen === screen && one.widthPx === 1440 && one.theme === 'light',
    );
    if (picture) copyFileSync(picture.path, join(docs, `${name}.png`));
  }
  await drawContactSheet(page, taken, join(docs, 'contact-sheet.jpg'));
});
