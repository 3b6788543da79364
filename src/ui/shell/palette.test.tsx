import { fireEvent, screen } from '@testing-library/react';

import { renderRoute } from '../testing/renderRoute.tsx';

test('the palette has the focus before the next key: a quick typist loses no letter', async () => {
  const { user } = renderRoute('/settings', {});
  await screen.findByRole('heading', { level: 1 });
  fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
  const search = screen.getByRole('textbox', { name: 'Command palette' });
  expect(search).toHaveFocus();
  await user.keyboard('Abort active run');
  expect(search).toHaveValue('Abort active run');
  expect(screen.getByRole('button', { name: /^Abort active run/ })).toHaveAttribute(
    'data-selected',
    'true',
  );
});
