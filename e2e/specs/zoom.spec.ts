import type { Page } from '@playwright/test';

import { commandSpecs } from '../../src/wire/desktop.ts';
import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean } from '../pages/axe.ts';
import { openDemoLab, points, untilPoints, untilStudy } from '../pages/demo.ts';
import { runCommand } from '../pages/shell.ts';

const screens = commandSpecs
  .filter((spec) => spec.group === 'Go' || spec.id === 'run.new' || spec.id === 'study.new')
  .map((spec) => spec.title);

/**
 * WCAG 1.4.10: at 200 % of 1280 × 800 nothing but boards, tables and charts may need scrolling
 * sideways.
 */
async function expectFits(page: Page, where: string): Promise<void> {
  const over = (): Promise<{ page: number; main: number }> =>
    page.evaluate(() => ({
      page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      main: (() => {
        const main = document.querySelector('main');
        return main === null ? 0 : main.scrollWidth - main.clientWidth;
      })(),
    }));
  // Once all of it is there.
  await expect
    .configure({ soft: true })
    .poll(over, `${where} is wider than its window`)
    .toEqual({ page: 0, main: 0 });
}
/** With reduced motion nothing moves but what shows that work is going on. */
async function expectStill(page: Page, where: string): Promise<void> {
  const moving = (): Promise<string[]> =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running')
        .map((one) => {
          const target = one.effect instanceof KeyframeEffect ? one.effect.target : null;
          return `${target?.tagName ?? '?'}.${target?.className ?? ''} ${(one as Partial<CSSTransition & CSSAnimation>).transitionProperty ?? (one as Partial<CSSAnimation>).animationName ?? ''}`;
        }),
    );
  // Once what it waits for is there.
  await expect.configure({ soft: true }).poll(moving, `${where} moves`).toEqual([]);
}

test('every screen fits at 200 %, and nothing moves where motion is reduced', async ({
  tilebench: { page },
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openDemoLab(page);
  await page.getByRole('button', { name: 'Run study: Scaling a cluster' }).click();
  await untilPoints(page, 3);
  await expectStill(page, 'A running study');
  await page.getByRole('button', { name: 'Pause now' }).click();
  await untilStudy(page, 'Paused');
  await page.setViewportSize({ width: 640, height: 400 });
  await expectFits(page, 'Study');
  await expectAxeClean(page, 'Study at 200 %');
  await points(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  for (const tab of ['Result', 'Charts', /^Events/, 'Set-up', 'Log']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectFits(page, `Run, ${String(tab)}`);
    await expectStill(page, `Run, ${String(tab)}`);
  }
  for (const screen of screens) {
    await runCommand(page, screen);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expectFits(page, screen);
    await expectStill(page, screen);
    await expectAxeClean(page, `${screen} at 200 %`);
  }
});
