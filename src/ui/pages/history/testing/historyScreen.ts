import { fireEvent, screen, within } from '@testing-library/react';

import { demoRun } from '../../runs/testing/records.ts';

/** When the first of them began. */
export const at = Date.UTC(2026, 10, 20, 9, 0, 0);
export const runs = [
  demoRun({ id: 'a', name: 'Baseline' }),
  demoRun({ id: 'b', name: 'New firmware', speed: 1.5, startedAtMs: at + 3_600_000 }),
  demoRun({ id: 'c', name: 'Cut short', state: 'aborted', startedAtMs: at - 3_600_000 }),
  demoRun({ id: 'd', name: 'Model', origin: 'simulated', startedAtMs: at - 7_200_000 }),
];
export const summaries = runs.map((r) => r.summary);

/** Names of the rows on show, from the top. */
export const rowNames = (): string[] =>
  within(screen.getByRole('grid', { name: 'Runs and studies' }))
    .getAllByRole('checkbox', { name: /^Select (?!all)/ })
    .map((box) => box.getAttribute('aria-label')!.replace('Select ', ''));

/** A key where the focus is. */
export const press = (key: string, init = {}): void => {
  fireEvent.keyDown(document.activeElement ?? document.body, {
    key,
    code: key.length === 1 ? `Key${key.toUpperCase()}` : key,
    ...init,
  });
};

export const search = (): HTMLElement =>
  screen.getByRole('searchbox', { name: 'Search runs and studies' });
export const type = (text: string): void => {
  fireEvent.change(search(), { target: { value: text } });
};
