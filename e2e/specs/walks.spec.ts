import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '../fixtures/test.ts';
import { byMouse, connectByHand } from '../pages/connectWalk.ts';
import { announceLab, practiceToComparison } from '../pages/practiceWalk.ts';
import { countSteps, expectSteps } from '../pages/steps.ts';

test('the peers of two tiles are connected by hand in twenty-five steps', async ({
  tilebench,
  lab,
}) => {
  const person = countSteps();
  await connectByHand(tilebench.page, lab, byMouse(person));
  expectSteps('connections by mouse', person, { steps: 25, seconds: 120 });
});

test('client machines come out of an ssh_config in four steps', async ({ tilebench, lab }) => {
  const { page, dataDir } = tilebench;
  const path = join(dataDir, 'config');
  writeFileSync(
    path,
    `${lab.clients
      .map(
        ({ name, host, port, user, privateKeyPath }) =>
          `Host ${name}\n  HostName ${host}\n  Port ${port}\n  User ${user}\n` +
          `  IdentityFile "${privateKeyPath}"\n`,
      )
      .join('')}Host *\n  ProxyCommand touch ${join(dataDir, 'was-run')}\n`,
  );
  const person = countSteps();
  await person.click(page.getByRole('button', { name: 'Add connections' }));
  await tilebench.opened(path, () =>
    person.click(page.getByRole('button', { name: 'Open ssh_config' })),
  );
  const form = page.getByRole('form', { name: 'Client machines of the ssh_config' });
  await person.click(form.getByRole('button', { name: 'Connect', exact: true }));
  for (const { hostKeySha256 } of lab.clients)
    await expect(form.getByRole('cell', { name: hostKeySha256, exact: true })).toBeVisible();
  await person.click(form.getByRole('button', { name: 'Trust and save' }));
  await expect(form).toHaveCount(0);
  for (const { name, host, port } of lab.clients)
    await expect(
      page
        .getByRole('row')
        .filter({ hasText: name })
        .filter({ hasText: `${host}:${port}` }),
    ).toHaveCount(1);
  expectSteps('clients of an ssh_config', person, { steps: 4, seconds: 120 });
  expect(existsSync(join(dataDir, 'was-run'))).toBe(false);
});

test('from the first start to a comparison of two runs of the practice lab in twenty steps', async ({
  tilebench,
  lab,
}) => {
  announceLab(lab);
  const person = countSteps();
  await practiceToComparison(tilebench.page, byMouse(person));
  expectSteps('practice lab by mouse', person, { steps: 20, seconds: 300 });
});
