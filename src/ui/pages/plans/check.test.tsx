import { act, screen, waitFor, within } from '@testing-library/react';

import { settleFindings } from '../../../core/plan/checkReport.ts';
import type { CheckFinding, CheckReport, Plan } from '../../../core/plan/plan.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { type Answers, type Console, renderRoute } from '../../testing/renderRoute.tsx';

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
const lists: Answers = {
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
  'testbed.list': () => [
    {
      id: 't1',
      name: 'Bed',
      version: 1,
      profileId: 'tile',
      vcenterId: null,
      powerIds: [],
      notes: '',
      tiles: [
        { index: 0, workloads: [{ workloadId: 'io', vm: null, clientId: 'c1', params: {} }] },
      ],
    },
  ],
  'plan.list': () => [plan],
};
const client: Connection = {
  kind: 'client',
  id: 'c1',
  name: 'c1',
  host: 'c1.lab',
  port: 22,
  user: 'root',
  auth: { method: 'agent' },
};
const fio: DriverInfo = {
  id: 'fio',
  title: 'fio',
  role: 'io',
  params: [
    { name: 'directory', type: 'string', default: '', description: 'Directory under test' },
    { name: 'outstanding', type: 'number', default: 8, description: 'Outstanding I/Os' },
  ],
};
const off: CheckFinding = {
  id: 'vm.poweredOff',
  checkId: 'vm.present',
  severity: 'block',
  title: 'Tile 1 Disk: VM vm1',
  subject: 'vm1',
  source: 'vCenter lab',
  evidence: 'power state poweredOff',
  fix: 'Power on vm1.',
  command: "govc vm.power -on 'vm1'",
};
const away: CheckFinding = {
  id: 'client.reachable',
  checkId: 'client.reachable',
  severity: 'block',
  waivable: false,
  title: 'Client c1',
  subject: 'c1',
  source: 'client c1 over SSH',
  evidence: 'port 22 refused',
  fix: 'Start sshd.',
};
const fine: CheckFinding = {
  id: 'plan.sound',
  checkId: 'plan.sound',
  severity: 'ok',
  title: 'Plan',
  subject: 'plan',
  source: 'plan',
  evidence: '1 tile',
};
const reportOf = (
  findings: readonly CheckFinding[],
  more: Partial<CheckReport> = {},
  waivers: Plan['waivers'] = [],
): CheckReport => ({
  planId: 'p1',
  hash: 'h1',
  atMs: 0,
  checks: [],
  ...settleFindings(findings, waivers),
  ...more,
});

/** The line that says whether the plan may be launched. */
const said = () => screen.findByRole('status', { name: 'State of the check' });
const shown = () => screen.getByRole('status', { name: 'State of the check' });
/** Chooses one of the lesser ways to begin. */
async function begin(user: Console['user'], way: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'More ways to begin' }));
  await user.click(await screen.findByRole('menuitem', { name: way }));
}

// A plan that was edited and not saved stays a draft in the browser.
beforeEach(() => localStorage.clear());

test('a finding unfolds with what was read, from where, what to do, a command; one check is made again', async () => {
  let mended = false;
  const { user, calls } = renderRoute('/plans/p1', {
    ...lists,
    'plan.report': () => reportOf([off, fine]),
    'plan.checkOne': () => {
      mended = true;
      return reportOf([{ ...off, id: 'vm.present', severity: 'ok', evidence: '1 exist' }, fine]);
    },
  });
  expect(await said()).toHaveTextContent(/^Not ready1 blocking, 1 okchecked /);
  const details = within((await screen.findByText('vCenter lab')).closest('[role="region"]')!);
  expect(details.getByText('power state poweredOff')).toBeVisible();
  expect(details.getByText("govc vm.power -on 'vm1'")).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Launch' })).toBeNull();
  await user.click(details.getByRole('button', { name: 'Check this again' }));
  await waitFor(() => expect(shown()).toHaveTextContent(/^Ready to launch2 ok/));
  expect(mended).toBe(true);
  expect(calls.find((call) => call.method === 'plan.checkOne')?.input).toEqual({
    id: 'p1',
    checkId: 'vm.present',
  });
  expect(screen.getByRole('button', { name: 'Launch' })).toBeEnabled();
});

test('a waiver needs a reason, keeps what is typed when closed, and makes the plan ready with its new version', async () => {
  const waivers = [{ key: 'vm.poweredOff vm1', reason: 'stays off on purpose', atMs: 5 }];
  const { user, calls } = renderRoute('/plans/p1', {
    ...lists,
    'plan.report': () => reportOf([off, fine]),
    'plan.waive': () => ({
      plan: { ...plan, version: 4, waivers },
      report: reportOf([off, fine], { hash: 'h2' }, waivers),
    }),
    'run.start': () => ({ runId: 'r1' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Waive with a reason' }));
  const dialog = await screen.findByRole('dialog', { name: 'Waive: Tile 1 Disk: VM vm1' });
  expect(within(dialog).getByRole('button', { name: 'Waive' })).toBeDisabled();
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'stays off on purpose');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Waive with a reason' }));
  expect(await screen.findByRole('textbox', { name: 'Reason' })).toHaveValue(
    'stays off on purpose',
  );
  await user.click(screen.getByRole('button', { name: 'Waive' }));
  await waitFor(() => expect(shown()).toHaveTextContent(/^Ready to launch1 waived, 1 ok/));
  expect(calls.find((call) => call.method === 'plan.waive')?.input).toEqual({
    id: 'p1',
    keys: ['vm.poweredOff vm1'],
    reason: 'stays off on purpose',
  });
  expect(screen.queryByText('Not saved')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Launch' }));
  await waitFor(() =>
    expect(calls.find((call) => call.method === 'run.start')?.input).toEqual({
      planId: 'p1',
      checkedHash: 'h2',
    }),
  );
});

test('many findings of one kind get one reason, but for those that cannot be waived', async () => {
  const many = ['vm1', 'vm2', 'vm3', 'vm4'].map((vm) => ({
    ...off,
    subject: vm,
    title: `Tile 1 Disk: VM ${vm}`,
  }));
  const { user, calls } = renderRoute('/plans/p1', {
    ...lists,
    'plan.report': () =>
      reportOf([
        ...many,
        { ...off, subject: 'vm5', title: 'Tile 1 Disk: VM vm5', waivable: false },
      ]),
    'plan.waive': () => ({ plan, report: null }),
  });
  await user.click(await screen.findByRole('button', { name: /VM \(5\)/ }));
  await user.click(screen.getByRole('button', { name: 'Waive all 4 with one reason' }));
  const dialog = await screen.findByRole('dialog', { name: 'Waive 4 findings' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'spare VMs');
  await user.click(within(dialog).getByRole('button', { name: 'Waive' }));
  await waitFor(() =>
    expect(calls.find((call) => call.method === 'plan.waive')?.input).toEqual({
      id: 'p1',
      keys: many.map(({ subject }) => `vm.poweredOff ${subject}`),
      reason: 'spare VMs',
    }),
  );
});

test('what makes a run impossible offers no waiver and says so', async () => {
  renderRoute('/plans/p1', { ...lists, 'plan.report': () => reportOf([away]) });
  expect(await screen.findByText('Not possible: a run cannot be made with it.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Waive with a reason' })).toBeNull();
});

test('a check under way shows how far it is and can be cancelled; the last report comes back', async () => {
  const { user, emit } = renderRoute('/plans/p1', {
    ...lists,
    'plan.report': () => reportOf([fine]),
    'plan.check': () => new Promise<CheckReport>(() => undefined),
  });
  await screen.findByRole('button', { name: 'Launch' });
  await begin(user, 'Check again');
  act(() =>
    emit('check.changed', {
      planId: 'p1',
      rev: 2,
      done: 3,
      total: 29,
      running: [
        { id: 'client.driver', title: 'Workload drivers on the client machines', startedMs: 0 },
      ],
      findings: [off],
      report: null,
    }),
  );
  act(() =>
    emit('check.changed', {
      planId: 'p1',
      rev: 1,
      done: 1,
      total: 29,
      running: [],
      findings: [],
      report: null,
    }),
  );
  act(() =>
    emit('check.changed', {
      planId: 'other',
      rev: 9,
      done: 9,
      total: 9,
      running: [],
      findings: [],
      report: null,
    }),
  );
  expect(await screen.findByText(/^3 of 29 checks made: 1 blocking/)).toBeVisible();
  expect(screen.getByText('Waiting for: Workload drivers on the client machines')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Launch' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Cancel check' }));
  expect(await said()).toHaveTextContent(/^Ready to launch/);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a report of before an edit launches nothing and offers nothing', async () => {
  const { user } = renderRoute('/plans/p1', { ...lists, 'plan.report': () => reportOf([fine]) });
  expect(await said()).toHaveTextContent(/^Ready to launch/);
  await user.type(screen.getByRole('textbox', { name: 'Notes' }), 'x');
  expect(screen.getByText('The plan changed since this check')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Launch' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Check this again' })).toBeNull();
});

test('findings are filtered by what they say', async () => {
  const { user } = renderRoute('/plans/p1', {
    ...lists,
    'plan.report': () => reportOf([off, fine]),
  });
  expect(await screen.findByText('Tile 1 Disk: VM vm1')).toBeVisible();
  expect(screen.queryByText('1 tile')).toBeNull();
  await user.click(await screen.findByRole('radio', { name: 'Ok 1' }));
  expect(screen.queryByText('Tile 1 Disk: VM vm1')).toBeNull();
  expect(screen.getByText('1 tile', { selector: 'p *, p' })).toBeInTheDocument();
});

test('a check that fails says why and offers another try', async () => {
  const { user } = renderRoute('/plans/p1', {
    ...lists,
    'plan.check': () => {
      throw new Error('the engine broke');
    },
  });
  await begin(user, 'Check only');
  expect(await screen.findByText('The check could not be made')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
});

describe('what a finding names is mended from it', () => {
  const wrongPort: CheckFinding = {
    id: 'client.driver',
    checkId: 'client.driver',
    severity: 'block',
    title: 'Tile 1 Disk: fio on c1',
    subject: 't1.io on c1',
    evidence: 'the directory /nowhere is not there',
    fix: 'Create it.',
    at: { tile: 0, workloadId: 'io', parameter: 'directory' },
  };

  test('Go to parameter opens the testbed with the field in focus; saving comes back and checks', async () => {
    const saves: unknown[] = [];
    const { user, path, calls } = renderRoute('/plans/p1', {
      ...lists,
      'connection.list': () => [client],
      'driver.list': () => [fio],
      'plan.report': () => reportOf([wrongPort]),
      'plan.check': () => reportOf([fine]),
      'testbed.save': (input) => {
        saves.push(input);
        return { ...(input as Testbed), version: 2 };
      },
    });
    await user.click(await screen.findByRole('link', { name: 'Go to parameter' }));
    const panel = await screen.findByRole('dialog', { name: 'Parameters of tile 1 Disk' });
    const field = await within(panel).findByRole('textbox', { name: 'Directory' });
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard('/data{Enter}');
    await waitFor(() => expect(path()).toBe('/plans/p1'));
    expect(await said()).toHaveTextContent(/^Ready to launch/);
    expect(saves).toMatchObject([
      { tiles: [{ workloads: [{ workloadId: 'io', params: { directory: '/data' } }] }] },
    ]);
    expect(calls.filter(({ method }) => method === 'plan.check')).toHaveLength(1);
  });

  test('Power on asks once, powers on, checks again, and can be taken back', async () => {
    const { user, calls } = renderRoute('/plans/p1', {
      ...lists,
      'plan.report': () => reportOf([{ ...off, off: { ref: 'vm-7', name: 'vm1' } }, fine]),
      'testbed.power': () => ({}),
      'plan.check': () => reportOf([fine]),
    });
    await user.click(await screen.findByRole('button', { name: 'Power on…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Power on vm1' });
    await user.click(within(dialog).getByRole('button', { name: 'Power on' }));
    await waitFor(() => expect(shown()).toHaveTextContent(/^Ready to launch/));
    await user.click(await screen.findByRole('button', { name: 'Power off again' }));
    await waitFor(() =>
      expect(
        calls.flatMap(({ method, input }) => (method === 'testbed.power' ? [input] : [])),
      ).toEqual([
        { id: 't1', vmRefs: ['vm-7'], on: true },
        { id: 't1', vmRefs: ['vm-7'], on: false },
      ]),
    );
    await waitFor(() =>
      expect(calls.filter(({ method }) => method === 'plan.check')).toHaveLength(2),
    );
  });

  test('many VMs that are off are powered on together', async () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => ({
      ...off,
      subject: name,
      title: `Tile 1 Disk: VM ${name}`,
      off: { ref: `vm-${name}`, name },
    }));
    const { user, calls } = renderRoute('/plans/p1', {
      ...lists,
      'plan.report': () => reportOf(many),
      'testbed.power': () => ({}),
      'plan.check': () => reportOf([fine]),
    });
    await user.click(await screen.findByRole('button', { name: /VM \(4\)/ }));
    await user.click(screen.getByRole('button', { name: 'Power on all 4…' }));
    await user.click(await screen.findByRole('button', { name: 'Power on' }));
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'testbed.power')?.input).toEqual({
        id: 't1',
        vmRefs: ['vm-a', 'vm-b', 'vm-c', 'vm-d'],
        on: true,
      }),
    );
  });
});

test('check and launch in one act: nothing blocks, so the run begins', async () => {
  const { user, path, calls } = renderRoute('/plans/p1', {
    ...lists,
    'plan.check': () => reportOf([fine], { hash: 'fresh' }),
    'run.start': () => ({ runId: 'r1' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Check and launch' }));
  await waitFor(() => expect(path()).toBe('/runs/r1'));
  expect(calls.find(({ method }) => method === 'run.start')?.input).toEqual({
    planId: 'p1',
    checkedHash: 'fresh',
  });
});

test('check and launch stops at what blocks', async () => {
  const { user, calls } = renderRoute('/plans/p1', {
    ...lists,
    'plan.check': () => reportOf([off]),
  });
  await user.click(await screen.findByRole('button', { name: 'Check and launch' }));
  expect(await said()).toHaveTextContent(/^Not ready1 blocking/);
  expect(calls.some(({ method }) => method === 'run.start')).toBe(false);
});
