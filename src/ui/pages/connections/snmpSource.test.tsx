import { screen, within } from '@testing-library/react';

import type { Connection } from '../../../core/testbed/connection.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

test('a PDU is filled in for, its unit and outlet are asked for, and only what is asked is kept', async () => {
  const { user, calls } = renderRoute('/connections', {
    'connection.list': () => [],
    'connection.save': ({ connection }) => connection as Connection,
  });
  await user.click(await screen.findByRole('button', { name: 'Add connection' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Power source' }));
  const form = within(await screen.findByRole('form', { name: 'Power source connection' }));
  await user.click(form.getByRole('radio', { name: 'SNMP' }));
  const choose = async (field: string, option: string): Promise<void> => {
    await user.click(form.getByRole('combobox', { name: field }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  expect(form.queryByRole('textbox', { name: 'User' })).toBeNull();
  await choose('Fill in for', 'Avocent, Emerson PM: outlet');
  await user.type(form.getByRole('textbox', { name: 'Address' }), 'pdu.lab');
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  expect(form.getByText(/the unit and the outlet in the place of U and N/)).toBeVisible();
  const objects = form.getByRole('textbox', { name: 'Objects (OID)' });
  expect(objects).toHaveValue('1.3.6.1.4.1.10418.17.2.5.5.1.60.1.U.N');
  await user.clear(objects);
  await user.type(objects, '1.3.6.1.4.1.10418.17.2.5.5.1.60.1.1.4');
  await choose('Version', 'v3');
  await user.type(form.getByRole('textbox', { name: 'User' }), 'meter');
  await user.type(form.getByLabelText('Community or passphrase'), 'one / other');
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  const [save] = calls.filter(({ method }) => method === 'connection.save');
  const { connection, secret } = save!.input as { connection: Connection; secret: string };
  expect(secret).toBe('one / other');
  expect(connection).toEqual({
    kind: 'power',
    id: connection.id,
    name: 'SNMP',
    source: {
      type: 'snmp',
      host: 'pdu.lab',
      port: 161,
      version: 'v3',
      user: 'meter',
      auth: 'sha256',
      privacy: 'aes',
      password: { keychain: connection.id },
      oids: '1.3.6.1.4.1.10418.17.2.5.5.1.60.1.1.4',
      gives: 'power',
      factor: 0.1,
      periodMs: 1_000,
    },
  });
});
