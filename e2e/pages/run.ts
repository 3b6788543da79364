import { expect, type Locator, type Page } from '@playwright/test';

/** A chart of the board by its title and unit. */
export const chart = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: title, exact: true });

export async function chartAction(page: Page, title: string, action: string): Promise<void> {
  await chart(page, title)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

/**
 * Waits for a state of the run on show, as long as runs of the stories last and a busy machine may
 * need.
 */
export async function untilState(page: Page, state: string | RegExp): Promise<void> {
  await expect(page.getByRole('status', { name: 'State of the run' })).toHaveText(state, {
    timeout: 10 * 60_000,
  });
  // A run that ends while its board is watched stays on it until the result is asked for.
  const result = page.getByRole('status', { name: 'End of the run' }).getByRole('button');
  if (await result.isVisible()) await result.click();
}

/** Ends the load of the run on show, gracefully. */
export async function abortRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop…', exact: true }).click();
  await page.getByRole('button', { name: 'End load now' }).click();
  await untilState(page, 'Aborted');
}

export const runIdOf = (page: Page): string => /#\/runs\/([^/?]+)/.exec(page.url())?.[1] ?? '';

/**
 * Samples in the table behind a chart, all of them: header `Elapsed`, `Clock`, one column a series.
 * The first rows as text.
 */
export async function tableBehind(
  page: Page,
  title: string,
  unit: string,
): Promise<{ samples: number; head: string[]; firstRow: string[] }> {
  await chartAction(page, `${title} ${unit}`, 'Table');
  const table = page.getByRole('dialog').getByRole('table', { name: title });
  await expect(table.getByRole('cell').first()).toBeVisible();
  const found = {
    samples: Number(await table.getAttribute('aria-rowcount')) - 1,
    head: await table.getByRole('columnheader').allTextContents(),
    firstRow: await table.getByRole('row').nth(1).getByRole('cell').allTextContents(),
  };
  await closeDialog(page);
  return found;
}

export async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Exports the run on show in one of the forms of its menu. */
export async function exportAs(page: Page, form: string): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: form, exact: true }).click();
}
