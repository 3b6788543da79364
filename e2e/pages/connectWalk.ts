import { expect, type Locator, type Page } from '@playwright/test';

import type { Lab } from '../lab/lab.ts';
import type { Steps } from './steps.ts';

/** How a person fills in a field and pushes a button: by mouse, or by keys alone. */
export interface Hands {
  write: (field: Locator, value: string | number) => Promise<void>;
  push: (button: Locator) => Promise<void>;
  /** Of a menu that was opened. */ choose: (item: Locator) => Promise<void>;
  /** One of a few that exclude each other. */
  pick: (group: Locator, name: string) => Promise<void>;
}

export const byMouse = (person: Steps): Hands => ({
  write: (field, value) => person.fill(field, value),
  push: (button) => person.click(button),
  choose: (item) => person.click(item),
  pick: (group, name) => person.click(group.getByText(name, { exact: true })),
});

export const byKeys = (person: Steps): Hands => ({
  write: async (field, value) => {
    await person.walkTo(field);
    await person.type(field, value);
  },
  push: async (button) => {
    await person.walkTo(button);
    await person.press(button.page(), 'Enter');
  },
  choose: async (item) => {
    await person.walkTo(item, 'ArrowDown');
    await person.press(item.page(), 'Enter');
  },
  pick: async (group, name) => {
    await person.walkTo(group.locator('input:checked'));
    await person.walkTo(group.getByRole('radio', { name }), 'ArrowRight');
  },
});

/**
 * From an empty console to a connected lab: each peer tested, its key compared with the lab's,
 * trusted and saved.
 */
export async function connectByHand(page: Page, lab: Lab, hands: Hands): Promise<void> {
  const { vcenter, clients, nut } = lab;
  await hands.push(page.getByRole('button', { name: 'Add connections' }));
  const field = (name: string): Locator =>
    page.getByRole('form').getByRole('textbox', { name, exact: true });
  const button = (name: string): Locator =>
    page.getByRole('form').getByRole('button', { name, exact: true });
  const add = async (kind: string): Promise<void> => {
    await hands.push(page.getByRole('button', { name: 'Add connection' }));
    await hands.choose(page.getByRole('menuitem', { name: kind }));
  };

  await hands.push(page.getByRole('button', { name: 'Add vCenter' }));
  await hands.write(field('Name'), 'Lab vCenter');
  await hands.write(field('Address'), `${vcenter.host}:${vcenter.port}`);
  await hands.write(field('User'), vcenter.user);
  await hands.write(
    page.getByRole('form').getByLabel('Password', { exact: true }),
    vcenter.password,
  );
  await hands.push(button('Connect'));
  await expect(page.getByRole('cell', { name: vcenter.fingerprint256, exact: true })).toBeVisible();
  await hands.push(button('Trust and save'));
  await expect(page.getByRole('form')).toHaveCount(0);

  const [first] = clients;
  await add('Client machine');
  // Two of the practice lab's clients share a machine: their ports tell them apart.
  await hands.write(field('Name'), `client{1..${clients.length}}`);
  await hands.write(
    field('Address'),
    `{${clients.map(({ host, port }) => `${host}:${port}`).join(',')}}`,
  );
  if (first!.user !== 'root') await hands.write(field('User'), first!.user);
  await hands.write(field('Private key'), first!.privateKeyPath);
  await hands.push(button('Connect'));
  for (const { hostKeySha256 } of clients)
    await expect(page.getByRole('cell', { name: hostKeySha256, exact: true })).toBeVisible();
  await hands.push(button('Trust and save'));
  await expect(page.getByRole('form')).toHaveCount(0);

  await add('Power source');
  await hands.write(field('Name'), 'Lab power');
  await hands.write(field('Address'), nut.host);
  await hands.write(field('Port'), nut.port);
  await hands.write(field('UPS name'), nut.ups);
  await hands.push(button('Connect'));
  await expect(page.getByText('The connection works')).toBeVisible();
  await hands.push(button('Save'));
  await expect(page.getByRole('form')).toHaveCount(0);
  for (const name of ['Lab vCenter', 'client1', 'client2', 'Lab power'])
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1);
}
