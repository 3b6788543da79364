/** @jest-environment jsdom */
import '@testing-library/jest-dom';

import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { PlacementHistory } from '../../../core/run/run.ts';
import { createChartGroup } from '../../charts/group.ts';
import { installChartDom, renderPage } from '../../charts/testing/page.tsx';
import { hostCounts, hostLetter, placementRows, placementSummary } from './placementModel.ts';
import { PlacementTimeline } from './PlacementTimeline.tsx';

installChartDom();
const origin = 1_000_000;
const at = (s: number): number => origin + s * 1_000;
const history: PlacementHistory = {
  hosts: [
    { ref: 'h1', name: 'esx1' },
    { ref: 'h2', name: 'esx2' },
  ],
  vms: [
    { ref: 'v2', name: 't2-web', tile: 1 },
    { ref: 'v1', name: 't1-web', tile: 0 },
    { ref: 'v0', name: 't1-db', tile: 0 },
    { ref: 'v9', name: 'spare', tile: null },
  ],
  moves: [
    ...[0, 1, 2, 3].map((vm) => ({ tMs: at(0), vm, host: 0, by: 'start' as const })),
    { tMs: at(300), vm: 0, host: 1, by: 'drs' },
    { tMs: at(400), vm: 1, host: 1, by: 'run' },
    { tMs: at(500), vm: 1, host: 0, by: 'other' },
    { tMs: at(550), vm: 3, host: null, by: 'unknown' },
  ],
};
const shown = (placement: PlacementHistory | undefined, expected = false) => {
  const group = createChartGroup();
  renderPage(
    <PlacementTimeline
      placement={placement}
      group={group}
      originMs={origin}
      endMs={600_000}
      expected={expected}
    />,
  );
  return group;
};
const shapes = (): (string | undefined)[] =>
  [...document.querySelectorAll<SVGElement>('svg[data-shape][style]')].map(
    (svg) => svg.dataset.shape,
  );

test('VMs by tile, a letter a host, and who moved them by the shape of the mark', () => {
  shown(history);
  const timeline = screen.getByRole('group', { name: /Timeline of VMs on hosts/ });
  expect([...timeline.querySelectorAll('[title]')].map((node) => node.textContent)).toEqual([
    't1-web',
    't1-db',
    't2-web',
    'spare',
  ]);
  expect(timeline).toHaveTextContent('T1t1-webABAt1-dbAT2t2-webAB–spareA?');
  expect(shapes()).toEqual(['circle', 'triangle', 'diamond', 'square']);
  expect(
    within(screen.getByRole('list', { name: 'Hosts and marks' }))
      .getAllByRole('listitem')
      .map((li) => li.textContent),
  ).toEqual([
    'Aesx1 2',
    'Besx2 1',
    'operation of this run',
    'DRS or HA',
    'somebody else',
    'not told by whom',
  ]);
  expect(timeline).toHaveAccessibleDescription(
    '4 VMs on 2 hosts, 4 moves: 1 by DRS or HA, 1 by an operation of this run, 1 by somebody else, 1 by nobody that vCenter named. At the start: esx1 4, esx2 0. Last: esx1 2, esx2 1.',
  );
});

test('by keyboard: the arrows move through VMs and time, are said, and move the cursor of all charts', async () => {
  const group = shown(history);
  screen.getByRole('group', { name: /Timeline/ }).focus();
  await userEvent.keyboard('{End}{ArrowDown}{ArrowDown}');
  const said = screen.getByText(/Tile 2 t2-web/);
  expect(said).toHaveTextContent('10:00 · Tile 2 t2-web on esx2 (B) since 5:00, moved: DRS or HA');
  expect(said).toHaveAttribute('aria-live', 'polite');
  await userEvent.keyboard('{Home}');
  expect(said).toHaveTextContent('t2-web on esx1 (A) since 0:00, where it was found, until 5:00');
  expect(group.cursorMs()).toBe(0);
  await userEvent.keyboard('{Escape}');
  expect(group.cursorMs()).toBeNaN();
});

test('the moves as a table, by time', async () => {
  shown(history);
  await userEvent.click(screen.getByRole('button', { name: 'Actions for VMs on hosts' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Table' }));
  const rows = within(screen.getByRole('table', { name: 'Moves of VMs' }))
    .getAllByRole('row')
    .map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map((cell) => cell.textContent)
        .join('|'),
    );
  expect(rows.slice(5)).toEqual([
    '5:00|2|t2-web|esx1|esx2|DRS or HA',
    '6:40|1|t1-web|esx1|esx2|operation of this run',
    '8:20|1|t1-web|esx2|esx1|somebody else',
    '9:10||spare|esx1|no host|not told by whom',
  ]);
});

test.each([
  [false, 'Placement was not recorded: no vCenter'],
  [true, 'Where VMs run is shown here after the first answer of vCenter.'],
])('nothing recorded (expected: %s) is said', (expected, text) => {
  shown(undefined, expected);
  expect(screen.getByText(new RegExp(text))).toBeInTheDocument();
});

describe('model', () => {
  test('letters go on after Z', () => {
    expect([0, 25, 26, 51, 52].map(hostLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA']);
  });
  test('counts a host at any time; a VM on none counts nowhere', () => {
    const rows = placementRows(history, origin);
    expect([-1, 0, 300_000, 450_000, 600_000].map((ms) => hostCounts(rows, 2, ms))).toEqual([
      [0, 0],
      [4, 0],
      [3, 1],
      [2, 2],
      [2, 1],
    ]);
  });
  test('200 VMs with 3,000 moves: every stay is there, once', () => {
    const vms = Array.from({ length: 200 }, (_, i) => ({
      ref: `v${i}`,
      name: `vm${i}`,
      tile: Math.floor(i / 6),
    }));
    const moves = Array.from({ length: 3_000 }, (_, i) => ({
      tMs: at(i),
      vm: i % 200,
      host: i % 64,
      by: 'drs' as const,
    }));
    const many: PlacementHistory = {
      hosts: Array.from({ length: 64 }, (_, i) => ({ ref: `h${i}`, name: `h${i}` })),
      vms,
      moves,
    };
    const rows = placementRows(many, origin);
    expect(placementSummary(many, rows, 3_000_000)).toContain(
      '200 VMs on 64 hosts, 3000 moves: 3000 by DRS or HA.',
    );
    expect(rows.reduce((sum, row) => sum + row.stays.length, 0)).toBe(3_000);
  });
});
