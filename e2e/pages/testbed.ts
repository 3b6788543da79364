import { expect, type Page } from '@playwright/test';

import type { Lab } from '../lab/lab.ts';
import { choose, fill } from './forms.ts';
import { goTo } from './shell.ts';

/**
 * Discovers the vCenter and lays out two tiles: VMs by name, a client a tile, the database of each
 * tile.
 */
export async function buildTestbed(page: Page, lab: Lab, name: string): Promise<void> {
  await goTo(page, 'Testbeds');
  await page.getByRole('button', { name: 'New testbed' }).first().click();
  await fill(page, { Name: name });
  await choose(page, page, 'Benchmark profile', 'Open-driver tile, quick');
  // What there is only one of is chosen.
  await expect(page.getByRole('combobox', { name: 'vCenter' })).toHaveValue('Lab vCenter');
  await expect(page.getByText('Lab power', { exact: true }).first()).toBeVisible();
  await fill(page, { Tiles: 2 });

  await page.getByRole('tab', { name: 'Inventory' }).click();
  await page.getByRole('button', { name: 'Discover' }).click();
  for (const table of ['Clusters', 'Hosts', 'Datastores', 'Networks', 'VMs'])
    await expect(page.getByRole('tab', { name: new RegExp(`^${table} \\([1-9]`) })).toBeVisible();

  await page.getByRole('tab', { name: 'Layout' }).click();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Table', { exact: true }).click();
  await page.getByRole('button', { name: 'Assign VMs by name' }).click();
  await expect(page.getByText('10 VMs assigned.')).toBeVisible();
  await page.getByRole('button', { name: 'A client per tile' }).click();
  for (const [index, database] of lab.mariadb.databases.entries()) {
    await page.getByRole('button', { name: `Parameters of tile ${index + 1} Database` }).click();
    const fields = page.getByRole('dialog');
    await fill(fields, {
      Host: lab.mariadb.host,
      Port: lab.mariadb.port,
      User: lab.mariadb.user,
      Database: database,
    });
    await fields.getByRole('button', { name: 'Apply' }).click();
    await expect(fields).toHaveCount(0);
  }
  const row = page
    .getByRole('table', { name: 'Layout' })
    .getByRole('row')
    .filter({ hasText: 'Database' })
    .first();
  await expect(row.getByRole('cell').nth(4)).not.toHaveText('–');
  await expect(row.getByRole('cell').nth(5)).not.toHaveText('–');
  await page.getByRole('button', { name: 'Save testbed' }).click();
  await expect(page.getByText(`${name} saved as version 1.`)).toBeVisible();
}
