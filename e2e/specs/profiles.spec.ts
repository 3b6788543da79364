import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '../fixtures/test.ts';
import { runCommand } from '../pages/shell.ts';

test('a shipped profile is copied, changed with its source, compared, saved, exported, removed and imported again', async ({
  tilebench,
  dataDir,
}) => {
  const { page } = tilebench;
  await runCommand(page, 'Profiles');
  await expect(page.getByRole('heading', { level: 1, name: 'Profiles' })).toBeVisible();
  await page.getByRole('button', { name: 'Copy VMmark 3.x tile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'VMmark 3.x tile copy' })).toBeVisible();
  const dvdstore = page.getByRole('region', { name: 'Workload DVD Store' });
  await test.step('what has no source is not saved', async () => {
    await dvdstore.getByRole('textbox', { name: 'Reference', exact: true }).fill('1200');
    await dvdstore.getByRole('textbox', { name: 'Source of the reference' }).fill('');
    await expect(dvdstore.getByText('The reference has no source.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save profile' })).toBeDisabled();
  });
  await test.step('what was typed survives leaving', async () => {
    await runCommand(page, 'Home');
    await runCommand(page, 'Profiles');
    await page.getByRole('button', { name: 'Copy VMmark 3.x tile' }).click();
    await expect(dvdstore.getByRole('textbox', { name: 'Reference', exact: true })).toHaveValue(
      '1200',
    );
  });
  await dvdstore.getByRole('textbox', { name: 'Source of the reference' }).fill('Run 12, one tile');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await expect(page).toHaveURL(/#\/profiles\/profile-/);
  await page.getByRole('tab', { name: 'Compare with parent' }).click();
  await expect(
    page
      .getByRole('table', { name: 'What differs from VMmark 3.x tile' })
      .getByRole('row', { name: /workload dvdstore, reference not set 1200/ }),
  ).toBeVisible();
  const file = await tilebench.saved(() => page.getByRole('button', { name: 'Export' }).click());
  expect(JSON.parse(file.text)).toMatchObject({
    schemaVersion: 1,
    parentId: 'vmmark-3-tile',
    workloads: [
      {},
      {},
      { id: 'dvdstore', reference: 1200, referenceSource: 'Run 12, one tile' },
      {},
    ],
  });
  await runCommand(page, 'Profiles');
  await page.getByRole('button', { name: 'Remove VMmark 3.x tile copy' }).click();
  await expect(page.getByRole('link', { name: 'VMmark 3.x tile copy' })).toHaveCount(0);
  const path = join(dataDir, 'mine.profile.json');
  writeFileSync(path, file.text.replace('"reference": 1200', '"reference": 0'));
  await test.step('a faulty file is refused with its place', async () => {
    await tilebench.opened(path, () =>
      page.getByRole('button', { name: 'Import profile file' }).click(),
    );
    await expect(
      page.getByText(
        /mine\.profile\.json:\d+:\d+: workloads\.2\.reference: a reference must be greater than 0/,
      ),
    ).toBeVisible();
  });
  writeFileSync(path, readFileSync(path, 'utf8').replace('"reference": 0', '"reference": 1300'));
  await tilebench.opened(path, () =>
    page.getByRole('button', { name: 'Import profile file' }).click(),
  );
  await expect(page.getByRole('heading', { level: 1, name: 'VMmark 3.x tile copy' })).toBeVisible();
  await expect(dvdstore.getByRole('textbox', { name: 'Reference', exact: true })).toHaveValue(
    '1300',
  );
});
