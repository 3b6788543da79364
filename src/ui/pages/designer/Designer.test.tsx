import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';

import type { Profile } from '../../../core/profile/profile.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import type { Inventory } from '../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../core/testbed/testbed.ts';
import { type Answers, type Console, renderRoute } from '../../testing/renderRoute.tsx';

const workload = (id: string, name: string): Profile['workloads'][number] => ({
  id,
  role: id,
  name,
  driver: 'sysbench-cpu',
  params: {},
  unit: 'tps',
  scored: true,
  reference: null,
  referenceSource: 'none',
  qos: [],
});
const profile: Profile = {
  schemaVersion: 1,
  id: 'quick',
  version: '1',
  name: 'Quick tile',
  description: 'Two workloads.',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: [workload('mail', 'Mail'), workload('web', 'Web')],
  phases: { rampUpS: 10, staggerS: 2, steadyS: 60, periods: 3, rampDownS: 5 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'x' },
};
const connections: Connection[] = [
  {
    kind: 'vcenter',
    id: 'vc',
    name: 'Lab vCenter',
    host: 'vc.lab',
    port: 443,
    user: 'u',
    password: { keychain: 'vc' },
  },
  {
    kind: 'client',
    id: 'c1',
    name: 'client one',
    host: 'c1.lab',
    port: 22,
    user: 'root',
    auth: { method: 'agent' },
  },
];
const markup = '<img src=x onerror=alert(1)>';
const vms = ['tile1-mail', 'tile1-web', 'tile2-mail', 'tile2-web', markup].map(
  (name, i): Inventory['vms'][number] => ({
    ref: `vm-${i}`,
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
  }),
);
const host = (ref: string, name: string): Inventory['hosts'][number] => ({
  ref,
  name,
  clusterRef: null,
  vendor: null,
  model: null,
  cpuModel: null,
  sockets: 1,
  cores: 4,
  threads: 8,
  mhz: 3_000,
  memoryBytes: 16 * 2 ** 30,
  build: null,
  version: null,
  bios: null,
  powerPolicy: null,
  connectionState: 'connected',
  maintenance: false,
  nics: [],
  hbas: [],
});
const store = (ref: string, name: string): Inventory['datastores'][number] => ({
  ref,
  name,
  type: 'VMFS',
  capacityBytes: 2 ** 39,
  freeBytes: 2 ** 38,
  accessible: true,
  hostRefs: ['h1', 'h2'],
  luns: [
    {
      canonicalName: `naa.${ref}`,
      vendor: null,
      model: null,
      capacityBytes: 2 ** 39,
      queueDepth: 32,
      paths: 2,
      policy: null,
    },
  ],
  instanceUuid: null,
});
const inventory: Inventory = {
  vcenterId: 'vc',
  product: 'vCenter',
  version: '8',
  build: '1',
  instanceUuid: 'u',
  takenAtMs: 0,
  clusters: [],
  networks: [],
  hosts: [host('h1', 'esx1.lab'), host('h2', 'esx2.lab')],
  datastores: [store('d1', 'lun1'), store('d2', 'lun2')],
  vms,
};
const bed = (
  tiles: number,
  vmOf: (tile: number, at: number) => { ref: string; name: string } | null,
): Testbed => ({
  id: 't1',
  name: 'Bed',
  version: 3,
  profileId: 'quick',
  vcenterId: 'vc',
  powerIds: [],
  notes: '',
  tiles: Array.from({ length: tiles }, (_, index) => ({
    index,
    workloads: profile.workloads.map((w, at) => ({
      workloadId: w.id,
      vm: vmOf(index, at),
      clientId: 'c1',
      params: {},
    })),
  })),
});
const assigned = (tile: number, at: number): { ref: string; name: string } => {
  const { ref, name } = vms[tile * 2 + at]!;
  return { ref, name };
};

beforeEach(() => {
  localStorage.clear();
});

async function opened(
  testbed: Testbed,
  answers: Answers = {},
): Promise<Console & { grid: HTMLElement }> {
  const shown = renderRoute(`/testbeds/${testbed.id}`, {
    'connection.list': () => connections,
    'profile.list': () => [profile],
    'testbed.list': () => [testbed],
    'inventory.get': () => inventory,
    ...answers,
  });
  const grid = await screen.findByRole('grid', { name: 'Tiles by host' });
  await waitFor(() =>
    expect(screen.getByRole('list', { name: 'Load of hosts' })).toHaveTextContent('esx1vCPU'),
  );
  return { ...shown, grid };
}
const cell = (name: RegExp): HTMLElement => screen.getByRole('gridcell', { name });
const done = (): HTMLElement => screen.getByRole('status', { name: 'What was done' });
const active = (grid: HTMLElement): HTMLElement | null =>
  document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');

test('keys alone: walk, choose, move to a host and to a LUN, undo in words, redo, save', async () => {
  const saves: Testbed[] = [];
  const { user, grid } = await opened(bed(2, assigned), {
    'testbed.save': (saved) => {
      saves.push(saved as Testbed);
      return { ...(saved as Testbed), version: 4 };
    },
  });
  grid.focus();
  await user.keyboard('{ArrowDown}{ArrowRight}');
  expect(active(grid)).toHaveAccessibleName(/^Tile 1 Mail, VM tile1-mail, host esx1.lab, LUN lun1/);
  await user.keyboard(' {Shift>}{ArrowDown}{/Shift}');
  expect(done()).toHaveTextContent('2 VMs chosen.');
  expect(cell(/^Tile 2 Mail/)).toHaveAttribute('aria-selected', 'true');
  expect(cell(/^Tile 2 Web/)).toHaveAttribute('aria-selected', 'false');

  await user.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'Move 2 VMs' });
  expect(within(dialog).getByRole('combobox', { name: 'Host or LUN' })).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(within(dialog).getByRole('option', { selected: true })).toHaveTextContent('esx2.lab');
  await user.keyboard('{Enter}');
  expect(done()).toHaveTextContent('Move 2 VMs to esx2.lab.');
  expect(cell(/^Tile 1 Mail.*host esx2.lab planned, now on esx1.lab/)).toBeVisible();
  expect(grid).toHaveFocus();
  await user.keyboard('m');
  await user.keyboard('lun2{Enter}');
  expect(cell(/^Tile 2 Mail.*LUN lun2 planned, now on lun1/)).toBeVisible();
  await user.keyboard('{Control>}z{/Control}');
  expect(done()).toHaveTextContent('Undone: Move 2 VMs to lun2.');
  expect(cell(/^Tile 2 Mail.*LUN lun1/)).toBeVisible();
  await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  expect(done()).toHaveTextContent('Done again: Move 2 VMs to lun2.');
  await user.click(screen.getByRole('button', { name: 'Save testbed' }));
  await waitFor(() =>
    expect(saves[0]?.tiles[0]?.workloads[0]?.planned).toEqual({
      host: { ref: 'h2', name: 'esx2.lab' },
      datastore: { ref: 'd2', name: 'lun2' },
    }),
  );
  expect(await screen.findByText('Bed saved as version 4.')).toBeVisible();
});

test('Escape in the move dialog moves nothing', async () => {
  const { user, grid } = await opened(bed(2, assigned));
  grid.focus();
  await user.keyboard('{ArrowDown}{Enter}{ArrowDown}{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Undo' })).toBeDisabled();
});

test('tiles are copied and pasted through the clipboard; a pasted tile has no VM that another tile has', async () => {
  const { grid, user } = await opened(bed(2, assigned));
  grid.focus();
  await user.keyboard('{ArrowDown}{Shift>} {/Shift}');
  const data = new Map<string, string>();
  const clipboardData = {
    setData: (type: string, text: string) => {
      data.set(type, text);
    },
    getData: (type: string) => data.get(type) ?? '',
  };
  fireEvent.copy(grid, { clipboardData });
  expect(done()).toHaveTextContent('1 tile copied.');
  fireEvent.paste(grid, { clipboardData });
  expect(done()).toHaveTextContent('Paste 1 tile.');
  expect(screen.getAllByRole('rowheader').map((row) => row.getAttribute('aria-label'))).toEqual([
    'Tile 1, 2 workloads',
    'Tile 2, 2 workloads, 2 VMs missing',
    'Tile 3, 2 workloads',
  ]);
  data.set('text/plain', 'a shopping list');
  fireEvent.paste(grid, { clipboardData });
  expect(done()).toHaveTextContent(/^The clipboard holds no tiles/);
  // A host that makes no clipboard event of the keys.
  await user.keyboard('{Control>}x{/Control}');
  expect(done()).toHaveTextContent('Cut tile 1.');
  await user.keyboard('{Control>}v{/Control}');
  expect(done()).toHaveTextContent('Paste 1 tile.');
});

test('a layout is generated: what the name pattern matches and what not is shown before it is applied, and closing loses nothing', async () => {
  const { user } = await opened(bed(1, () => null));
  await user.click(screen.getByRole('button', { name: 'Generate…' }));
  let dialog = await screen.findByRole('dialog', { name: 'Generate a layout' });
  await user.clear(within(dialog).getByRole('textbox', { name: 'Tiles' }));
  await user.type(within(dialog).getByRole('textbox', { name: 'Tiles' }), '3');
  expect(await within(dialog).findByText('4 of 6 match, 2 without a VM.')).toBeVisible();
  expect(within(dialog).getByText('tile 3 mail: no VM is called tile3-mail')).toBeInTheDocument();
  expect(within(dialog).getByText(/3 tiles on 2 datastores/)).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await user.click(screen.getByRole('button', { name: 'Generate…' }));
  dialog = await screen.findByRole('dialog', { name: 'Generate a layout' });
  expect(within(dialog).getByRole('textbox', { name: 'Tiles' })).toHaveValue('3');
  await user.click(within(dialog).getByRole('button', { name: 'Lay out 3 tiles' }));
  expect(done()).toHaveTextContent(/^Lay out 3 tiles/);
  expect(screen.getAllByRole('rowheader')).toHaveLength(3);
  expect(cell(/^Tile 2 Web, VM tile2-web/)).toBeVisible();
});

test('markup in a VM name is text on the board, in the table and in what is read out', async () => {
  const { user } = await opened(
    bed(1, (_, at) => (at === 0 ? { ref: 'vm-4', name: markup } : null)),
  );
  await user.click(screen.getByRole('radio', { name: 'Names' }));
  expect(screen.getByText(markup)).toBeVisible();
  expect(cell(/^Tile 1 Mail/)).toHaveAccessibleName(expect.stringContaining(`VM ${markup}`));
  await user.click(screen.getByRole('radio', { name: 'Table' }));
  expect(await screen.findByRole('combobox', { name: 'VM of tile 1 Mail' })).toHaveValue(markup);
  expect(document.querySelector('img')).toBeNull();
});

test('search and filters keep the tiles that are asked for, and a range covers no hidden tile', async () => {
  const { user, grid } = await opened(bed(3, (tile, at) => (tile < 2 ? assigned(tile, at) : null)));
  await user.type(screen.getByRole('searchbox', { name: 'Search the layout' }), 'tile2-');
  expect(screen.getByText('1 of 3 tiles')).toBeVisible();
  expect(screen.getAllByRole('rowheader')).toHaveLength(1);
  grid.focus();
  await user.keyboard('{Control>}a{/Control}');
  expect(done()).toHaveTextContent('2 VMs of the tiles shown chosen.');
  await user.clear(screen.getByRole('searchbox', { name: 'Search the layout' }));
  await user.click(screen.getByRole('combobox', { name: 'Tiles shown' }));
  await user.click(screen.getByRole('option', { name: 'VM missing' }));
  expect(screen.getAllByRole('rowheader').map((row) => row.getAttribute('aria-label'))).toEqual([
    'Tile 3, 2 workloads, 2 VMs missing',
  ]);
});

test('figures stand at each host in numbers and words, and a finding lights what it is about', async () => {
  const { user } = await opened(bed(2, assigned));
  expect(
    within(screen.getByRole('list', { name: 'Load of hosts' })).getByText('10 / 4, 2.50×'),
  ).toBeVisible();
  const panel = screen.getByRole('region', { name: 'Forecast' });
  const lun = await within(panel).findByRole('button', { name: /^lun1: tiles? 1, 2/i });
  await user.click(lun);
  expect(lun).toHaveAttribute('aria-pressed', 'true');
  expect(await screen.findByRole('grid', { name: 'Tiles by LUN' })).toBeVisible();
});

test('a version that was saved meanwhile is said, and neither it nor the draft is lost', async () => {
  let stored = bed(2, assigned);
  const { user, grid, emit } = await opened(stored, { 'testbed.list': () => [stored] });
  grid.focus();
  await user.keyboard('{ArrowDown}{Delete}');
  expect(screen.getAllByRole('rowheader')).toHaveLength(1);
  stored = { ...stored, version: 4, notes: 'from elsewhere' };
  act(() => {
    emit('list.changed', { list: 'testbeds' });
  });
  expect(await screen.findByRole('alert', { name: 'Version 4 was saved meanwhile' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save testbed' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Save testbed' })).toHaveAccessibleDescription(
    'Before it can be saved: version 4 was saved meanwhile; choose which to keep.',
  );
  await user.click(screen.getByRole('button', { name: 'Keep these changes, to follow version 4' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Save testbed' })).toBeEnabled();
});

test('a half typed name pattern is no edit, and is there again after another tab', async () => {
  const { user } = await opened(bed(2, assigned));
  await user.click(screen.getByRole('tab', { name: 'Settings' }));
  const field = await screen.findByRole('textbox', { name: 'Name pattern' });
  fireEvent.change(field, { target: { value: 'tile{' } });
  fireEvent.blur(field);
  expect(field).toBeInvalid();
  await user.click(screen.getByRole('tab', { name: 'Layout' }));
  await user.click(screen.getByRole('tab', { name: 'Settings' }));
  expect(await screen.findByRole('textbox', { name: 'Name pattern' })).toHaveValue('tile{');
  expect(screen.getByRole('button', { name: 'Save testbed' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Save testbed' })).toHaveAccessibleDescription(
    /nothing to save$/,
  );
});
