import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

import { internalIds } from '../../src/core/testing/internalIds.ts';
import { runCommand } from './shell.ts';

/** These two count what lies behind an open dialog, which `aria-modal` hides from its reader. */
const blindToModals = ['landmark-no-duplicate-banner', 'landmark-unique'];

/** Rules that a theme can break. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * Nothing at all of WCAG 2.2 A and AA and of axe's good practices on what is shown; softly, so that
 * one test names every place. `without`: rules that cannot judge this place.
 */
export async function expectAxeClean(
  page: Page,
  where: string,
  without: readonly string[] = [],
): Promise<void> {
  await expectNothing(
    where,
    builderOf(page)
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .disableRules([...blindToModals, ...without]),
  );
  const read = await page.locator('body').innerText();
  expect.soft(internalIds(read), `ids of ours that ${where} shows to a person`).toEqual([]);
  expect.soft(await clippedHeads(page), `cut heads of columns in ${where}`).toEqual([]);
  expect.soft(await coveredButtons(page), `buttons under a message in ${where}`).toEqual([]);
}

/**
 * The same look in both themes, in the other one for its colours: only these differ. The page stays
 * in that theme.
 */
export async function inBothThemes(
  page: Page,
  where: string,
  without: readonly string[] = [],
): Promise<void> {
  await expectAxeClean(page, `${where}, one theme`, without);
  await runCommand(page, 'Switch light and dark');
  const rules = ofColours.filter((rule) => !without.includes(rule));
  await expectNothing(`${where}, the other theme`, builderOf(page).withRules(rules));
}

/** Heads of columns whose words are wider than their cell and cannot be read otherwise. */
const clippedHeads = (page: Page): Promise<string[]> =>
  page
    .locator('th, [role="columnheader"]')
    .evaluateAll((heads) =>
      heads.flatMap((head) =>
        [head, ...head.querySelectorAll('*')]
          .filter(
            (part) =>
              part instanceof HTMLElement &&
              part.clientWidth > 1 &&
              part.scrollWidth > part.clientWidth + 1 &&
              getComputedStyle(part).overflowX !== 'visible' &&
              part.closest('[title]') === null,
          )
          .map((part) => part.textContent ?? ''),
      ),
    );

/** Buttons of forms and dialogs that lie under a message at the foot. */
const coveredButtons = (page: Page): Promise<string[]> =>
  page.locator('.mantine-Notification-root').evaluateAll((messages) =>
    messages.flatMap((message) => {
      const over = message.getBoundingClientRect();
      return [...document.querySelectorAll('[role="dialog"] button, form button')]
        .filter((button) => {
          const box = button.getBoundingClientRect();
          return (
            box.width > 0 &&
            box.left < over.right &&
            box.right > over.left &&
            box.top < over.bottom &&
            box.bottom > over.top
          );
        })
        .map((button) => button.textContent);
    }),
  );

// Legacy mode: without it axe opens a page of its own, which neither host allows.
const builderOf = (page: Page): AxeBuilder => new AxeBuilder({ page }).setLegacyMode();

async function expectNothing(where: string, builder: AxeBuilder): Promise<void> {
  const { violations } = await builder.analyze();
  const found = violations.map(
    (v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`,
  );
  expect.soft(found, where).toEqual([]);
}
