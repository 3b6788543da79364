import { expect, type Page } from '@playwright/test';

import { launchPlan, setSpeed } from './demo.ts';
import { checkAndLaunch } from './plans.ts';
import { untilState } from './run.ts';
import { goTo } from './shell.ts';

/** Stops the lab's clock: what is on show stays as it is, however long it is looked at. */
async function holdTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pause time' }).click();
  await expect(page.getByRole('button', { name: 'Resume time' })).toBeVisible();
}

/**
 * The board of an installed plan in the middle of its steady state, with the lab's clock stopped:
 * a run that goes on would be over before all its pictures are taken.
 */
export async function holdSteadyBoard(page: Page, plan: RegExp): Promise<void> {
  await launchPlan(page, plan);
  await setSpeed(page, '60×');
  await untilState(page, 'Steady state');
  await setSpeed(page, '10×');
  await expect(page.getByText(/period [23] of 3/)).toBeVisible({ timeout: 20 * 60_000 });
  await holdTime(page);
  await untilState(page, 'Steady state');
}

/** Goes on with the run on show, to its end. */
export async function letItEnd(page: Page): Promise<void> {
  await setSpeed(page, 'As fast as it goes');
  await untilState(page, /^(Passed|Not compliant)/);
}

/** The board of a plan with acts, held while one of them is announced. */
export async function holdAnnouncedAct(page: Page, plan: RegExp): Promise<void> {
  await goTo(page, 'Plans');
  await page.getByRole('link', { name: plan }).first().click();
  await setSpeed(page, '60×');
  await checkAndLaunch(page);
  await untilState(page, 'Steady state');
  await setSpeed(page, '10×');
  await expect(page.getByRole('region', { name: 'Acts' }).getByRole('timer')).toBeVisible({
    timeout: 20 * 60_000,
  });
  await holdTime(page);
}

/** Two runs in a folder, with tags and a star, as somebody keeps them: by keys. */
export async function fileRuns(page: Page): Promise<void> {
  await goTo(page, 'Runs');
  await page.getByRole('grid').first().focus();
  for (const key of ['Home', 'Shift+ArrowDown', 'f', 't']) await page.keyboard.press(key);
  const tags = page.getByRole('dialog', { name: 'Tags of 2 runs' });
  await tags.getByRole('combobox', { name: 'Tags' }).fill('array-a');
  await page.keyboard.press('Enter');
  await tags.getByRole('button', { name: 'Done' }).click();
  await expect(tags).toHaveCount(0);
  await page.keyboard.press('m');
  await page.getByRole('combobox', { name: 'Folder' }).fill('Arrays/Old');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem', { name: 'Old, 2' })).toBeVisible();
}

/** A story of a study and a run, with a headline and notes; not saved. */
export async function writeStory(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill('What a full cluster does');
  const add = page.getByRole('combobox', { name: 'Add a run or a study' });
  for (const place of [0, 1]) {
    await add.click();
    await page.getByRole('listbox').getByRole('option').nth(place).click();
    const step = page.getByRole('region', { name: `Step ${place + 1}` });
    await step.getByRole('textbox', { name: 'Headline' }).fill('Seventeen tiles fill four hosts');
    await step
      .getByRole('textbox', { name: 'Speaker notes' })
      .fill('Ask who has seen a flat line like this. Then show the hosts.');
  }
}
