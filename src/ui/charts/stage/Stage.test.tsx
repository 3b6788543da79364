/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { StageScene } from '../../../core/chart/stage/scene.ts';
import { installChartDom, renderPage } from '../testing/page.tsx';
import { Stage } from './Stage.tsx';

installChartDom();

const scene: StageScene = {
  hosts: [
    {
      ref: 'h1',
      name: 'esx1',
      vms: 2,
      cpuPct: { value: 62.2, staleMs: 0 },
      watts: { value: 420, staleMs: 60_000 },
    },
    {
      ref: 'h2',
      name: 'esx2',
      vms: 0,
      cpuPct: { value: null, staleMs: 0 },
      watts: { value: null, staleMs: 0 },
    },
  ],
  vms: [
    { ref: 'v1', name: 't1-db', tile: 0, role: 0, state: 'load', host: 0, slot: 0 },
    { ref: 'v2', name: 't2-web', tile: 1, role: 1, state: 'lost', host: 0, slot: 1 },
    { ref: 'v3', name: 'spare', tile: null, role: 2, state: 'idle', host: null, slot: 0 },
  ],
  roles: [
    { id: 'db', name: 'Database', letter: 'D', ordinal: 0 },
    { id: 'web', name: 'Web', letter: 'W', ordinal: 1 },
    { id: ' other', name: 'Other', letter: '·', ordinal: 2 },
  ],
  capacity: 4,
  placed: true,
  power: { watts: 420, known: 1, meters: 2 },
};

test('by keyboard: arrows walk hosts and VMs, and each is said with tile, workload, host, CPU', async () => {
  renderPage(<Stage scene={scene} height={232} />);
  const racks = screen.getByRole('group', { name: /arrow keys walk hosts and VMs/ });
  expect(racks).toHaveAccessibleDescription(
    '3 VMs on 2 hosts, 1 under load, 1 lost, 1 on no known host. ' +
      'esx1: CPU 62 %, power 420 W, 60 s old, 2 VMs. esx2: CPU –, power –, 0 VMs.',
  );
  racks.focus();
  await userEvent.keyboard('{Home}');
  const said = screen.getByText(/^esx1: CPU/, { selector: '[aria-live]' });
  expect(said).toHaveAttribute('aria-live', 'polite');
  await userEvent.keyboard('{ArrowUp}');
  expect(said).toHaveTextContent('t1-db: tile 1, Database, under load, on esx1, host CPU 62 %');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(said).toHaveTextContent('t2-web: tile 2, Web, lost, on esx1, host CPU 62 %');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowRight}');
  expect(said).toHaveTextContent('esx2: CPU –, power –, 0 VMs');
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('list', { name: 'VMs by workload' })).toHaveTextContent(
    'DDatabase 1WWeb 1·Other 1pale: no loadgrey ×: lost1 on no known host(in brackets): old figure',
  );
});

test('the same as a table: hosts without VMs and VMs without a host are in it', async () => {
  renderPage(<Stage scene={scene} height={232} />);
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Hosts and their VMs' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Table' }));
  const rows = within(screen.getByRole('table', { name: 'Hosts and their VMs' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
        .join('|'),
    );
  expect(rows).toEqual([
    'esx1|62 %|420 W, 60 s old|t1-db|1|Database|under load',
    'esx1|62 %|420 W, 60 s old|t2-web|2|Web|lost',
    'esx2|–|–|–|–|–|–',
    '–|–|–|spare|–|Other|no load',
  ]);
});
