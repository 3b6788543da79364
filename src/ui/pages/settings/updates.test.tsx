import { createHash, webcrypto } from 'node:crypto';

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { fail } from '../../../core/base/errors.ts';
import type { UpdateState } from '../../../wire/contract/app.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

const subtle = Object.getOwnPropertyDescriptor(globalThis.crypto, 'subtle');
beforeAll(() => {
  if (subtle === undefined)
    Object.defineProperty(globalThis.crypto, 'subtle', { value: webcrypto.subtle });
});

const known: UpdateState = {
  installed: '0.1.0',
  feed: '/srv/tilebench',
  setIn: '/etc/tilebench/updates.json',
  checkedAtMs: null,
  offered: null,
  fault: null,
};
const offered = { version: '0.2.0', publishedAt: '2026-11-20T12:00:00Z', notes: '- Faster.' };
const name = 'tilebench_0.2.0_amd64.deb';

test('without a feed it is said that nothing is looked for, and where one is named', async () => {
  renderRoute('/settings', { 'update.state': () => ({ ...known, feed: null }) });
  expect(await screen.findByText(/No feed is set/)).toHaveTextContent(
    '/etc/tilebench/updates.json',
  );
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
});

test('Check now shows what the feed offers, with its notes', async () => {
  let state = known;
  renderRoute('/settings', {
    'update.state': () => state,
    'update.check': () => (state = { ...known, checkedAtMs: 0, offered }),
  });
  expect(await screen.findByText(/Not checked since this start/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Check now' }));
  expect(
    await screen.findByText(/Tilebench 0\.2\.0 is available, published 2026-11-20/),
  ).toBeVisible();
  expect(screen.getByText('- Faster.')).toBeVisible();
});

test('a look that failed says why', async () => {
  const fault = 'The feed of updates is not signed by the key that is set.';
  renderRoute('/settings', {
    'update.state': () => ({ ...known, checkedAtMs: 0, fault }),
  });
  expect(await screen.findByText(fault)).toBeVisible();
  expect(screen.queryByText(/is the newest/)).toBeNull();
});

test('a package from a file is held against the feed before anybody installs it', async () => {
  const { calls } = renderRoute(
    '/settings',
    {
      'update.state': () => known,
      'update.hold': () => ({ version: '0.2.0', newer: true }),
    },
    { name, text: 'package' },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Install from file…' }));
  expect(await screen.findByText(`${name} is what was published as 0.2.0`)).toBeVisible();
  expect(screen.getByText(`sudo apt install ./${name}`)).toBeVisible();
  const sha256 = createHash('sha256').update('package').digest('hex');
  expect(calls).toContainEqual({ method: 'update.hold', input: { name, bytes: 7, sha256 } });
});

test('a package that is another one is refused, with what to do', async () => {
  renderRoute(
    '/settings',
    {
      'update.state': () => known,
      'update.hold': () => {
        throw fail(
          'invalidInput',
          `${name} is not the file that was published.`,
          'Carry it again.',
        );
      },
    },
    { name, text: 'changed' },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Install from file…' }));
  expect(await screen.findByText('Do not install this file')).toBeVisible();
  expect(screen.getByText(/is not the file that was published. Carry it again./)).toBeVisible();
});
