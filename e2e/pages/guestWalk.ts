import { networkInterfaces } from 'node:os';

import { expect, type Page } from '@playwright/test';

import type { Lab } from '../lab/lab.ts';
import type { Hands } from './connectWalk.ts';
import type { Steps } from './steps.ts';

/**
 * The standby VM has the address of this machine, as its login does: one that leads to another
 * machine is refused.
 */
export async function beTheStandbyVm(lab: Lab): Promise<void> {
  const { name } = lab.plan.testbed.tiles[0]!.workloads.find(
    ({ workloadId }) => workloadId === 'standby',
  )!.vm!;
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (own !== undefined)
    await lab.vcenter.control.change({ name, type: 'VirtualMachine', ip: own.address });
}

/** A login of its own: one that generates load is not taken. */
const login = 'Standby guest';

/**
 * From the first start to a prepared machine and back: the practice lab is taken, a login to a
 * machine added, the standby machine prepared by it, watched to its end and put back. The role
 * installs nothing, so that it may be this machine.
 */
export async function prepareAndPutBack(
  page: Page,
  lab: Lab,
  person: Steps,
  hands: Hands,
): Promise<void> {
  const { push, write } = hands;
  await push(page.getByRole('button', { name: 'Use the practice lab' }));
  await expect(page.getByRole('heading', { name: 'Practice run', level: 1 })).toBeVisible();

  await push(page.getByRole('link', { name: 'Lab', exact: true }));
  await push(page.getByRole('button', { name: 'Add connection' }));
  await hands.choose(page.getByRole('menuitem', { name: 'Client machine' }));
  const form = page.getByRole('form');
  const [client] = lab.clients;
  const field = (name: string) => form.getByRole('textbox', { name, exact: true });
  await write(field('Name'), login);
  await write(field('Address'), `${client!.host}:${client!.port}`);
  if (client!.user !== 'root') await write(field('User'), client!.user);
  await write(field('Private key'), client!.privateKeyPath);
  await push(form.getByRole('button', { name: 'Connect', exact: true }));
  await expect(page.getByRole('cell', { name: client!.hostKeySha256, exact: true })).toBeVisible();
  await push(form.getByRole('button', { name: 'Trust and save', exact: true }));
  await expect(form).toHaveCount(0);

  await push(page.getByRole('link', { name: 'Testbeds', exact: true }));
  await push(page.getByRole('link', { name: 'Practice lab' }));
  await person.walkTo(page.getByRole('tab', { selected: true }));
  const tab = page.getByRole('tab', { name: 'Prepare guests' });
  await person.walkTo(tab, 'ArrowRight');
  if ((await tab.getAttribute('aria-selected')) !== 'true') await person.press(page, 'Enter');

  const chooser = page.getByRole('combobox', { name: 'Login of Tile 1 · standby' });
  await person.walkTo(chooser);
  await person.type(chooser, login);
  await expect(page.getByRole('option', { name: login })).toBeVisible();
  await person.press(page, 'ArrowDown');
  await person.press(page, 'Enter');
  await push(page.getByRole('button', { name: 'Prepare 1 machine' }));
  const guests = page.getByRole('region', { name: 'Guests' });
  await expect(guests.getByText('1 of 1 machine prepared.')).toBeVisible();

  await push(page.getByRole('button', { name: 'Put 1 back' }));
  const asks = page.getByRole('alertdialog');
  // Where nothing is lost by a key too many.
  await expect(asks.getByRole('button', { name: 'Keep everything' })).toBeFocused();
  await push(asks.getByRole('button', { name: 'Put 1 machine back' }));
  await expect(guests.getByText('1 of 1 machine put back.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Put 1 back' })).toHaveCount(0);
}
