import { fireEvent, render, screen, within } from '@testing-library/react';

import { renderRoute } from '../testing/renderRoute.tsx';
import { runPageCommand, usePageCommands } from './pageCommands.ts';

test('the list of keys names those of one screen with their screen', async () => {
  renderRoute('/settings', {});
  await screen.findByRole('heading', { level: 1 });
  fireEvent.keyDown(document.documentElement, { key: '/', code: 'Slash', ctrlKey: true });
  const keys = await screen.findByRole('table', { name: 'Keyboard shortcuts' });
  expect(
    within(keys).getByRole('row', { name: 'Swap baseline (on Compare) B' }),
  ).toBeInTheDocument();
  expect(
    within(keys).getByRole('row', { name: 'Mark as favourite, or not (on Runs) F' }),
  ).toBeInTheDocument();
});

test('a command of a screen that is not open leads there', async () => {
  const { user, path } = renderRoute('/settings', {});
  await screen.findByRole('heading', { level: 1 });
  fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
  await user.keyboard('Swap baseline{Enter}');
  expect(path()).toBe('/compare');
});

test('keys of a screen work on it, not in a field, and end with it', () => {
  const done: string[] = [];
  function Page() {
    usePageCommands({ 'compare.swap': () => done.push('swap') });
    return (
      <>
        <input aria-label="Name" />
        <input type="checkbox" aria-label="Choose" />
      </>
    );
  }
  const { unmount } = render(<Page />);
  fireEvent.keyDown(document.body, { key: 'b', code: 'KeyB' });
  fireEvent.keyDown(screen.getByRole('checkbox'), { key: 'b', code: 'KeyB' });
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'b', code: 'KeyB' });
  expect(done).toEqual(['swap', 'swap']);
  expect(runPageCommand('compare.swap')).toBe(true);
  unmount();
  fireEvent.keyDown(document.body, { key: 'b', code: 'KeyB' });
  expect(runPageCommand('compare.swap')).toBe(false);
  expect(done).toHaveLength(3);
});
