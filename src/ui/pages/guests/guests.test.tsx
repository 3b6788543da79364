import { act, screen, waitFor, within } from '@testing-library/react';

import type { GuestItem, GuestJob, GuestPlan } from '../../../core/roles/job.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { layoutSchema, type Testbed } from '../../../core/testbed/testbed.ts';
import { type Answers, type Console, renderRoute } from '../../testing/renderRoute.tsx';

beforeEach(() => {
  localStorage.clear();
});
const bed: Testbed = {
  id: 't1',
  name: 'Bed',
  version: 1,
  profileId: 'quick',
  vcenterId: 'vc',
  powerIds: [],
  notes: '',
  layout: layoutSchema.parse({}),
  tiles: [],
};
const login = (id: string, host: string): Connection => ({
  kind: 'client',
  id,
  name: id,
  host,
  port: 22,
  user: 'root',
  auth: { method: 'agent' },
});
const place = (workloadId: string, change: Partial<GuestPlan['items'][number]> = {}) => ({
  key: `0/${workloadId}`,
  tileIndex: 0,
  workloadId,
  vm: `tile1-${workloadId}`,
  address: '10.0.0.5',
  roleId: null,
  connectionId: null,
  preparedAs: null,
  ...change,
});
const plan = (): GuestPlan => ({
  testbedId: 't1',
  items: [
    place('db', { roleId: 'mariadb', connectionId: 'db1' }),
    place('www', { roleId: 'web', address: null }),
    place('io'),
  ],
});
const item = (workloadId: string, change: Partial<GuestItem> = {}): GuestItem => ({
  key: `0/${workloadId}`,
  tileIndex: 0,
  workloadId,
  vm: `tile1-${workloadId}`,
  address: '10.0.0.5',
  roleId: 'mariadb',
  connectionId: 'db1',
  state: 'running',
  error: null,
  steps: (['Look at the machine', 'Install packages'] as const).map((title, i) => ({
    id: `s${i}`,
    title,
    state: i === 0 ? 'done' : 'running',
    note: '',
    startedAtMs: i * 30_000,
    endedAtMs: i === 0 ? 30_000 : null,
  })),
  ...change,
});
const job = (state: GuestJob['state'], items: GuestItem[], rev = 1): GuestJob => ({
  id: 'g1',
  testbedId: 't1',
  rev,
  purpose: 'prepare',
  state,
  settings: { mirror: '', bundle: '' },
  items,
  startedAtMs: 0,
  endedAtMs: state === 'running' ? null : 60_000,
  nowMs: 60_000,
  prepared: {},
});
async function open(answers: Answers = {}): Promise<Console> {
  const shown = renderRoute('/testbeds/t1', {
    'testbed.list': () => [bed],
    'connection.list': () => [login('db1', '10.0.0.5'), login('www1', '10.0.0.6')],
    'guest.plan': plan,
    'guest.status': () => null,
    ...answers,
  });
  await shown.user.click(await screen.findByRole('tab', { name: 'Prepare guests' }));
  return shown;
}
const asked = ({ calls }: Console, method: string): unknown[] =>
  calls.filter((one) => one.method === method).map(({ input }) => input);

test('what is done to which machine stands before it is done; choices and mirror go along', async () => {
  const shown = await open({ 'guest.start': () => job('running', [item('db')]) });
  expect(
    await screen.findByText('1 of 3 machines can be prepared; 1 has no login chosen.'),
  ).toBeVisible();
  const rows = within(screen.getByRole('table', { name: 'Machines to prepare' })).getAllByRole(
    'row',
  );
  expect(rows[1]).toHaveTextContent(
    'Installs mariadb-server; writes 1 file; runs mariadb; opens port 3306.',
  );
  expect(rows[2]).toHaveTextContent('not known');
  expect(rows[3]).toHaveTextContent('Nothing.');
  expect(screen.getByText(/ds2user and sbtest need no password/)).toBeVisible();
  await shown.user.click(screen.getByRole('combobox', { name: 'Login of Tile 1 · www' }));
  await shown.user.click(await screen.findByRole('option', { name: /www1/ }));
  const mirror = screen.getByRole('textbox', { name: 'APT mirror in the lab' });
  await shown.user.type(mirror, 'nowhere');
  expect(screen.getByRole('button', { name: 'Prepare 2 machines' })).toBeDisabled();
  await shown.user.clear(mirror);
  await shown.user.type(mirror, 'http://mirror/debian');
  await shown.user.click(screen.getByRole('button', { name: 'Prepare 2 machines' }));
  await waitFor(() =>
    expect(asked(shown, 'guest.start')).toEqual([
      {
        testbedId: 't1',
        purpose: 'prepare',
        settings: { mirror: 'http://mirror/debian', bundle: '' },
        choices: [
          { key: '0/db', roleId: 'mariadb', connectionId: 'db1' },
          { key: '0/www', roleId: 'web', connectionId: 'www1' },
        ],
      },
    ]),
  );
});

test('a bundle that is taken in is chosen, shown with its digest, and goes along in place of a mirror', async () => {
  const sha256 = 'ab'.repeat(32);
  const bundle = {
    ...{ sha256, bytes: 9_000_000, release: 'debian-12', architecture: 'amd64' },
    ...{ roles: ['mariadb'], packages: 31, madeAtMs: 0 },
  };
  let bundles: (typeof bundle)[] = [];
  const shown = await open({
    'guest.bundles': () => bundles,
    'guest.takeBundle': () => bundle,
    'guest.start': () => job('running', [item('db')]),
  });
  await shown.user.click(await screen.findByRole('button', { name: 'Take in a bundle' }));
  const dialog = await screen.findByRole('dialog');
  await shown.user.type(within(dialog).getByRole('textbox', { name: 'File' }), '/srv/lab.tar');
  bundles = [bundle];
  await shown.user.click(within(dialog).getByRole('button', { name: 'Take in' }));
  await waitFor(() => expect(asked(shown, 'guest.takeBundle')).toEqual([{ path: '/srv/lab.tar' }]));
  act(() => shown.emit('list.changed', { list: 'guestBundles' }));
  expect(
    await screen.findByText(
      /bundle of 1970-01-01 for debian-12 amd64: mariadb \(31 packages, 9 MB\)/,
    ),
  ).toHaveTextContent(sha256);
  expect(screen.getByText(/take only one of somebody you trust/)).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'APT mirror in the lab' })).toBeDisabled();
  await shown.user.click(screen.getByRole('combobox', { name: 'Role of Tile 1 · db' }));
  await shown.user.click(await screen.findByRole('option', { name: /^Mail server/ }));
  expect(await screen.findByText(/It has no packages for .*Mail server/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Prepare 1 machine' })).toBeDisabled();
  for (const role of ['db', 'www']) {
    await shown.user.click(screen.getByRole('combobox', { name: `Role of Tile 1 · ${role}` }));
    await shown.user.click(await screen.findByRole('option', { name: 'Database: MariaDB' }));
  }
  await shown.user.click(screen.getByRole('button', { name: 'Prepare 1 machine' }));
  await waitFor(() =>
    expect(asked(shown, 'guest.start')).toMatchObject([
      { settings: { mirror: '', bundle: sha256 } },
    ]),
  );
});

test('a role shows its files word for word, and its user-data can be copied', async () => {
  const shown = await open();
  await shown.user.click(await screen.findByRole('button', { name: /^Database: MariaDB/ }));
  expect(await screen.findByText(/bind-address = 0.0.0.0/)).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Show cloud-init text' }));
  const dialog = await screen.findByRole('dialog');
  await shown.user.click(within(dialog).getByRole('button', { name: 'Copy user-data' }));
  expect(await within(dialog).findByText('Copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toMatch(/^#cloud-config\n# Database: MariaDB/);
});

test('a job shows each step, can be cancelled, and ignores an older state', async () => {
  const shown = await open({
    'guest.status': () => job('running', [item('db')], 5),
    'guest.cancel': () => job('cancelling', [], 6),
  });
  expect(await screen.findByText('0 of 1 machine prepared, 1 under way.')).toBeVisible();
  expect(screen.getByRole('img', { name: 'Look at the machine: done' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Install packages: under way' })).toBeVisible();
  act(() => shown.emit('guest.changed', job('done', [item('db', { state: 'done' })], 4)));
  expect(screen.getByText('0 of 1 machine prepared, 1 under way.')).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(asked(shown, 'guest.cancel')).toEqual([{ testbedId: 't1' }]));
});

test('what failed says why and what to do, and is retried; what is prepared is put back after a question', async () => {
  const error = { message: 'The disk of the machine is full.', hint: 'Make room.' };
  const shown = await open({
    'guest.status': () => job('failed', [item('db', { state: 'failed', error })]),
    'guest.plan': () => ({
      testbedId: 't1',
      items: [place('db', { roleId: 'mariadb', connectionId: 'db1', preparedAs: 'mariadb' })],
    }),
    'guest.retry': () => job('running', [item('db')], 2),
    'guest.start': () => job('running', [item('db')], 2),
  });
  expect(await screen.findByText(/The disk of the machine is full\./)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Retry 1 machine' })).toBeVisible();
  await shown.user.click(screen.getByRole('button', { name: 'Put 1 back' }));
  expect(screen.getByRole('button', { name: 'Keep everything' })).toHaveFocus();
  await shown.user.click(screen.getByRole('button', { name: 'Put 1 machine back' }));
  await waitFor(() =>
    expect(asked(shown, 'guest.start')).toMatchObject([
      {
        purpose: 'undo',
        choices: [{ key: '0/db', roleId: 'mariadb', connectionId: 'db1' }],
      },
    ]),
  );
});

test('what was chosen stays when the tab is left and come back to, by keys alone', async () => {
  const { user } = await open();
  const mirror = await screen.findByRole('textbox', { name: 'APT mirror in the lab' });
  mirror.focus();
  await user.keyboard('http://mirror/debian');
  screen.getByRole('combobox', { name: /^Role of .*io/i }).focus();
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  const role = (): HTMLInputElement => screen.getByRole('combobox', { name: /^Role of .*io/i });
  const { value } = role();
  expect(value).not.toBe('');
  const tab = screen.getByRole('tab', { selected: true });
  tab.focus();
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(tab).toHaveAttribute('aria-selected', 'false'));
  await user.keyboard('{ArrowRight}');
  expect(await screen.findByRole('textbox', { name: 'APT mirror in the lab' })).toHaveValue(
    'http://mirror/debian',
  );
  expect(role()).toHaveValue(value);
});
