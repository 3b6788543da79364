import { fireEvent, screen } from '@testing-library/react';

import { renderRoute } from '../testing/renderRoute.tsx';

test('the palette has the focus before the next key: a quick typist loses no letter', async () => {
  const { user } = renderRoute('/settings', {});
  await screen.findByRole('heading', { level: 1 });
  fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
  const search = screen.getByRole('textbox', { name: 'Command palette' });
  expect(search).toHaveFocus();
  expect(screen.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await user.tab();
  expect(screen.getByRole('group', { name: 'Commands and names' })).toHaveFocus();
  await user.tab({ shift: true });
  expect(search).toHaveFocus();
  await user.keyboard('Abort active run');
  expect(search).toHaveValue('Abort active run');
  expect(screen.getByRole('button', { name: /^Abort active run/ })).toHaveAttribute(
    'data-selected',
    'true',
  );
});

test('the palette lists what the page on show can do, and what was opened last', async () => {
  const { user, path } = renderRoute('/testbeds/t1', {
    'testbed.list': () => [
      {
        id: 't1',
        name: 'Rack 7',
        version: 1,
        profileId: 'tile',
        vcenterId: null,
        powerIds: [],
        tiles: [],
        notes: '',
      },
    ],
  });
  await screen.findByRole('heading', { name: 'Rack 7', level: 1 });
  fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
  expect(screen.getAllByRole('button', { name: 'Rack 7' })).toHaveLength(2);
  await user.keyboard('Plan a run{Enter}');
  expect(path()).toBe('/plans/new');
});

test('the breadcrumb names what is on show, and takes another name', async () => {
  const { user } = renderRoute('/testbeds/new', {});
  await user.click(await screen.findByRole('button', { name: 'Rename Testbed 1' }));
  await user.keyboard('{Control>}a{/Control}Rack 8{Enter}');
  expect(await screen.findByRole('heading', { name: 'Rack 8', level: 1 })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Rename Rack 8' })).toBeVisible();
});
