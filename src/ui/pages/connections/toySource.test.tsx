import { screen, within } from '@testing-library/react';
import * as z from 'zod';

import type { Connection } from '../../../core/testbed/connection.ts';
import type * as Sources from '../../../core/testbed/power/index.ts';
import type * as Kind from '../../../core/testbed/power/kind.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

/** A third power source, by a line in the list: the form asks for what its kind says. */
jest.mock('../../../core/testbed/power/index.ts', () => {
  const shipped = jest.requireActual<typeof Sources>('../../../core/testbed/power/index.ts');
  const { meteredKind, meterPeriodMs } = jest.requireActual<typeof Kind>(
    '../../../core/testbed/power/kind.ts',
  );
  const toy = meteredKind({
    schema: z.object({
      type: z.literal('toy'),
      shelf: z.string().min(1),
      slot: z.number().int().min(1),
      periodMs: meterPeriodMs,
    }),
    label: 'Toy meter',
    rows: [
      [
        { name: 'shelf', label: 'Shelf', input: 'text', required: true, initial: '' },
        { name: 'slot', label: 'Slot', input: 'number', initial: 4, min: 1 },
      ],
    ],
    address: ({ shelf, slot }) => `toy on ${shelf}/${slot}`,
    peer: ({ shelf }) => shelf,
    host: ({ shelf }) => shelf,
  });
  return { powerSources: { ...shipped.powerSources, toy } };
});

test('a source of a new kind is chosen, filled in, refused by field and saved', async () => {
  const { user, calls } = renderRoute('/connections', {
    'connection.list': () => [],
    'connection.save': ({ connection }) => connection as Connection,
  });
  await user.click(await screen.findByRole('button', { name: 'Add connection' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Power source' }));
  const form = within(await screen.findByRole('form', { name: 'Power source connection' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Rack');
  await user.type(form.getByRole('textbox', { name: 'UPS name' }), 'kept');
  await user.click(form.getByRole('radio', { name: 'Toy meter' }));
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  expect(form.getByText('Fill in this field')).toBeVisible();
  await user.type(form.getByRole('textbox', { name: 'Shelf' }), ' seven ');
  expect(form.queryByText('Fill in this field')).toBeNull();
  // What was typed for another kind is there again when it is chosen again.
  await user.click(form.getByRole('radio', { name: 'NUT server' }));
  expect(form.getByRole('textbox', { name: 'UPS name' })).toHaveValue('kept');
  await user.click(form.getByRole('radio', { name: 'Toy meter' }));
  await user.clear(form.getByRole('textbox', { name: 'Slot' }));
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  expect(calls.filter(({ method }) => method === 'connection.save')).toMatchObject([
    {
      input: {
        connection: {
          name: 'Rack',
          source: { type: 'toy', shelf: 'seven', slot: 4, periodMs: 1_000 },
        },
      },
    },
  ]);
});

test('it stands in the list as its kind writes it', async () => {
  const source = { type: 'toy', shelf: 'seven', slot: 4, periodMs: 1_000 };
  const stored = { kind: 'power', id: 'p1', name: 'Rack', source } as unknown as Connection;
  renderRoute('/connections', { 'connection.list': () => [stored] });
  expect(await screen.findByText('toy on seven/4')).toBeVisible();
});
