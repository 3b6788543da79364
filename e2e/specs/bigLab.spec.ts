import type { Locator, Page } from '@playwright/test';

import { big, type BigLab, bigVmName, startBigLab } from '../fixtures/bigLab.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { readInventory } from '../lab/lab.ts';
import { nightly } from '../lab/nightly.ts';
import { connectClients, connectVCenter } from '../pages/connections.ts';
import { choose, fill } from '../pages/forms.ts';
import { jobProcesses } from '../pages/jobs.ts';
import { checkAndLaunch, createPlan } from '../pages/plans.ts';
import { runIdOf, untilState } from '../pages/run.ts';
import { goTo, runCommand } from '../pages/shell.ts';

const test = base.extend<{ bigLab: BigLab }>({
  // Playwright demands an object pattern, even where a fixture needs nothing.
  bigLab: [
    async ({}, use) => {
      const lab = await startBigLab();
      await use(lab);
      await lab.stop();
    },
    { timeout: 3 * 60_000 },
  ],
});

test('64 hosts, 1,000 VMs, 100 LUNs: discovered, laid out, provisioned, checked, run with three operations, scored and cleaned up', async ({
  tilebench,
  bigLab,
}) => {
  const { page } = tilebench;
  const { vcenter, clients } = bigLab;
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));

  await test.step('connect, and bring the profile', async () => {
    await connectVCenter(page, vcenter);
    await connectClients(page, clients);
    await runCommand(page, 'Profiles');
    await tilebench.opened(bigLab.profilePath, () =>
      page.getByRole('button', { name: 'Import profile file' }).click(),
    );
    await expect(page.getByRole('heading', { level: 1, name: 'Light tile' })).toBeVisible();
  });

  await test.step('discover', async () => {
    await goTo(page, 'Testbeds');
    await page.getByRole('button', { name: 'New testbed' }).first().click();
    await fill(page, { Name: 'Big lab' });
    await choose(page, page, 'Benchmark profile', 'Light tile');
    await page.getByRole('tab', { name: 'Inventory' }).click();
    await page.getByRole('button', { name: 'Discover' }).click();
    await expect(page.getByRole('tab', { name: `Hosts (${big.hosts})` })).toBeVisible();
    await expect(page.getByRole('tab', { name: `Datastores (${big.datastores})` })).toBeVisible();
  });

  await test.step('generate 20 tiles round-robin over the hosts, by name: two lack their VMs', async () => {
    await page.getByRole('tab', { name: 'Layout' }).click();
    await page.getByRole('button', { name: 'Generate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Generate a layout' });
    await fill(dialog, { Tiles: big.tiles });
    await expect(dialog.getByText('36 of 40 match, 4 without a VM.')).toBeVisible();
    await choose(page, dialog, 'Hosts', 'Round-robin');
    // The simulator has all disks on its first datastore.
    await choose(page, dialog, 'LUNs', 'All tiles on one LUN');
    await pick(page, dialog, 'LUNs to use', 'LocalDS_0');
    await dialog.getByRole('button', { name: `Lay out ${big.tiles} tiles` }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Save testbed' }).click();
    await expect(page.getByText('Big lab saved as version 1.')).toBeVisible();
  });

  await test.step('provision what is missing', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    const templates = page.getByRole('region', { name: 'Templates' });
    for (const name of ['Java', 'Standby']) await choose(page, templates, name, 'golden');
    await page.getByRole('button', { name: 'Save testbed' }).click();
    await expect(page.getByText('Big lab saved as version 2.')).toBeVisible();
    await page.getByRole('tab', { name: 'Provision' }).click();
    await page.getByRole('textbox', { name: 'Pause between stages' }).fill('1');
    await page.getByRole('button', { name: 'Make 4 VMs' }).click();
    const job = page.getByRole('table', { name: 'VMs of this job' });
    await expect(
      job.getByRole('row', { name: new RegExp(`${bigVmName(20, 'standby')}.*Made`) }),
    ).toBeVisible();
    await expect(page.getByText('Every workload has its VM.')).toBeVisible();
  });

  await test.step('say what operations work on', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    const form = page.getByRole('group', { name: 'Infrastructure operations' });
    for (const tile of [1, 2, 3, 4])
      await pick(page, form, 'VMs that vMotion moves', bigVmName(tile, 'java'));
    for (const tile of [5, 6])
      await pick(page, form, 'Storage vMotion: VMs', bigVmName(tile, 'java'));
    await choose(page, form, 'Storage vMotion: maintenance datastore', 'LocalDS_99');
    await choose(page, form, 'Deploy: template', 'golden');
    await choose(page, form, 'Deploy: datastore', 'LocalDS_98');
    await form.getByRole('textbox', { name: 'Pause', exact: true }).fill('2');
    await page.getByRole('button', { name: 'Save testbed' }).click();
    await expect(page.getByText(/^Big lab saved as version \d+\.$/)).toBeVisible();
  });
  const before = await readInventory(vcenter);

  await test.step('plan, check, launch', async () => {
    await createPlan(page, 'Big run', 'Big lab', {
      rampUp: 30,
      stagger: 1,
      // Five minutes in all at night; by day long enough for each operation to be seen on the
      // board.
      steady: nightly ? 255 : 120,
      periods: 3,
      rampDown: 15,
    });
    await choose(page, page, 'VMs start', "As the testbed's layout plans (40 VMs)");
    await checkAndLaunch(page);
  });
  const runId = runIdOf(page);

  await test.step('it runs, with operations counted on the board', async () => {
    await untilState(page, 'Steady state');
    const operations = page.getByRole('region', { name: /^Infrastructure operations \S*\/h$/ });
    await operations.scrollIntoViewIfNeeded();
    for (const name of ['vMotion', 'Storage vMotion', 'Deploy'])
      await expect(
        operations.getByRole('button', { name: new RegExp(`^${name} [\\d.]+`) }),
      ).toBeVisible();
    await untilState(page, /^(Passed|Not compliant)/);
  });
  await test.step('scored, with each operation a step', async () => {
    await expect(page.getByRole('group', { name: 'About the run' })).toContainText('20 tiles');
    await page.getByRole('button', { name: /^(Score, step|Means, period) by/ }).click();
    await page.getByRole('button', { name: 'Unfold all' }).click();
    const steps = page.getByRole('table', { name: 'Score calculation' });
    for (const name of ['vMotion', 'Storage vMotion', 'Deploy'])
      await expect(
        steps.getByRole('row', { name: new RegExp(`^${name} .*/h`) }).first(),
      ).toBeVisible();
  });
  await test.step('nothing is left behind: no job, no clone, every disk where it was, every VM where the layout wants it', async () => {
    expect(jobProcesses(runId)).toEqual([]);
    const after = await readInventory(vcenter);
    const kept = ({ vms }: typeof before): unknown =>
      vms.map(({ name, datastoreRefs, powerState }) => ({ name, datastoreRefs, powerState }));
    expect(kept(after)).toEqual(kept(before));
    const hostOf = new Map(
      after.vms.map((vm) => [vm.name, after.hosts.find((host) => host.ref === vm.hostRef)?.name]),
    );
    for (let tile = 1; tile <= big.tiles; tile += 1)
      expect(hostOf.get(bigVmName(tile, 'java')), `tile ${tile}`).toBe(`DC0_C0_H${tile - 1}`);
  });
  expect(faults).toEqual([]);
});

/** Adds one to a field of many: its list is searched, as there may be a thousand. */
async function pick(page: Page, within: Locator, label: string, option: string): Promise<void> {
  const field = within
    .getByRole('textbox', { name: label, exact: true })
    .or(within.getByRole('combobox', { name: label, exact: true }));
  await field.fill(option);
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
}
