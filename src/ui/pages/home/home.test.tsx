import { act, screen, waitFor, within } from '@testing-library/react';

import { renderRoute } from '../../testing/renderRoute.tsx';

beforeEach(() => {
  localStorage.clear();
});

test('an engine that goes away takes nothing from the page that it had answered', async () => {
  let away = false;
  const { calls, emit } = renderRoute('/', {
    'connection.list': () => {
      if (away) throw Object.assign(new Error('It is away.'), { kind: 'unreachable' });
      return [];
    },
  });
  expect(await screen.findByRole('heading', { name: 'Three ways in' })).toBeVisible();
  const asked = (): number => calls.filter(({ method }) => method === 'connection.list').length;
  const before = asked();
  away = true;
  act(() => emit('list.changed', { list: 'connections' }));
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
  expect(await screen.findByRole('heading', { name: 'Three ways in' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('until the first run, Home leads from one step to the next', async () => {
  renderRoute('/', {
    'connection.list': () => [
      {
        kind: 'client',
        id: 'c1',
        name: 'c1',
        host: 'c1.lab',
        port: 22,
        user: 'root',
        auth: { method: 'agent' },
      },
    ],
  });
  const steps = within(await screen.findByRole('region', { name: 'First steps' }));
  expect(steps.getByRole('heading')).toHaveTextContent('First steps: 1 of 4 done');
  expect(steps.getByRole('link', { name: 'New testbed' })).toHaveAttribute('href', '/testbeds/new');
  expect(steps.getAllByRole('listitem').map((item) => item.getAttribute('aria-current'))).toEqual([
    null,
    'step',
    null,
    null,
  ]);
});
