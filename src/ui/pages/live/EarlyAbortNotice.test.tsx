import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import { fail } from '../../../core/base/errors.ts';
import type { EarlyAbortState } from '../../../core/plan/earlyAbortRule.ts';
import { EarlyAbortNotice } from './EarlyAbortNotice.tsx';

const warned: EarlyAbortState = {
  state: 'warned',
  text: 'Tile 1 Java: missed in 2 periods in a row',
  atMs: 1_000,
  dueMs: 61_000,
};
const shown = (
  earlyAbort: EarlyAbortState | undefined,
  nowMs: number,
  onLetRun = async (): Promise<void> => undefined,
) =>
  render(
    <MantineProvider>
      <EarlyAbortNotice
        overview={{ abortReason: null, ...(earlyAbort ? { earlyAbort } : {}) }}
        nowMs={nowMs}
        onLetRun={onLetRun}
      />
    </MantineProvider>,
  );

test('an announced end: which limit, how long, and a way to let the run go on', async () => {
  let asked = 0;
  shown(warned, 20_500, async () => {
    asked += 1;
  });
  expect(screen.getByText('Tile 1 Java: missed in 2 periods in a row.')).toBeVisible();
  expect(screen.getByRole('timer')).toHaveTextContent(
    'Ends in 41 s of the run. What was measured is kept.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Let it run' }));
  expect(asked).toBe(1);
});

test('a veto that came too late says so', async () => {
  shown(warned, 61_000, async () => {
    throw fail('conflict', 'No early end of this run is announced.');
  });
  expect(screen.getByRole('timer')).toHaveTextContent('Ends now');
  await userEvent.click(screen.getByRole('button', { name: 'Let it run' }));
  expect(await screen.findByText('No early end of this run is announced.')).toBeVisible();
});

test.each([
  undefined,
  { ...warned, state: 'vetoed' as const },
  { ...warned, state: 'withdrawn' as const },
  { ...warned, state: 'ended' as const },
])('nothing where no end is announced: %j', (earlyAbort) => {
  shown(earlyAbort, 2_000);
  expect(screen.queryByRole('button')).toBeNull();
});
