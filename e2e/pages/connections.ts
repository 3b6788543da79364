import { expect, type Locator, type Page } from '@playwright/test';

import type { Lab } from '../lab/lab.ts';
import { fill } from './forms.ts';
import { goTo } from './shell.ts';

type VCenterOfLab = Pick<Lab['vcenter'], 'host' | 'port' | 'user' | 'password' | 'fingerprint256'>;

/**
 * Adds every peer of the lab through the form: connected, compared with the lab's fingerprints,
 * trusted and saved.
 */
export async function connectLab(page: Page, { vcenter, clients, nut }: Lab): Promise<void> {
  await connectVCenter(page, vcenter);
  await connectClients(page, clients);
  const form = await add(page, 'Power source');
  await fill(form, { Name: 'Lab power', Address: nut.host, Port: nut.port, 'UPS name': nut.ups });
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(form.getByText('The connection works')).toBeVisible();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form).toHaveCount(0);
}

export async function connectVCenter(page: Page, vcenter: VCenterOfLab): Promise<void> {
  await goTo(page, 'Connections');
  const form = await add(page, 'vCenter');
  await fill(form, {
    Name: 'Lab vCenter',
    Address: vcenter.host,
    Port: vcenter.port,
    User: vcenter.user,
  });
  await form.getByLabel('Password', { exact: true }).fill(vcenter.password);
  await trust(form, 'Certificate', [vcenter.fingerprint256]);
}

/** All clients at once: one name and one address with a pattern, one key. */
export async function connectClients(page: Page, clients: Lab['clients']): Promise<void> {
  const [first] = clients;
  if (first === undefined) return;
  await goTo(page, 'Connections');
  const form = await add(page, 'Client machine');
  const several = clients.length > 1;
  const listed = (members: readonly (string | number)[]): string =>
    several ? `{${members.join(',')}}` : String(members[0]);
  await fill(form, {
    Name: listed(clients.map(({ name }) => name)),
    Address: listed(clients.map(({ host, port }) => `${host}:${port}`)),
    User: first.user,
    'Private key': first.privateKeyPath,
  });
  await trust(
    form,
    several ? 'What is made' : 'Host key',
    clients.map(({ hostKeySha256 }) => hostKeySha256),
  );
}

async function add(page: Page, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add connection' }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  return page.getByRole('dialog').getByRole('form', { name: `${kind} connection` });
}

async function trust(form: Locator, table: string, fingerprints: readonly string[]): Promise<void> {
  await form.getByRole('button', { name: 'Connect', exact: true }).click();
  for (const fingerprint of fingerprints)
    await expect(
      form
        .getByRole('table', { name: table })
        .getByRole('cell', { name: fingerprint, exact: true }),
    ).toBeVisible();
  await form.getByRole('button', { name: 'Trust and save' }).click();
  await expect(form).toHaveCount(0);
}
