import { notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';

import { fail, toAppError } from '../../core/base/errors.ts';
import type { Output } from '../../wire/contract.ts';
import { type Answers, renderPart } from '../testing/renderRoute.tsx';
import { useSendCommand } from './sendCommand.ts';

/** Removes a run, says how that went, and can be called off. */
function Remove({ refusal }: { refusal?: 'notice' | 'here' }) {
  const send = useSendCommand();
  const [stop] = useState(() => new AbortController());
  const [said, setSaid] = useState('');
  const remove = (): void => {
    send('run.remove', { id: 'r1' }, { signal: stop.signal, ...(refusal ? { refusal } : {}) }).then(
      (answer) => setSaid(`done ${JSON.stringify(answer)}`),
      (thrown: unknown) => {
        const { kind, message, hint } = toAppError(thrown);
        setSaid([kind, message, hint].join(' | '));
      },
    );
  };
  return (
    <>
      <button onClick={remove}>Remove</button>
      <button onClick={() => stop.abort()}>Call off</button>
      <output>{said}</output>
    </>
  );
}
afterEach(() => {
  notifications.clean();
});
const shown = async (answer: Answers['run.remove'], refusal?: 'notice' | 'here') => {
  const part = renderPart(<Remove {...(refusal ? { refusal } : {})} />, { 'run.remove': answer! });
  await part.user.click(screen.getByRole('button', { name: 'Remove' }));
  return part;
};
const refuse = (): never => {
  throw fail('conflict', 'The run is running.', 'End it first.');
};

test('its sender gets the answer', async () => {
  const { calls } = await shown(() => ({}));
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('done {}'));
  expect(calls).toEqual([{ method: 'run.remove', input: { id: 'r1' } }]);
});

test.each([
  ['is a notice, whatever its sender does', undefined, true],
  ['is none where its sender shows it', 'here' as const, false],
])('a refusal %s; the sender gets its kind, words and hint', async (_what, refusal, noticed) => {
  await shown(refuse, refusal);
  await waitFor(() =>
    expect(screen.getByText('conflict | The run is running. | End it first.')).toBeVisible(),
  );
  expect(screen.queryAllByText('The run is running.')).toHaveLength(noticed ? 1 : 0);
});

test('what is called off is `aborted` for its sender, and no notice', async () => {
  const { user } = await shown(() => new Promise<Output<'run.remove'>>(() => undefined));
  await user.click(screen.getByRole('button', { name: 'Call off' }));
  expect(await screen.findByText(/^aborted \| The operation was cancelled/)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});
