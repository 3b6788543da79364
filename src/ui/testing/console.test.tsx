import { act, screen, waitFor, within } from '@testing-library/react';

import type { Plan } from '../../core/plan/plan.ts';
import type { Profile } from '../../core/profile/profile.ts';
import type { Connection } from '../../core/testbed/connection.ts';
import type { Inventory } from '../../core/testbed/inventory.ts';
import type { Testbed } from '../../core/testbed/testbed.ts';
import type { TestReport } from '../../wire/contract/connections.ts';
import { renderRoute } from './renderRoute.tsx';

const profile: Profile = {
  schemaVersion: 1,
  id: 'quick',
  version: '1',
  name: 'Quick tile',
  description: 'Two workloads.',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: ['database', 'java'].map((id) => ({
    id,
    role: id,
    name: id === 'java' ? 'Java' : 'Database',
    driver: 'sysbench-cpu',
    params: {},
    unit: 'tps',
    scored: true,
    reference: null,
    referenceSource: 'none',
    qos: [],
  })),
  phases: { rampUpS: 10, staggerS: 2, steadyS: 60, periods: 3, rampDownS: 5 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'x' },
};
const client: Connection = {
  kind: 'client',
  id: 'c1',
  name: 'Client one',
  host: 'c1.lab',
  port: 22,
  user: 'root',
  auth: { method: 'key', path: '~/.ssh/id' },
  hostKeySha256: `SHA256:${'A'.repeat(43)}`,
};
const vcenter: Connection = {
  kind: 'vcenter',
  id: 'vc',
  name: 'Lab vCenter',
  host: 'vc.lab',
  port: 443,
  user: 'u',
  password: { keychain: 'vc' },
};
const testbed: Testbed = {
  id: 't1',
  name: 'Two tiles',
  version: 3,
  profileId: 'quick',
  vcenterId: 'vc',
  powerIds: [],
  notes: '',
  tiles: [0, 1].map((index) => ({
    index,
    workloads: profile.workloads.map((w) => ({
      workloadId: w.id,
      vm: null,
      clientId: 'c1',
      params: {},
    })),
  })),
};
const plan: Plan = {
  id: 'p1',
  name: 'Nightly',
  version: 1,
  testbedId: 't1',
  profileId: 'quick',
  tiles: 2,
  phases: profile.phases,
  sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
  referenceRunId: null,
  overrides: {},
  study: null,
  notes: '',
};
const vm = (ref: string, name: string): Inventory['vms'][number] => ({
  ref,
  name,
  hostRef: 'h1',
  datastoreRefs: ['d1'],
  powerState: 'poweredOn',
  vcpus: 2,
  memoryMb: 4_096,
  guest: null,
  toolsStatus: null,
  ip: null,
  template: false,
  snapshotCount: 0,
});
const inventory: Inventory = {
  vcenterId: 'vc',
  product: 'VMware vCenter Server 8',
  version: '8',
  build: '1',
  instanceUuid: 'u',
  takenAtMs: 0,
  clusters: [],
  networks: [],
  hosts: [
    {
      ref: 'h1',
      name: 'esx1.lab',
      clusterRef: null,
      vendor: null,
      model: null,
      cpuModel: null,
      sockets: 2,
      cores: 8,
      threads: 16,
      mhz: 3_000,
      memoryBytes: null,
      build: null,
      version: null,
      bios: null,
      powerPolicy: null,
      connectionState: 'connected',
      maintenance: false,
      nics: [],
      hbas: [],
    },
  ],
  datastores: [
    {
      ref: 'd1',
      name: 'lun1',
      type: 'VMFS',
      capacityBytes: null,
      freeBytes: null,
      accessible: true,
      hostRefs: [],
      luns: [],
      instanceUuid: null,
    },
  ],
  vms: [vm('vm-1', 'tile1-database'), vm('vm-2', 'tile1-java'), vm('vm-3', 'tile2-database')],
};
beforeEach(() => {
  localStorage.clear();
});

test('first start offers three ways in, the practice lab below them, and nothing else', async () => {
  renderRoute('/', {});
  expect(await screen.findByRole('heading', { name: 'Three ways in' })).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 2 }).map((h) => h.textContent)).toEqual([
    'Open the demo lab',
    'Connect a real lab',
    'Open a file',
    'Practice lab',
  ]);
});

test('an engine that does not answer is said, and asked again on request', async () => {
  let refuse = true;
  const { user } = renderRoute('/', {
    'connection.list': () => {
      if (refuse)
        throw Object.assign(new Error('The engine is starting.'), { kind: 'unreachable' });
      return [];
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('The engine is starting.');
  refuse = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Three ways in' })).toBeVisible();
});

test('a connection form names the empty field, shows where a test failed and what to do, and keeps no secret in the draft', async () => {
  const report: TestReport = {
    ok: false,
    steps: [
      { step: 'name', ok: true, detail: 'vc.lab resolves.' },
      {
        step: 'authentication',
        ok: false,
        detail: 'The user or password is wrong.',
        fix: 'Enter the password again.',
      },
    ],
  };
  const { user, calls } = renderRoute('/connections', { 'connection.test': () => report });
  await user.click(await screen.findByRole('button', { name: 'Add vCenter' }));
  const form = await screen.findByRole('form', { name: 'vCenter connection' });
  await user.click(within(form).getByRole('button', { name: 'Connect' }));
  expect(await within(form).findAllByText('Fill in this field')).not.toHaveLength(0);
  await user.type(within(form).getByRole('textbox', { name: 'Name' }), 'Lab');
  await user.type(within(form).getByRole('textbox', { name: 'Address' }), 'vc.lab');
  await user.click(within(form).getByRole('button', { name: 'Connect' }));
  expect(within(form).getByText('Enter the password')).toBeVisible();
  await user.type(within(form).getByLabelText('Password'), 'hunter2-secret');
  await user.click(within(form).getByRole('button', { name: 'Connect' }));
  expect(await within(form).findByText('Failed at: Authentication')).toBeVisible();
  expect(within(form).getByText('Enter the password again.')).toBeVisible();
  expect(calls.find((c) => c.method === 'connection.test')?.input).toMatchObject({
    secret: 'hunter2-secret',
    connection: { host: 'vc.lab' },
  });
  await user.click(within(form).getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Add vCenter' }));
  expect(
    within(await screen.findByRole('form', { name: 'vCenter connection' })).getByRole('textbox', {
      name: 'Address',
    }),
  ).toHaveValue('vc.lab');
  expect(JSON.stringify(localStorage)).not.toContain('hunter2');
  expect(JSON.stringify(localStorage)).toContain('vc.lab');
});

test('what the other end presents is shown, and trusted by the user', async () => {
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const { user, calls } = renderRoute('/connections', {
    'connection.list': () => [vcenter],
    'connection.save': ({ connection }) => connection as Connection,
    'connection.test': () => ({
      ok: false,
      steps: [{ step: 'pin', ok: false, detail: 'It is not known.' }],
    }),
    'connection.identify': () => ({
      kind: 'certificate',
      fingerprint,
      subject: 'CN=vc.lab',
      issuer: 'CN=CA',
      validToMs: null,
      trust: 'unknown',
      expected: null,
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Lab vCenter' }));
  const form = await screen.findByRole('form', { name: 'vCenter connection' });
  await user.click(within(form).getByRole('button', { name: 'Connect' }));
  expect(await within(form).findByText('CN=vc.lab')).toBeVisible();
  await user.click(within(form).getByRole('button', { name: 'Trust and save' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'connection.save')?.input).toMatchObject({
      connection: { fingerprint256: fingerprint, password: { keychain: 'vc' } },
    }),
  );
});

test('VMs are assigned by name, what matched is said, places are shown, and the testbed is saved', async () => {
  const { user, calls } = renderRoute('/testbeds/t1', {
    'connection.list': () => [client, vcenter],
    'profile.list': () => [profile],
    'testbed.list': () => [testbed],
    'inventory.get': () => inventory,
    'testbed.save': (saved) => ({ ...testbed, ...saved, version: 4 }) as Testbed,
  });
  await user.click(await screen.findByRole('radio', { name: 'Table' }));
  await user.click(await screen.findByRole('button', { name: 'Assign VMs by name' }));
  expect(await screen.findByText('3 VMs assigned; no VM is called tile2-java.')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'VM of tile 1 Database' })).toHaveValue(
    'tile1-database',
  );
  expect(screen.getAllByText('esx1.lab')).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Save testbed' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'testbed.save')?.input).toMatchObject({
      tiles: [
        { workloads: [{ vm: { ref: 'vm-1' } }, { vm: { ref: 'vm-2' } }] },
        { workloads: [{ vm: { ref: 'vm-3' } }, { vm: null }] },
      ],
    }),
  );
});

test('a plan is launched only after a check of exactly this plan', async () => {
  const { user, calls, path } = renderRoute('/plans/p1', {
    'profile.list': () => [profile],
    'testbed.list': () => [testbed],
    'plan.list': () => [plan],
    'plan.save': (saved) => ({ ...plan, ...saved }) as Plan,
    'plan.check': () => ({
      planId: 'p1',
      hash: 'abc',
      atMs: 0,
      ready: true,
      findings: [
        {
          id: 'client.clockOffset',
          severity: 'warn',
          title: 'Clock of Client one',
          evidence: '+900 ms',
          fix: 'Start chrony.',
        },
      ],
    }),
    'run.start': () => ({ runId: 'r1' }),
    'run.overview': () => {
      throw new Error('not asked here');
    },
    'run.record': () => {
      throw new Error('not asked here');
    },
  });
  const check = async (way: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'More ways to begin' }));
    await user.click(await screen.findByRole('menuitem', { name: way }));
  };
  await screen.findByRole('button', { name: 'Check and launch' });
  await check('Check only');
  await screen.findByRole('button', { name: 'Launch' });
  expect(screen.getByRole('status', { name: 'State of the check' })).toHaveTextContent(
    /^Ready to launch1 warning/,
  );
  await user.type(screen.getByRole('textbox', { name: 'Notes' }), 'x');
  expect(screen.queryByRole('button', { name: 'Launch' })).toBeNull();
  await check('Check only');
  await user.click(await screen.findByRole('button', { name: 'Launch' }));
  await waitFor(() => expect(path()).toBe('/runs/r1'));
  expect(calls.find((c) => c.method === 'run.start')?.input).toEqual({
    planId: 'p1',
    checkedHash: 'abc',
  });
});

test('a plan file with a mistake is refused with line and column', async () => {
  const { user } = renderRoute(
    '/plans',
    {},
    { name: 'mine.json', text: '{\n  "tilebenchPlan": 2\n}' },
  );
  await user.click((await screen.findAllByRole('button', { name: 'Import plan file' }))[0]!);
  expect(await screen.findByText(/mine\.json:2:/)).toBeVisible();
});

test('a lost engine is said in the frame, and gone when it is back', async () => {
  const { link } = renderRoute('/settings', {});
  await screen.findByRole('heading', { name: 'Settings' });
  act(() => link('closed'));
  expect(await screen.findByText('Engine not connected, trying again')).toBeVisible();
  act(() => link('open'));
  await waitFor(() => expect(screen.queryByText('Engine not connected, trying again')).toBeNull());
});

test('removing a connection asks once, says exactly what will be gone, and does it', async () => {
  const { user, calls } = renderRoute('/connections', {
    'connection.list': () => [client],
    'connection.remove': () => ({}),
  });
  await user.click(await screen.findByRole('button', { name: 'Remove Client one' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove Client one' });
  expect(dialog).toHaveTextContent(
    'its fingerprint and its stored secret will be gone. Runs keep their results.',
  );
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(calls.filter((c) => c.method === 'connection.remove')).toEqual([
    { method: 'connection.remove', input: { id: 'c1' } },
  ]);
});

test('the palette and the shortcut list hold every command', async () => {
  const { user } = renderRoute('/settings', {});
  await screen.findByRole('heading', { name: 'Settings' });
  await user.keyboard('{Control>}/{/Control}');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(dialog).getByRole('row', { name: /Plans/ })).toHaveTextContent('Ctrl3');
});
