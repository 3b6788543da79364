import { expect, type Page } from '@playwright/test';

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

/** Checks the open plan and launches it; ends on the run's page. */
export async function checkAndLaunch(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Launch' })).toBeDisabled();
  await checkUntilReady(page);
  await page.getByRole('button', { name: 'Launch' }).click();
  await expect(page).toHaveURL(/#\/runs\/run/);
}

/**
 * Checks the open plan until nothing blocks: on a machine that others load a check may not have its
 * answer in time, and says so; checked again, as a user would.
 */
export async function checkUntilReady(page: Page): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: /^Check( again)?$/ }).click();
    await expect(page.getByText(/^(Not ready|Ready to launch): \d+ block/)).toBeVisible();
    expect(await page.getByText(/^Ready to launch: 0 block/).isVisible()).toBe(true);
  }).toPass({ timeout: 10 * 60_000 });
}
