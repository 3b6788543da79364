import { expect, type Page } from '@playwright/test';

/** Runs a command by the palette, as the keyboard does. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('main').locator('> *').first()).toBeAttached();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('dialog').getByRole('textbox');
  await search.fill(title);
  await page.getByRole('dialog').getByRole('button', { name: title }).first().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Goes to a screen by the rail. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name, exact: true })
    .click();
}

/** Runs a command by keys alone: opened, typed, chosen. */
export async function paletteCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await expect(palette.getByRole('textbox')).toBeFocused();
  await page.keyboard.type(title);
  await expect(palette.locator('[data-selected]')).toContainText(title);
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
}
