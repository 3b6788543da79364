import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, type Page } from '@playwright/test';

import type { PlanFile } from '../../src/core/plan/plan.ts';
import type { ConsoleHost } from '../fixtures/consoleHost.ts';
import type { Lab } from '../lab/lab.ts';
import { runCommand } from './shell.ts';

/**
 * Imports the lab's plan file with other phases through the palette, agreeing to what it holds; the
 * plan's page is open afterwards. `edit` changes what stands in it.
 */
export async function importLabPlan(
  host: ConsoleHost,
  lab: Lab,
  name: string,
  phases: PlanFile['plan']['phases'],
  edit: (file: PlanFile) => PlanFile = (file) => file,
): Promise<void> {
  const path = join(host.dataDir, 'import.plan.json');
  const file = { ...lab.plan, plan: { ...lab.plan.plan, name, phases } };
  writeFileSync(path, JSON.stringify(edit(file)));
  await host.opened(path, () => runCommand(host.page, 'Import plan file'));
  await trustPlan(host.page);
  await expect(host.page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/**
 * Agrees to what the preview of an import shows; where something of the same id is stored, the
 * file's takes its place.
 */
export async function trustPlan(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Import / });
  await expect(dialog.getByRole('table', { name: 'Reaches' })).toBeVisible();
  for (const replace of await dialog.getByRole('radio', { name: 'Replace', exact: true }).all())
    await replace.check({ force: true });
  await dialog.getByRole('button', { name: /^(Trust and import|Import)$/ }).click();
}
