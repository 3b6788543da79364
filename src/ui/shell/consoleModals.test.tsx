import { modals } from '@mantine/modals';
import { act, screen } from '@testing-library/react';

import { renderRoute } from '../testing/renderRoute.tsx';

/**
 * Dialogs of commands, each with a word it shows. What they lead to is a page: they need the
 * router, or the window goes white.
 */
test.each([
  ['importFile', 'Import results of another tool', /Iometer results/],
  ['shortcuts', 'Keyboard shortcuts', /Command palette/],
])('the dialog %s can be opened from any page', async (modal, title, words) => {
  renderRoute('/plans', {});
  await screen.findByRole('heading', { name: 'Plans' });
  act(() => {
    modals.openContextModal({ modal, title, innerProps: {} });
  });
  expect(await screen.findByRole('dialog', { name: title })).toHaveTextContent(words);
});
