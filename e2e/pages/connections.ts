import { expect, type Locator, type Page } from '@playwright/test';

import type { Lab } from '../lab/lab.ts';
import { fill } from './forms.ts';
import { goTo } from './shell.ts';

type VCenterOfLab = Pick<Lab['vcenter'], 'host' | 'port' | 'user' | 'password' | 'fingerprint256'>;

/**
 * Adds, pins, tests and saves every peer of the lab through the form. Fingerprints are compared
 * with the lab's before they are pinned.
 */
export async function connectLab(page: Page, { vcenter, clients, nut }: Lab): Promise<void> {
  await connectVCenter(page, vcenter);
  await connectClients(page, clients);
  await add(page, 'Power source', async (form) => {
    await fill(form, { Name: 'Lab power', Address: nut.host, Port: nut.port, 'UPS name': nut.ups });
  });
}

export async function connectVCenter(page: Page, vcenter: VCenterOfLab): Promise<void> {
  await goTo(page, 'Connections');
  await add(page, 'vCenter', async (form) => {
    await fill(form, {
      Name: 'Lab vCenter',
      Address: vcenter.host,
      Port: vcenter.port,
      User: vcenter.user,
    });
    await form.getByLabel('Password', { exact: true }).fill(vcenter.password);
    await pin(form, 'Read certificate', 'Certificate', vcenter.fingerprint256);
  });
}

export async function connectClients(page: Page, clients: Lab['clients']): Promise<void> {
  await goTo(page, 'Connections');
  for (const client of clients) {
    await add(page, 'Client machine', async (form) => {
      await fill(form, {
        Name: client.name,
        Address: client.host,
        Port: client.port,
        User: client.user,
        'Private key': client.privateKeyPath,
      });
      await pin(form, 'Read host key', 'Host key', client.hostKeySha256);
    });
  }
}

async function add(
  page: Page,
  kind: string,
  fillIn: (form: Locator) => Promise<void>,
): Promise<void> {
  await page.getByRole('button', { name: 'Add connection' }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  const form = page.getByRole('dialog').getByRole('form', { name: `${kind} connection` });
  await fillIn(form);
  await form.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(form.getByText('The connection works')).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
}

async function pin(form: Locator, read: string, what: string, fingerprint: string): Promise<void> {
  await form.getByRole('button', { name: read }).click();
  await expect(
    form.getByRole('table', { name: what }).getByRole('cell', { name: fingerprint, exact: true }),
  ).toBeVisible();
  await form.getByRole('button', { name: 'Pin this fingerprint' }).click();
  await expect(form.getByText(`${what} is pinned`)).toBeVisible();
}
