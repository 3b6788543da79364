import { fireEvent, screen, waitFor, within } from '@testing-library/react';

import type { StudySummary } from '../../../core/study/study.ts';
import { renderRoute } from '../../testing/renderRoute.tsx';

// Whole screens are drawn, on machines that others load.
beforeEach(() => {
  localStorage.clear();
});

describe('the list', () => {
  const summary = (n: number, change: Partial<StudySummary> = {}): StudySummary => ({
    id: `s${n}`,
    name: `Study ${n}`,
    state: 'done',
    origin: 'real',
    axis: 'Tiles',
    done: 6,
    total: 6,
    startedAtMs: n,
    galleryId: null,
    ...change,
  });

  test('empty: says what will be here, and the way to the ready-made ones', async () => {
    const { user, opened } = renderRoute('/studies', {});
    expect(await screen.findByText(/^A study runs a plan at several values/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ready-made studies in the demo lab' }));
    expect(opened).toEqual(['simulated /lab']);
  });

  test('refused: says why, and asks again', async () => {
    let calls = 0;
    const { user } = renderRoute('/studies', {
      'study.list': () => {
        calls += 1;
        if (calls === 1)
          throw Object.assign(new Error('The database is locked.'), { kind: 'internal' });
        return [summary(1)];
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('The database is locked.');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Study 1' })).toBeVisible();
  });

  test('many: the newest first, 200 at once, searched by name', async () => {
    const { user } = renderRoute('/studies', {
      'study.list': () => Array.from({ length: 500 }, (_, n) => summary(n)),
    });
    const table = await screen.findByRole<HTMLTableElement>('table', { name: 'Studies' });
    // Counted as elements: roles of 200 rows take seconds.
    expect(table.rows).toHaveLength(201);
    expect(table.querySelector('a')).toHaveTextContent('Study 499');
    const search = screen.getByRole('searchbox', { name: 'Search studies' });
    fireEvent.change(search, { target: { value: 'study 42' } });
    expect(screen.getByText('11 of 500 studies')).toBeVisible();
    expect(
      within(table)
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toContain('Study 42');
    await user.clear(search);
    expect(screen.getByText('Show all 500').closest('button')).toBeVisible();
  });

  test('removing asks, says exactly what will be gone, and does it', async () => {
    const { user, calls } = renderRoute('/studies', {
      'study.list': () => [summary(1)],
      'study.remove': () => ({}),
    });
    await user.click(await screen.findByRole('button', { name: 'Remove Study 1' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove Study 1' });
    expect(dialog).toHaveTextContent(
      'The study and its curve of 6 points will be gone. Its runs stay in Runs.',
    );
    expect(calls.some((c) => c.method === 'study.remove')).toBe(false);
    await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(calls.find((c) => c.method === 'study.remove')?.input).toEqual({ id: 's1' }),
    );
  });
});
