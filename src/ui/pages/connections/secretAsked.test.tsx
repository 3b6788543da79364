import { screen, within } from '@testing-library/react';

import type { Connection } from '../../../core/testbed/connection.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

const vcenter = (password: { keychain: string } | { file: string }): Connection => ({
  kind: 'vcenter',
  id: 'vc1',
  name: 'Lab vCenter',
  host: 'vc.lab',
  port: 443,
  user: 'admin',
  password,
});

async function edit(connection: Connection) {
  const shown = renderRoute('/connections', {
    'connection.list': () => [connection],
    'connection.save': ({ connection: saved }) => saved as Connection,
  });
  await shown.user.click(await screen.findByRole('button', { name: 'Lab vCenter' }));
  const form = within(await screen.findByRole('form', { name: 'vCenter connection' }));
  const address = form.getByRole('textbox', { name: 'Address' });
  await shown.user.clear(address);
  await shown.user.type(address, 'vc.new');
  const saves = () => shown.calls.filter(({ method }) => method === 'connection.save');
  const save = () =>
    shown.user.click(form.getByRole('button', { name: 'Save without connecting' }));
  return { ...shown, form, saves, save };
}

test('another host asks for the password again, and is not saved without it', async () => {
  const { user, form, saves, save } = await edit(vcenter({ keychain: 'vc1' }));
  await save();
  expect(form.getByText('Enter it again: what is stored is for admin@vc.lab:443')).toBeVisible();
  expect(saves()).toEqual([]);
  await user.type(form.getByLabelText('Password'), 'new one');
  await save();
  expect(saves()[0]?.input).toMatchObject({ secret: 'new one', connection: { host: 'vc.new' } });
});

test('a file is sent to another host only where that is said', async () => {
  const { user, form, saves, save } = await edit(vcenter({ file: '/etc/password' }));
  await save();
  expect(saves()).toEqual([]);
  await user.click(
    form.getByRole('checkbox', {
      name: 'Send the content of the file /etc/password to admin@vc.new:443',
    }),
  );
  await save();
  expect(saves()[0]?.input).toMatchObject({ allowSecret: true, connection: { host: 'vc.new' } });
});
