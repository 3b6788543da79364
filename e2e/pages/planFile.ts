import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from '@playwright/test';

import type { PlanFile } from '../../src/shared/plan.ts';
import type { ConsoleHost } from '../fixtures/consoleHost.ts';
import type { Lab } from '../lab/lab.ts';
import { runCommand } from './shell.ts';

/** Imports the lab's plan file with other phases through the palette; the plan's page is open afterwards. */
export async function importLabPlan(
  host: ConsoleHost,
  lab: Lab,
  name: string,
  phases: PlanFile['plan']['phases'],
): Promise<void> {
  const path = join(host.dataDir, 'import.plan.json');
  writeFileSync(path, JSON.stringify({ ...lab.plan, plan: { ...lab.plan.plan, name, phases } }));
  await host.opened(path, () => runCommand(host.page, 'Import plan file'));
  await expect(host.page.getByRole('heading', { name, level: 1 })).toBeVisible();
}
