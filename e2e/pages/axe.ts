import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

import { runCommand } from './shell.ts';

/** These two count what lies behind an open dialog, which `aria-modal` hides from its reader. */
const blindToModals = ['landmark-no-duplicate-banner', 'landmark-unique'];

/** Nothing at all of WCAG 2.2 A and AA and of axe's good practices on what is shown; softly, so that one test names every place. `without`: rules that cannot judge this place. */
export async function expectAxeClean(
  page: Page,
  where: string,
  without: readonly string[] = [],
): Promise<void> {
  // Legacy mode: without it axe opens a page of its own, which neither host allows.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .disableRules([...blindToModals, ...without])
    .analyze();
  const found = violations.map(
    (v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`,
  );
  expect.soft(found, where).toEqual([]);
}

/** The same look in the other theme, then back. */
export async function inBothThemes(
  page: Page,
  where: string,
  without: readonly string[] = [],
): Promise<void> {
  await expectAxeClean(page, `${where}, first theme`, without);
  await runCommand(page, 'Switch light and dark');
  await expectAxeClean(page, `${where}, second theme`, without);
  await runCommand(page, 'Switch light and dark');
}
