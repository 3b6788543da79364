import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { announcePracticeLab, practiceLabPath, styleTilePath } from '../../workers/practiceLab.ts';
import { expect, test } from '../fixtures/test.ts';
import { startLab } from '../lab/lab.ts';
import { nightly } from '../lab/nightly.ts';
import { leftOfTile } from '../lab/tileLeft.ts';
import { checkAndLaunch } from '../pages/plans.ts';
import { chart, untilState } from '../pages/run.ts';
import { goTo } from '../pages/shell.ts';
import { shot } from '../pages/shots.ts';

/** Whether a busy test machine keeps the limits of service is not the point here. */
const ended = /^(Passed|Not compliant)/;
const plan = 'VMmark 2 style tile (practice)';

test('a tile in the style of VMmark 2, by screens: from the practice lab to a score, a comparison and an empty lab', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  const dir = mkdtempSync(join(tmpdir(), 'tb-tile-'));
  const lab = await startLab({
    dir,
    styleTile: nightly
      ? { limitMs: 60_000 }
      : { limitMs: 60_000, phases: { rampUpS: 4, steadyS: 24, rampDownS: 4 } },
  });
  try {
    const untouched = await leftOfTile(lab);
    const told = practiceLabPath(process.env);
    announcePracticeLab(told, JSON.stringify(lab.plan));
    announcePracticeLab(styleTilePath(told), JSON.stringify(lab.styleTile!.plan));

    await test.step('one click connects the lab and opens the plan', async () => {
      const card = page.getByRole('region', { name: 'Practice lab' });
      await expect(card).toContainText('A scaling study, no VMmark result');
      await shot(page, 'style-tile-home');
      await card.getByRole('button', { name: 'Use the VMmark 2 style tile' }).click();
      await expect(page.getByRole('heading', { name: plan, level: 1 })).toBeVisible();
    });
    await test.step('check and launch; each workload has its unit on the board', async () => {
      await checkAndLaunch(page);
      await untilState(page, 'Steady state');
      for (const title of [
        'Mail server throughput operations/min',
        'DVD Store throughput orders/min',
        'Web (Olio style) throughput operations/s',
        'Standby server throughput beats/s',
      ]) {
        await chart(page, title).scrollIntoViewIfNeeded();
        await expect(chart(page, title)).toBeVisible();
      }
      await shot(page, 'style-tile-board');
      await untilState(page, ended);
    });
    await test.step('the first run has no score and says why', async () => {
      await expect(page.getByRole('group', { name: 'Score' })).toContainText('no reference');
      await expect(page.getByText('Result: scaling study')).toBeVisible();
    });
    expect(await leftOfTile(lab)).toEqual(untouched);

    await test.step('the second one is scored against it', async () => {
      await goTo(page, 'Plans');
      await page.getByRole('link', { name: plan, exact: true }).click();
      await checkAndLaunch(page);
      await untilState(page, ended);
      const score = page.getByRole('group', { name: 'Score' });
      await expect(score).toContainText(/\d\.\d\d/);
      await expect(score).not.toContainText('no reference');
      await expect(page.getByText('Result: scaling study')).toBeVisible();
      await shot(page, 'style-tile-result');
    });
    await test.step('and compared with it', async () => {
      await goTo(page, 'Runs');
      for (const number of [1, 2])
        await page.getByRole('checkbox', { name: `Select ${plan} #${number}` }).check();
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByRole('button', { name: /^All metrics/ }).click();
      for (const name of [/^Tile 1 Mail server/, /^Tile 1 DVD Store/, /^Tile 1 Web \(Olio style\)/])
        await expect(page.getByRole('gridcell', { name }).first()).toBeVisible();
      await shot(page, 'style-tile-compare');
    });
    expect(await leftOfTile(lab)).toEqual(untouched);
  } finally {
    await lab.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
