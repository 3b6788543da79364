import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { runCommand } from './shell.ts';

/** Nothing serious or critical of WCAG 2.1 A and AA on what is shown; softly, so that one test names every place. */
export async function expectNothingSerious(page: Page, where: string): Promise<void> {
  // Legacy mode: without it axe opens a page of its own, which neither host allows.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(['wcag2a', 'wcag2aa', 'wcag21aa']).analyze();
  const serious = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`);
  expect.soft(serious, where).toEqual([]);
}

/** The same look in the other theme, then back. */
export async function inBothThemes(page: Page, where: string): Promise<void> {
  await expectNothingSerious(page, `${where}, first theme`);
  await runCommand(page, 'Switch light and dark');
  await expectNothingSerious(page, `${where}, second theme`);
  await runCommand(page, 'Switch light and dark');
}
