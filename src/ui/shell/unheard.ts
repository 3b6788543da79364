import { notifications } from '@mantine/notifications';

import { toAppError } from '../../core/base/errors.ts';

/**
 * A promise that failed while nobody listened: a file that could not be written, a window that
 * could not be opened.
 */
export interface Unheard {
  readonly reason: unknown;
}

/**
 * Shows what fails where nobody listens, as a refused command is shown. What was cancelled is no
 * failure.
 */
export function showUnheard({ reason }: Unheard): void {
  const error = toAppError(reason);
  if (error.kind === 'aborted') return;
  notifications.show({
    color: 'red',
    title: error.message,
    message: error.hint ?? '',
    autoClose: 12_000,
  });
}
