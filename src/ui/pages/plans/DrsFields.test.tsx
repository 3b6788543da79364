/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { screen, waitFor } from '@testing-library/react';

import type { Plan } from '../../../core/plan/plan.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';

const plan: Plan = {
  id: 'p1',
  name: 'Two tiles',
  version: 3,
  testbedId: 't1',
  profileId: 'tile',
  tiles: 1,
  phases: { rampUpS: 60, staggerS: 0, steadyS: 300, periods: 3, rampDownS: 10 },
  sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
  referenceRunId: null,
  overrides: {},
  study: null,
  notes: '',
};
const testbed: Testbed = {
  id: 't1',
  name: 'Bed',
  version: 1,
  profileId: 'tile',
  vcenterId: 'vc',
  powerIds: [],
  notes: '',
  tiles: [
    {
      index: 0,
      workloads: [
        { workloadId: 'io', vm: { ref: 'vm-1', name: 'vm1' }, clientId: 'c1', params: {} },
      ],
    },
  ],
};
const host = (ref: string, maintenance = false): Inventory['hosts'][number] => ({
  ref,
  name: `esx-${ref}`,
  clusterRef: 'c1',
  vendor: null,
  model: null,
  cpuModel: null,
  sockets: null,
  cores: null,
  threads: null,
  mhz: null,
  memoryBytes: null,
  build: null,
  version: null,
  bios: null,
  powerPolicy: null,
  connectionState: 'connected',
  maintenance,
  nics: [],
  hbas: [],
});
const inventory: Inventory = {
  vcenterId: 'vc',
  product: '',
  version: '',
  build: '',
  instanceUuid: '',
  takenAtMs: 0,
  datastores: [],
  networks: [],
  hosts: [host('h1', true), host('h2')],
  clusters: [
    {
      ref: 'c1',
      name: 'Prod',
      hostRefs: ['h1', 'h2'],
      drsEnabled: true,
      drsBehavior: 'manual',
      drsVmotionRate: 3,
      haEnabled: false,
    },
    {
      ref: 'c2',
      name: 'Elsewhere',
      hostRefs: [],
      drsEnabled: true,
      drsBehavior: 'manual',
      drsVmotionRate: 3,
      haEnabled: false,
    },
  ],
  vms: [
    {
      ref: 'vm-1',
      name: 'vm1',
      hostRef: 'h2',
      datastoreRefs: [],
      powerState: 'poweredOn',
      vcpus: 1,
      memoryMb: 1,
      guest: null,
      toolsStatus: null,
      ip: null,
      template: false,
      snapshotCount: 0,
    },
  ],
};
const answers = (
  change: { inventory?: Inventory | null; testbed?: Testbed; plan?: Plan } = {},
): Answers => ({
  'profile.list': () => [
    {
      schemaVersion: 1,
      id: 'tile',
      version: '1',
      name: 'Tile',
      description: '',
      resultName: 'scaling study',
      minimumHosts: 1,
      workloads: [
        {
          id: 'io',
          role: 'io',
          name: 'Disk',
          driver: 'fio',
          params: {},
          unit: 'IOPS',
          scored: true,
          reference: 1,
          referenceSource: 's',
          qos: [],
        },
      ],
      phases: plan.phases,
      scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 's' },
    },
  ],
  'testbed.list': () => [change.testbed ?? testbed],
  'plan.list': () => [change.plan ?? plan],
  'inventory.get': () => (change.inventory === undefined ? inventory : change.inventory),
  'plan.save': (input: unknown) => ({ ...(input as Plan), version: 4 }),
});
beforeEach(() => localStorage.clear());
const saved = (calls: readonly { method: string; input: unknown }[]): Plan | undefined =>
  calls.findLast((call) => call.method === 'plan.save')?.input as Plan | undefined;

test('DRS is part of the plan only with consent that says what is changed and put back; an edit takes the consent away', async () => {
  const { user, calls } = renderRoute('/plans/p1', answers());
  await user.click(await screen.findByRole('checkbox', { name: 'Set DRS for this run' }));
  expect(screen.getByText('Without this consent the plan does not change DRS.')).toBeVisible();
  const consent = screen.getByRole('checkbox', {
    name: 'Each run of this plan may set DRS of Prod from manual, threshold 3 of 5 to fully automated and puts it back at its end',
  });
  await user.click(consent);
  await user.click(screen.getByRole('button', { name: 'Save plan' }));
  await waitFor(() =>
    expect(saved(calls)?.drs).toMatchObject({
      clusterRef: 'c1',
      behavior: 'fullyAutomated',
      vmotionRate: null,
    }),
  );
  expect(saved(calls)!.drs!.consentedAtMs).toBeGreaterThan(0);
  await user.click(screen.getByRole('combobox', { name: 'Automation level' }));
  await user.click(await screen.findByRole('option', { name: 'Off' }));
  expect(
    screen.getByRole('checkbox', {
      name: /^Each run of this plan may set DRS of Prod from manual, threshold 3 of 5 to off/,
    }),
  ).not.toBeChecked();
  expect(screen.getByText('Without this consent the plan does not change DRS.')).toBeVisible();
});

test('all on one host: hosts that take no VM cannot be chosen', async () => {
  const { user, calls } = renderRoute('/plans/p1', answers());
  await user.click(await screen.findByRole('combobox', { name: 'VMs start' }));
  expect(await screen.findByRole('option', { name: /layout plans \(0 VMs\)/ })).toHaveAttribute(
    'data-combobox-disabled',
    'true',
  );
  await user.click(screen.getByRole('option', { name: 'All on one host' }));
  expect(screen.getByRole('combobox', { name: 'Host' })).toHaveValue('esx-h2');
  await user.click(screen.getByRole('button', { name: 'Save plan' }));
  await waitFor(() => expect(saved(calls)?.startPlacement).toEqual({ allOnHostRef: 'h2' }));
});

test.each([
  [
    'The testbed has no vCenter: nothing can be moved or changed.',
    { testbed: { ...testbed, vcenterId: null } },
  ],
  [/^The vCenter was not discovered yet/, { inventory: null }],
] as const)('%s', async (text, change) => {
  renderRoute('/plans/p1', answers(change));
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Set DRS for this run' })).toBeDisabled();
  expect(screen.getByRole('combobox', { name: 'VMs start' })).toBeDisabled();
});
