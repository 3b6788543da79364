import { fireEvent, screen, within } from '@testing-library/react';

import { installChartDom } from '../../charts/testing/page.tsx';
import { renderRoute } from '../../testing/renderRoute.tsx';

beforeAll(() => {
  installChartDom();
});

/** A browser's full screen: its end is told by an event a little later. */
function installFullScreen(): { escape: () => void; exits: () => number } {
  let element: Element | null = null;
  let exits = 0;
  const changed = (): void => {
    fireEvent(document, new Event('fullscreenchange'));
  };
  const define = (target: object, name: string, value: PropertyDescriptor): void => {
    Object.defineProperty(target, name, { configurable: true, ...value });
  };
  define(document, 'fullscreenElement', { get: () => element });
  define(document, 'fullscreenEnabled', { value: true });
  define(navigator, 'userActivation', { value: { isActive: true } });
  define(document.documentElement, 'requestFullscreen', {
    value: async () => {
      element = document.documentElement;
      await Promise.resolve().then(changed);
    },
  });
  define(document, 'exitFullscreen', {
    value: async () => {
      exits += 1;
      element = null;
      await Promise.resolve().then(changed);
    },
  });
  return {
    exits: () => exits,
    escape: () => {
      element = null;
      changed();
    },
  };
}

test('from page to page of the presenter full screen stays, and nothing jumps back; Escape leaves', async () => {
  const full = installFullScreen();
  const { user, path } = renderRoute('/present', {}, null, 'simulated');
  const list = await screen.findByRole('navigation', { name: 'What to present' });
  await user.click(within(list).getAllByRole('link')[0]!);
  await screen.findByText(/^1 of \d+$/, { selector: 'span' });
  expect(path()).toMatch(/^\/present\/story\//);
  expect(full.exits()).toBe(0);
  expect(document.fullscreenElement).not.toBeNull();
  full.escape();
  expect(await screen.findByRole('navigation', { name: 'What to present' })).toBeVisible();
  expect(path()).toBe('/present');
});
