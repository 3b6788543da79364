import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeXlsx, rvtools } from '../../workers/engine/customerLab/testing/makeXlsx.ts';
import { expect, test } from '../fixtures/test.ts';
import { inBothThemes } from '../pages/axe.ts';
import { expectSimulated, openDemoLab, points, setSpeed, untilStudy } from '../pages/demo.ts';
import { shot } from '../pages/shots.ts';

test('a customer’s lab from an export of RVTools: read, completed, run as a study', async ({
  tilebench,
}) => {
  const { page } = tilebench;
  // Not in a folder that is named after this test: a browser without a locale reads no path with a
  // letter beyond ASCII.
  const file = join(tilebench.dataDir, 'berlin.xlsx');
  await writeFile(
    file,
    await makeXlsx(rvtools({ cpuModel: 'Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz' })),
  );
  await openDemoLab(page);
  await setSpeed(page, 'As fast as it goes');
  await page.getByRole('link', { name: 'Simulate a customer’s lab' }).click();
  await tilebench.opened(file, () => page.getByRole('button', { name: 'Choose a file…' }).click());
  const group = page.getByRole('region', { name: '4 hosts HP ProLiant DL380 G6' });
  await expect(group).toContainText('Gold 6248 CPU @ 2.50GHz is not in the library');
  await expect(page.getByRole('button', { name: 'Make the lab' })).toBeDisabled();
  await shot(page, 'customer-lab');
  await inBothThemes(page, 'Customer lab');

  await group.getByRole('button', { name: /^Work of a core per GHz of .*: use 0\.45/ }).click();
  await page.getByRole('button', { name: /^Use all that is offered/ }).click();
  await page.getByRole('textbox', { name: 'Most tiles' }).fill('3');
  await page.getByRole('button', { name: 'Make the lab' }).click();
  await expect(
    page.getByRole('heading', { name: 'Scaling of Production', level: 1 }),
  ).toBeVisible();
  await expectSimulated(page, 'the study of the lab');
  await page.getByRole('button', { name: 'Start study' }).click();
  await untilStudy(page, 'Done');
  await expect(points(page)).toHaveCount(3);
  await shot(page, 'customer-lab-result');
});
