import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { RunRecord } from '../../../core/run/run.ts';
import { takeSnapshot } from '../../../core/snapshot/snapshotTake.ts';
import { snapshotClients, snapshotInventory } from '../../../core/testing/snapshotLab.ts';
import { RunSetupDiff } from '../snapshot/RunSetupDiff.tsx';
import { SnapshotDiff } from '../snapshot/SnapshotDiff.tsx';
import { SetupView } from './SetupView.tsx';
import { demoRun } from './testing/records.ts';

const shown = (node: React.ReactNode): void => {
  render(<MantineProvider env="test">{node}</MantineProvider>);
};
const record = (
  change: Partial<RunRecord> = {},
  state: 'passed' | 'aborted' = 'passed',
): RunRecord => {
  const made = demoRun({ state }).record;
  return { ...made, clientsAfter: made.clients, ...change };
};
const copied = <T,>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const drift = (): HTMLElement => screen.getByRole('region', { name: 'Drift during the run' });

describe('drift', () => {
  test('nothing: says what was compared', () => {
    shown(<SetupView record={record()} />);
    expect(
      within(drift()).getByText(
        /^Nothing drifted\. Compared: 1 Cluster, 2 Hosts, 2 Datastores, 2 LUNs, 8 VMs, 2 Clients\.$/,
      ),
    ).toBeVisible();
  });
  test('what changed comes with its effect, before and after, grouped by meaning', () => {
    const after = copied(record().inventoryAfter!);
    after.hosts[0] = { ...after.hosts[0]!, build: '9', name: 'new.lab' };
    after.datastores[0]!.luns[0]!.paths = 3;
    shown(<SetupView record={record({ inventoryAfter: after })} />);
    const table = within(drift()).getByRole('table', { name: 'Drift during the run' });
    expect(
      within(table)
        .getAllByRole('rowheader')
        .map((cell) => cell.textContent),
    ).toEqual([
      'Build',
      'Host new.lab: ESXi build',
      'Storage',
      'LUN naa.1: Paths',
      'Hardware',
      'Host new.lab (renamed)',
    ]);
    expect(
      within(table).getByRole('row', {
        name: /Strong \(another scheduler and drivers\) Host new\.lab: ESXi build 24022510 9/,
      }),
    ).toBeVisible();
    expect(
      within(table).getByRole('row', {
        name: /Moderate \(bandwidth to the array\) LUN naa\.1: Paths 4 3/,
      }),
    ).toBeVisible();
  });
  test('moves by DRS are no drift and can be unfolded', async () => {
    const after = copied(record().inventoryAfter!);
    after.vms[0]!.hostRef = 'host-2';
    shown(<SetupView record={record({ inventoryAfter: after })} />);
    expect(within(drift()).getByText(/^Nothing drifted/)).toBeVisible();
    await userEvent.click(within(drift()).getByText('1 move by DRS or the run itself: no drift'));
    expect(
      within(drift()).getByRole('row', {
        name: /VM t1-database: Host \(moved\) esx1\.lab esx2\.lab/,
      }),
    ).toBeVisible();
  });
  test.each<[string, Partial<RunRecord>, 'passed' | 'aborted', RegExp]>([
    [
      'aborted before it was read again',
      { inventoryAfter: null, clientsAfter: null },
      'aborted',
      /^The run was ended before its set-up was read again/,
    ],
    [
      'not read again',
      { inventoryAfter: null, clientsAfter: null },
      'passed',
      /^The set-up was not read again after the run/,
    ],
    [
      'never read',
      { inventoryBefore: null, inventoryAfter: null, clients: [], clientsAfter: null },
      'aborted',
      /^No set-up was recorded before the run/,
    ],
    [
      'read in part',
      { inventoryAfter: null },
      'passed',
      /^The inventory was not read after the run\.$/,
    ],
    [
      'without a vCenter',
      {
        testbed: { ...record().testbed, vcenterId: null },
        inventoryBefore: null,
        inventoryAfter: null,
        clientsAfter: null,
      },
      'passed',
      /^This testbed has no vCenter/,
    ],
  ])('a set-up that was %s', (_name, change, state, sentence) => {
    shown(<SetupView record={record(change, state)} />);
    expect(within(drift()).getByText(sentence)).toBeVisible();
  });
});

describe('set-up', () => {
  test('comes by group, a row a figure, with each thing where they differ', async () => {
    const before = copied(record().inventoryBefore!);
    before.hosts[1]!.bios = '3.0';
    shown(<SetupView record={record({ inventoryBefore: before })} />);
    expect(
      within(screen.getByRole('table', { name: 'Build' })).getByRole('row', {
        name: 'Host: ESXi build 24022510',
      }),
    ).toBeVisible();
    const bios = within(screen.getByRole('table', { name: 'Firmware and drivers' })).getByRole(
      'row',
      { name: /^Host: BIOS/ },
    );
    await userEvent.click(within(bios).getByText('1 × 2.21.2, 1 × 3.0'));
    expect(within(bios).getByText('esx2.lab: 3.0')).toBeVisible();
    expect(screen.getByRole('table', { name: 'Plan' })).toBeVisible();
    expect(screen.getByTitle(/^SHA-256 [0-9a-f]{64}\. Runs with the same hash/)).toHaveTextContent(
      /^[0-9a-f]{12}$/,
    );
  });
  test('a search lists figures thing by thing, and says when there is none', async () => {
    shown(<SetupView record={record()} />);
    await userEvent.type(screen.getByRole('textbox', { name: 'Search the set-up' }), 'esx2 build');
    expect(screen.getByRole('status')).toHaveTextContent('2 figures');
    expect(
      screen.getByRole('row', { name: 'Host esx2.lab ESXi build 24022510 Build' }),
    ).toBeVisible();
    await userEvent.type(screen.getByRole('textbox', { name: 'Search the set-up' }), ' zzz');
    expect(screen.getByRole('status')).toHaveTextContent(
      'Nothing in the set-up has “esx2 build zzz”.',
    );
  });
});

test('two snapshots side by side: only what differs, and what cannot be compared', async () => {
  const other = snapshotInventory();
  other.hosts[0]!.powerPolicy = 'low';
  other.hosts[0]!.bios = null;
  shown(
    <SnapshotDiff
      a={takeSnapshot(snapshotInventory(), snapshotClients())}
      b={takeSnapshot(other, snapshotClients())}
    />,
  );
  expect(
    screen.getByRole('row', { name: /Host esx0\.lab: Power policy static low/ }),
  ).toBeVisible();
  await userEvent.click(
    screen.getByText('1 figure was told on one side only and cannot be compared'),
  );
  expect(screen.getByText('Host: BIOS')).toBeVisible();
});

describe('two runs thing by thing', () => {
  test('unfolds to what differs, under the names of the runs', async () => {
    const other = copied(record());
    other.overview.name = 'after the upgrade';
    other.inventoryBefore!.hosts[1]!.build = '9';
    shown(<RunSetupDiff records={[record(), other]} />);
    await userEvent.click(screen.getByText('Thing by thing'));
    const table = await screen.findByRole('table', { name: 'Set-ups thing by thing' });
    expect(within(table).getByRole('columnheader', { name: 'after the upgrade' })).toBeVisible();
    expect(
      within(table).getByRole('row', { name: /Host esx2\.lab: ESXi build 24022510 9$/ }),
    ).toBeVisible();
  });
  test('says whose set-up was not recorded', async () => {
    const blind = { ...record(), inventoryBefore: null, clients: [] };
    shown(
      <RunSetupDiff
        records={[record(), { ...blind, overview: { ...blind.overview, name: 'blind' } }]}
      />,
    );
    await userEvent.click(screen.getByText('Thing by thing'));
    expect(await screen.findByText('No set-up was recorded of blind.')).toBeVisible();
  });
});
