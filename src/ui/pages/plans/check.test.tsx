import { act, screen, waitFor, within } from '@testing-library/react';

import { settleFindings } from '../../../core/plan/checkReport.ts';
import type { CheckFinding, CheckReport, Plan } from '../../../core/plan/plan.ts';
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
  expect(
    await screen.findByText(/^Not ready: 1 blocking, 0 warnings, 0 notes, 1 ok\./),
  ).toBeVisible();
  const details = within((await screen.findByText('vCenter lab')).closest('[role="region"]')!);
  expect(details.getByText('power state poweredOff')).toBeVisible();
  expect(details.getByText("govc vm.power -on 'vm1'")).toBeVisible();
  expect(screen.getByRole('button', { name: 'Launch' })).toBeDisabled();
  await user.click(details.getByRole('button', { name: 'Check this again' }));
  expect(await screen.findByText(/^Ready to launch: 0 blocking/)).toBeVisible();
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
  expect(
    await screen.findByText(/^Ready to launch: 0 blocking, 0 warnings, 0 notes, 1 ok, 1 waived/),
  ).toBeVisible();
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
  await user.click(await screen.findByRole('button', { name: 'Check again' }));
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
  expect(await screen.findByText(/^Ready to launch/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a report of before an edit launches nothing and offers nothing', async () => {
  const { user } = renderRoute('/plans/p1', { ...lists, 'plan.report': () => reportOf([fine]) });
  expect(await screen.findByText(/^Ready to launch/)).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Notes' }), 'x');
  expect(screen.getByText('The plan changed since this check')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Launch' })).toBeDisabled();
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
  await user.click(await screen.findByRole('button', { name: 'Check' }));
  expect(await screen.findByText('The check could not be made')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
});
