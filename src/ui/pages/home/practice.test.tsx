import { cleanup, screen, waitFor, within } from '@testing-library/react';

import { planFileSchema } from '../../../core/plan/plan.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

beforeEach(() => localStorage.clear());

const here = { host: '127.0.0.1', user: 'root' };
const client = { ...here, kind: 'client', auth: { method: 'agent' } };
const file = planFileSchema.parse({
  tilebenchPlan: 1,
  connections: [
    { ...here, kind: 'vcenter', id: 'v', name: 'v', password: { env: 'V' } },
    { ...client, id: 'c1', name: 'c1' },
    { ...client, id: 'c2', name: 'c2' },
    {
      kind: 'power',
      id: 'p',
      name: 'p',
      source: { type: 'nut', host: '127.0.0.1', port: 3493, ups: 'lab' },
    },
  ],
  testbed: { id: 'tb', name: 'Bed', profileId: 'p', vcenterId: 'v', tiles: [] },
  plan: {
    id: 'lab-plan',
    name: 'Practice run',
    testbedId: 'tb',
    profileId: 'p',
    tiles: 1,
    phases: { rampUpS: 0, staggerS: 0, steadyS: 5, periods: 1, rampDownS: 0 },
  },
});
const practice = (notOwn: string | null) => ({
  'plan.practiceLab': () => ({
    lab: {
      path: '/home/u/practice-lab.json',
      source: { file, testbeds: [], profiles: [], study: null },
      notOwn,
    },
    styleTile: null,
  }),
  'plan.previewImport': () => ({
    plan: { id: 'lab-plan', name: 'Practice run' },
    study: null,
    digest: 'd1',
    trusted: false,
    peers: [],
    loads: [],
    changes: [],
    clashes: [],
  }),
  'plan.import': () => ({
    plan: file.plan,
    studyId: null,
  }),
});

test('a practice lab that runs here is used by one click, which leads to its plan', async () => {
  const { user, path, calls } = renderRoute('/', practice(null));
  const card = within(await screen.findByRole('region', { name: 'Practice lab' }));
  expect(await card.findByText('Running on this machine')).toBeVisible();
  expect(
    card.getByText(/^A simulated vCenter, 2 client machines, 1 power source, all on this machine/),
  ).toBeVisible();
  await user.click(card.getByRole('button', { name: 'Use the practice lab' }));
  await waitFor(() => expect(path()).toBe('/plans/lab-plan'));
  expect(calls.find(({ method }) => method === 'plan.import')?.input).toMatchObject({
    trust: 'd1',
    decisions: {},
  });
});

test('its second plan, the tile in the style of VMmark 2, has a button of its own and stays offered until it is taken', async () => {
  const tile = { ...file, plan: { ...file.plan, id: 'lab-style-plan', name: 'Tile' } };
  const own = { path: '/p', notOwn: null };
  const answers = {
    ...practice(null),
    'plan.practiceLab': () => ({
      lab: { ...own, source: { file, testbeds: [], profiles: [], study: null } },
      styleTile: { ...own, source: { file: tile, testbeds: [], profiles: [], study: null } },
    }),
    'plan.import': () => ({ plan: tile.plan, studyId: null }),
  };
  const first = renderRoute('/', answers);
  await first.user.click(
    await screen.findByRole('button', { name: 'Use the VMmark 2 style tile' }),
  );
  await waitFor(() => expect(first.path()).toBe('/plans/lab-style-plan'));
  cleanup();
  // Connected by the first plan.
  const connected = { ...answers, 'connection.list': () => file.connections };
  renderRoute('/', { ...connected, 'plan.list': () => [file.plan] });
  const card = within(await screen.findByRole('region', { name: 'Practice lab' }));
  expect(card.getByText(/A scaling study, no VMmark result/)).toBeVisible();
  expect(card.getByRole('button', { name: 'Use the VMmark 2 style tile' })).toBeVisible();
  expect(card.queryByRole('button', { name: 'Use the practice lab' })).toBeNull();
  cleanup();
  renderRoute('/', { ...connected, 'plan.list': () => [file.plan, tile.plan] });
  await screen.findByRole('heading', { name: 'Home', level: 1 });
  expect(screen.queryByRole('region', { name: 'Practice lab' })).toBeNull();
});

test('one that may be another user’s is told why, and nothing is taken before it was shown', async () => {
  const { user, calls } = renderRoute('/', practice('other users may write to it'));
  const card = within(await screen.findByRole('region', { name: 'Practice lab' }));
  expect(await card.findByText('Found, not yours')).toBeVisible();
  expect(card.getByText(/practice-lab\.json: other users may write to it\./)).toBeVisible();
  expect(card.queryByRole('button', { name: 'Use the practice lab' })).toBeNull();
  await user.click(card.getByRole('button', { name: 'Show what it holds…' }));
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'plan.previewImport')).toHaveLength(1),
  );
  expect(calls.filter(({ method }) => method === 'plan.import')).toEqual([]);
});

test('without one, the command that starts it can be copied', async () => {
  const { user } = renderRoute('/', {});
  const card = within(await screen.findByRole('region', { name: 'Practice lab' }));
  expect(card.getByText('Not running')).toBeVisible();
  await user.click(card.getByRole('button', { name: 'Copy npm run lab -- --install' }));
  expect(await navigator.clipboard.readText()).toBe('npm run lab -- --install');
  expect(await card.findByText('Copied')).toBeVisible();
});

const elsewhere = {
  'connection.list': () => [{ ...file.connections[0]!, id: 'other', host: 'vc.lab' }],
};

test('later it is offered on Home as well, until all of it is connected as it stands now', async () => {
  const { user, path } = renderRoute('/', { ...practice(null), ...elsewhere });
  await user.click(await screen.findByRole('button', { name: 'Use the practice lab' }));
  await waitFor(() => expect(path()).toBe('/plans/lab-plan'));
});

test('one that is connected is not offered again', async () => {
  const { calls } = renderRoute('/', {
    ...practice(null),
    'connection.list': () => file.connections,
  });
  expect(await screen.findByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await waitFor(() => expect(calls.map(({ method }) => method)).toContain('plan.practiceLab'));
  expect(screen.queryByRole('button', { name: 'Use the practice lab' })).toBeNull();
});

test('the palette finds it from any page, and says what starts one where none runs', async () => {
  const { user } = renderRoute('/settings', {
    'plan.practiceLab': () => ({ lab: null, styleTile: null }),
    ...elsewhere,
  });
  await screen.findByRole('heading', { name: 'Settings', level: 1 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('textbox', { name: 'Command palette' }), 'practice lab');
  await user.keyboard('{Enter}');
  expect(await screen.findByText('No practice lab runs on this machine')).toBeVisible();
  expect(screen.getByText(/npm run lab -- --install/)).toBeVisible();
});
