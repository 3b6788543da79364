import { act, screen, waitFor, within } from '@testing-library/react';

import type { Profile } from '../../../core/profile/profile.ts';
import type {
  ProvisionItem,
  ProvisionJob,
  ProvisionPlan,
} from '../../../core/testbed/provision.ts';
import { layoutSchema, type Testbed } from '../../../core/testbed/testbed.ts';
import { type Answers, type Console, renderRoute } from '../../testing/renderRoute.tsx';

beforeEach(() => {
  localStorage.clear();
});
const gib = 2 ** 30;
const profile: Profile = {
  schemaVersion: 1,
  id: 'quick',
  version: '1',
  name: 'Quick tile',
  description: '',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: [
    {
      id: 'db',
      role: 'db',
      name: 'Database',
      driver: 'sysbench-cpu',
      params: {},
      unit: 'tps',
      scored: true,
      reference: null,
      referenceSource: 'none',
      qos: [],
    },
  ],
  phases: { rampUpS: 10, staggerS: 2, steadyS: 60, periods: 3, rampDownS: 5 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'x' },
};
const bed = (
  made: { ref: string; name: string }[] = [],
  vcenterId: string | null = 'vc',
): Testbed => ({
  id: 't1',
  name: 'Bed',
  version: 1,
  profileId: 'quick',
  vcenterId,
  powerIds: [],
  notes: '',
  layout: layoutSchema.parse({ made }),
  tiles: [0, 1].map((index) => ({
    index,
    workloads: [{ workloadId: 'db', vm: null, clientId: 'c1', params: {} }],
  })),
});
const named = (name: string): { ref: string; name: string } => ({ ref: name, name });
const plan = (): ProvisionPlan => ({
  testbedId: 't1',
  present: 6,
  stores: [{ ref: 'd1', name: 'lun1', count: 1, needBytes: 12 * gib, freeBytes: 100 * gib }],
  items: [
    {
      key: '0/db',
      tileIndex: 0,
      workloadId: 'db',
      name: 'tile1-db',
      lost: null,
      template: named('golden'),
      host: named('esx1'),
      datastore: named('lun1'),
      hostPlanned: true,
      datastorePlanned: false,
      needBytes: 12 * gib,
      problem: null,
    },
    {
      key: '1/db',
      tileIndex: 1,
      workloadId: 'db',
      name: 'tile2-db',
      lost: null,
      template: null,
      host: named('esx2'),
      datastore: named('lun1'),
      hostPlanned: true,
      datastorePlanned: true,
      needBytes: null,
      problem: {
        text: 'No template is chosen for db',
        hint: 'Choose one under Templates in the layout.',
      },
    },
  ],
});
const item = (n: number, change: Partial<ProvisionItem>): ProvisionItem => ({
  key: `${n}/db`,
  tileIndex: n,
  workloadId: 'db',
  name: `tile${n + 1}-db`,
  template: named('golden'),
  host: named('esx1'),
  datastore: named('lun1'),
  step: 'waiting',
  progressPct: null,
  error: null,
  note: null,
  vmRef: null,
  taskRef: null,
  startedAtMs: null,
  endedAtMs: null,
  ...change,
});
const job = (state: ProvisionJob['state'], items: ProvisionItem[], rev = 1): ProvisionJob => ({
  id: 'j1',
  testbedId: 't1',
  vcenterId: 'vc',
  rev,
  state,
  purpose: state === 'cleaningUp' || state === 'cleaned' ? 'remove' : 'make',
  options: { powerOn: true, stageSize: 4, stagePauseS: 30 },
  folder: null,
  items,
  startedAtMs: 0,
  endedAtMs: null,
  nowMs: 60_000,
  error: null,
});
async function open(answers: Answers, testbed = bed()): Promise<Console> {
  const shown = renderRoute('/testbeds/t1', {
    'testbed.list': () => [testbed],
    'profile.list': () => [profile],
    'provision.status': () => null,
    'provision.plan': plan,
    ...answers,
  });
  await shown.user.click(await screen.findByRole('tab', { name: 'Provision' }));
  return shown;
}
const asked = ({ calls }: Console, method: string): unknown[] =>
  calls.filter((one) => one.method === method).map(({ input }) => input);

test('what would be made stands with place and space, and what cannot be made first, with its reason and remedy', async () => {
  const shown = await open({
    'provision.start': () => job('running', [item(0, { step: 'cloning', progressPct: 40 })]),
  });
  expect(
    await screen.findByText(
      '1 VM to make on 1 datastore, 12.0 GiB; 1 cannot be made; 6 workloads have their VM.',
    ),
  ).toBeVisible();
  const rows = within(screen.getByRole('table', { name: 'VMs to make' })).getAllByRole('row');
  expect(rows[1]).toHaveTextContent(
    'tile2-dbTile 2 · dbnot setesx2lun1–No. No template is chosen for db. Choose one under Templates in the layout.',
  );
  expect(rows[2]).toHaveTextContent('tile1-dbTile 1 · dbgoldenesx1lun1 (chosen)12.0Yes');
  expect(
    within(screen.getByRole('table', { name: 'Space on datastores' })).getAllByRole('row')[1],
  ).toHaveTextContent('lun1112.0100.088.0');
  const stage = screen.getByRole('textbox', { name: 'VMs a stage' });
  await shown.user.clear(stage);
  await shown.user.type(stage, '8');
  await shown.user.click(screen.getByRole('button', { name: 'Make 1 VM' }));
  await waitFor(() =>
    expect(asked(shown, 'provision.start')).toEqual([
      { testbedId: 't1', options: { powerOn: true, stageSize: 8, stagePauseS: 30 } },
    ]),
  );
});

test('a job shows counts, progress and time left, can be cancelled, and an older state is ignored', async () => {
  const shown = await open({
    'provision.status': () =>
      job('running', [item(0, { step: 'cloning', progressPct: 50 }), item(1, {})]),
    'provision.cancel': () => job('cancelling', []),
  });
  expect(await screen.findByText('0 of 2 VMs made, 1 under way, 1 waiting.')).toBeVisible();
  expect(screen.getByText('about 3:00 left')).toBeVisible();
  expect(screen.getByRole('row', { name: /tile1-db .*Cloning 50 %/ })).toBeVisible();
  expect(asked(shown, 'provision.plan')).toEqual([]);
  act(() =>
    shown.emit(
      'provision.changed',
      job(
        'running',
        [item(0, { step: 'done', vmRef: 'vm-7' }), item(1, { step: 'poweringOn' })],
        5,
      ),
    ),
  );
  expect(await screen.findByText('1 of 2 VMs made, 1 under way.')).toBeVisible();
  act(() => shown.emit('provision.changed', job('running', [item(0, {}), item(1, {})], 4)));
  expect(screen.getByText('1 of 2 VMs made, 1 under way.')).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(asked(shown, 'provision.cancel')).toEqual([{ testbedId: 't1' }]));
});

test('what failed says why and what to do; only that is retried; what is left can be planned anew', async () => {
  const failed = job('failed', [
    item(0, { step: 'done', vmRef: 'vm-7' }),
    item(1, { step: 'failed', error: { message: 'The resource is in use.', hint: 'Wait.' } }),
  ]);
  const shown = await open({
    'provision.status': () => failed,
    'provision.retry': () => job('running', [], 2),
    'provision.plan': () => ({ ...plan(), items: [plan().items[1]!] }),
  });
  expect(
    await screen.findByRole('row', { name: /tile2-db .*Failed The resource is in use\. Wait\./ }),
  ).toBeVisible();
  expect(screen.queryByRole('table', { name: 'VMs to make' })).toBeNull();
  await shown.user.click(await screen.findByRole('button', { name: 'Plan what is left anew' }));
  expect(await screen.findByRole('table', { name: 'VMs to make' })).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Retry 1 failed' }));
  await waitFor(() => expect(asked(shown, 'provision.retry')).toEqual([{ testbedId: 't1' }]));
});

test('a clean-up names what will be gone, keeps everything unless told, and asks once', async () => {
  const shown = await open(
    {
      'provision.status': () => job('done', [item(0, { step: 'done', vmRef: 'vm-7' })]),
      'provision.plan': () => ({ ...plan(), items: [] }),
      'provision.cleanUp': () => job('cleaningUp', [], 2),
    },
    bed([{ ref: 'vm-7', name: 'tile1-db' }]),
  );
  await shown.user.click(await screen.findByRole('button', { name: 'Clean up' }));
  expect(screen.getByRole('alertdialog', { name: 'Remove 1 VM with its disks' })).toHaveTextContent(
    'tile1-db: powered off and deleted from disk.',
  );
  expect(screen.getByRole('button', { name: 'Keep everything' })).toHaveFocus();
  await shown.user.keyboard('{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(asked(shown, 'provision.cleanUp')).toEqual([]);
  await shown.user.click(screen.getByRole('button', { name: 'Clean up' }));
  await shown.user.click(screen.getByRole('button', { name: 'Remove 1 VM' }));
  await waitFor(() => expect(asked(shown, 'provision.cleanUp')).toEqual([{ testbedId: 't1' }]));
});

test('vCenter away is said and asked again; without a vCenter the way is shown', async () => {
  let away = true;
  const shown = await open({
    'provision.plan': () => {
      if (away)
        throw Object.assign(new Error('vCenter lab does not answer.'), { kind: 'unreachable' });
      return plan();
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('vCenter lab does not answer.');
  away = false;
  await shown.user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Make 1 VM' })).toBeEnabled();
});

test('a testbed without vCenter says what to choose', async () => {
  await open({}, bed([], null));
  expect(await screen.findByText(/The testbed has no vCenter/)).toBeVisible();
});
