import { expect, test } from '../fixtures/test.ts';
import { withVCenter } from '../lab/lab.ts';
import { importLabPlan } from '../pages/planFile.ts';
import { checkState } from '../pages/plans.ts';
import { abortRun } from '../pages/run.ts';
import { countSteps } from '../pages/steps.ts';

/** Watched until it runs, then ended. */
const phases = { rampUpS: 10, staggerS: 1, steadyS: 600, periods: 3, rampDownS: 5 };

test('a wrong parameter and a VM that is off are found and mended in ten steps', async ({
  tilebench,
  lab,
}) => {
  const { page } = tilebench;
  await importLabPlan(tilebench, lab, 'Planted', phases, ({ testbed, ...file }) => ({
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

  const person = countSteps();
  const state = checkState(page);
  await person.click(page.getByRole('button', { name: 'Check and launch' }));
  await expect(state).toContainText(/^Not ready\s*2 blocking/);
  await person.click(page.getByRole('button', { name: 'Power on…' }));
  await person.click(page.getByRole('dialog').getByRole('button', { name: 'Power on' }));
  await expect(state).toContainText(/^Not ready\s*1 blocking/);
  await person.click(page.getByRole('link', { name: 'Go to parameter' }));
  const port = page.getByRole('dialog').getByRole('textbox', { name: 'Port' });
  await expect(port).toBeFocused();
  await person.fill(port, lab.mariadb.port);
  await person.click(page.getByRole('button', { name: 'Save and check again' }));
  await expect(state).toContainText('Ready to launch');
  await person.click(page.getByRole('button', { name: 'Launch' }));
  await expect(page).toHaveURL(/#\/runs\/run/);
  expect(person.count, person.log.join('\n')).toBeLessThanOrEqual(10);

  await abortRun(page);
});
