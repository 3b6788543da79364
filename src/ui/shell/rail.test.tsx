import { fireEvent, screen, within } from '@testing-library/react';

import { historyAnswers } from '../pages/history/testing/historyAnswers.ts';
import { rowNames, summaries } from '../pages/history/testing/historyScreen.ts';
import { renderRoute } from '../testing/renderRoute.tsx';

const rail = (): HTMLElement => screen.getByRole('navigation', { name: 'Main' });
const names = (place: string): (string | null)[] =>
  within(screen.getByRole('navigation', { name: place }))
    .getAllByRole('link')
    .map((link) => link.textContent);

test('the rail has seven places; the Lab holds three lists', async () => {
  const { user } = renderRoute('/', {});
  expect(names('Main')).toEqual(['Home', 'Lab', 'Plans', 'Runs', 'Studies', 'Compare', 'Settings']);
  await user.click(within(rail()).getByRole('link', { name: 'Lab' }));
  expect(await screen.findByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  expect(names('Lab')).toEqual(['Connections', 'Testbeds', 'Demo lab']);
  await user.click(
    within(screen.getByRole('navigation', { name: 'Lab' })).getByRole('link', { name: 'Testbeds' }),
  );
  expect(await screen.findByRole('heading', { name: 'Testbeds', level: 1 })).toBeVisible();
  expect(names('Breadcrumb')).toEqual(['Lab']);
});

test('the Lab of the simulated workspace is its gallery', async () => {
  const { user } = renderRoute('/', {}, null, 'simulated');
  await user.click(within(rail()).getByRole('link', { name: 'Lab' }));
  expect(await screen.findByRole('heading', { name: 'Demo lab', level: 1 })).toBeVisible();
});

test('an address of the history of before leads to the runs, with its filter', async () => {
  const { path } = renderRoute('/history?state=aborted', historyAnswers(summaries));
  expect(await screen.findByRole('grid', { name: 'Runs and studies' })).toBeVisible();
  expect(path()).toBe('/runs');
  expect(rowNames()).toEqual(['Cut short']);
});

test('the palette finds the runs by the name of before', async () => {
  const { user, path } = renderRoute('/settings', {});
  await screen.findByRole('heading', { name: 'Settings', level: 1 });
  fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
  await user.keyboard('history{Enter}');
  expect(path()).toBe('/runs');
});
