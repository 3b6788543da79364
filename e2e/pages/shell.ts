import { expect, type Locator, type Page } from '@playwright/test';

/**
 * The field of the palette: a command may open a dialog of its own as soon as the palette closes.
 */
const paletteField = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Command palette' });

/** Runs a command by the palette, as the keyboard does. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('main').locator('> *').first()).toBeAttached();
  await page.keyboard.press('Control+k');
  await paletteField(page).fill(title);
  await page.getByRole('dialog').getByRole('button', { name: title }).first().click();
  await expect(paletteField(page)).toHaveCount(0);
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
  await expect(paletteField(page)).toBeFocused();
  await page.keyboard.type(title);
  await expect(page.getByRole('dialog').locator('[data-selected]')).toContainText(title);
  await page.keyboard.press('Enter');
  await expect(paletteField(page)).toHaveCount(0);
}
