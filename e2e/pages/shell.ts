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
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${title.replace(/[()]/g, '\\$&')}`) })
    .first()
    .click();
  await expect(paletteField(page)).toHaveCount(0);
}

const inLab = ['Connections', 'Testbeds', 'Demo lab'];

/** Goes to a screen by the rail, and to a list of the Lab by its tab there. */
export async function goTo(page: Page, name: string): Promise<void> {
  const link = (place: string, of: string): Locator =>
    page.getByRole('navigation', { name: place, exact: true }).getByRole('link', {
      name: of,
      exact: true,
    });
  await link('Main', inLab.includes(name) ? 'Lab' : name).click();
  if (inLab.includes(name)) await link('Lab', name).click();
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
