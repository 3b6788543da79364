import { expect, type Page } from '@playwright/test';

import type { ConsoleHost } from '../fixtures/consoleHost.ts';
import { type Lab, withVCenter } from '../lab/lab.ts';
import type { Hands } from './connectWalk.ts';
import { importLabPlan } from './planFile.ts';
import { checkState } from './plans.ts';

/** Watched until it runs, then ended. */
const phases = { rampUpS: 10, staggerS: 1, steadyS: 600, periods: 3, rampDownS: 5 };

/** A plan with a wrong port of a database, and a VM of it that is off; its page is open. */
export async function plantMistakes(host: ConsoleHost, lab: Lab): Promise<void> {
  await importLabPlan(host, lab, 'Planted', phases, ({ testbed, ...file }) => ({
    ...file,
    testbed: {
      ...testbed,
      tiles: testbed.tiles.map((tile) => ({
        ...tile,
        workloads: tile.workloads.map((one) =>
          tile.index === 0 && one.workloadId === 'database'
            ? { ...one, params: { ...one.params, port: 1 } }
            : one,
        ),
      })),
    },
  }));
  const sleeper = lab.plan.testbed.tiles[1]!.workloads.find(
    ({ workloadId }) => workloadId === 'java',
  )!.vm!;
  await withVCenter(lab.vcenter, (session) => session.power(sleeper.ref, false));
}

/** Finds both in the check before the run, mends them where the findings lead, and launches. */
export async function mendAndLaunch(page: Page, lab: Lab, { push, write }: Hands): Promise<void> {
  const state = checkState(page);
  await push(page.getByRole('button', { name: 'Check and launch' }));
  await expect(state).toContainText(/^Not ready\s*2 blocking/);
  await push(page.getByRole('button', { name: 'Power on…' }));
  await push(page.getByRole('dialog').getByRole('button', { name: 'Power on' }));
  await expect(state).toContainText(/^Not ready\s*1 blocking/);
  await push(page.getByRole('link', { name: 'Go to parameter' }));
  const port = page.getByRole('dialog').getByRole('textbox', { name: 'Port' });
  await expect(port).toBeFocused();
  await write(port, lab.mariadb.port);
  await push(page.getByRole('button', { name: 'Save and check again' }));
  await expect(state).toContainText('Ready to launch');
  await push(page.getByRole('button', { name: 'Launch' }));
  await expect(page).toHaveURL(/#\/runs\/run/);
}
