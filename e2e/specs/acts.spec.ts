import { expect, test } from '../fixtures/test.ts';
import { inBothThemes } from '../pages/axe.ts';
import { openDemoLab, setSpeed } from '../pages/demo.ts';
import { checkAndLaunch } from '../pages/plans.ts';
import { shot } from '../pages/shots.ts';

test('a host fails and HA restarts its VMs: from the gallery to what it cost', async ({
  tilebench: { page },
}) => {
  await openDemoLab(page);
  await setSpeed(page, 'As fast as it goes');
  await page
    .getByRole('navigation', { name: 'Gallery of studies' })
    .getByRole('button', { name: /^E06/ })
    .click();
  await shot(page, 'acts-gallery');
  await page
    .getByRole('button', { name: 'Open the plan: A host fails, HA restarts its VMs' })
    .click();
  const acts = page.getByRole('region', { name: 'Acts' });
  await expect(acts.getByRole('group', { name: 'Host esx3 fails at 15:00' })).toBeVisible();
  await acts.scrollIntoViewIfNeeded();
  await inBothThemes(page, 'Acts of a plan');
  await shot(page, 'acts-plan');
  await checkAndLaunch(page);
  const result = page.getByRole('region', { name: 'Acts' });
  // The run is over in seconds: its page shows the end wherever one looks.
  const end = page.getByRole('button', { name: 'See result' }).first();
  await end.click({ timeout: 5 * 60_000 });
  await expect(result.getByText(/^Host esx3 fails at 30:00/)).toBeVisible();
  // Where the VMs were when it failed is DRS's doing: some workload was hit, and took its time.
  await expect(
    result.getByRole('cell', { name: /^\d+:\d\d on 1 of 2 tiles$/ }).first(),
  ).toBeVisible();
  await result.scrollIntoViewIfNeeded();
  await inBothThemes(page, 'Acts of a run');
  await shot(page, 'acts-result');
});
