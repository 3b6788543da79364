import { expect, type Page } from '@playwright/test';

import type { PlanFile } from '../../src/core/plan/plan.ts';
import { announcePracticeLab, practiceLabPath } from '../../workers/practiceLab.ts';
import type { Lab } from '../lab/lab.ts';
import type { Hands } from './connectWalk.ts';

/** Long enough to be measured, short enough to be watched. */
const phases: PlanFile['plan']['phases'] = {
  rampUpS: 1,
  staggerS: 0,
  steadyS: 6,
  periods: 3,
  rampDownS: 1,
};

/** The lab tells of itself as `npm run lab` does, with a run of seconds. */
export const announceLab = (lab: Lab): void =>
  announcePracticeLab(
    practiceLabPath(process.env),
    JSON.stringify({ ...lab.plan, plan: { ...lab.plan.plan, phases } }),
  );

/**
 * From the first start to a comparison: the practice lab is taken, its plan run, run again with
 * twice the threads, and both held against each other.
 */
export async function practiceToComparison(page: Page, hands: Hands): Promise<void> {
  const { push, write } = hands;
  const run = async (): Promise<void> => {
    await push(page.getByRole('button', { name: 'Check and launch' }));
    await expect(page).toHaveURL(/#\/runs\/run/);
    await push(page.getByRole('status', { name: 'End of the run' }).getByRole('button'));
    await expect(page.getByRole('tab', { name: 'Result' })).toBeVisible();
  };
  await push(page.getByRole('button', { name: 'Use the practice lab' }));
  await expect(page.getByRole('heading', { name: 'Practice run', level: 1 })).toBeVisible();
  await run();

  await push(page.getByRole('link', { name: 'Practice lab' }));
  await push(page.getByRole('tab', { name: 'Layout' }));
  await hands.pick(page.getByRole('radiogroup', { name: 'View' }), 'Table');
  await push(page.getByRole('button', { name: 'Parameters of tile 1 Database' }));
  const panel = page.getByRole('dialog');
  await write(panel.getByRole('textbox', { name: 'Threads' }), 4);
  await push(panel.getByRole('button', { name: 'Apply' }));
  await expect(panel).toHaveCount(0);
  await push(page.getByRole('button', { name: 'Save testbed' }));
  await push(page.getByRole('link', { name: 'Plans', exact: true }));
  await push(page.getByRole('link', { name: 'Practice run' }));
  await run();

  await push(page.getByRole('group', { name: /^Against / }).getByRole('link'));
  await expect(page.getByRole('heading', { name: 'Compare', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What differs' })).toContainText(
    'Database threads, tile 1',
  );
}
