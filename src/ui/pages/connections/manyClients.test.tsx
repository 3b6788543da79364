import { screen, waitFor, within } from '@testing-library/react';

import type { Connection } from '../../../core/testbed/connection.ts';
import type { TestReport } from '../../../wire/contract/connections.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

// What is typed into a new connection is kept as a draft, also from one test to the next.
beforeEach(() => localStorage.clear());

const hostKey = (n: string): string => `SHA256:${n.repeat(43)}`;
const failedAt = (step: TestReport['steps'][number]['step'], detail: string): TestReport => ({
  ok: false,
  steps: [{ step, ok: false, detail }],
});
const ok: TestReport = { ok: true, steps: [{ step: 'permission', ok: true, detail: 'Linux.' }] };
const of = (connection: unknown) => connection as Extract<Connection, { kind: 'client' }>;

async function fillIn(refuses: (host: string) => boolean = () => false) {
  const shown = renderRoute('/connections', {
    'connection.list': () => [],
    'connection.saveAll': ({ connections }) => connections as Connection[],
    'connection.save': ({ connection }) => connection as Connection,
    'connection.test': ({ connection }) =>
      of(connection).hostKeySha256 === undefined
        ? failedAt('pin', 'It is not known.')
        : refuses(of(connection).host)
          ? failedAt('authentication', 'The password is wrong.')
          : ok,
    'connection.identify': ({ connection }) => ({
      kind: 'hostKey',
      fingerprint: hostKey(of(connection).host.slice(-1)),
      subject: 'ssh-ed25519',
      issuer: null,
      validToMs: null,
      trust: 'unknown',
      expected: null,
    }),
  });
  const { user } = shown;
  await user.click(await screen.findByRole('button', { name: 'Add client machine' }));
  const form = within(await screen.findByRole('form', { name: 'Client machine connection' }));
  await user.click(form.getByRole('textbox', { name: 'Name' }));
  await user.paste('client{1..3}');
  await user.click(form.getByRole('textbox', { name: 'Address' }));
  await user.paste('10.0.0.{1..3}');
  await user.click(form.getByRole('radio', { name: 'Password' }));
  await user.type(form.getByLabelText('Password', { selector: 'input:not([type=radio])' }), 'all');
  return { ...shown, form };
}

test('three clients by a pattern: shown, connected, trusted and saved with one password', async () => {
  const { user, form, calls } = await fillIn();
  expect(form.getByRole('cell', { name: 'root@10.0.0.3:22' })).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Connect' }));
  expect(await form.findByText('3 client machines, 3 to compare and trust')).toBeVisible();
  expect(form.getByRole('cell', { name: hostKey('2') })).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Trust and save' }));
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'connection.saveAll')).toMatchObject([
      {
        input: {
          secret: 'all',
          connections: [1, 2, 3].map((n) => ({
            name: `client${n}`,
            host: `10.0.0.${n}`,
            hostKeySha256: hostKey(String(n)),
          })),
        },
      },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull());
});

test('one that is refused keeps the form open and says why; the others are saved', async () => {
  const { user, form, calls } = await fillIn((host) => host === '10.0.0.2');
  await user.click(form.getByRole('button', { name: 'Connect' }));
  await user.click(await form.findByRole('button', { name: 'Trust and save' }));
  expect(await form.findByRole('cell', { name: 'The password is wrong.' })).toBeVisible();
  expect(calls.find(({ method }) => method === 'connection.saveAll')?.input).toMatchObject({
    connections: [{ name: 'client1' }, { name: 'client3' }],
  });
});

test('a pattern that fits nothing is told at its field', async () => {
  const { user, form, calls } = await fillIn();
  await user.clear(form.getByRole('textbox', { name: 'Address' }));
  await user.click(form.getByRole('textbox', { name: 'Address' }));
  await user.paste('10.0.0.{1..2}');
  await user.click(form.getByRole('button', { name: 'Connect' }));
  expect(form.getByText('3 names for 2 addresses: as many of each are needed.')).toBeVisible();
  expect(calls.filter(({ method }) => method === 'connection.test')).toEqual([]);
});

test('an engine that refuses to test or to save says so in the form', async () => {
  const refusing = (message: string) => (): never => {
    throw Object.assign(new Error(message), { kind: 'conflict' });
  };
  const { user } = renderRoute('/connections', {
    'connection.test': refusing('No test now.'),
    'connection.save': refusing('No room.'),
    'connection.saveAll': refusing('No room for all.'),
  });
  await user.click(await screen.findByRole('button', { name: 'Add client machine' }));
  const form = within(await screen.findByRole('form', { name: 'Client machine connection' }));
  await user.type(form.getByRole('textbox', { name: 'Address' }), 'one');
  await user.click(form.getByRole('radio', { name: 'SSH agent' }));
  await user.click(form.getByRole('button', { name: 'Connect' }));
  expect(await form.findByText('No test now.')).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  expect(await form.findByText('No room.')).toBeVisible();
  await user.click(form.getByRole('textbox', { name: 'Address' }));
  await user.paste('{1,2}');
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  expect(await form.findByText('No room for all.')).toBeVisible();
});
