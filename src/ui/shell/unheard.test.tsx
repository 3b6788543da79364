import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { act, render, screen } from '@testing-library/react';

import { fail } from '../../core/base/errors.ts';
import { theme } from './look/theme.ts';
import { showUnheard } from './unheard.ts';

beforeEach(() => {
  render(
    <MantineProvider theme={theme} env="test">
      <Notifications />
    </MantineProvider>,
  );
});

test('a file that cannot be written is told, with what to do', async () => {
  act(() => {
    showUnheard({ reason: fail('internal', 'study.csv was not written.', 'The disk is full.') });
  });
  expect(await screen.findByText('study.csv was not written.')).toBeVisible();
  expect(screen.getByText('The disk is full.')).toBeVisible();
});

test('what was cancelled is not told', () => {
  act(() => {
    showUnheard({ reason: fail('aborted', 'The operation was cancelled.') });
  });
  expect(screen.queryByText('The operation was cancelled.')).toBeNull();
});
