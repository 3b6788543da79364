import { expect, type Locator, type Page } from '@playwright/test';

import { choose, fill } from './forms.ts';

export interface PhaseInput {
  rampUp: number;
  stagger: number;
  steady: number;
  periods: number;
  rampDown: number;
}

/** Makes a plan on a testbed by hand; the plan's page stays open. */
export async function createPlan(
  page: Page,
  name: string,
  testbed: string,
  phases: PhaseInput,
): Promise<void> {
  await page.keyboard.press('Control+n');
  await fill(page, { Name: name });
  await choose(page, page, 'Testbed', testbed);
  await fill(page, {
    'Ramp-up': phases.rampUp,
    Stagger: phases.stagger,
    'Steady state': phases.steady,
    'Measurement periods': phases.periods,
    'Ramp-down': phases.rampDown,
  });
}

/**
 * Checks the open plan and launches it; ends on the run's page. On a machine that others load a
 * check may not have its answer in time, and says so; begun again, as a user would.
 */
export async function checkAndLaunch(page: Page): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: /^(Check and launch|Launch)$/ }).click();
    await expect(page).toHaveURL(/#\/runs\/run/, { timeout: 60_000 });
  }).toPass({ timeout: 10 * 60_000 });
}

/** Checks the open plan and starts nothing; the line that says what came of it. */
export async function checkOnly(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'More ways to begin' }).click();
  await page.getByRole('menuitem', { name: /^Check (only|again)$/ }).click();
  return checkState(page);
}

/** Whether the open plan may be launched, as its page says it. */
export const checkState = (page: Page): Locator =>
  page.getByRole('status', { name: 'State of the check' });
