import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import { DurationField } from './DurationField.tsx';

const seen: number[] = [];
function Form({ start, within }: { start: number; within?: readonly [number, number] }) {
  const [seconds, setSeconds] = useState(start);
  return (
    <MantineProvider env="test">
      <DurationField
        label="Steady state"
        value={seconds}
        {...(within ? { within } : {})}
        onChange={(next) => {
          seen.push(next);
          setSeconds(next);
        }}
      />
      <button onClick={() => setSeconds(7_200)}>Of the profile</button>
    </MantineProvider>
  );
}
const field = () => screen.getByRole('textbox', { name: 'Steady state' });

test('an hour typed as 1:00:00 is an hour: it became 10000 s once', async () => {
  const user = userEvent.setup();
  render(<Form start={300} />);
  expect(field()).toHaveValue('5:00');
  await user.clear(field());
  await user.type(field(), '1:00:00');
  expect(seen.at(-1)).toBe(3_600);
  await user.clear(field());
  await user.type(field(), '90m');
  expect(field()).toHaveValue('90m');
  await user.tab();
  expect(field()).toHaveValue('1:30:00');
  expect(seen.at(-1)).toBe(5_400);
});

test('what is no duration stays as typed, says what may be written, and is no number', async () => {
  const user = userEvent.setup();
  render(<Form start={300} />);
  await user.clear(field());
  await user.type(field(), 'an hour');
  await user.tab();
  expect(field()).toHaveValue('an hour');
  expect(screen.getByText('Write h:mm:ss, m:ss, 90m, 2h or seconds.')).toBeVisible();
  expect(seen.at(-1)).toBeNaN();
  await user.click(screen.getByRole('button', { name: 'Of the profile' }));
  expect(field()).toHaveValue('2:00:00');
});

test('with bounds nothing beyond them is handed on, and the value from before comes back', async () => {
  const user = userEvent.setup();
  seen.length = 0;
  render(<Form start={300} within={[0, 3_600]} />);
  await user.clear(field());
  await user.type(field(), '2h');
  expect(screen.getByText('At most 1:00:00')).toBeVisible();
  expect(seen.every((seconds) => seconds <= 3_600)).toBe(true);
  await user.tab();
  expect(field()).toHaveValue('5:00');
  expect(seen.at(-1)).toBe(300);
  expect(screen.queryByText('At most 1:00:00')).toBeNull();
});
