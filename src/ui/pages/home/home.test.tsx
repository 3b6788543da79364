import { act, screen, waitFor } from '@testing-library/react';

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
