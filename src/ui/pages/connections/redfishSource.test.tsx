import { screen, within } from '@testing-library/react';

import type { Connection } from '../../../core/testbed/connection.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const reading = '/redfish/v1/Chassis/1/Power#/PowerControl/1/PowerConsumedWatts';

test('a controller is trusted by its certificate, another reading is chosen, and both are saved', async () => {
  const { user, calls } = renderRoute('/connections', {
    'connection.list': () => [],
    'connection.identify': () => ({
      kind: 'certificate',
      fingerprint,
      subject: 'bmc.lab',
      issuer: null,
      validToMs: null,
      trust: 'unknown',
      expected: null,
    }),
    'connection.test': ({ connection }) =>
      connection.kind === 'power' && 'fingerprint256' in connection.source
        ? {
            ok: true,
            steps: [{ step: 'refresh', ok: true, detail: 'A new value about every 10 s.' }],
            updateMs: 10_000,
            readings: [
              { reading: '/redfish/x#/y', label: 'Server', watts: 312, chosen: true },
              { reading, label: 'CPU', watts: 170, chosen: false },
            ],
          }
        : { ok: false, steps: [{ step: 'pin', ok: false, detail: 'Not trusted.' }] },
    'connection.save': ({ connection }) => connection as Connection,
  });
  await user.click(await screen.findByRole('button', { name: 'Add connection' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Power source' }));
  const form = within(await screen.findByRole('form', { name: 'Power source connection' }));
  await user.click(form.getByRole('radio', { name: 'Redfish' }));
  await user.type(form.getByRole('textbox', { name: 'Address' }), 'bmc.lab');
  await user.type(form.getByRole('textbox', { name: 'User' }), 'admin');
  await user.click(form.getByRole('button', { name: 'Connect' }));
  expect(form.getByText('Enter the password')).toBeVisible();
  await user.type(form.getByLabelText('Password'), 'secret');
  await user.click(form.getByRole('button', { name: 'Connect' }));
  expect(await form.findByText(fingerprint)).toBeVisible();
  await user.type(form.getByRole('textbox', { name: /Trusted certificate/ }), fingerprint);
  await user.click(form.getByRole('button', { name: 'Connect' }));
  await user.click(await form.findByRole('button', { name: 'Read CPU' }));
  expect(form.getByRole('textbox', { name: 'Reading' })).toHaveValue(reading);
  await user.type(form.getByRole('textbox', { name: 'Uncertainty (± %)' }), '2.5');
  await user.click(form.getByRole('button', { name: 'Save without connecting' }));
  expect(calls.filter(({ method }) => method === 'connection.save')).toMatchObject([
    {
      input: {
        secret: 'secret',
        connection: {
          name: 'Redfish',
          source: {
            type: 'redfish',
            host: 'bmc.lab',
            port: 443,
            user: 'admin',
            fingerprint256: fingerprint,
            reading,
            uncertaintyPct: 2.5,
            periodMs: 1_000,
          },
        },
      },
    },
  ]);
});

test('the list says how often a new value came', async () => {
  const source = {
    type: 'redfish',
    host: 'bmc.lab',
    port: 443,
    user: 'admin',
    password: { keychain: 'p1' },
    periodMs: 1_000,
  } as const;
  renderRoute('/connections', {
    'connection.list': () => [{ kind: 'power', id: 'p1', name: 'Node 1', source }],
    'connection.facts': () => ({ p1: { usedBy: [], workedAtMs: 1_000, updateMs: 10_000 } }),
  });
  expect(await screen.findByText(/a new value every 10 s/)).toBeVisible();
  expect(screen.getByText('Verified by CA')).toBeVisible();
});
