import { screen } from '@testing-library/react';

import { renderRoute } from '../testing/renderRoute.tsx';

const words = 'This page is of another version than the engine';

test('a page of another version than the engine says so and offers to be loaded again', async () => {
  const { link } = renderRoute('/', {});
  link('open');
  expect(screen.queryByText(words)).toBeNull();
  link('otherVersion');
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeEnabled();
  // The engine went away, and another of this version came.
  link('closed', 'open');
  expect(screen.queryByText(words)).toBeNull();
});
