import { expect, test } from '../fixtures/test.ts';
import { inBothThemes } from '../pages/axe.ts';
import { openDemoLab, points, setSpeed, untilStudy } from '../pages/demo.ts';
import { shot } from '../pages/shots.ts';

test('a host less in Scaling a cluster: removed on the drawing by keyboard, run as a variant, told in a sentence', async ({
  tilebench: { page },
}) => {
  await openDemoLab(page);
  await setSpeed(page, 'As fast as it goes');
  await page.getByRole('button', { name: 'What if: Scaling a cluster' }).click();
  await expect(
    page.getByRole('heading', { name: 'What if: Scaling a cluster', level: 1 }),
  ).toBeVisible();

  const host = page.getByRole('button', { name: /^Dell 2950,/ });
  await host.focus();
  await page.keyboard.press('Enter');
  await inBothThemes(page, 'What if');
  await page.getByRole('button', { name: 'Remove host' }).click();
  await expect(host).toHaveCount(0);
  const changes = page.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('3 hosts instead of 4: esx1 (Dell 2950) removed');
  await shot(page, 'what-if');

  // Few places on the axis: three hosts are full before fifteen tiles, four are not.
  await page.getByRole('textbox', { name: 'Tiles to run' }).fill('1, 6, 15, 17, 19');
  await page.getByRole('button', { name: 'Run as a variant' }).click();
  await expect(
    page.getByRole('heading', { name: /what if 3 hosts instead of 4$/, level: 1 }),
  ).toBeVisible();
  await untilStudy(page, 'Done');
  await expect(
    page.getByRole('region', { name: 'What the changes do' }).getByRole('status'),
  ).toHaveText(
    /^Saturates between 6 and 15 tiles instead of between 15 and 17\. Highest score: 2\d % less\.$/,
  );
  await expect(points(page), 'both curves, five points each').toHaveCount(10);
  await shot(page, 'what-if-result');
});
