import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { ActState } from '../../../core/acts/act.ts';
import { ActsNotice } from './ActsNotice.tsx';

const act = (of: Partial<ActState>): ActState => ({
  id: 'a',
  kind: 'hostFails',
  label: 'Host esx3 fails',
  plannedMs: 100_000,
  by: 'hand',
  state: 'planned',
  startedMs: null,
  doneMs: null,
  endedMs: null,
  text: '',
  owed: false,
  before: null,
  ...of,
});
const shown = (of: Partial<ActState>, nowMs: number, onDone = async () => undefined) =>
  render(
    <MantineProvider>
      <ActsNotice overview={{ state: 'steady', acts: [act(of)] }} nowMs={nowMs} onDone={onDone} />
    </MantineProvider>,
  );

test('counts down to an act by hand, asks for it, and sends Done', async () => {
  const done = jest.fn(async () => undefined);
  shown({}, 10_000).unmount();
  shown({ state: 'asked' }, 100_000, done);
  expect(screen.getByRole('timer')).toHaveTextContent('Do it by hand now, then press Done.');
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(done).toHaveBeenCalledWith('a');
});

test.each([
  [{}, 10_000, 'In 1:30, by hand: be ready.'],
  [{ by: 'console' as const }, 10_000, 'In 1:30.'],
  [{ state: 'doing' as const, startedMs: 90_000 }, 100_000, 'Under way for 0:10.'],
  [{ state: 'asked' as const, startedMs: 1 }, 2, 'Put it back by hand now, then press Done.'],
])('%j', (of, nowMs, text) => {
  shown(of, nowMs);
  expect(screen.getByRole('timer')).toHaveTextContent(text);
});

test('says nothing of what is far off, or over', () => {
  shown({ plannedMs: 1e9 }, 10_000).unmount();
  shown({ state: 'undone' }, 10_000);
  expect(screen.queryByRole('timer')).toBeNull();
});
