import { screen, waitFor, within } from '@testing-library/react';

import type { Connection } from '../../../core/testbed/connection.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

const hostKey = `SHA256:${'k'.repeat(43)}`;
const text = `
Host gate
  HostName 10.0.0.1
Host inner
  HostName 10.0.0.2
  User bench
  IdentityFile ~/.ssh/lab
  ProxyJump gate
Host spare
  HostName 10.0.0.3
Match user nobody
`;
const of = (connection: unknown) => connection as Extract<Connection, { kind: 'client' }>;

function shown(file: { name: string; text: string }) {
  let stored: Connection[] = [];
  const page = renderRoute(
    '/connections',
    {
      'connection.list': () => stored,
      'connection.saveAll': ({ connections }) => {
        stored = [...stored, ...(connections as Connection[])];
        setTimeout(() => page.emit('list.changed', { list: 'connections' }));
        return connections as Connection[];
      },
      'connection.test': ({ connection }) => ({
        ok: of(connection).hostKeySha256 !== undefined,
        steps: [{ step: 'pin', ok: of(connection).hostKeySha256 !== undefined, detail: '–' }],
      }),
      'connection.identify': () => ({
        kind: 'hostKey',
        fingerprint: hostKey,
        subject: 'ssh-ed25519',
        issuer: null,
        validToMs: null,
        trust: 'unknown',
        expected: null,
      }),
    },
    file,
  );
  return page;
}

test('hosts that are chosen are connected, trusted and saved; who is behind one follows it', async () => {
  const { user, calls } = shown({ name: 'config', text });
  await user.click(await screen.findByRole('button', { name: 'Open ssh_config' }));
  const form = within(
    await screen.findByRole('form', { name: 'Client machines of the ssh_config' }),
  );
  expect(form.getByText('Match blocks are not read: what they set is missing here.')).toBeVisible();
  expect(form.getByRole('cell', { name: '~/.ssh/lab' })).toBeVisible();
  expect(form.getByRole('cell', { name: 'Follows once its jump host is saved' })).toBeVisible();
  await user.click(form.getByRole('checkbox', { name: 'spare' }));
  const saves = () =>
    calls.flatMap(({ method, input }) =>
      method === 'connection.saveAll' ? [(input as { connections: Connection[] }).connections] : [],
    );
  await user.click(form.getByRole('button', { name: 'Connect' }));
  await user.click(await form.findByRole('button', { name: 'Trust and save' }));
  await waitFor(() =>
    expect(saves()).toMatchObject([[{ name: 'gate', user: 'root', hostKeySha256: hostKey }]]),
  );
  expect(await form.findByRole('cell', { name: 'There already as gate' })).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Connect' }));
  await user.click(await form.findByRole('button', { name: 'Trust and save' }));
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
  expect(saves()[1]).toMatchObject([
    { name: 'inner', user: 'bench', jumpId: saves()[0]![0]!.id, auth: { path: '~/.ssh/lab' } },
  ]);
});

test('a file without hosts is refused in words', async () => {
  const { user } = shown({ name: 'config', text: 'Host *\nUser root' });
  await user.click(await screen.findByRole('button', { name: 'Open ssh_config' }));
  expect(await screen.findByText('config cannot be used')).toBeVisible();
});

test('an engine that refuses to save says so in the form', async () => {
  const { user } = renderRoute(
    '/connections',
    {
      'connection.saveAll': () => {
        throw Object.assign(new Error('No room for all.'), { kind: 'conflict' });
      },
    },
    { name: 'config', text },
  );
  await user.click(await screen.findByRole('button', { name: 'Open ssh_config' }));
  await user.click(await screen.findByRole('button', { name: 'Save without connecting' }));
  expect(await screen.findByText('No room for all.')).toBeVisible();
});
