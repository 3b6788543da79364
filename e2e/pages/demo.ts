import { expect, type Locator, type Page } from '@playwright/test';

/** Home's first click: the simulated workspace, on the page of the demo lab. */
export async function openDemoLab(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Open the demo lab' }).click();
  await expect(page.getByRole('heading', { name: 'Lab (simulated)', level: 1 })).toBeVisible();
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

/** Waits for so many points of a study at full speed, and slows it: what follows needs one that runs. */
export async function untilPoints(page: Page, count: number): Promise<void> {
  await setSpeed(page, 'As fast as it goes');
  await expect(points(page).nth(count - 1)).toBeVisible({ timeout: 10 * 60_000 });
  await setSpeed(page, '1×');
}

/** The marks that no screen of the simulated workspace goes without. */
export async function expectSimulated(page: Page, where: string): Promise<void> {
  await expect(
    page.getByRole('banner').first().getByText('SIMULATED', { exact: true }),
    `top bar, ${where}`,
  ).toBeVisible();
  await expect(
    page.getByRole('contentinfo', { name: 'Status' }).getByText('SIMULATED', { exact: true }),
    `status bar, ${where}`,
  ).toBeVisible();
}
