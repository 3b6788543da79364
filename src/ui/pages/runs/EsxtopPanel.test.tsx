import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { fail } from '../../../core/base/errors.ts';
import type { EsxtopLook } from '../../../core/run/esxtopLook.ts';
import { EsxtopPanel, type EsxtopPanelProps } from './EsxtopPanel.tsx';

const nowMs = Date.UTC(2026, 10, 24, 8, 30);
const look: EsxtopLook = {
  id: 1,
  hostRef: 'h1',
  hostName: 'esx1',
  atMs: nowMs - 120_000,
  everyS: 2,
  rows: 30,
  state: 'done',
  rowsRead: 30,
  sights: [
    {
      kind: 'queue',
      subject: 'lun-1, naa.600',
      mean: 9.25,
      most: 14,
      unit: 'commands',
      level: 1,
      from: 0.5,
      source: 'a guide',
      evidence: [{ label: 'Active commands', mean: 31, unit: 'commands' }],
    },
    {
      kind: 'ready',
      subject: 'web1',
      mean: 2,
      most: 3,
      unit: '% of a vCPU',
      level: 0,
      from: 10,
      source: 'a guide',
      evidence: [],
    },
  ],
};
const panel = (
  looks: readonly EsxtopLook[],
  more: Partial<EsxtopPanelProps> = {},
  state: EsxtopPanelProps['overview']['state'] = 'steady',
) =>
  render(
    <MantineProvider env="test">
      <EsxtopPanel
        overview={{
          state,
          origin: 'real',
          nowMs,
          esxtop: { hosts: [{ ref: 'h1', name: 'esx1' }], looks: [...looks] },
        }}
        nowMs={nowMs}
        onLook={async () => undefined}
        {...more}
      />
    </MantineProvider>,
  );

test('a host is asked by its button; a refusal is said where it was pressed', async () => {
  const user = userEvent.setup();
  const asked: string[] = [];
  panel([], {
    onLook: (ref) => {
      asked.push(ref);
      return Promise.reject(fail('conflict', 'esxtop runs on esx1 already.', 'Wait.'));
    },
  });
  expect(screen.getByText(/Not yet run on ESXi/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Look at esx1 for a minute' }));
  expect(asked).toEqual(['h1']);
  expect(await screen.findByRole('alert')).toHaveTextContent('esxtop runs on esx1 already. Wait.');
});

test('what was seen stands with its figures and where they begin to count, the loudest in words', () => {
  panel([look]);
  const card = within(screen.getByRole('region', { name: /^esx1 at / }));
  expect(
    card.getByText('LUN queue: lun-1, naa.600, 9.25 commands, counts from 0.50 commands.'),
  ).toBeVisible();
  const [, first] = within(card.getByRole('table')).getAllByRole('row');
  expect(first).toHaveTextContent('Active commands 31 commands');
});

test('without load no host can be asked; one whose engine went away is not called running', () => {
  panel([{ ...look, state: 'running', rowsRead: 4, atMs: nowMs - 3_600_000 }], {}, 'checking');
  expect(screen.getByRole('button', { name: 'Look at esx1 for a minute' })).toBeDisabled();
  expect(screen.getByText(/It was not finished/)).toBeVisible();
});
