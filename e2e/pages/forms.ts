import type { Locator, Page } from '@playwright/test';

/** Chooses an option of a drop-down by its label, within a part of the page. */
export async function choose(
  page: Page,
  within: Page | Locator,
  label: string,
  option: string,
): Promise<void> {
  await within.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Fills text and number fields by their labels. */
export async function fill(
  within: Page | Locator,
  values: Readonly<Record<string, string | number>>,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = within.getByRole('textbox', { name: label, exact: true });
    await field.fill(String(value));
    await field.press('Tab');
  }
}
