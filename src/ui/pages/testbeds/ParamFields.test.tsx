import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';

import type { DriverParams } from '../../../core/profile/profile.ts';
import type { DriverInfo } from '../../../wire/contract/plans.ts';
import { ParamFields } from './ParamFields.tsx';

const store: DriverInfo = {
  id: 'tilekit-dvdstore',
  title: 'tilekit DVD Store',
  role: 'database',
  params: [
    {
      name: 'mode',
      type: 'string',
      default: 'closed',
      description: 'How the load is offered',
      choices: [
        { value: 'closed', label: 'Closed: users who wait' },
        { value: 'open', label: 'Open: orders at a rate' },
      ],
    },
    {
      name: 'rate',
      type: 'number',
      default: 10,
      description: 'Orders per second to offer',
      when: { member: 'mode', is: ['open'] },
      least: 0.1,
      most: 100_000,
    },
    {
      name: 'thinkS',
      type: 'number',
      default: 0,
      description: 'Mean pause of a user between two orders',
      when: { member: 'mode', is: ['closed'] },
    },
  ],
};

/** Told what is set, as a plan would get it. */
const told = jest.fn<undefined, [DriverParams]>();
function Panel({ profileParams }: { profileParams: DriverParams }) {
  const [params, setParams] = useState<DriverParams>({});
  return (
    <ParamFields
      driver={store}
      profileParams={profileParams}
      params={params}
      focused={null}
      onChange={(changed) => {
        told(changed);
        setParams(changed);
      }}
    />
  );
}
const open = (profileParams: DriverParams = {}) =>
  render(
    <MantineProvider env="test">
      <Panel profileParams={profileParams} />
    </MantineProvider>,
  );

test('few values are chosen by name; only what counts with them is asked for, and what is set stays', async () => {
  open();
  const mode = screen.getByRole('combobox', { name: 'Mode' });
  expect(mode).toHaveValue('As the profile has it: Closed: users who wait');
  expect(screen.queryByRole('textbox', { name: 'Rate' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Think (s)' })).toBeVisible();
  await userEvent.click(mode);
  await userEvent.click(await screen.findByRole('option', { name: 'Open: orders at a rate' }));
  expect(told).toHaveBeenLastCalledWith({ mode: 'open' });
  expect(screen.queryByRole('textbox', { name: 'Think (s)' })).toBeNull();
  await userEvent.type(screen.getByRole('textbox', { name: 'Rate' }), '20');
  await userEvent.click(mode);
  await userEvent.click(await screen.findByRole('option', { name: /^As the profile has it/ }));
  expect(told).toHaveBeenLastCalledWith({ rate: 20 });
  expect(screen.getByRole('textbox', { name: 'Rate' })).toHaveValue('20');
});

test('the value of the profile decides as well', () => {
  open({ mode: 'open' });
  expect(screen.getByRole('combobox', { name: 'Mode' })).toHaveValue(
    'As the profile has it: Open: orders at a rate',
  );
  expect(screen.getByRole('textbox', { name: 'Rate' })).toBeVisible();
});

test('a number that the driver would refuse says so at once, and is not silently another', async () => {
  open({ mode: 'open' });
  const rate = screen.getByRole('textbox', { name: 'Rate' });
  await userEvent.type(rate, '200000');
  await userEvent.tab();
  expect(screen.getByText('At most 100000')).toBeVisible();
  expect(told).toHaveBeenLastCalledWith({ rate: 200_000 });
});
