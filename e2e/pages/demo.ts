import { expect, type Locator, type Page } from '@playwright/test';

import { checkAndLaunch } from './plans.ts';
import { untilState } from './run.ts';
import { goTo } from './shell.ts';

/** Home's first click: the simulated workspace, on the page of the demo lab. */
export async function openDemoLab(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Open the demo lab' }).click();
  await expect(page.getByRole('heading', { name: 'Demo lab', level: 1 })).toBeVisible();
}

/** Installs and starts an entry of the gallery; its study is open afterwards. */
export async function runEntry(page: Page, id: string): Promise<void> {
  const entry = page
    .getByRole('navigation', { name: 'Gallery of studies' })
    .getByRole('button', { name: new RegExp(`^${id}`) });
  await entry.click();
  await expect(entry).toHaveAttribute('aria-current', 'true');
  await page.getByRole('button', { name: /^(Run|Resume) study: / }).click();
  await expect(page).toHaveURL(/#\/studies\//);
}

/** Installs an entry with its testbed and plan; its study is not wanted, and stands. */
export async function installEntry(page: Page, id: string): Promise<void> {
  await runEntry(page, id);
  await Promise.race([
    page.getByRole('button', { name: 'Pause now' }).click(),
    untilStudy(page, 'Done'),
  ]);
}

/**
 * Launches an installed plan in slow time, so that a busy machine does not miss the run; its page
 * is open once load is on.
 */
export async function launchPlan(page: Page, name: RegExp): Promise<void> {
  // Set before: at the speed of a study the run might be over before anybody looks.
  await setSpeed(page, '10×');
  await goTo(page, 'Plans');
  await page.getByRole('link', { name }).first().click();
  await checkAndLaunch(page);
  await untilState(page, /Ramp-up|Steady state/);
  await setSpeed(page, '1×');
}

/** `1×` to `3600×`, or `As fast as it goes`. */
export async function setSpeed(page: Page, speed: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Speed of simulated time' }).selectOption(speed);
}

/** The big chart of the open study. */
export const curve = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('region')
    .filter({ has: page.getByRole('group', { name: /, points$/ }) })
    .first();
/** Measured points of the curve; each opens its run. */
export const points = (page: Page): Locator =>
  curve(page).getByRole('button', { name: /Opens its run\.$/ });

export async function untilStudy(page: Page, state: string | RegExp): Promise<void> {
  await expect(page.getByRole('status', { name: 'State of the study' })).toHaveText(state, {
    timeout: 10 * 60_000,
  });
}

/**
 * Waits for so many points of a study, and slows it: what follows needs one that runs. Not at full
 * speed, at which it may end while the page is busy.
 */
export async function untilPoints(page: Page, count: number): Promise<void> {
  await setSpeed(page, '1800×');
  await expect(points(page).nth(count - 1)).toBeVisible({ timeout: 10 * 60_000 });
  await setSpeed(page, '1×');
}

/** The mark that no screen of the simulated workspace goes without, once. */
export async function expectSimulated(page: Page, where: string): Promise<void> {
  await expect(
    page.getByRole('banner').first().getByText('SIMULATED', { exact: true }),
    `top bar, ${where}`,
  ).toBeVisible();
  await expect(page.getByText('SIMULATED', { exact: true }), where).toHaveCount(1);
}
