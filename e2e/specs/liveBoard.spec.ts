import { expect, test } from '../fixtures/test.ts';
import { expectAxeClean, inBothThemes } from '../pages/axe.ts';
import { installEntry, launchPlan, openDemoLab, setSpeed } from '../pages/demo.ts';
import { shot } from '../pages/shots.ts';

test('twenty tiles on the live board: found, opened, pinned, zoomed; axe clean, at 200 % zoom and with reduced motion', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  const main = page.getByRole('main');

  await test.step('a run of twenty tiles is under way', async () => {
    await openDemoLab(page);
    await installEntry(page, 'E01');
    await launchPlan(page, /^Scaling a cluster/);
    await expect(main.getByRole('region', { name: 'Host CPU, now' })).toContainText('4 in all');
    await shot(page, 'live-board', 'light');
    await inBothThemes(page, 'Live board, twenty tiles');
  });

  await test.step('a host is looked at by esxtop for a minute, from the board', async () => {
    await main.getByRole('tab', { name: 'Diagnose with esxtop' }).click();
    await setSpeed(page, '60×');
    await main.getByRole('button', { name: /^Look at esx1/ }).click();
    const look = main.getByRole('region', { name: /^esx1\S* at / });
    await expect(look.getByRole('table')).toContainText('CPU ready time');
    await setSpeed(page, '1×');
    await shot(page, 'esxtop');
    await expectAxeClean(page, 'Diagnose with esxtop');
    await main.getByRole('tab', { name: 'Live board' }).click();
  });

  await test.step('any tile by search, any host by its bar', async () => {
    await main.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('tile 17');
    await page.keyboard.press('Enter');
    const tile = main.getByRole('region', { name: 'Tile 17', exact: true });
    await expect(tile.getByRole('slider')).not.toHaveCount(0);
    await expectAxeClean(page, 'One tile');
    await page.keyboard.press('Escape');
    await expect(tile).toHaveCount(0);
    await main.getByRole('group', { name: /^Host CPU, now/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(main.getByRole('region', { name: /^esx\d$/ })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('one zoom on all charts, and back to following', async () => {
    const plots = main.getByRole('slider', { name: /^Time cursor of / });
    await plots.first().focus();
    await page.keyboard.press('+');
    await expect(main.getByRole('status', { name: 'View' })).toHaveText(/^Zoomed: /);
    await main.getByRole('button', { name: 'Follow', exact: true }).click();
    await expect(main.getByRole('status', { name: 'View' })).toHaveText('Following');
  });

  await test.step('pinned charts are moved by drag and are there after a reload', async () => {
    for (const title of ['Host CPU', 'Power'])
      await main.getByRole('button', { name: `Pin ${title}`, exact: true }).click();
    const pinned = main.getByRole('region', { name: 'Pinned' }).getByRole('heading', { level: 3 });
    await expect(pinned).toHaveText([/^Host CPU/, /^Power/]);
    await main.getByRole('button', { name: /^Move Power/ }).hover();
    await page.mouse.down();
    await main
      .getByRole('region', { name: 'Pinned' })
      .getByRole('slider', { name: 'Time cursor of Host CPU' })
      .hover();
    await page.mouse.up();
    await expect(pinned).toHaveText([/^Power/, /^Host CPU/]);
    await page.reload();
    await expect(pinned).toHaveText([/^Power/, /^Host CPU/]);
    await expectAxeClean(page, 'Pinned charts');
  });

  await test.step('200 % zoom: nothing beyond the page but what scrolls by itself; the marks stand apart', async () => {
    // A window of 1280 px at 200 % has 640 px to lay out in.
    await page.setViewportSize({ width: 640, height: 400 });
    const wide = (): Promise<number> =>
      page.evaluate(() => {
        const box = document.querySelector('#main > div')!;
        return box.scrollWidth - box.clientWidth;
      });
    // Once it is laid out for its new width.
    await expect.poll(wide).toBeLessThanOrEqual(0);
    const covered = (): Promise<(string | null)[]> =>
      page
        .getByRole('banner')
        .first()
        .evaluate((bar) => {
          const mark = [...bar.querySelectorAll('.mantine-Badge-root')]
            .find((one) => one.textContent === 'SIMULATED')!
            .getBoundingClientRect();
          return [...bar.querySelectorAll('a, button')]
            .filter((one) => {
              const box = one.getBoundingClientRect();
              return box.left < mark.right - 0.5 && box.right > mark.left + 0.5;
            })
            .map((one) => one.textContent);
        });
    await expect.poll(covered, 'controls over the mark').toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('reduced motion: nothing on the board moves by transition or animation', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = (): Promise<string[]> =>
      main.evaluate((node) =>
        [...node.querySelectorAll('*')]
          .filter((one) => {
            const style = getComputedStyle(one);
            const lasts = (list: string): boolean =>
              list.split(',').some((part) => parseFloat(part) > 0.01);
            return (
              lasts(style.transitionDuration) ||
              (style.animationName !== 'none' && lasts(style.animationDuration))
            );
          })
          .map((one) => `${one.tagName} ${one.getAttribute('class') ?? ''}`),
      );
    await expect.poll(async () => [...new Set(await moving())]).toEqual([]);
    // One that began before may take its time to its end.
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
  expect(faults).toEqual([]);
});
