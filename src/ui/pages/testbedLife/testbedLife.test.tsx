import { screen, waitFor, within } from '@testing-library/react';

import type { Profile } from '../../../core/profile/profile.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import { layoutSchema, type Testbed } from '../../../core/testbed/testbed.ts';
import { exportTestbed, testbedFileText } from '../../../core/testbed/testbedFile.ts';
import { type Answers, type Console, renderRoute } from '../../testing/renderRoute.tsx';

beforeEach(() => {
  localStorage.clear();
});
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
const client = (id: string, name: string): Connection => ({
  kind: 'client',
  id,
  name,
  host: `${id}.lab`,
  port: 22,
  user: 'root',
  auth: { method: 'agent' },
});
const vcenter: Connection = {
  kind: 'vcenter',
  id: 'vc',
  name: 'Lab vCenter',
  host: 'vc.lab',
  port: 443,
  user: 'u',
  password: { keychain: 'vc' },
};
const host = (ref: string, name: string): Inventory['hosts'][number] => ({
  ref,
  name,
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
});
const inventory = (hosts: [string, string][], vms: [string, string][]): Inventory => ({
  vcenterId: 'vc',
  product: 'vCenter',
  version: '8',
  build: '1',
  instanceUuid: 'u',
  takenAtMs: 0,
  clusters: [],
  networks: [],
  datastores: [],
  hosts: hosts.map(([ref, name]) => host(ref, name)),
  vms: vms.map(([ref, name]) => ({
    ref,
    name,
    hostRef: null,
    datastoreRefs: [],
    powerState: 'poweredOn',
    vcpus: 2,
    memoryMb: 4_096,
    guest: null,
    toolsStatus: null,
    ip: null,
    template: false,
    snapshotCount: 0,
  })),
});
const bed = (change: Partial<Testbed> = {}): Testbed => ({
  id: 't1',
  name: 'Bed',
  version: 3,
  profileId: 'quick',
  vcenterId: 'vc',
  powerIds: [],
  notes: '',
  layout: layoutSchema.parse({}),
  tiles: [0, 1].map((index) => ({
    index,
    workloads: [
      {
        workloadId: 'db',
        vm: { ref: `vm-${index}`, name: `tile${index + 1}-db` },
        clientId: 'c1',
        params: {},
        planned: {
          host: { ref: `h${index}`, name: index === 0 ? 'esx-a' : 'esx-b' },
          datastore: null,
        },
      },
    ],
  })),
  ...change,
});
const lab: Answers = {
  'connection.list': () => [client('c9', 'load-01'), vcenter],
  'profile.list': () => [profile],
  'inventory.get': () =>
    inventory(
      [
        ['x1', 'esx-a'],
        ['x2', 'other'],
      ],
      [
        ['y1', 'TILE1-db'],
        ['y2', 'unrelated'],
      ],
    ),
};
const fileText = (): string =>
  testbedFileText(
    exportTestbed(bed(), {
      inventory: null,
      profile,
      vcenterName: 'Far vCenter',
      clients: [{ id: 'c1', name: 'load-01' }],
    }),
  );
const asked = ({ calls }: Console, method: string): unknown[] =>
  calls.filter((one) => one.method === method).map(({ input }) => input);

test('versions: what differs from now and nothing else, who saved, and the way back', async () => {
  const earlier = bed({ version: 1, name: 'Older', tiles: bed().tiles.slice(0, 1) });
  const current = bed();
  const shown = renderRoute('/testbeds/t1', {
    ...lab,
    'testbed.list': () => [current],
    'testbed.version': () => earlier,
    'testbed.restore': () => ({ ...earlier, version: 4 }),
    'testbed.versions': () => [
      {
        version: 3,
        savedAtMs: 2_000,
        by: 'provisioning',
        name: 'Bed',
        tiles: 2,
        assignedVms: 2,
        current: true,
      },
      {
        version: 1,
        savedAtMs: null,
        by: 'person',
        name: 'Older',
        tiles: 1,
        assignedVms: 1,
        current: false,
      },
    ],
  });
  await shown.user.click(await screen.findByRole('button', { name: 'More for Bed' }));
  await shown.user.click(await screen.findByRole('menuitem', { name: 'Versions' }));
  const versions = await screen.findByRole('table', { name: 'Versions' });
  expect(
    within(versions).getByRole('row', { name: /3, current .*by provisioning 2 2/ }),
  ).toBeVisible();
  expect(within(versions).getByRole('row', { name: /Version 1 time not kept 1 1/ })).toBeVisible();
  const differences = await screen.findByRole('table', {
    name: 'What differs between Version 1 and Current',
  });
  expect(within(differences).getByRole('row', { name: 'Name Older Bed' })).toBeVisible();
  expect(within(differences).getByRole('row', { name: 'Tile 2 added' })).toBeVisible();
  expect(within(differences).queryByText(/vCenter|Profile/)).toBeNull();
  await shown.user.click(screen.getByRole('button', { name: 'Restore version 1' }));
  await waitFor(() => expect(asked(shown, 'testbed.restore')).toEqual([{ id: 't1', version: 1 }]));
  expect(
    await screen.findByText('Version 1 is back, as version 4. Version 3 is kept.'),
  ).toBeVisible();
});

test('a testbed without an earlier version says so', async () => {
  const shown = renderRoute('/testbeds/t1', {
    ...lab,
    'testbed.list': () => [bed()],
    'testbed.versions': () => [
      {
        version: 3,
        savedAtMs: 2_000,
        by: 'person',
        name: 'Bed',
        tiles: 2,
        assignedVms: 2,
        current: true,
      },
    ],
  });
  await shown.user.click(await screen.findByRole('button', { name: 'More for Bed' }));
  await shown.user.click(await screen.findByRole('menuitem', { name: 'Versions' }));
  expect(
    await screen.findByText('There is no earlier version yet. Each save keeps the one before it.'),
  ).toBeVisible();
});

test('a duplicate gets a name, is made by the engine and opened', async () => {
  const shown = renderRoute('/testbeds/t1', {
    ...lab,
    'testbed.list': () => [bed(), bed({ id: 't2', name: 'Bed copy' })],
    'testbed.duplicate': ({ name }) => bed({ id: 't2', name: name ?? '' }),
  });
  await shown.user.click(await screen.findByRole('button', { name: 'More for Bed' }));
  await shown.user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }));
  await shown.user.click(await screen.findByRole('button', { name: 'Duplicate' }));
  await waitFor(() => expect(shown.path()).toBe('/testbeds/t2'));
  expect(asked(shown, 'testbed.duplicate')).toEqual([{ id: 't1', name: 'Bed copy' }]);
});

test('an import maps names step by step: same names stand, likely ones say how, the rest is chosen or left out', async () => {
  const shown = renderRoute(
    '/testbeds',
    {
      ...lab,
      'testbed.list': () => [bed({ id: 't9' })],
      'testbed.import': ({ testbed }) =>
        ({ ...bed(), ...testbed, id: 't9', version: 1 }) as Testbed,
    },
    { name: 'far.testbed.json', text: fileText() },
  );
  const { user } = shown;
  await user.click(await screen.findByRole('button', { name: 'Import testbed' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import far.testbed.json' });
  expect(
    within(dialog).getByText('2 tiles of Quick tile 1, laid out on Far vCenter.'),
  ).toBeVisible();
  const next = (): Promise<void> =>
    user.click(within(dialog).getByRole('button', { name: 'Next' }));
  await next();
  expect(
    within(dialog).getByRole('row', {
      name: /^load-01 tile 1 db and 1 more load-01 Change Same name$/,
    }),
  ).toBeVisible();
  await next();
  expect(await within(dialog).findByText('1 of 2 decided, 1 to be chosen.')).toBeVisible();
  await user.click(within(dialog).getByRole('combobox', { name: 'esx-b is here' }));
  await user.click(await screen.findByRole('option', { name: 'other' }));
  expect(within(dialog).getByText('Chosen by hand')).toBeVisible();
  await next();
  // The first is suggested by its name but for case; the other has no counterpart.
  expect(await within(dialog).findByText('1 of 2 decided, 1 to be chosen.')).toBeVisible();
  await next();
  expect(within(dialog).getByText('1 name still to be chosen: VMs.')).toBeVisible();
  expect(within(dialog).getByRole('button', { name: 'Import testbed' })).toBeDisabled();
  await user.click(within(dialog).getByRole('button', { name: 'Go to the first' }));
  await user.click(within(dialog).getByRole('combobox', { name: 'tile2-db is here' }));
  await user.click(await screen.findByRole('option', { name: 'Leave out' }));
  await user.click(within(dialog).getByRole('checkbox', { name: 'Only what was to be chosen' }));
  expect(within(dialog).getByText('Suggested: same but for case')).toBeVisible();
  await next();
  expect(within(dialog).getByText('1 thing left out:')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Import testbed' }));
  await waitFor(() => expect(shown.path()).toBe('/testbeds/t9'));
  const [{ testbed }] = asked(shown, 'testbed.import') as [{ testbed: Testbed }];
  expect(
    testbed.tiles.map(({ workloads: [one] }) => [
      one!.vm?.ref ?? null,
      one!.clientId,
      one!.planned?.host?.ref,
    ]),
  ).toEqual([
    ['y1', 'c9', 'x1'],
    [null, 'c9', 'x2'],
  ]);
});

test('a file that is none says where, and another can be chosen; a closed import can be gone on with', async () => {
  const file = { name: 'bad.json', text: `${fileText().slice(0, 60)}}` };
  const shown = renderRoute('/testbeds', lab, file);
  await shown.user.click((await screen.findAllByRole('button', { name: 'Import testbed' }))[0]!);
  expect(
    await within(await screen.findByRole('dialog', { name: 'Import bad.json' })).findByRole(
      'alert',
    ),
  ).toHaveTextContent(/bad\.json:\d+:\d+: /);
  expect(asked(shown, 'testbed.import')).toEqual([]);
  Object.assign(file, { name: 'good.json', text: fileText() });
  await shown.user.click(screen.getByRole('button', { name: 'Choose another file' }));
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await shown.user.clear(name);
  await shown.user.type(name, 'Mine');
  await shown.user.click(
    screen.getByRole('button', { name: 'Close the import; it can be gone on with' }),
  );
  await shown.user.click(await screen.findByRole('button', { name: 'Go on with good.json' }));
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Mine');
});
