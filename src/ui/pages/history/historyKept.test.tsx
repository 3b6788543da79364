import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';

import { renderScreen } from '../runs/testing/renderScreen.tsx';
import { entryOf, historyAnswers } from './testing/historyAnswers.ts';
import { at, press, rowNames, runs, summaries, type } from './testing/historyScreen.ts';

beforeEach(() => localStorage.clear());
// What lies behind an open dialog is told apart by names here; asking each element for its
// visibility takes most of the time.
configure({ defaultHidden: true });

test('deleting is undone by its notice; a refusal names the run and the reason', async () => {
  const { user } = renderScreen('/runs', runs, {
    answers: historyAnswers(summaries, { refuse: { b: 'The study Tiles up needs it.' } }),
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Baseline' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select New firmware' }));
  press('Delete');
  expect(await screen.findByText('New firmware: The study Tiles up needs it.')).toBeVisible();
  await waitFor(() => expect(rowNames()).toEqual(['New firmware', 'Cut short', 'Model']));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(rowNames()).toContain('Baseline'));
});

test('archiving puts away and brings back; what only the archive holds is offered', async () => {
  const { user } = renderScreen('/runs', runs);
  fireEvent.click(await screen.findByRole('row', { name: /Baseline/ }));
  press('e');
  await waitFor(() => expect(rowNames()).not.toContain('Baseline'));
  type('baseline');
  await user.click(await screen.findByRole('button', { name: '1 in the archive' }));
  expect(rowNames()).toEqual(['Baseline']);
  press('z', { ctrlKey: true });
  expect(await screen.findByText('Nothing here.')).toBeVisible();
});

test('Deleted: restored, or removed for good after saying what goes', async () => {
  const { user } = renderScreen('/runs', runs, {
    answers: historyAnswers([], {
      entries: summaries.map((r) =>
        entryOf(r, { deletedAtMs: r.id === 'a' || r.id === 'c' ? at : null }),
      ),
    }),
  });
  await screen.findByRole('grid');
  await user.click(screen.getByRole('button', { name: 'Deleted 2' }));
  await waitFor(() => expect(rowNames()).toEqual(['Baseline', 'Cut short']));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Cut short' }));
  await user.click(screen.getByRole('button', { name: 'Remove for good…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove 1 run for good' });
  expect(dialog).toHaveTextContent(
    /Gone for good: .* samples, the score, findings, events, notes, logs and the recorded set-up of 1 run\.Cut shortFrees about 2\.40 MB/,
  );
  await user.click(within(dialog).getByRole('button', { name: 'Remove for good' }));
  await waitFor(() => expect(rowNames()).toEqual(['Baseline']));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Baseline' }));
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText(/^Nothing lies in Deleted/)).toBeVisible();
});

test('storage by kind, and a rule that says what it would remove before it is on', async () => {
  const { user, calls } = renderScreen('/runs?storage=1', runs, {
    answers: historyAnswers([], {
      entries: summaries.map((r) => entryOf(r, { deletedAtMs: r.id === 'c' ? at : null })),
    }),
  });
  const drawer = await screen.findByRole('dialog', { name: 'Storage and retention' });
  expect(
    await within(drawer).findByText(
      'The database has 48.0 MB, of which 4.00 MB are free for the next runs.',
    ),
  ).toBeVisible();
  expect(
    await within(drawer).findByText(
      'With this rule on, now: 1 removed for good, 0 thinned, about 2.40 MB freed.',
    ),
  ).toBeVisible();
  expect(calls.some((c) => c.method === 'history.retention.set')).toBe(false);
  await user.click(
    within(drawer).getByRole('switch', { name: 'Remove by itself what the rule names' }),
  );
  await user.click(within(drawer).getByRole('button', { name: 'Switch the rule on' }));
  await waitFor(() =>
    expect(calls.find((c) => c.method === 'history.retention.set')?.input).toEqual({
      enabled: true,
      deletedDays: 30,
      sampleDays: null,
      keepFavourites: true,
    }),
  );
});
